#include "diffie/extractor.h"

#include <fmt/format.h>

#include "capi/guard.h"
#include "capi/handles.h"

namespace diffie::capi {
namespace {

std::vector<std::string_view> texts_of(const char* const* sentences, const size_t* sizes,
                                       size_t count) {
  std::vector<std::string_view> texts;
  for (size_t index = 0; index < count; ++index) {
    const char* text = sentences[index];
    if (text == nullptr && (sizes == nullptr || sizes[index] > 0)) {
      throw Error(ErrorCode::kInvalidArgument, fmt::format("sentences[{}] is NULL", index));
    }
    if (sizes != nullptr && sizes[index] > kMaxSize) {
      require_size(sizes[index], fmt::format("sizes[{}]", index).c_str());
    }
    texts.push_back(sizes == nullptr ? std::string_view(text)
                                     : std::string_view(text, sizes[index]));
  }
  return texts;
}

diffie_result* extract(const Extractor& extractor, std::span<const std::string_view> texts,
                       const std::stop_token& stop = {}) {
  auto result = std::make_unique<diffie_result>();
  result->sentences.reserve(texts.size());
  for (SentenceResult& found : extractor.extract(texts, stop)) {
    result->sentences.push_back(make_sentence(std::move(found)));
  }
  return result.release();
}

}  // namespace
}  // namespace diffie::capi

using namespace diffie::capi;

diffie_status diffie_extractor_new(const diffie_model* model, const diffie_settings* settings,
                                   diffie_extractor** extractor) {
  return guarded([&] {
    require(extractor, "extractor");
    *extractor = nullptr;
    require(model, "model");
    const diffie::Settings values =
        settings == nullptr ? model->model->settings("") : settings->values;
    auto made = std::make_unique<diffie_extractor>(
        diffie_extractor{diffie::Extractor(model->model, values)});
    *extractor = made.release();
  });
}

void diffie_extractor_free(diffie_extractor* extractor) {
  const std::unique_ptr<diffie_extractor> owned(extractor);
}

diffie_status diffie_stop_new(diffie_stop** stop) {
  return guarded([&] {
    require(stop, "stop");
    *stop = nullptr;
    *stop = std::make_unique<diffie_stop>().release();
  });
}

void diffie_stop_request(diffie_stop* stop) {
  if (stop != nullptr) stop->source.request_stop();
}

void diffie_stop_free(diffie_stop* stop) { const std::unique_ptr<diffie_stop> owned(stop); }

diffie_status diffie_extract(const diffie_extractor* extractor, const char* sentence, size_t size,
                             diffie_result** result) {
  return guarded([&] {
    require(result, "result");
    *result = nullptr;
    require(extractor, "extractor");
    if (size > 0) require(sentence, "sentence");
    require_size(size, "size");
    const std::string_view text(sentence, size);
    *result = extract(extractor->extractor, {&text, 1});
  });
}

diffie_status diffie_extract_batch(const diffie_extractor* extractor, const char* const* sentences,
                                   const size_t* sizes, size_t count, const diffie_stop* stop,
                                   diffie_result** result) {
  return guarded([&] {
    require(result, "result");
    *result = nullptr;
    require(extractor, "extractor");
    if (count > 0) require(sentences, "sentences");
    require_size(count, "count");
    *result = extract(extractor->extractor, texts_of(sentences, sizes, count),
                      stop == nullptr ? std::stop_token() : stop->source.get_token());
  });
}
