// What the handles of the C interface hold.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "diffie.h"
#include "diffie/extractor.h"
#include "diffie/model.h"
#include "diffie/settings.h"

struct diffie_model {
  std::shared_ptr<const diffie::Model> model;
  std::vector<std::string> presets;
};

struct diffie_settings {
  diffie::Settings values;
  std::string shown;  // what diffie_settings_get gave last
};

struct diffie_extractor {
  diffie::Extractor extractor;
};

struct diffie_stop {
  std::stop_source source;
};

namespace diffie::capi {

struct Triple {
  Extraction found;
  std::vector<diffie_span> subject_spans;
  std::vector<diffie_span> relation_spans;
  std::vector<diffie_span> object_spans;
  std::vector<diffie_text> implied;  // of found.implied
  std::vector<diffie_span> attributed_to_spans;
  std::vector<std::vector<diffie_span>> circumstance_spans;
  std::vector<diffie_circumstance> circumstances;  // of found.circumstances
};

struct Sentence {
  std::vector<Triple> triples;
  diffie_status status = DIFFIE_OK;
  std::string error;
};

Sentence make_sentence(SentenceResult result);

}  // namespace diffie::capi

struct diffie_result {
  std::vector<diffie::capi::Sentence> sentences;
};
