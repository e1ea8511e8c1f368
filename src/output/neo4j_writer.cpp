// Two CSV files as `neo4j-admin database import` reads them, with its default options: commas,
// double quotes, no line breaks inside a field, semicolons between the elements of an array.
#include <fmt/format.h>

#include "output/circumstance_text.h"
#include "output/document_places.h"
#include "output/node.h"
#include "output/slots.h"
#include "output/writers.h"

namespace diffie::output {
namespace {

constexpr std::string_view kNodes = "nodes.csv";
constexpr std::string_view kRelationships = "relationships.csv";

void append_field(std::string& row, std::string_view text) {
  row += '"';
  for (const char c : one_line(text)) {
    if (c == '"') row += '"';
    row += c;
  }
  row += '"';
}

class Neo4jWriter final : public Writer {
 public:
  explicit Neo4jWriter(OutputFiles& files) : files_(files) {
    files_.write(kNodes, "id:ID,name:string,:LABEL\n");
    files_.write(kRelationships,
                 ":START_ID,:END_ID,:TYPE,relation:string,confidence:double,document:string,"
                 "sentence:long,sentence_text:string,sentence_begin:long,sentence_end:long,"
                 "subject_bytes:string[],subject_characters:string[],relation_bytes:string[],"
                 "relation_characters:string[],object_bytes:string[],object_characters:string[],"
                 "implied:string[],polarity:string,modality:string,attributed_to:string,time:"
                 "string[],place:string[]\n");
  }

  void begin_document(std::string_view id) override { document_ = id; }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    const DocumentPlaces places(sentence);
    for (const Extraction& triple : result.extractions) add_triple(sentence, triple, places);
    if (!nodes_.empty()) files_.write(kNodes, nodes_);
    if (!relationships_.empty()) files_.write(kRelationships, relationships_);
    nodes_.clear();
    relationships_.clear();
  }

  void end_document(std::string_view /*rest*/) override {}

  void finish() override {
    files_.close(kNodes);
    files_.close(kRelationships);
  }

 private:
  std::string node(std::string_view text) {
    std::string id = node_id(node_key(text));
    if (seen_.insert(id)) {
      nodes_ += id + ',';
      append_field(nodes_, text);
      nodes_ += ",Entity\n";
    }
    return id;
  }

  void add_triple(const DocumentSentence& sentence, const Extraction& triple,
                  const DocumentPlaces& places) {
    std::string& row = relationships_;
    const std::string subject = node(triple.subject);
    row += fmt::format("{},{},RELATION,", subject, node(triple.object));
    append_field(row, triple.relation);
    row += fmt::format(",{:.6g},", triple.confidence);
    append_field(row, document_);
    row += fmt::format(",{},", sentence.index);
    append_field(row, sentence.text);
    row += fmt::format(",{},{}", sentence.bytes.begin, sentence.bytes.end);
    for (const Slot& slot : kSlots) {
      const std::vector<Span>& spans = triple.*slot.spans;
      row += fmt::format(",{},{}", spans_as_text(places.bytes(spans), ";"),
                         spans_as_text(places.characters(spans), ";"));
    }
    // An empty field without quotes: no such property.
    row += ',';
    if (!triple.implied.empty())
      append_field(row, fmt::format("{}", fmt::join(triple.implied, ";")));
    row += fmt::format(",{},{},", name_of(triple.factuality.polarity),
                       name_of(triple.factuality.modality));
    if (triple.factuality.attributed_to) append_field(row, triple.factuality.attributed_to->text);
    for (const CircumstanceKind kind : {CircumstanceKind::kTime, CircumstanceKind::kPlace}) {
      const std::string text = circumstance_text(triple, kind);
      row += ',';
      if (!text.empty()) append_field(row, text);
    }
    row += '\n';
  }

  OutputFiles& files_;
  std::string document_;
  std::string nodes_;
  std::string relationships_;
  SeenNodes seen_;
};

}  // namespace

std::unique_ptr<Writer> make_neo4j_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<Neo4jWriter>(files);
}

}  // namespace diffie::output
