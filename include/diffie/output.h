// Results in the formats that other programs read. docs/formats.md describes every field.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/export.h"
#include "diffie/extractor.h"

namespace diffie {

enum class OutputFormat {
  kJsonl,     // one object per sentence, also where nothing was found
  kTsv,       // one line per extraction: confidence, subject, relation, object, sentence
  kCarb,      // one line per extraction: sentence, confidence, relation, subject, object
  kCorenlp,   // the JSON of Stanford CoreNLP's openie annotator, a document a line
  kNtriples,  // RDF 1.2
  kTurtle,    // RDF 1.2
  kGraphml,
  kNeo4j,     // CSV files for neo4j-admin database import
  kBrat,      // standoff, two files a document
  kHtml,      // a page for people
  kHipporag,  // HippoRAG's OpenIE results
  kLightrag,  // for LightRAG's insert_custom_kg
};

// Where a sentence stands in the document it was cut from.
struct Source {
  std::string_view document;  // file name as the caller gave it
  Span bytes;
};

// Appends the lines of one sentence, each ended by '\n'. Text that is not UTF-8 is written with
// U+FFFD; spans stay those of the caller's bytes. For the formats above that have lines.
DIFFIE_API void append_result(std::string& out, OutputFormat format, std::string_view sentence,
                              const SentenceResult& result,
                              const std::optional<Source>& source = {});

// A sentence in its document. The gaps, the sentences, what add_text() was given and the rest given
// to end_document() make up the document's text, byte by byte; a byte-order mark is part of it.
struct DocumentSentence {
  std::string_view text;
  std::size_t index = 0;      // in its document, from 0
  Span bytes;                 // of the document's text
  std::size_t character = 0;  // where it begins, in code points; bad UTF-8 counts as its U+FFFD
  // From the end of the sentence before, of what add_text() was given, or of nothing, to this one.
  std::string_view gap;
};

// Where a writer puts its bytes.
class DIFFIE_API OutputFiles {
 public:
  virtual ~OutputFiles();

  // More bytes of a file, perhaps none: then too the file is there. `name` is "" in formats of one
  // stream, else a plain file name.
  virtual void write(std::string_view name, std::string_view bytes) = 0;

  // Nothing more will come for this name. Not called for "".
  virtual void close(std::string_view name) = 0;
};

// Calls come in the order of the text: begin_document, add for each sentence, end_document, and
// after the last document finish. Memory does not grow with a document unless docs/formats.md says
// so of the format. Not safe to call from several threads at once.
class DIFFIE_API Writer {
 public:
  virtual ~Writer();

  virtual void begin_document(std::string_view id) = 0;
  virtual void add(const DocumentSentence& sentence, const SentenceResult& result) = 0;
  virtual void end_document(std::string_view rest) = 0;  // the text behind the last sentence
  virtual void finish() = 0;                             // tables, closing tags

  // May be called between begin_document and end_document, any number of times, with text that is
  // of no sentence, so that a gap or a rest of any size need not be in memory as a whole. It begins
  // and ends between characters, and at code point `character` of the document. By default nothing
  // is done: few formats repeat a document's text.
  virtual void add_text(std::string_view text, std::size_t character);
};

struct WriterOptions {
  // JSONL: say of each sentence which document it is from, and where it stands there.
  bool source = true;
  // JSONL: the spans of each triple in the document too, in bytes and in code points.
  bool document_offsets = false;
  // RDF: rdf:Statement with rdf:subject, ... in place of RDF 1.2's rdf:reifies and triple terms.
  bool classic_reification = false;
  // RDF: what the IRIs of documents, entities and relations begin with; absolute, plain ASCII.
  std::string base_iri = "urn:diffie:";
};

// `files` must outlive the writer. Throws kInvalidArgument for impossible options; the writer's
// functions throw what `files` throws.
DIFFIE_API std::unique_ptr<Writer> make_writer(OutputFormat format, const WriterOptions& options,
                                               OutputFiles& files);

struct FormatInfo {
  OutputFormat format;
  std::string name;
  bool several_files;  // names are not ""
  std::string help;    // a few words
};

// All that make_writer makes, in the order of the documentation.
DIFFIE_API std::vector<FormatInfo> output_formats();

}  // namespace diffie
