// The loop of `diffie extract`: documents in, results out, in order.
#pragma once

#include "diagnostics.h"
#include "diffie/extractor.h"
#include "input.h"
#include "journal.h"
#include "output_target.h"

namespace diffie::cli {

// What a run is made of; `journal` may be null.
struct ExtractionRun {
  const Extractor& extractor;
  InputReader& reader;
  Writer& writer;
  OutputTarget& output;
  Journal* journal;
  Diagnostics& diagnostics;
};

// What the extractor has to say, a line each on stderr.
void tell_notices(const Extractor& extractor);

// Reads to the end of the input; a sentence that failed is reported. Reading, writing and the
// journal go on while the next sentences are extracted.
void extract_all(const ExtractionRun& run);

}  // namespace diffie::cli
