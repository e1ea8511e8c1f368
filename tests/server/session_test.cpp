#include "session.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace diffie::server {
namespace {

namespace net = boost::asio;
using net::ip::tcp;
using std::chrono::milliseconds;

ServerConfig impatient() {
  ServerConfig config;
  config.receive_timeout = milliseconds(100);
  config.log_requests = false;
  return config;
}

// Connections to a session, without a server and its models.
class SessionTest : public testing::Test {
 protected:
  // Begins to serve the other end of the client.
  void connect(const std::function<void(tcp::socket&)>& prepare) {
    tcp::acceptor acceptor(io_, tcp::endpoint(net::ip::address_v4::loopback(), 0));
    client_.connect(acceptor.local_endpoint());
    tcp::socket socket = acceptor.accept();
    prepare(socket);
    session_ = serve(std::move(socket), nullptr, shared_, [this] { ended_ = true; });
  }

  // Whether the session ends within this time.
  bool ends_within(milliseconds time) {
    io_.run_for(time);
    return ended_;
  }

  const ServerConfig config_ = impatient();
  RequestLog log_{config_.log_requests};
  cli::SettingsOptions options_;
  ServedModels models_{{}, options_, [](const std::string&) {}};
  Metrics metrics_;
  WorkQueue queue_{config_.max_queued_sentences};
  Service service_{config_, models_, queue_, metrics_};
  net::io_context io_{1};
  Batcher batcher_{queue_, metrics_, log_};
  net::thread_pool preparing_{1};
  net::thread_pool computing_{1};
  Shared shared_{config_, service_, queue_, batcher_, metrics_, log_, preparing_, computing_, {}};
  tcp::socket client_{io_};
  std::weak_ptr<Session> session_;
  bool ended_ = false;
};

// So much that nothing more can be sent before the client reads: also after what is on its way has
// arrived there.
void fill(tcp::socket& socket) {
  static const std::array<char, 65536> kBytes{};
  socket.non_blocking(true);
  std::size_t written = 1;
  while (written > 0) {
    std::this_thread::sleep_for(milliseconds(50));
    written = 0;
    boost::system::error_code error;
    while (!error) written += socket.write_some(net::buffer(kBytes), error);
    ASSERT_EQ(error, net::error::would_block);
  }
}

constexpr std::string_view kAsksFirst =
    "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
    "Content-Length: 2\r\n\r\n";

TEST_F(SessionTest, WhoDoesNotReadThatItMayContinueIsClosed) {
  connect(fill);
  net::write(client_, net::buffer(kAsksFirst));
  EXPECT_TRUE(ends_within(milliseconds(20'000)));  // three times the 100 ms, and what it lingers
}

// What has been read already when the time is over cannot be cancelled.
TEST_F(SessionTest, WhoSendsJustWhenTheTimeIsOverIsClosed) {
  connect([](tcp::socket&) {});
  constexpr std::string_view kHead =
      "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
  net::write(client_, net::buffer(kHead));
  io_.run_for(milliseconds(50));
  const std::string some(200'000, ' ');  // several reads
  client_.non_blocking(true);
  boost::system::error_code none;
  for (std::size_t done = 0; done < some.size() && !none;)
    done += client_.write_some(net::buffer(some) + done, none);
  std::this_thread::sleep_for(milliseconds(500));  // nobody looks: more than three times the 100 ms
  EXPECT_TRUE(ends_within(milliseconds(20'000)));
}

TEST_F(SessionTest, WhoReadsThatItMayContinueIsWaitedFor) {
  connect([](tcp::socket&) {});
  net::write(client_, net::buffer(kAsksFirst));
  io_.run_for(milliseconds(50));
  std::string received(64, '\0');
  received.resize(client_.read_some(net::buffer(received)));
  EXPECT_EQ(received, "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_FALSE(ended_);
  client_.close();
  EXPECT_TRUE(ends_within(milliseconds(20'000)));
}

}  // namespace
}  // namespace diffie::server
