// HippoRAG's OpenIE results: what it keeps as openie_results_ner_<model>.json. A document is a
// passage; its triples are held until its end, as they come behind its text.
#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "base/json_text.h"
#include "output/document_places.h"
#include "output/json_parts.h"
#include "output/stream_writer.h"
#include "output/writers.h"
#include "text/white_space.h"

namespace diffie::output {
namespace {

class HipporagWriter final : public StreamWriter {
 public:
  explicit HipporagWriter(OutputFiles& files) : StreamWriter(files) { out_ = "{\"docs\": ["; }

  void begin_document(std::string_view id) override {
    StreamWriter::begin_document(id);
    triples_.clear();
    details_.clear();
    entities_.clear();
    seen_.clear();
    out_ += first_ ? "\n{\"idx\": " : ",\n{\"idx\": ";
    first_ = false;
    base::append_json_string(out_, document_);
    out_ += ", \"passage\": \"";
  }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    append_json_content(out_, sentence.gap);
    append_json_content(out_, sentence.text);
    flush();
    for (const Extraction& triple : result.extractions) add_triple(triple);
  }

  void add_text(std::string_view text, std::size_t /*character*/) override {
    append_json_content(out_, text);
    flush();
  }

  void end_document(std::string_view rest) override {
    append_json_content(out_, rest);
    out_ += fmt::format(
        "\", \"extracted_entities\": [{}], \"extracted_triples\": [{}], "
        "\"triple_details\": [{}]}}",
        entities_, triples_, details_);
    flush();
  }

  void finish() override {
    const auto mean = [&](std::size_t sum) {
      const double count = static_cast<double>(num_entities_);
      return num_entities_ == 0 ? 0 : std::round(static_cast<double>(sum) / count * 1e4) / 1e4;
    };
    out_ += fmt::format("\n], \"avg_ent_chars\": {}, \"avg_ent_words\": {}}}\n",
                        mean(num_characters_), mean(num_words_));
    flush();
  }

 private:
  void add_triple(const Extraction& triple) {
    triples_ += triples_.empty() ? "[" : ", [";
    base::append_json_string(triples_, triple.subject);
    triples_ += ", ";
    base::append_json_string(triples_, triple.relation);
    triples_ += ", ";
    base::append_json_string(triples_, triple.object);
    triples_ += ']';
    details_ += details_.empty() ? "{" : ", {";
    append_json_details(details_, triple);
    details_ += '}';
    add_entity(triple.subject);
    add_entity(triple.object);
  }

  void add_entity(const std::string& text) {
    if (!seen_.insert(text).second) return;
    if (!entities_.empty()) entities_ += ", ";
    base::append_json_string(entities_, text);
    ++num_entities_;
    num_characters_ += count_code_points(text);
    num_words_ += text::split_words(text).size();
  }

  bool first_ = true;
  std::string triples_;
  std::string details_;
  std::string entities_;
  std::unordered_set<std::string> seen_;
  std::size_t num_entities_ = 0;
  std::size_t num_characters_ = 0;
  std::size_t num_words_ = 0;
};

}  // namespace

std::unique_ptr<Writer> make_hipporag_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<HipporagWriter>(files);
}

}  // namespace diffie::output
