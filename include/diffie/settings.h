// What can be chosen when triples are extracted: one struct, whose fields one table describes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/export.h"

namespace diffie {

// How the tags of a sample become a triple.
enum class Rule {
  kLongest,       // the longest run of every role, the first on ties (paper)
  kRelationRuns,  // every run of the relation, the longest of the others
  kAllRuns,       // every run of every role
};

// How triples are chosen from the samples. docs/selection.md describes them.
enum class SelectorKind { kLenient, kFrequency, kCoverage, kLearned };

// int8 needs a model with int8 weights; others compute in fp32. A GPU computes in bf16 for int8, in
// fp16 where it has no bf16. On a GPU alone: fp8, where the denoiser's layers read weights and
// inputs of eight bits, and fp16.
enum class Precision { kInt8, kFp32, kFp8, kFp16 };

// kAuto: the GPU where there is one that can be used, else the CPU.
enum class Device { kCpu, kCuda, kAuto };

// The resolved values of a run. A model's presets are such values (Model::settings); a caller
// changes fields of one. Ranges and meanings: setting_infos(), `diffie extract --help`.
struct Settings {
  std::int32_t samples = 512;  // n, tag sequences per sentence
  std::int32_t steps = 16;     // denoising steps, at most the model's T
  std::int32_t top_k = 4;
  double tau = 0.9;
  Rule rule = Rule::kLongest;
  SelectorKind selector = SelectorKind::kLenient;
  double power = 2.0;
  double wording = 0.0;
  double min_confidence = 0.0;
  double temperature = 1.0;
  double remask = 0.0;
  // What follows makes a sentence's rows depend on each other, so that fewer of them say as much;
  // each row alone keeps the law of the chain over the same times (docs/diffusion.md).
  std::vector<std::int32_t> times = {};  // empty: evenly strided. Else `steps` falling ones in 1..T
  std::vector<std::int32_t> shared = {};  // empty: 1 at every time. Else one number per time: so
                                          // many neighbouring trajectories are still one row there.
                                          // Each is a multiple of the next
  bool stratified = false;                // random numbers spread evenly over the rows
  // Of anchored models (docs/diffusion.md), which draw no samples.
  double theta = 0.03;         // what is less likely is not gone after
  std::int32_t branch = 2;     // relations of an anchor
  bool refine = true;          // ask about a second word of an unsure relation
  std::int32_t judged = 0;     // candidates that the judge is asked about
  bool tidy = false;           // edges of the slots trimmed, triples that say nothing left out
  bool explicit_only = false;  // no triple whose relation has implied words alone
  Precision precision = Precision::kInt8;
  Device device = Device::kCpu;
  std::vector<std::int32_t> devices = {};  // GPUs by CUDA's numbers, one may stand twice; empty: 0
  std::uint64_t seed = 0;
  std::int32_t threads = 0;    // 0: one per core
  bool pretokenized = false;   // words are the white-space tokens
  bool asserted_only = false;  // without what is denied, open or somebody's claim
  // docs/reshaping.md defines these.
  bool split_coordination = false;  // a triple for each part of "A, B and C"
  bool drop_contained = false;      // without triples that another one contains
  bool skip_pronouns = false;       // without triples about a pronoun
  bool mark_circumstances = false;  // time and place phrases in Extraction::circumstances

  // Throws kInvalidArgument naming the field, the value and what is allowed; fields that do not fit
  // each other (`times` for another number of steps) too.
  DIFFIE_API void validate() const;

  friend bool operator==(const Settings&, const Settings&) = default;
};

enum class SettingKind {
  kInteger,
  kNumber,
  kName,  // one of `names`
  kFlag,  // true or false
  kList,  // of integers
  kSeed,  // an integer of 64 bits without a sign
};

// A row of the table that config.json, the command line, the C interface, the server and the
// documentation share.
struct SettingInfo {
  std::string name;       // as in config.json, e.g. "top_k"; the flag is --top-k
  std::string allowed;    // e.g. "1 to 1024" or "longest, relation-runs, all-runs"
  std::string help;       // one line
  bool in_preset = true;  // false: of a run, not of a preset
  bool is_flag = false;   // true or false
  SettingKind kind = SettingKind::kNumber;
  double minimum = 0;  // of an integer, a number or the parts of a list
  double maximum = 0;
  bool above_minimum = false;           // the minimum itself is not allowed
  std::vector<std::string> names = {};  // of a name
};
DIFFIE_API std::vector<SettingInfo> setting_infos();

// By name, as text: numbers as C writes them, lists separated by commas ("none": empty), true or
// false. Throws kInvalidArgument for an unknown name or a value outside what is allowed; nothing is
// changed then.
DIFFIE_API void set_setting(Settings& settings, std::string_view name, std::string_view value);
DIFFIE_API std::string get_setting(const Settings& settings, std::string_view name);

}  // namespace diffie
