// The C interface over a toy model: settings by name, then the extraction of any text.
#include "diffie.h"
#include "diffie/lab/model_files.h"
#include "fuzz.h"
#include "temp_dir.h"

namespace {

using diffie::fuzz::Choices;

const diffie_model* model() {
  static const diffie_model* const loaded = [] {
    const diffie::test::TempDir dir;
    diffie::test::write_file(
        dir / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\na\nb\n##s\n##a\nis\n.\n,\nnot\nif\n");
    diffie::InitOptions options;
    options.vocab = dir / "vocab.txt";
    options.encoder_layers = options.denoiser_layers = 1;
    options.encoder_hidden = options.denoiser_hidden = 2;
    options.encoder_heads = options.denoiser_heads = 1;
    options.kernel = "absorbing";
    diffie::init_model(dir / "m", options);
    diffie_model* made = nullptr;
    FUZZ_CHECK(diffie_model_load((dir / "m").c_str(), &made) == DIFFIE_OK);
    return made;
  }();
  return loaded;
}

void check_spans(const diffie_span* spans, std::size_t count, std::size_t size) {
  std::size_t reached = 0;
  for (std::size_t i = 0; i < count; ++i) {
    FUZZ_CHECK(spans[i].begin >= reached && spans[i].begin < spans[i].end && spans[i].end <= size);
    reached = spans[i].end;
  }
}

void check_result(const diffie_result* result, std::size_t size) {
  diffie_sentence sentence{};
  sentence.struct_size = sizeof sentence;
  FUZZ_CHECK(diffie_result_count(result) == 1);
  FUZZ_CHECK(diffie_result_sentence(result, 0, &sentence) == DIFFIE_OK);
  for (std::size_t i = 0; i <= sentence.extraction_count; ++i) {
    diffie_extraction triple{};
    triple.struct_size = sizeof triple;
    const bool there = i < sentence.extraction_count;
    const diffie_status status = diffie_result_extraction(result, 0, i, &triple);
    FUZZ_CHECK(status == (there ? DIFFIE_OK : DIFFIE_INVALID_ARGUMENT));
    if (!there) break;
    FUZZ_CHECK(triple.confidence > 0 && triple.confidence <= 1);
    check_spans(triple.subject_spans, triple.subject_span_count, size);
    check_spans(triple.relation_spans, triple.relation_span_count, size);
    check_spans(triple.object_spans, triple.object_span_count, size);
    FUZZ_CHECK(triple.subject.data[triple.subject.size] == '\0');
  }
}

void choose(diffie_settings* settings, Choices& choices) {
  for (std::uint64_t i = choices.below(4); i > 0; --i) {
    diffie_setting_info info{};
    info.struct_size = sizeof info;
    FUZZ_CHECK(diffie_setting_describe(choices.below(diffie_setting_count()), &info) == DIFFIE_OK);
    const std::string value(choices.text(12));
    const char* before = nullptr;
    FUZZ_CHECK(diffie_settings_get(settings, info.name, &before) == DIFFIE_OK);
    const std::string old = before;
    if (diffie_settings_set(settings, info.name, value.c_str()) == DIFFIE_OK) continue;
    FUZZ_CHECK(diffie_settings_get(settings, info.name, &before) == DIFFIE_OK && old == before);
  }
  // Little to compute, whatever was chosen.
  for (const auto& [name, value] : {std::pair("threads", "1"),
                                    {"samples", "2"},
                                    {"steps", "1"},
                                    {"times", "none"},
                                    {"shared", "none"},
                                    {"device", "cpu"}})
    FUZZ_CHECK(diffie_settings_set(settings, name, value) == DIFFIE_OK);
}

// What every setting is.
std::string values_of(diffie_settings* settings) {
  std::string all;
  for (std::size_t i = 0; i < diffie_setting_count(); ++i) {
    diffie_setting_info info{};
    info.struct_size = sizeof info;
    FUZZ_CHECK(diffie_setting_describe(i, &info) == DIFFIE_OK);
    const char* value = nullptr;
    FUZZ_CHECK(diffie_settings_get(settings, info.name, &value) == DIFFIE_OK);
    all += value;
    all += '\n';
  }
  return all;
}

// The extractor of before where the settings are the same: most of the time would go into threads
// that are made and ended.
const diffie_extractor* extractor_with(diffie_settings* settings) {
  static diffie_extractor* kept = nullptr;
  static std::string values;
  std::string wanted = values_of(settings);
  if (kept != nullptr && wanted == values) return kept;
  diffie_extractor_free(kept);
  kept = nullptr;
  const diffie_status made = diffie_extractor_new(model(), settings, &kept);
  FUZZ_CHECK(made == DIFFIE_OK || made == DIFFIE_INVALID_ARGUMENT);
  values = std::move(wanted);
  return kept;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  model();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(diffie::fuzz::as_text(data, size));
  diffie_settings* settings = nullptr;
  FUZZ_CHECK(diffie_settings_new(model(), nullptr, &settings) == DIFFIE_OK);
  choose(settings, choices);
  const diffie_extractor* const extractor = extractor_with(settings);
  const std::string text(choices.rest());
  if (extractor != nullptr) {
    diffie_result* result = nullptr;
    FUZZ_CHECK(diffie_extract(extractor, text.data(), text.size(), &result) == DIFFIE_OK);
    check_result(result, text.size());
    diffie_result_free(result);
  }
  diffie_span* spans = nullptr;
  std::size_t count = 0;
  FUZZ_CHECK(diffie_split_sentences(text.data(), text.size(), &spans, &count) == DIFFIE_OK);
  check_spans(spans, count, text.size());
  diffie_spans_free(spans);
  diffie_settings_free(settings);
  return 0;
}
