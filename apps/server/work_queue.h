// Sentences of all requests, in turns: a request with a book does not keep one with a sentence
// waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "job.h"

namespace diffie::server {

// Threads: any.
class WorkQueue {
 public:
  explicit WorkQueue(std::size_t max_sentences) : max_sentences_(max_sentences) {}

  // False: full. A request counts for an eighth of that at most: as all have their turns, a large
  // one is no reason to send others away.
  bool push(const std::shared_ptr<Job>& job);

  struct Item {
    std::shared_ptr<Job> job;
    std::size_t index;  // of its sentence
  };
  // Waits for sentences; then a batch of those that one extractor can do together, one of each
  // request in turn. Who had no turn comes first in the next one. A long sentence, which takes as
  // long as a batch of others, is a batch of its own, and never are two of them under way. Empty:
  // stopped.
  std::vector<Item> take();
  void done(const std::vector<Item>& batch);  // for each that was taken

  void drop(const Job& job);  // what is left of it
  void stop();                // take() returns nothing any more

  std::size_t size() const;  // sentences that wait

 private:
  struct Waiting {
    std::shared_ptr<Job> job;
    std::size_t next = 0;

    std::size_t left() const { return job->size() - next; }
    std::size_t bytes() const { return job->text(next).size(); }  // of its next sentence
    bool is_long() const { return bytes() > kLongBytes; }
  };

  static constexpr std::size_t kLongBytes = 2048;  // about a passage of the encoder's length
  static constexpr std::size_t kMeanBytes = 256;   // of a batch's sentences, at most

  std::size_t weight(std::size_t sentences) const;
  bool may_begin(const Waiting& each) const { return num_long_ == 0 || !each.is_long(); }
  std::deque<Waiting>::iterator first_turn();
  std::vector<Item> fill(const Extractor& extractor);

  const std::size_t max_sentences_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Waiting> waiting_;  // those whose turn comes first are at the front
  std::size_t num_sentences_ = 0;
  std::size_t num_long_ = 0;  // long sentences under way
  bool stopping_ = false;
};

}  // namespace diffie::server
