// The sentences of one request on their way through the engine, and its answer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer_body.h"
#include "diffie/extractor.h"
#include "diffie/output.h"
#include "extract_request.h"
#include "http_error.h"

namespace diffie::server {

// Threads: the session that owns the request and those that extract call it at the same time.
class Job {
 public:
  // Cuts the documents into sentences; throws HttpError 400 for a format that cannot be. Fails with
  // 413 where more than `max_bytes` of the answer would have to be kept.
  Job(ExtractRequest request, std::shared_ptr<const Extractor> extractor, const Origin& origin,
      std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

  std::size_t size() const { return sentences_.size(); }
  std::string_view text(std::size_t index) const { return sentences_[index].sentence.text; }
  const std::shared_ptr<const Extractor>& extractor() const { return extractor_; }
  const AnswerBody& body() const { return *body_; }  // of it only what never changes
  const std::vector<InputDocument>& documents() const { return documents_; }
  std::chrono::steady_clock::time_point created() const { return created_; }

  // Called, from any thread, whenever take() may have more to say. Before anything else.
  void on_progress(std::function<void()> wake) { wake_ = std::move(wake); }

  // A sentence is done; each once, in any order.
  void complete(std::size_t index, SentenceResult result);
  // Nothing more will come; the first reason counts.
  void fail(const HttpError& error);
  // Nobody waits for the answer any more.
  void cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }

  struct Progress {
    std::string
        bytes;  // of the body, further ones; where it is not streamed, all of them in the end
    bool done = false;
    std::optional<HttpError> error;  // then it is done, too
  };
  // Waits for nobody: while sentences are written, of which there may be many, there is nothing.
  Progress take();

  std::size_t num_triples() const { return num_triples_; }

 private:
  struct Place {
    std::size_t document = 0;
    DocumentSentence sentence;
  };

  void add_sentences(std::size_t document, const std::vector<Span>& spans);
  void wake(bool is_news);
  void write_ready();
  void begin_documents(std::size_t end);

  std::vector<InputDocument> documents_;
  std::vector<Place> sentences_;
  std::vector<std::string_view> rests_;  // per document, the text behind its last sentence
  std::shared_ptr<const Extractor> extractor_;
  const std::chrono::steady_clock::time_point created_ = std::chrono::steady_clock::now();
  std::function<void()> wake_ = [] {};
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> was_busy_ = false;  // when take() was called
  std::atomic<std::size_t> num_triples_ = 0;

  std::mutex mutex_;  // for what follows
  std::unique_ptr<AnswerBody> body_;
  std::vector<std::optional<SentenceResult>> results_;  // from next_ on
  std::size_t next_ = 0;                                // the first sentence that is not written
  std::size_t next_document_ = 0;                       // the first that has not begun
  bool done_ = false;
  std::optional<HttpError> error_;
};

}  // namespace diffie::server
