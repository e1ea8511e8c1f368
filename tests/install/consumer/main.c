#include <diffie.h>
#include <stdio.h>
#include <string.h>

static int fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, diffie_last_error());
  return 1;
}

int main(void) {
  const char* text = "Marie Curie discovered polonium in 1898.";
  diffie_model* model = NULL;
  diffie_settings* settings = NULL;
  diffie_extractor* extractor = NULL;
  diffie_result* result = NULL;
  diffie_sentence sentence = {.struct_size = sizeof sentence};
  size_t index;

  if (diffie_model_load("small", &model) != DIFFIE_OK) return fail("model");
  if (diffie_settings_new(model, "balanced", &settings) != DIFFIE_OK) return fail("settings");
  if (diffie_settings_set(settings, "top_k", "1") != DIFFIE_OK) return fail("top_k");
  if (diffie_extractor_new(model, settings, &extractor) != DIFFIE_OK) return fail("extractor");
  if (diffie_extract(extractor, text, strlen(text), &result) != DIFFIE_OK) return fail("extract");
  if (diffie_result_sentence(result, 0, &sentence) != DIFFIE_OK) return fail("sentence");
  for (index = 0; index < sentence.extraction_count; ++index) {
    diffie_extraction triple = {.struct_size = sizeof triple};
    if (diffie_result_extraction(result, 0, index, &triple) != DIFFIE_OK) return fail("triple");
    printf("%s | %s | %s\n", triple.subject.data, triple.relation.data, triple.object.data);
  }
  diffie_result_free(result);
  diffie_extractor_free(extractor);
  diffie_settings_free(settings);
  diffie_model_free(model);
  return 0;
}
