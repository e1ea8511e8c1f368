#include <fmt/format.h>

#include <array>

#include "diffie/error.h"
#include "diffie/output.h"
#include "output/writers.h"

namespace diffie {
namespace {

struct Row {
  OutputFormat format;
  const char* name;
  bool several_files;
  const char* help;
  std::unique_ptr<Writer> (*make)(const WriterOptions& options, OutputFiles& files);
};

constexpr std::array kRows = {
    Row{OutputFormat::kJsonl, "jsonl", false, "an object per sentence", output::make_jsonl_writer},
    Row{OutputFormat::kTsv, "tsv", false, "a line per triple", output::make_tsv_writer},
    Row{OutputFormat::kCarb, "carb", false, "as CaRB's scorer reads it", output::make_carb_writer},
    Row{OutputFormat::kCorenlp, "corenlp", false, "CoreNLP's JSON", output::make_corenlp_writer},
    Row{OutputFormat::kNtriples, "ntriples", false, "RDF 1.2", output::make_ntriples_writer},
    Row{OutputFormat::kTurtle, "turtle", false, "RDF 1.2", output::make_turtle_writer},
    Row{OutputFormat::kGraphml, "graphml", false, "a graph", output::make_graphml_writer},
    Row{OutputFormat::kNeo4j, "neo4j", true, "CSV files to import", output::make_neo4j_writer},
    Row{OutputFormat::kBrat, "brat", true, "standoff files", output::make_brat_writer},
    Row{OutputFormat::kHtml, "html", false, "a page to look at", output::make_html_writer},
    Row{OutputFormat::kHipporag, "hipporag", false, "its OpenIE file",
        output::make_hipporag_writer},
    Row{OutputFormat::kLightrag, "lightrag", false, "its custom_kg", output::make_lightrag_writer},
};

}  // namespace

OutputFiles::~OutputFiles() = default;
Writer::~Writer() = default;
void Writer::add_text(std::string_view /*text*/, std::size_t /*character*/) {}

std::unique_ptr<Writer> make_writer(OutputFormat format, const WriterOptions& options,
                                    OutputFiles& files) {
  for (const Row& row : kRows) {
    if (row.format == format) return row.make(options, files);
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("output format {}: there is none", static_cast<int>(format)));
}

std::vector<FormatInfo> output_formats() {
  std::vector<FormatInfo> formats;
  for (const Row& row : kRows)
    formats.push_back({row.format, row.name, row.several_files, row.help});
  return formats;
}

}  // namespace diffie
