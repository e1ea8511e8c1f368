#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <type_traits>
#include <utility>

namespace diffie::server {

// Calls `function`, which must not throw, on a thread of the pool; the coroutine goes on where it
// was, with what it returned. `function` must live until then.
template <typename Function>
auto run_on_pool(boost::asio::thread_pool& pool, Function& function)
    -> boost::asio::awaitable<std::invoke_result_t<Function&>> {
  namespace net = boost::asio;
  using Result = std::invoke_result_t<Function&>;
  return net::async_initiate<const net::use_awaitable_t<>, void(Result)>(
      [](auto handler, net::thread_pool* to, Function* call) {
        const auto home = net::get_associated_executor(handler);
        // Shared, because what a pool runs must be copyable where it is put into a std::function.
        const auto shared = std::make_shared<decltype(handler)>(std::move(handler));
        net::post(*to, [call, home, shared] {
          auto result = std::make_shared<Result>((*call)());
          net::post(home, [shared, result] { (*shared)(std::move(*result)); });
        });
      },
      net::use_awaitable, &pool, &function);
}

}  // namespace diffie::server
