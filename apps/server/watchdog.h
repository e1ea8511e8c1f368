// Ends what a socket is doing when it takes too long.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>

namespace diffie::server {

// Belongs to the one thread that runs the socket's handlers.
class Watchdog {
 public:
  using Socket = boost::asio::ip::tcp::socket::lowest_layer_type;

  explicit Watchdog(Socket& socket)
      : socket_(socket), timer_(socket.get_executor()), watch_(std::make_shared<Watch>()) {}
  ~Watchdog() { ++watch_->number; }

  // From now on; the operations under way end with an error once it has passed.
  void set(std::chrono::milliseconds timeout) {
    const std::uint64_t number = ++watch_->number;
    watch_->fired = false;
    wait(timeout, number);
  }

  void stop() {
    ++watch_->number;
    timer_.cancel();
  }

  bool fired() const { return watch_->fired; }  // since it was last set

 private:
  struct Watch {
    std::uint64_t number =
        0;  // of the time that is watched; a handler of an earlier one does nothing
    bool fired = false;
  };

  // An operation that consists of several may be between two of them, with nothing to cancel: so it
  // is done again until somebody has seen it.
  void wait(std::chrono::milliseconds timeout, std::uint64_t number) {
    constexpr std::chrono::milliseconds kAgain{10};
    timer_.expires_after(timeout);
    timer_.async_wait([this, watch = watch_, number](const boost::system::error_code& error) {
      if (error || watch->number != number) return;
      watch->fired = true;
      boost::system::error_code none;
      socket_.cancel(none);
      wait(kAgain, number);
    });
  }

  Socket& socket_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<Watch> watch_;
};

}  // namespace diffie::server
