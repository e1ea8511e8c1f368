// A maker for each row of the table in formats.cpp.
#pragma once

#include <memory>

#include "diffie/output.h"

namespace diffie::output {

std::unique_ptr<Writer> make_jsonl_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_tsv_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_carb_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_ntriples_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_turtle_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_corenlp_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_graphml_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_neo4j_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_brat_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_html_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_hipporag_writer(const WriterOptions& options, OutputFiles& files);
std::unique_ptr<Writer> make_lightrag_writer(const WriterOptions& options, OutputFiles& files);

}  // namespace diffie::output
