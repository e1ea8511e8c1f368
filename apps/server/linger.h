// The end of a connection whose client may still be sending.
#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>

#include "watchdog.h"

namespace diffie::server {

constexpr std::chrono::milliseconds kLingerTimeout{2'000};  // to read the answer

// Nothing more is sent; what still comes is passed over for a while: were the socket just closed,
// the client would lose the answer.
inline boost::asio::awaitable<void> linger(boost::asio::ip::tcp::socket& socket,
                                           Watchdog& watchdog) {
  namespace net = boost::asio;
  boost::system::error_code error;
  socket.shutdown(net::ip::tcp::socket::shutdown_send, error);
  std::array<char, 16384> passed_over;
  std::size_t left = std::size_t{4} << 20;
  watchdog.set(kLingerTimeout);
  while (!error && left > 0) {
    const std::size_t bytes = co_await socket.async_read_some(
        net::buffer(passed_over), net::redirect_error(net::use_awaitable, error));
    left -= std::min(left, bytes);
  }
  watchdog.stop();
}

}  // namespace diffie::server
