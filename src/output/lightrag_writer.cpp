// What LightRAG's insert_custom_kg takes: one object with chunks, entities and relationships. Its
// graph has one undirected edge for a pair of entities and keeps the last entry of each, so all of
// a pair is put together here; the graph is held in memory. Of the chunks (a document each) only
// what stands before the first sentence is, without which there is no chunk.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json_text.h"
#include "output/json_parts.h"
#include "output/marks.h"
#include "output/node.h"
#include "output/slots.h"
#include "output/stream_writer.h"
#include "output/writers.h"
#include "text/lowercase.h"

namespace diffie::output {
namespace {

constexpr std::string_view kSeparator = "<SEP>";  // of texts put together, LightRAG's own
constexpr std::size_t kEntityDescriptions = 8;    // what more is said stands with the edges

// "&amp;" and the like, which LightRAG would undo; "R&D" is none.
bool is_reference(std::string_view rest) {
  return rest.size() > 1 && rest[0] == '&' &&
         (rest[1] == '#' || (rest[1] >= 'a' && rest[1] <= 'z'));
}

// A name that LightRAG takes as it is: it strips quotation marks and mark-up from names, and
// refuses those of which nothing is left and short numbers. Empty: it would be refused.
std::string entity_name(std::string_view text) {
  constexpr std::array<std::string_view, 8> kQuotes = {"\"", "'", "“", "”", "‘", "’", "《", "》"};
  const std::string line = one_line(text);
  std::string name;
  for (std::size_t pos = 0; pos < line.size();) {
    const std::string_view rest = std::string_view(line).substr(pos);
    const auto quote = std::find_if(kQuotes.begin(), kQuotes.end(),
                                    [&](std::string_view mark) { return rest.starts_with(mark); });
    if (quote == kQuotes.end())
      name += rest[0] == '<' || rest[0] == '>' || is_reference(rest) ? ' ' : rest[0];
    pos += quote == kQuotes.end() ? 1 : quote->size();
  }
  name = one_line(name);
  const bool number = std::all_of(name.begin(), name.end(),
                                  [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  const bool too_short = name.size() < (name.find('.') == std::string::npos ? 3U : 6U);
  return number && too_short ? std::string() : name;
}

void append_distinct(std::vector<std::string>& texts, const std::string& text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

class LightragWriter final : public StreamWriter {
 public:
  explicit LightragWriter(OutputFiles& files) : StreamWriter(files) { out_ = "{\"chunks\": ["; }

  void begin_document(std::string_view id) override {
    StreamWriter::begin_document(id);
    open_ = false;
    leading_.clear();
  }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    if (!open_) open_chunk();
    append_json_content(out_, sentence.gap);
    append_json_content(out_, sentence.text);
    flush();
    for (const Extraction& triple : result.extractions) add_triple(sentence, triple);
  }

  void add_text(std::string_view text, std::size_t /*character*/) override {
    if (!open_) {
      leading_.emplace_back(text);
      return;
    }
    append_json_content(out_, text);
    flush();
  }

  void end_document(std::string_view rest) override {
    if (!open_) return;
    append_json_content(out_, rest);
    out_ += "\"}";
    flush();
  }

  void finish() override {
    out_ += "\n], \"entities\": [";
    for (std::size_t index = 0; index < entities_.size(); ++index) {
      out_ += index == 0 ? "\n" : ",\n";
      print(entities_[index]);
      flush();
    }
    out_ += "\n], \"relationships\": [";
    for (std::size_t index = 0; index < relationships_.size(); ++index) {
      out_ += index == 0 ? "\n" : ",\n";
      print(relationships_[index]);
      flush();
    }
    out_ += "\n]}\n";
    flush();
  }

 private:
  struct Entity {
    std::string name;
    std::string document;  // where it was first seen
    std::vector<std::string> descriptions;
  };
  struct Relationship {
    std::size_t subject = 0;
    std::size_t object = 0;
    std::string document;
    std::vector<std::string> descriptions;
    std::vector<std::string> relations;
    std::string triples;  // as JSON
    std::size_t num_triples = 0;
  };

  // Only where there is a sentence: nothing can be found by an empty chunk.
  void open_chunk() {
    open_ = true;
    out_ += first_ ? "\n{\"source_id\": " : ",\n{\"source_id\": ";
    first_ = false;
    base::append_json_string(out_, document_);
    out_ += ", \"file_path\": ";
    base::append_json_string(out_, document_);
    out_ += ", \"content\": \"";
    for (const std::string& text : leading_) {
      append_json_content(out_, text);
      flush();
    }
    leading_ = {};
  }

  std::size_t entity(const std::string& name) {
    const auto [found, is_new] =
        entity_of_key_.try_emplace(node_id(text::lowercase(name)), entities_.size());
    if (is_new) entities_.push_back({name, document_, {}});
    return found->second;
  }

  void add_triple(const DocumentSentence& sentence, const Extraction& triple) {
    const std::string subject_name = entity_name(triple.subject);
    const std::string object_name = entity_name(triple.object);
    if (subject_name.empty() || object_name.empty()) return;
    if (text::lowercase(subject_name) == text::lowercase(object_name)) return;  // refused, too
    const std::size_t subject = entity(subject_name);
    const std::size_t object = entity(object_name);
    const std::string description = describe(triple);
    for (const std::size_t end : {subject, object}) {
      if (entities_[end].descriptions.size() < kEntityDescriptions)
        append_distinct(entities_[end].descriptions, description);
    }
    const auto [found, is_new] =
        relationship_of_pair_.try_emplace(std::minmax(subject, object), relationships_.size());
    if (is_new) relationships_.push_back({subject, object, document_, {}, {}, {}, 0});
    Relationship& relationship = relationships_[found->second];
    append_distinct(relationship.descriptions, description);
    append_distinct(relationship.relations, one_line(triple.relation));
    if (relationship.num_triples++ > 0) relationship.triples += ", ";
    append_triple(relationship.triples, sentence, triple);
  }

  static std::string describe(const Extraction& triple) {
    std::string text = fmt::format("{} {} {}", one_line(triple.subject), one_line(triple.relation),
                                   one_line(triple.object));
    for (const std::string& mark : triple_marks(triple)) text += fmt::format(" [{}]", mark);
    return text;
  }

  void append_triple(std::string& out, const DocumentSentence& sentence, const Extraction& triple) {
    out += '{';
    for (const Slot& slot : kSlots) {
      out += fmt::format("\"{}\": ", slot.name);
      base::append_json_string(out, triple.*slot.text);
      out += ", ";
    }
    append_json_details(out, triple);
    out += ", \"document\": ";
    base::append_json_string(out, document_);
    out += fmt::format(", \"sentence\": {}", sentence.index);
    out += '}';
  }

  void print_common(const std::vector<std::string>& descriptions, const std::string& document) {
    out_ += ", \"description\": ";
    base::append_json_string(out_, fmt::format("{}", fmt::join(descriptions, kSeparator)));
    out_ += ", \"source_id\": ";
    base::append_json_string(out_, document);
    out_ += ", \"file_path\": ";
    base::append_json_string(out_, document);
  }

  void print(const Entity& entity) {
    out_ += "{\"entity_name\": ";
    base::append_json_string(out_, entity.name);
    out_ += ", \"entity_type\": \"UNKNOWN\"";
    print_common(entity.descriptions, entity.document);
    out_ += '}';
  }

  void print(const Relationship& relationship) {
    out_ += "{\"src_id\": ";
    base::append_json_string(out_, entities_[relationship.subject].name);
    out_ += ", \"tgt_id\": ";
    base::append_json_string(out_, entities_[relationship.object].name);
    print_common(relationship.descriptions, relationship.document);
    out_ += ", \"keywords\": ";
    base::append_json_string(out_, fmt::format("{}", fmt::join(relationship.relations, ", ")));
    out_ += fmt::format(", \"weight\": {}, \"triples\": [{}]}}", relationship.num_triples,
                        relationship.triples);
  }

  bool first_ = true;
  bool open_ = false;                 // the document has a chunk
  std::vector<std::string> leading_;  // text in front of its first sentence, where there is one
  std::map<std::string, std::size_t> entity_of_key_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> relationship_of_pair_;
  std::vector<Entity> entities_;
  std::vector<Relationship> relationships_;
};

}  // namespace

std::unique_ptr<Writer> make_lightrag_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<LightragWriter>(files);
}

}  // namespace diffie::output
