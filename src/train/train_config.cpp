#include "train/train_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

#include "diffie/error.h"
#include "diffusion/anchored_decoder.h"
#include "settings/fields.h"
#include "train/run_file.h"

namespace diffie::train {
namespace {

template <typename E>
using Names = std::vector<std::pair<std::string_view, E>>;

const Names<Objective> kObjectives = {{"diffusion", Objective::kDiffusion},
                                      {"tagger", Objective::kTagger}};
const Names<RateDecay> kDecays = {{"constant", RateDecay::kConstant},
                                  {"linear", RateDecay::kLinear},
                                  {"cosine", RateDecay::kCosine}};
const Names<AbsorbingWeight> kAbsorbingWeights = {{"plain", AbsorbingWeight::kPlain},
                                                  {"elbo", AbsorbingWeight::kElbo}};
const Names<diffusion::KernelKind> kKernels = {{"uniform", diffusion::KernelKind::kUniform},
                                               {"absorbing", diffusion::KernelKind::kAbsorbing},
                                               {"anchored", diffusion::KernelKind::kAnchored}};
const Names<diffusion::ScheduleKind> kSchedules = {
    {"cosine", diffusion::ScheduleKind::kCosine},
    {"linear", diffusion::ScheduleKind::kLinear},
    {"log-linear", diffusion::ScheduleKind::kLogLinear},
    {"mutual-information", diffusion::ScheduleKind::kMutualInformation}};

constexpr double kHuge = std::numeric_limits<double>::max();

// Calls visit.number / flag / text / name / list / setting for every key of the file, in file
// order; reading, writing and checking are three visitors of this one table.
template <typename Config, typename Visitor>
void visit_fields(Config& c, Visitor& v) {
  v.table("run");
  v.text("name", c.name);
  v.name("objective", c.objective, kObjectives);
  v.number("seed", c.seed, 0, 9e15);
  v.number("epochs", c.epochs, 1, 100000);
  v.number("batch_size", c.batch_size, 1, 65536);
  v.flag("whole_sentences", c.whole_sentences);
  v.number("levels", c.levels, 1, 1024);
  v.number("max_pieces", c.max_pieces, 1, 65536);
  v.number("bucket", c.bucket, 0, 100000);
  v.number("relaxations", c.relaxations, 0, 255);
  v.flag("bf16", c.bf16);
  v.flag("cpu_bf16", c.cpu_bf16);
  v.flag("deterministic", c.deterministic);
  v.flag("graphs", c.graphs);
  v.table("encoder");
  v.number("layers", c.encoder.layers, 1, 256);
  v.number("hidden", c.encoder.hidden, 1, 65536);
  v.number("heads", c.encoder.heads, 1, 1024);
  v.number("intermediate", c.encoder.intermediate, 1, 262144);
  v.number("vocab_size", c.encoder.vocab_size, 1, 4194304);
  v.number("max_positions", c.encoder.max_positions, 3, 65536);
  v.number("type_vocab", c.encoder.type_vocab, 1, 1024);
  v.number("layer_norm_eps", c.encoder.layer_norm_eps, 1e-30, 1);
  v.number("frozen_layers", c.frozen_layers, 0, 256);
  v.flag("freeze_embeddings", c.freeze_embeddings);
  v.number("dropout", c.encoder_dropout, 0, 0.99);
  v.number("attention_dropout", c.attention_dropout, 0, 0.99);
  v.table("denoiser");
  v.number("layers", c.denoiser.layers, 1, 256);
  v.number("hidden", c.denoiser.hidden, 1, 65536);
  v.number("heads", c.denoiser.heads, 1, 1024);
  v.number("layer_norm_eps", c.denoiser.layer_norm_eps, 1e-30, 1);
  v.number("dropout", c.denoiser_dropout, 0, 0.99);
  v.table("judge");
  v.number("layers", c.judge.layers, 0, 256);
  v.number("hidden", c.judge.hidden, 1, 65536);
  v.number("heads", c.judge.heads, 1, 1024);
  v.number("layer_norm_eps", c.judge.layer_norm_eps, 1e-30, 1);
  v.table("diffusion");
  v.name("kernel", c.diffusion.kernel, kKernels);
  v.name("schedule", c.diffusion.schedule, kSchedules);
  v.number("steps", c.diffusion.steps, 1, 4096);
  v.number("cosine_s", c.diffusion.cosine_s, 0, 1);
  v.name("absorbing_weight", c.absorbing_weight, kAbsorbingWeights);
  v.table("loss");
  v.list("class_weights", c.class_weights, 0, 1e6);
  v.number("label_smoothing", c.label_smoothing, 0, 0.99);
  v.number("tags", c.tags_loss, 0, 1000);
  v.number("judge", c.judge_loss, 0, 1000);
  v.table("optimizer");
  v.number("rate", c.rate, 0, 10);
  v.number("encoder_rate", c.encoder_rate, 0, 10);
  v.number("layer_decay", c.layer_decay, 1e-3, 1);
  v.name("decay", c.decay, kDecays);
  v.number("warmup", c.warmup, 0, 1e9);
  v.number("weight_decay", c.weight_decay, 0, 10);
  v.number("beta1", c.beta1, 0, 0.999999);
  v.number("beta2", c.beta2, 0, 0.9999999);
  v.number("eps", c.adam_eps, 1e-30, 1);
  v.number("clip", c.clip, 0, kHuge);
  v.number("ema", c.ema, 0, 0.999999);
  v.table("eval");
  v.number("every", c.eval.every, 0, 100000);
  v.setting("samples", c.eval.settings);
  v.number("steps", c.eval.steps, 0, 4096);
  v.setting("top_k", c.eval.settings);
  v.setting("tau", c.eval.settings);
  v.setting("power", c.eval.settings);
  v.setting("rule", c.eval.settings);
  v.setting("selector", c.eval.settings);
  v.flag("on_device", c.eval.on_device);
  v.table("output");
  v.number("log_every", c.log_every, 1, 1e9);
  v.number("checkpoint_every", c.checkpoint_every, 1, 1e9);
  v.text("weights", c.weights);
  v.number("max_file_mb", c.max_file_mb, 0, 1 << 20);
}

class Reader {
 public:
  explicit Reader(const toml::table& file) : file_(file) {}

  void table(std::string_view name) { table_ = name; }

  template <typename T>
  void number(std::string_view key, T& out, double low, double high) {
    if (const toml::node* value = find(key)) out = as_number<T>(*value, low, high);
  }
  void flag(std::string_view key, bool& out) {
    const toml::node* value = find(key);
    if (!value) return;
    if (!value->is_boolean()) fail("true or false is wanted");
    out = value->as_boolean()->get();
  }
  void text(std::string_view key, std::string& out) {
    if (const toml::node* value = find(key)) out = as_text(*value);
  }
  template <typename E>
  void name(std::string_view key, E& out, const Names<E>& names) {
    const toml::node* node = find(key);
    if (!node) return;
    const std::string value = as_text(*node);
    std::vector<std::string_view> allowed;
    for (const auto& [spelling, meaning] : names) {
      allowed.push_back(spelling);
      if (spelling == value) {
        out = meaning;
        return;
      }
    }
    fail(fmt::format("\"{}\" found, one of {} is wanted", value, fmt::join(allowed, ", ")));
  }
  template <typename T>
  void list(std::string_view key, std::vector<T>& out, double low, double high) {
    const toml::node* value = find(key);
    if (!value) return;
    if (!value->is_array()) fail("an array of numbers is wanted");
    out.clear();
    for (const toml::node& item : *value->as_array()) out.push_back(as_number<T>(item, low, high));
  }

  // A whole number, a number or a name, as the settings' own table says.
  void setting(std::string_view key, Settings& out) {
    const toml::node* value = find(key);
    if (!value) return;
    const settings::Field& field = settings::field(key);
    try {
      if (const auto* integer = std::get_if<settings::IntegerField>(&field.kind)) {
        out.*integer->member = as_number<std::int32_t>(*value, integer->low, integer->high);
      } else if (const auto* real = std::get_if<settings::RealField>(&field.kind)) {
        out.*real->member = as_number<double>(*value, real->low, real->high);
        settings::check(field, out);
      } else {
        set_setting(out, key, as_text(*value));
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalidArgument) throw;
      fail(error.what());
    }
  }

  // Throws for what no field has asked for.
  void refuse_unknown() const {
    for (const auto& [table, content] : file_) {
      if (!content.is_table()) refuse(table.str(), content);
      for (const auto& [key, value] : *content.as_table()) {
        const std::string path = fmt::format("{}.{}", table.str(), key.str());
        if (!known_.contains(path)) refuse(path, value);
      }
    }
  }

 private:
  const toml::node* find(std::string_view key) {
    path_ = fmt::format("{}.{}", table_, key);
    known_.insert(path_);
    const toml::node* value = file_[table_][key].node();
    if (value) where_ = place_of(*value);
    return value;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: {}: {}", where_, path_, what));
  }
  [[noreturn]] static void refuse(std::string_view path, const toml::node& value) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: unknown key '{}'", place_of(value), path));
  }
  std::string as_text(const toml::node& value) const {
    if (!value.is_string()) fail("a quoted string is wanted");
    return value.as_string()->get();
  }
  template <typename T>
  T as_number(const toml::node& value, double low, double high) const {
    const auto* integer = value.as_integer();
    const auto* real = value.as_floating_point();
    if (!integer && !(real && std::is_floating_point_v<T>)) {
      fail(std::is_floating_point_v<T> ? "a number is wanted" : "a whole number is wanted");
    }
    const double number = integer ? static_cast<double>(integer->get()) : real->get();
    if (!(number >= low && number <= high)) {
      fail(fmt::format("{} found, {} to {} is allowed", number, low, high));
    }
    return integer ? static_cast<T>(integer->get()) : static_cast<T>(number);
  }

  const toml::table& file_;
  std::set<std::string> known_;
  std::string_view table_;
  std::string path_;
  std::string where_;
};

class Writer {
 public:
  void table(std::string_view name) {
    out_ += fmt::format("{}[{}]\n", out_.empty() ? "" : "\n", name);
  }
  template <typename T>
  void number(std::string_view key, const T& value, double, double) {
    line(key, spell(value));
  }
  void flag(std::string_view key, bool value) { line(key, value ? "true" : "false"); }
  void text(std::string_view key, const std::string& value) { line(key, quoted(value)); }
  template <typename E>
  void name(std::string_view key, E value, const Names<E>& names) {
    for (const auto& [spelling, meaning] : names) {
      if (meaning == value) line(key, quoted(spelling));
    }
  }
  template <typename T>
  void list(std::string_view key, const std::vector<T>& values, double, double) {
    std::vector<std::string> items;
    for (const T& value : values) items.push_back(spell(value));
    line(key, fmt::format("[{}]", fmt::join(items, ", ")));
  }
  void setting(std::string_view key, const Settings& settings) {
    const settings::Field& field = settings::field(key);
    const std::string value = get_setting(settings, key);
    if (const auto* real = std::get_if<settings::RealField>(&field.kind)) {
      line(key, spell(settings.*real->member));
    } else {
      line(key, std::holds_alternative<settings::NameField>(field.kind) ? quoted(value) : value);
    }
  }
  std::string take() { return std::move(out_); }

 private:
  template <typename T>
  static std::string spell(T value) {
    std::string result = fmt::format("{}", value);
    const bool looks_whole = result.find_first_of(".en") == std::string::npos;
    return std::is_floating_point_v<T> && looks_whole ? result + ".0" : result;
  }
  static std::string quoted(std::string_view text) {
    std::ostringstream out;
    out << toml::toml_formatter{toml::value<std::string>(text),
                                toml::format_flags::allow_unicode_strings};
    return std::move(out).str();
  }
  void line(std::string_view key, std::string_view value) {
    out_ += fmt::format("{} = {}\n", key, value);
  }
  std::string out_;
};

void wanted(bool condition, const std::string& message) {
  if (!condition) throw Error(ErrorCode::kInvalidArgument, message);
}

}  // namespace

void TrainConfig::validate() const {
  wanted(class_weights.size() == 4,
         fmt::format("loss.class_weights holds {} numbers, 4 are wanted", class_weights.size()));
  wanted(std::any_of(class_weights.begin(), class_weights.end(), [](double w) { return w > 0; }),
         "loss.class_weights are all 0");
  wanted(encoder.hidden % encoder.heads == 0,
         fmt::format("encoder.hidden {} is no multiple of encoder.heads {}", encoder.hidden,
                     encoder.heads));
  wanted(denoiser.hidden % denoiser.heads == 0,
         fmt::format("denoiser.hidden {} is no multiple of denoiser.heads {}", denoiser.hidden,
                     denoiser.heads));
  wanted(
      judge.hidden % judge.heads == 0,
      fmt::format("judge.hidden {} is no multiple of judge.heads {}", judge.hidden, judge.heads));
  wanted(!has_judge(*this) || objective == Objective::kDiffusion, "a tagger has no judge");
  wanted(tags_loss > 0 || (has_judge(*this) && judge_loss > 0),
         "loss.tags is 0, and there is no judge to train");
  wanted(frozen_layers <= encoder.layers,
         fmt::format("encoder.frozen_layers {} is more than encoder.layers {}", frozen_layers,
                     encoder.layers));
  wanted(frozen_layers == 0 || freeze_embeddings,
         "encoder.frozen_layers above 0 need encoder.freeze_embeddings");
  wanted(!is_anchored(*this) || diffusion.steps == diffusion::stage::kLast,
         fmt::format("diffusion.steps is {}, the anchored kernel has {} stages", diffusion.steps,
                     diffusion::stage::kLast));
  wanted(eval.steps <= diffusion.steps,
         fmt::format("eval.steps {} is more than diffusion.steps {}", eval.steps, diffusion.steps));
  wanted(weights == "f32" || weights == "f16",
         fmt::format("output.weights is \"{}\", f32 or f16 is wanted", weights));
}

TrainConfig read_train_config(const std::filesystem::path& path,
                              std::span<const std::string> settings) {
  const toml::table file = read_run_file(path, settings);
  TrainConfig config;
  Reader reader(file);
  visit_fields(config, reader);
  reader.refuse_unknown();
  config.validate();
  return config;
}

Settings eval_settings(const TrainConfig& config) {
  Settings settings = config.eval.settings;
  settings.steps = config.eval.steps > 0 ? config.eval.steps : config.diffusion.steps;
  return settings;
}

std::string to_toml(const TrainConfig& config) {
  Writer writer;
  visit_fields(config, writer);
  return writer.take();
}

}  // namespace diffie::train
