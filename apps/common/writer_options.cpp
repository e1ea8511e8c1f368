#include "writer_options.h"

namespace diffie::cli {

std::optional<UnusedOption> unused_option(const WriterOptions& options, std::string_view format) {
  constexpr const char* kRdf = "ntriples or turtle";
  const bool rdf = format == "ntriples" || format == "turtle";
  if (options.document_offsets && format != "jsonl") return {{"document_offsets", "jsonl"}};
  if (options.classic_reification && !rdf) return {{"classic_reification", kRdf}};
  if (options.base_iri != WriterOptions().base_iri && !rdf) return {{"base_iri", kRdf}};
  return {};
}

}  // namespace diffie::cli
