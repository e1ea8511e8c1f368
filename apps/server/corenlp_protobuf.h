// CoreNLP's answers as its Java and Python clients read them by default: protocol buffers.
#pragma once

#include <memory>

#include "diffie/output.h"

namespace diffie::server {

// The name of the format; clients of CoreNLP ask for it as "serialized", others cannot.
inline constexpr const char* kCorenlpSerialized = "corenlp-serialized";

// Writes each document as a Document of CoreNLP.proto with its length before it: text, sentences
// with their offsets, tokens, triples with their confidence and where their words stand. Memory
// grows with the document. `files` must outlive the writer.
std::unique_ptr<Writer> make_corenlp_protobuf_writer(OutputFiles& files);

}  // namespace diffie::server
