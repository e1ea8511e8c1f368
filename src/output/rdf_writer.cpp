// N-Triples and Turtle. A triple that the writer of the text asserts is stated; every triple has a
// reifier, which says how sure it is, where it stands and what the text makes of it.
#include <fmt/format.h>

#include "output/document_places.h"
#include "output/node.h"
#include "output/rdf_terms.h"
#include "output/slots.h"
#include "output/stream_writer.h"
#include "output/writers.h"

namespace diffie::output {
namespace {

struct Prefix {
  std::string_view name;
  std::string_view iri;
};

constexpr std::array<Prefix, 4> kPrefixes = {{
    {"rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
    {"rdfs", "http://www.w3.org/2000/01/rdf-schema#"},
    {"xsd", "http://www.w3.org/2001/XMLSchema#"},
    {"diffie", "urn:diffie:schema#"},
}};

class RdfWriter final : public StreamWriter {
 public:
  RdfWriter(bool turtle, const WriterOptions& options, OutputFiles& files)
      : StreamWriter(files),
        turtle_(turtle),
        classic_(options.classic_reification),
        base_(options.base_iri) {
    check_base_iri(base_);
    if (!turtle_) return;
    for (const Prefix& prefix : kPrefixes)
      out_ += fmt::format("@prefix {}: <{}> .\n", prefix.name, prefix.iri);
  }

  void begin_document(std::string_view id) override {
    StreamWriter::begin_document(id);
    document_part_ = iri_part(id);
    begin_subject(fmt::format("<{}document/{}>", base_, document_part_));
    property("rdf:type", name("diffie:Document"));
    property("diffie:id", rdf_string(id));
    end_subject();
    flush();
  }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    const DocumentPlaces places(sentence);
    const std::string sentence_part = fmt::format("{}/{}", document_part_, sentence.index);
    add_sentence(sentence, result, sentence_part, places);
    for (std::size_t index = 0; index < result.extractions.size(); ++index) {
      add_triple(result.extractions[index], sentence_part, index, places);
    }
    flush();
  }

  void finish() override { flush(); }

 private:
  // "rdf:type" as the syntax has it.
  std::string name(std::string_view prefixed) const {
    if (turtle_) return std::string(prefixed);
    const std::size_t colon = prefixed.find(':');
    for (const Prefix& prefix : kPrefixes) {
      if (prefix.name == prefixed.substr(0, colon))
        return fmt::format("<{}{}>", prefix.iri, prefixed.substr(colon + 1));
    }
    return {};  // no such prefix: all of them stand in this file
  }

  template <typename Number>
  std::string integer(Number number) const {
    return turtle_ ? fmt::format("{}", number)
                   : fmt::format("\"{}\"^^{}", number, name("xsd:integer"));
  }

  void begin_subject(std::string term) {
    subject_ = std::move(term);
    first_ = true;
  }

  void property(std::string_view predicate, std::string_view object) {
    if (!turtle_) {
      out_ += fmt::format("{} {} {} .\n", subject_, name(predicate), object);
    } else if (first_) {
      out_ += fmt::format("{} {} {}", subject_, predicate, object);
    } else {
      out_ += fmt::format(" ;\n  {} {}", predicate, object);
    }
    first_ = false;
  }

  void end_subject() {
    if (turtle_) out_ += " .\n";
  }

  void add_places(const Span& bytes, const Span& characters) {
    property("diffie:byteBegin", integer(bytes.begin));
    property("diffie:byteEnd", integer(bytes.end));
    property("diffie:characterBegin", integer(characters.begin));
    property("diffie:characterEnd", integer(characters.end));
  }

  void add_sentence(const DocumentSentence& sentence, const SentenceResult& result,
                    const std::string& part, const DocumentPlaces& places) {
    begin_subject(fmt::format("<{}sentence/{}>", base_, part));
    property("rdf:type", name("diffie:Sentence"));
    property("diffie:document", fmt::format("<{}document/{}>", base_, document_part_));
    property("diffie:index", integer(sentence.index));
    property("diffie:text", rdf_string(sentence.text));
    add_places(places.sentence_bytes(), places.sentence_characters());
    if (result.error) property("diffie:error", rdf_string(result.error_message));
    end_subject();
  }

  // The IRI of an entity or a relation; its label where it is new.
  std::string node(std::string_view kind, std::string_view text) {
    const std::string key = node_key(text);
    const std::string iri = fmt::format("<{}{}/{}>", base_, kind, iri_part(key, true));
    if (seen_.insert(node_id(fmt::format("{} {}", kind, key)))) {
      begin_subject(iri);
      property("rdfs:label", rdf_string(one_line(text)));
      end_subject();
    }
    return iri;
  }

  void add_triple(const Extraction& triple, const std::string& sentence_part, std::size_t index,
                  const DocumentPlaces& places) {
    const std::string subject = node("entity", triple.subject);
    const std::string relation = node("relation", triple.relation);
    const std::string object = node("entity", triple.object);
    if (triple.factuality.asserted())
      out_ += fmt::format("{} {} {} .\n", subject, relation, object);
    begin_subject(fmt::format("<{}triple/{}/{}>", base_, sentence_part, index));
    if (classic_) {
      property("rdf:type", name("rdf:Statement"));
      property("rdf:subject", subject);
      property("rdf:predicate", relation);
      property("rdf:object", object);
    } else {
      property("rdf:reifies", fmt::format("<<( {} {} {} )>>", subject, relation, object));
    }
    property("diffie:sentence", fmt::format("<{}sentence/{}>", base_, sentence_part));
    add_words(triple, places);
    add_factuality(triple.factuality, places);
    for (const Circumstance& circumstance : triple.circumstances) {
      const std::string_view kind = name_of(circumstance.kind);
      property(fmt::format("diffie:{}", kind), rdf_string(circumstance.text));
      add_spans(kind, circumstance.spans, places);
    }
    end_subject();
  }

  void add_words(const Extraction& triple, const DocumentPlaces& places) {
    property("diffie:confidence",
             fmt::format("\"{:.6g}\"^^{}", triple.confidence, name("xsd:double")));
    for (const Slot& slot : kSlots) {
      property(fmt::format("diffie:{}", slot.name), rdf_string(triple.*slot.text));
      add_spans(slot.name, triple.*slot.spans, places);
    }
    if (!triple.implied.empty())
      property("diffie:implied", rdf_string(fmt::format("{}", fmt::join(triple.implied, " "))));
  }

  // One literal a span: the order of a discontinuous slot is that of the numbers.
  void add_spans(std::string_view slot, const std::vector<Span>& spans,
                 const DocumentPlaces& places) {
    for (const Span& span : spans) {
      const Span bytes = places.bytes(span);
      const Span characters = places.characters(span);
      property(fmt::format("diffie:{}Bytes", slot),
               fmt::format("\"{}-{}\"", bytes.begin, bytes.end));
      property(fmt::format("diffie:{}Characters", slot),
               fmt::format("\"{}-{}\"", characters.begin, characters.end));
    }
  }

  void add_factuality(const Factuality& factuality, const DocumentPlaces& places) {
    property("diffie:polarity", rdf_string(name_of(factuality.polarity)));
    property("diffie:modality", rdf_string(name_of(factuality.modality)));
    if (!factuality.attributed_to) return;
    property("diffie:attributedTo", rdf_string(factuality.attributed_to->text));
    add_spans("attributedTo", factuality.attributed_to->spans, places);
  }

  bool turtle_;
  bool classic_;
  std::string base_;
  std::string document_part_;
  std::string subject_;
  bool first_ = true;
  SeenNodes seen_;
};

}  // namespace

std::unique_ptr<Writer> make_ntriples_writer(const WriterOptions& options, OutputFiles& files) {
  return std::make_unique<RdfWriter>(false, options, files);
}

std::unique_ptr<Writer> make_turtle_writer(const WriterOptions& options, OutputFiles& files) {
  return std::make_unique<RdfWriter>(true, options, files);
}

}  // namespace diffie::output
