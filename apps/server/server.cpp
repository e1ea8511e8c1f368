#include "server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <list>
#include <new>
#include <utility>

#include "descriptors.h"
#include "linger.h"
#include "session.h"

namespace diffie::server {
namespace {

namespace net = boost::asio;
using net::ip::tcp;

constexpr std::chrono::milliseconds kAcceptAgain{100};  // where the system has no descriptors left

constexpr std::chrono::seconds kTidy{1};
constexpr std::size_t kTidyIdle = 6;  // as often without work

// What is open besides connections: the models' files, twice while they are loaded again, and ours.
constexpr std::size_t kOtherDescriptors = 64;
constexpr std::size_t kDescriptorsOfAModel = 8;
constexpr std::size_t kMaxLeaving = 32;  // who are told that there is no room, at once

class Leaving {
 public:
  explicit Leaving(std::size_t& count) : count_(count) { ++count_; }
  ~Leaving() { --count_; }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;

 private:
  std::size_t& count_;
};

tcp::endpoint endpoint_of(const ServerConfig& config) {
  boost::system::error_code error;
  const std::string name = config.address == "localhost" ? "127.0.0.1" : config.address;
  const auto address = net::ip::make_address(name, error);
  if (error) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("address is '{}', must be an IP address", config.address));
  }
  return {address, config.port};
}

tcp::acceptor listen(net::io_context& io, const ServerConfig& config) {
  const tcp::endpoint endpoint = endpoint_of(config);
  try {
    return tcp::acceptor(io, endpoint, true);
  } catch (const boost::system::system_error& error) {
    throw Error(ErrorCode::kNotFound, fmt::format("cannot listen on {} port {}: {}", config.address,
                                                  config.port, error.code().message()));
  }
}

std::unique_ptr<net::ssl::context> tls_of(const ServerConfig& config) {
  if (config.tls_certificate.empty()) return nullptr;
  auto context = std::make_unique<net::ssl::context>(net::ssl::context::tls_server);
  context->set_options(net::ssl::context::default_workarounds | net::ssl::context::no_sslv2 |
                       net::ssl::context::no_sslv3 | net::ssl::context::no_tlsv1 |
                       net::ssl::context::no_tlsv1_1);
  try {
    context->use_certificate_chain_file(config.tls_certificate);
    context->use_private_key_file(config.tls_key, net::ssl::context::pem);
  } catch (const boost::system::system_error& error) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}, {}: {}", config.tls_certificate,
                                                  config.tls_key, error.code().message()));
  }
  return context;
}

}  // namespace

class Server::Impl {
 public:
  Impl(const ServerConfig& config, const cli::SettingsOptions& options)
      : config_(config),
        models_(config_.models, options,
                [this](const std::string& message) { log_.event(message); }),
        max_connections_(connections_allowed()),
        queue_(config_.max_queued_sentences),
        service_(config_, models_, queue_, metrics_),
        tls_(tls_of(config_)),
        acceptor_(listen(io_, config_)),
        ending_(io_, SIGTERM, SIGINT),
        reloading_(io_, SIGHUP),
        accept_timer_(io_),
        drain_timer_(io_),
        tidy_timer_(io_) {}

  std::string url() const {
    const tcp::endpoint endpoint = acceptor_.local_endpoint();
    const std::string address = endpoint.address().to_string();
    return fmt::format("{}://{}:{}", tls_ ? "https" : "http",
                       endpoint.address().is_v6() ? "[" + address + "]" : address, endpoint.port());
  }

  int run() {
    std::signal(SIGPIPE, SIG_IGN);
    accept();
    await_end();
    await_reload();
    tidy();
    while (!io_.stopped()) run_all();
    over_ = true;
    stop_.request_stop();
    return exit_code_;
  }

 private:
  // Where memory is short what a handler was about ends; the others go on.
  void run_all() {
    try {
      io_.run();
    } catch (const std::bad_alloc&) {  // which is not said: a line of the log needs some, too
    }
  }

  // Without which nobody could come, or end it: it ends then.
  template <typename Function>
  void or_end(Function function) {
    try {
      function();
    } catch (const std::bad_alloc&) {
      exit_code_ = 1;
      io_.stop();
    }
  }

  // As many as asked for, where the system lets us have so many.
  std::size_t connections_allowed() {
    const std::size_t others = kOtherDescriptors + kDescriptorsOfAModel * config_.models.size();
    const std::size_t allowed = allow_descriptors(config_.max_connections + others);
    if (allowed >= config_.max_connections + others) return config_.max_connections;
    const std::size_t connections = std::max(allowed - std::min(allowed, others), allowed / 2);
    log_.event(
        fmt::format("{} connections at most, not {}: the system allows {} open files (ulimit -n)",
                    connections, config_.max_connections, allowed));
    return connections;
  }

  void accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
      if (!error) try_to_welcome(std::move(socket));  // also one from just before it was closed
      if (!acceptor_.is_open()) return;
      if (error == boost::system::errc::too_many_files_open ||
          error == boost::system::errc::too_many_files_open_in_system)
        make_room();
      or_end([&] { error ? accept_again() : accept(); });
    });
  }

  // When a connection has ended, or the time has passed.
  void accept_again() {
    accept_waits_ = true;
    accept_timer_.expires_after(kAcceptAgain);
    accept_timer_.async_wait([this](const boost::system::error_code& /*sooner*/) {
      accept_waits_ = false;
      if (acceptor_.is_open()) or_end([this] { accept(); });
    });
  }

  // Who has waited longest without asking for anything goes, so that silent connections, however
  // many, keep nobody out.
  bool make_room() {
    std::shared_ptr<Session> longest;
    auto since = std::chrono::steady_clock::time_point::max();
    for (const std::weak_ptr<Session>& each : sessions_) {
      const std::shared_ptr<Session> session = each.lock();
      const auto silent = session ? session->silent_since() : std::nullopt;
      if (!silent || *silent >= since) continue;
      since = *silent;
      longest = session;
    }
    if (!longest) return false;
    longest->close();
    return true;
  }

  // All who are here have asked for something.
  net::awaitable<void> send_away(tcp::socket socket) {
    static constexpr std::string_view kBusy =
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
        "Content-Length: 0\r\n\r\n";
    const Leaving counted(leaving_);
    boost::system::error_code none;
    socket.non_blocking(true, none);
    socket.write_some(net::buffer(kBusy), none);
    Watchdog watchdog(socket);
    co_await linger(socket, watchdog);
  }

  // Where there is no memory for this one, there may be for the next.
  void try_to_welcome(tcp::socket socket) {
    const std::size_t before = sessions_.size();
    try {
      welcome(std::move(socket));
    } catch (const std::bad_alloc&) {
      if (sessions_.size() > before) sessions_.pop_back();
    }
  }

  void welcome(tcp::socket socket) {
    if (sessions_.size() >= max_connections_ && !make_room()) {
      // What is no TLS is no answer to who encrypts.
      if (tls_ || leaving_ >= kMaxLeaving) return;
      net::co_spawn(io_, send_away(std::move(socket)), net::detached);
      return;
    }
    const auto place = sessions_.emplace(sessions_.end());
    *place = serve(std::move(socket), tls_.get(), shared_, [this, place] {
      sessions_.erase(place);
      if (over_) return;  // the others are gone already
      if (accept_waits_) accept_timer_.cancel();
      if (!acceptor_.is_open()) end_soon();
    });
    if (acceptor_.is_open()) return;
    if (const auto session = place->lock()) session->drain();
  }

  void await_end() {
    ending_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
      if (error) return;
      if (acceptor_.is_open()) {
        or_end([this] {
          drain();
          await_end();
        });
      } else {
        exit_code_ = 1;
        io_.stop();
        log_.event("ended by a second signal");
      }
    });
  }

  // Who is connected already, and has asked, is answered; then it ends. Until then connections that
  // are open stay so, for those who ask by them whether we are ready.
  void drain() {
    log_.event(fmt::format("draining: {} requests under way", service_.active()));
    service_.set_ready(false);
    boost::system::error_code error;
    acceptor_.non_blocking(true, error);
    while (!error) {
      tcp::socket socket(io_);
      acceptor_.accept(socket, error);
      if (!error) try_to_welcome(std::move(socket));
    }
    acceptor_.close(error);
    for (const std::weak_ptr<Session>& each : sessions_) {
      if (const auto session = each.lock()) session->drain();
    }
    end_soon();
    drain_timer_.expires_after(config_.drain_timeout);
    drain_timer_.async_wait([this](const boost::system::error_code& stopped) {
      if (stopped) return;
      log_.event("requests are given up: the time for draining is over");
      exit_code_ = 1;
      io_.stop();
    });
  }

  // Looks once for all connections that have ended meanwhile (they may be thousands), and after
  // those that have been accepted, but not welcomed.
  void end_soon() {
    if (std::exchange(looks_soon_, true)) return;
    net::post(io_, [this] {
      looks_soon_ = false;
      end_if_done();
    });
  }

  // While it drains: where nothing is under way any more, those who are still there may go.
  void end_if_done() {
    if (sessions_.empty()) return io_.stop();
    if (service_.active() > 0) return;
    for (const std::weak_ptr<Session>& each : sessions_) {
      if (const auto session = each.lock()) session->close_if_idle();
    }
  }

  void await_reload() {
    reloading_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
      if (error) return;
      await_reload();
      net::post(computing_, [this] { models_.reload(); });
    });
  }

  // What a request needed lies empty between what others have, and the next one would take other
  // pages: given back every second in which there was work, and for some seconds after it.
  void tidy() {
    tidy_timer_.expires_after(kTidy);
    tidy_timer_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;
      const std::uint64_t answered = metrics_.answered();
      const bool has_work = service_.active() > 0 || answered != answered_;
      idle_ = has_work ? 0 : idle_ + 1;
      answered_ = answered;
      tidy();
      if (idle_ <= kTidyIdle) net::post(preparing_, [this] { models_.tidy(); });
    });
  }

  // What is below uses what is above, and ends first: who extracts may still have news for a
  // session, and sessions, which the io_context keeps, take themselves off the list.
  const ServerConfig config_;
  RequestLog log_{config_.log_requests};
  ServedModels models_;
  const std::size_t max_connections_;
  Metrics metrics_;
  WorkQueue queue_;
  Service service_;
  std::unique_ptr<net::ssl::context> tls_;
  std::list<std::weak_ptr<Session>> sessions_;
  std::size_t leaving_ = 0;
  int exit_code_ = 0;
  bool looks_soon_ = false;
  bool accept_waits_ = false;  // for a descriptor
  bool over_ = false;          // nothing is run any more
  std::stop_source stop_;
  net::io_context io_{1};
  Batcher batcher_{queue_, metrics_, log_};
  net::thread_pool preparing_{2};  // a large request keeps others waiting on one of them only
  net::thread_pool computing_{1};
  Shared shared_{config_, service_,   queue_,     batcher_,         metrics_,
                 log_,    preparing_, computing_, stop_.get_token()};
  tcp::acceptor acceptor_;
  net::signal_set ending_;
  net::signal_set reloading_;
  net::steady_timer accept_timer_;
  net::steady_timer drain_timer_;
  net::steady_timer tidy_timer_;
  std::uint64_t answered_ = 0;  // when it was last tidied
  std::size_t idle_ = 0;        // how often without work
};

Server::Server(const ServerConfig& config, const cli::SettingsOptions& options)
    : impl_(std::make_unique<Impl>(config, options)) {}
Server::~Server() = default;

std::string Server::url() const { return impl_->url(); }
int Server::run() { return impl_->run(); }

}  // namespace diffie::server
