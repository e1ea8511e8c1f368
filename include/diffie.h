/* diffie for C and for every language that can call C: text in, ranked (subject; relation; object)
 * triples out.
 *
 *   diffie_model* model = NULL;
 *   diffie_extractor* extractor = NULL;
 *   diffie_result* result = NULL;
 *   diffie_extraction triple = {.struct_size = sizeof triple};
 *   const char* text = "Ada wrote the first program.";
 *   if (diffie_model_load("small", &model) == DIFFIE_OK &&
 *       diffie_extractor_new(model, NULL, &extractor) == DIFFIE_OK &&
 *       diffie_extract(extractor, text, strlen(text), &result) == DIFFIE_OK &&
 *       diffie_result_extraction(result, 0, 0, &triple) == DIFFIE_OK) {
 *     printf("%s | %s | %s\n", triple.subject.data, triple.relation.data, triple.object.data);
 *   } else {
 *     fprintf(stderr, "%s\n", diffie_last_error());
 *   }
 *   diffie_result_free(result);
 *   diffie_extractor_free(extractor);
 *   diffie_model_free(model);
 *
 * What holds for all functions:
 * - Text is UTF-8, its size in bytes; bytes that are not UTF-8 are read as U+FFFD. Names, paths and
 *   values of settings end with a zero byte.
 * - A function that can fail returns a diffie_status; on failure it sets what it should have
 *   made to NULL (or 0) and leaves its message in diffie_last_error(). NULL where it is not
 *   allowed and a size that was -1 are DIFFIE_INVALID_ARGUMENT, never a crash. No C++ exception
 *   comes out.
 * - A handle is the caller's, to be freed once by the function named with it; NULL may be freed.
 *   Handles do not depend on each other's life: a model may be freed before its extractors.
 * - "Threads" says what may happen at the same time. A handle must not be freed while another
 *   thread uses it, and a thread inside the library must not be cancelled (pthread_cancel).
 * - A struct that the library fills has struct_size first: the caller sets it to sizeof, the
 *   library writes no byte beyond it and sets what it does not know to zero. Fields are only
 *   ever added at the end, so programs and libraries of different age fit each other.
 */
#ifndef DIFFIE_H
#define DIFFIE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DIFFIE_C_API __attribute__((visibility("default")))
#else
#define DIFFIE_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header. It rises when a function or a field is added; nothing is taken away. */
#define DIFFIE_C_VERSION 3

typedef int32_t diffie_status;
enum {
  DIFFIE_OK = 0,
  DIFFIE_INVALID_ARGUMENT = 1, /* an argument or a value that cannot be */
  DIFFIE_NOT_FOUND = 2,        /* a file or directory that is not there or cannot be read */
  DIFFIE_CORRUPT_MODEL = 3,    /* a model directory that breaks its own rules */
  DIFFIE_BAD_INPUT = 4,        /* data that cannot be read as what it should be */
  DIFFIE_UNSUPPORTED = 5,      /* understood, but not by this build or version */
  DIFFIE_EXHAUSTED = 6,        /* a limit on memory, threads, size or time was met */
  DIFFIE_CANCELLED = 7,        /* the caller asked to stop */
  DIFFIE_INTERNAL = 8          /* our fault */
};

typedef struct diffie_model diffie_model;         /* weights and vocabulary; never changes */
typedef struct diffie_settings diffie_settings;   /* what can be chosen for a run */
typedef struct diffie_extractor diffie_extractor; /* a model with settings and worker threads */
typedef struct diffie_result diffie_result;       /* the triples of one call; never changes */
typedef struct diffie_stop diffie_stop;           /* a wish to stop the calls it was given to */

/* These two never change. */

/* A half-open byte range of the text the caller passed in. */
typedef struct diffie_span {
  size_t begin;
  size_t end;
} diffie_span;

/* data[size] is a zero byte; more may stand before it where the caller's text has some. */
typedef struct diffie_text {
  const char* data;
  size_t size;
} diffie_text;

/* --- Versions and errors --- */

/* "major.minor.patch" of the library that runs. A constant. Threads: any. */
DIFFIE_C_API const char* diffie_version(void);

/* DIFFIE_C_VERSION of the library that runs. Threads: any. */
DIFFIE_C_API int32_t diffie_c_version(void);

/* Short name, e.g. "corrupt model"; a constant. Threads: any. */
DIFFIE_C_API const char* diffie_status_name(diffie_status status);

/* One line about the last call of this thread that failed; "" before the first. It names the thing,
 * what was found and what was wanted. Good until this thread's next call that fails.
 * Threads: any, each has its own. */
DIFFIE_C_API const char* diffie_last_error(void);

/* --- Text --- */

/* The sentences of a document in text order, without the white space around them. *spans is the
 * caller's, for diffie_spans_free; NULL when *count is 0. Threads: any. */
DIFFIE_C_API diffie_status diffie_split_sentences(const char* text, size_t size,
                                                  diffie_span** spans, size_t* count);

/* Threads: any. */
DIFFIE_C_API void diffie_spans_free(diffie_span* spans);

/* --- Models --- */

/* Loads a model and checks its SHA-256 sums. What has a slash is the path of its directory; what
 * has none is the name of an installed model ("small"), looked for in $DIFFIE_MODELS, beside the
 * program and the library and below the prefix (docs/install.md), then a directory in the current
 * folder. *model is the caller's, for diffie_model_free. Threads: any. */
DIFFIE_C_API diffie_status diffie_model_load(const char* name_or_path, diffie_model** model);

/* Threads: any that is the last to use this handle. */
DIFFIE_C_API void diffie_model_free(diffie_model* model);

/* These belong to the model and live as long as its handle; "" and 0 for NULL and for an index out
 * of range. Threads: any, also with the same model. */
DIFFIE_C_API const char* diffie_model_name(const diffie_model* model);
DIFFIE_C_API int32_t diffie_model_trained(const diffie_model* model); /* 0: random weights */
DIFFIE_C_API size_t diffie_model_preset_count(const diffie_model* model);
DIFFIE_C_API const char* diffie_model_preset_name(const diffie_model* model, size_t index);
DIFFIE_C_API const char* diffie_model_default_preset(const diffie_model* model);

/* --- Settings: by name and as text, as on the command line --- */

typedef struct diffie_setting_info {
  size_t struct_size;
  const char* name;    /* e.g. "top_k" */
  const char* allowed; /* e.g. "from 1 to 1024" */
  const char* help;    /* one line */
} diffie_setting_info;

/* How many settings there are. Threads: any. */
DIFFIE_C_API size_t diffie_setting_count(void);

/* One of them; its strings are constants. Threads: any. */
DIFFIE_C_API diffie_status diffie_setting_describe(size_t index, diffie_setting_info* info);

/* The values of a preset of the model; NULL as preset: its default. *settings is the caller's, for
 * diffie_settings_free. Threads: any, also with the same model. */
DIFFIE_C_API diffie_status diffie_settings_new(const diffie_model* model, const char* preset,
                                               diffie_settings** settings);

/* Threads: any that is the last to use this handle. */
DIFFIE_C_API void diffie_settings_free(diffie_settings* settings);

/* diffie_settings_set(settings, "top_k", "3"): numbers as C writes them, lists separated by commas,
 * true or false. What is refused leaves the settings as they were; values that do not fit each
 * other are refused by diffie_extractor_new. Threads: one at a time with the same settings. */
DIFFIE_C_API diffie_status diffie_settings_set(diffie_settings* settings, const char* name,
                                               const char* value);

/* *value belongs to the settings and lives until their next get or free. Threads: one at a time
 * with the same settings. */
DIFFIE_C_API diffie_status diffie_settings_get(diffie_settings* settings, const char* name,
                                               const char** value);

/* --- Extraction --- */

/* NULL as settings: the model's default preset. Settings are copied. *extractor is the caller's,
 * for diffie_extractor_free. Threads: any, also with the same model; the settings must not be
 * changed meanwhile. */
DIFFIE_C_API diffie_status diffie_extractor_new(const diffie_model* model,
                                                const diffie_settings* settings,
                                                diffie_extractor** extractor);

/* Threads: any that is the last to use this handle. */
DIFFIE_C_API void diffie_extractor_free(diffie_extractor* extractor);

/* *stop is the caller's, for diffie_stop_free. Threads: any. */
DIFFIE_C_API diffie_status diffie_stop_new(diffie_stop** stop);

/* Calls that it was given to, and all that will be, end soon with DIFFIE_CANCELLED. Threads: any.
 */
DIFFIE_C_API void diffie_stop_request(diffie_stop* stop);

/* Threads: any that is the last to use this handle. */
DIFFIE_C_API void diffie_stop_free(diffie_stop* stop);

/* The triples of one sentence. The text is read during the call only. *result is the caller's, for
 * diffie_result_free. The same seed gives the same result, whatever the threads.
 * Threads: any, also with the same extractor. */
DIFFIE_C_API diffie_status diffie_extract(const diffie_extractor* extractor, const char* sentence,
                                          size_t size, diffie_result** result);

/* The same for many sentences, which is faster; result number i is that of sentences[i], equal to
 * what diffie_extract gives. NULL as sizes: each sentence ends with a zero byte; NULL as stop:
 * nobody will ask to stop. A sentence that fails alone does not fail the call: its diffie_sentence
 * has the status. Threads: any, also with the same extractor. */
DIFFIE_C_API diffie_status diffie_extract_batch(const diffie_extractor* extractor,
                                                const char* const* sentences, const size_t* sizes,
                                                size_t count, const diffie_stop* stop,
                                                diffie_result** result);

/* Threads: any that is the last to use this handle. */
DIFFIE_C_API void diffie_result_free(diffie_result* result);

/* What follows belongs to the result and lives as long as it. */

typedef struct diffie_sentence {
  size_t struct_size;
  size_t extraction_count;
  const char* error;    /* one line; "" where the status is DIFFIE_OK */
  diffie_status status; /* of this sentence alone */
} diffie_sentence;

/* docs/factuality.md defines the values. */
typedef int32_t diffie_polarity;
enum { DIFFIE_POSITIVE = 0, DIFFIE_NEGATIVE = 1 };

typedef int32_t diffie_modality;
enum {
  DIFFIE_CERTAIN = 0,
  DIFFIE_POSSIBLE = 1,
  DIFFIE_QUESTION = 2,
  DIFFIE_IMPERATIVE = 3,
  DIFFIE_CONDITIONAL = 4
};

typedef int32_t diffie_circumstance_kind;
enum { DIFFIE_TIME = 0, DIFFIE_PLACE = 1 };

/* A phrase inside a triple that says when or where. This one never changes. */
typedef struct diffie_circumstance {
  diffie_text text;
  const diffie_span* spans; /* of the sentence's text, ascending, not touching */
  size_t span_count;
  diffie_circumstance_kind kind;
} diffie_circumstance;

typedef struct diffie_extraction {
  size_t struct_size;
  double confidence; /* in (0, 1] */
  diffie_text subject;
  diffie_text relation; /* with its implied words */
  diffie_text object;
  const diffie_span* subject_spans; /* of the sentence's text, ascending, not touching */
  size_t subject_span_count;
  const diffie_span* relation_spans; /* none when all its words are implied */
  size_t relation_span_count;
  const diffie_span* object_spans;
  size_t object_span_count;
  const diffie_text*
      implied; /* words of the relation that do not stand in the text, as they read */
  size_t implied_count;
  /* Since version 2: what the sentence says of the event that the triple names. */
  diffie_polarity polarity;
  diffie_modality modality;
  diffie_text attributed_to; /* whose claim it is; data is NULL where it is nobody's */
  const diffie_span* attributed_to_spans;
  size_t attributed_to_span_count;
  /* Since version 3: with the setting mark_circumstances, in text order. */
  const diffie_circumstance* circumstances;
  size_t circumstance_count;
} diffie_extraction;

/* As many as sentences were given; 0 for NULL. Threads: any, also with the same result. */
DIFFIE_C_API size_t diffie_result_count(const diffie_result* result);

/* Threads: any, also with the same result. */
DIFFIE_C_API diffie_status diffie_result_sentence(const diffie_result* result, size_t sentence,
                                                  diffie_sentence* out);

/* Extractions are in the order of falling confidence. Threads: any, also with the same result. */
DIFFIE_C_API diffie_status diffie_result_extraction(const diffie_result* result, size_t sentence,
                                                    size_t index, diffie_extraction* out);

#ifdef __cplusplus
}
#endif

#endif
