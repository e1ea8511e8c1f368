// The threads that take sentences of all requests to the engine, batch by batch.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "metrics.h"
#include "request_log.h"
#include "work_queue.h"

namespace diffie::server {

class Batcher {
 public:
  // Throws kExhausted where threads cannot be had. What it is given must outlive it.
  Batcher(WorkQueue& queue, Metrics& metrics, RequestLog& log);
  ~Batcher();  // stops the queue, cuts off what is under way

  // Nobody waits for this one: what has not begun is dropped, and a batch in which nobody waits for
  // anything is cut off. Threads: any.
  void cancel(Job& job);

 private:
  struct Running {
    std::vector<WorkQueue::Item> items;
    std::stop_source stop;
  };

  static bool waited_for(const Running& batch);
  void work();
  void run(Running& batch);

  WorkQueue& queue_;
  Metrics& metrics_;
  RequestLog& log_;
  std::mutex mutex_;
  std::list<Running> running_;
  std::vector<std::jthread> threads_;
};

}  // namespace diffie::server
