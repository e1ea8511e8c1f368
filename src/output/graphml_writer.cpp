// GraphML: a node where an entity is first seen, then the edges.
#include <fmt/format.h>

#include "output/circumstance_text.h"
#include "output/document_places.h"
#include "output/node.h"
#include "output/slots.h"
#include "output/stream_writer.h"
#include "output/writers.h"
#include "output/xml_text.h"

namespace diffie::output {
namespace {

struct Key {
  std::string_view name;
  std::string_view type;
};

constexpr std::array kEdgeKeys = {
    Key{"relation", "string"},
    Key{"confidence", "double"},
    Key{"document", "string"},
    Key{"sentence", "long"},
    Key{"sentence_begin", "long"},
    Key{"sentence_end", "long"},
    Key{"subject_bytes", "string"},
    Key{"relation_bytes", "string"},
    Key{"object_bytes", "string"},
    Key{"subject_characters", "string"},
    Key{"relation_characters", "string"},
    Key{"object_characters", "string"},
    Key{"implied", "string"},
    Key{"polarity", "string"},
    Key{"modality", "string"},
    Key{"attributed_to", "string"},
    Key{"time", "string"},
    Key{"place", "string"},
};

class GraphmlWriter final : public StreamWriter {
 public:
  explicit GraphmlWriter(OutputFiles& files) : StreamWriter(files) {
    out_ =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "<key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n";
    for (const Key& key : kEdgeKeys) {
      out_ += fmt::format("<key id=\"{0}\" for=\"edge\" attr.name=\"{0}\" attr.type=\"{1}\"/>\n",
                          key.name, key.type);
    }
    out_ += "<graph id=\"triples\" edgedefault=\"directed\">\n";
  }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    const DocumentPlaces places(sentence);
    for (const Extraction& triple : result.extractions) add_edge(sentence, triple, places);
    flush();
  }

  void finish() override {
    out_ += "</graph>\n</graphml>\n";
    flush();
  }

 private:
  std::string node(std::string_view text) {
    std::string id = node_id(node_key(text));
    if (seen_.insert(id)) {
      out_ += fmt::format("<node id=\"n{}\">", id);
      data("label", one_line(text));
      out_ += "</node>\n";
    }
    return id;
  }

  void data(std::string_view key, std::string_view text) {
    out_ += fmt::format("<data key=\"{}\">", key);
    append_xml_text(out_, text);
    out_ += "</data>";
  }

  void add_edge(const DocumentSentence& sentence, const Extraction& triple,
                const DocumentPlaces& places) {
    const std::string source = node(triple.subject);
    const std::string target = node(triple.object);
    out_ += fmt::format("<edge id=\"e{}\" source=\"n{}\" target=\"n{}\">", num_edges_++, source,
                        target);
    data("relation", one_line(triple.relation));
    data("confidence", fmt::format("{:.6g}", triple.confidence));
    data("document", document_);
    data("sentence", fmt::format("{}", sentence.index));
    data("sentence_begin", fmt::format("{}", sentence.bytes.begin));
    data("sentence_end", fmt::format("{}", sentence.bytes.end));
    for (const Slot& slot : kSlots) {
      const std::vector<Span>& spans = triple.*slot.spans;
      data(fmt::format("{}_bytes", slot.name), spans_as_text(places.bytes(spans)));
      data(fmt::format("{}_characters", slot.name), spans_as_text(places.characters(spans)));
    }
    if (!triple.implied.empty()) data("implied", fmt::format("{}", fmt::join(triple.implied, " ")));
    data("polarity", name_of(triple.factuality.polarity));
    data("modality", name_of(triple.factuality.modality));
    if (triple.factuality.attributed_to)
      data("attributed_to", one_line(triple.factuality.attributed_to->text));
    for (const CircumstanceKind kind : {CircumstanceKind::kTime, CircumstanceKind::kPlace}) {
      const std::string text = circumstance_text(triple, kind);
      if (!text.empty()) data(name_of(kind), text);
    }
    out_ += "</edge>\n";
  }

  SeenNodes seen_;
  std::size_t num_edges_ = 0;
};

}  // namespace

std::unique_ptr<Writer> make_graphml_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<GraphmlWriter>(files);
}

}  // namespace diffie::output
