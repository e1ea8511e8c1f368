#include "plain_c.h"

#include <stdio.h>
#include <string.h>

#include "diffie.h"

int first_triple_in_c(const char* model_path, const char* text, char* out, size_t capacity) {
  diffie_model* model = NULL;
  diffie_extractor* extractor = NULL;
  diffie_result* result = NULL;
  diffie_extraction triple = {.struct_size = sizeof triple};
  int failed = 1;
  if (diffie_model_load(model_path, &model) == DIFFIE_OK &&
      diffie_extractor_new(model, NULL, &extractor) == DIFFIE_OK &&
      diffie_extract(extractor, text, strlen(text), &result) == DIFFIE_OK &&
      diffie_result_extraction(result, 0, 0, &triple) == DIFFIE_OK) {
    snprintf(out, capacity, "%s | %s | %s", triple.subject.data, triple.relation.data,
             triple.object.data);
    failed = 0;
  } else {
    snprintf(out, capacity, "%s", diffie_last_error());
  }
  diffie_result_free(result);
  diffie_extractor_free(extractor);
  diffie_model_free(model);
  return failed;
}
