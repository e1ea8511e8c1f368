#include "session.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "base/printable.h"
#include "linger.h"
#include "request_head.h"
#include "run_on_pool.h"
#include "send_pace.h"
#include "watchdog.h"

namespace diffie::server {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using net::ip::tcp;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

using Plain = tcp::socket;
using Encrypted = net::ssl::stream<tcp::socket>;

constexpr milliseconds kLook{200};  // how often a client is looked for while it waits
constexpr std::size_t kReadBytes = 65536;
constexpr int kMaxEmptyLines = 2;  // before a request
constexpr const char* kDeadlinePassed = "the deadline has passed";

template <typename Stream>
class StreamSession final : public Session,
                            public std::enable_shared_from_this<StreamSession<Stream>> {
 public:
  StreamSession(Stream stream, Shared& shared, std::function<void()> ended)
      : stream_(std::move(stream)),
        shared_(shared),
        ended_(std::move(ended)),
        watchdog_(stream_.lowest_layer()),
        news_(stream_.get_executor()),
        buffer_(shared.config.max_header_bytes + 2 * kReadBytes) {
    boost::system::error_code none;
    remote_ = stream_.lowest_layer().remote_endpoint(none).address().to_string(none);
    shared_.metrics.connection_opened();
  }
  ~StreamSession() override {
    shared_.metrics.connection_closed();
    ended_();
  }

  void start() {
    net::co_spawn(
        stream_.get_executor(),
        [self = this->shared_from_this()]() -> net::awaitable<void> { return self->run(); },
        net::detached);
  }

  void drain() override { draining_ = true; }

  void close_if_idle() override {
    if (!idle_) return;
    if (nothing_came()) return end_waiting();
    watchdog_.set(shared_.config.receive_timeout);  // for what may be the beginning of a request
  }

  std::optional<Clock::time_point> silent_since() override {
    if (!waiting_since_ || !nothing_came()) return {};
    return waiting_since_;
  }

  void close() override {
    waiting_since_.reset();
    end_waiting();
  }

 private:
  using Parser = http::request_parser<http::string_body>;

  net::awaitable<void> run() {
    try {
      if (co_await begin()) {
        while (co_await one_request()) {
        }
      }
      if (!sent_away_) co_await end();
    } catch (const std::exception& error) {
      shared_.log.event(std::string("a connection ended: ") + error.what());
    }
    boost::system::error_code none;
    stream_.lowest_layer().close(none);
  }

  net::awaitable<bool> begin() {
    boost::system::error_code error;
    stream_.lowest_layer().set_option(tcp::no_delay(true), error);
    if constexpr (std::is_same_v<Stream, Encrypted>) {
      watchdog_.set(shared_.config.receive_timeout);
      co_await stream_.async_handshake(net::ssl::stream_base::server, token(error));
      watchdog_.stop();
      co_return !error;
    }
    co_return true;
  }

  // False: the connection ends.
  net::awaitable<bool> one_request() {
    boost::system::error_code error;
    if (!waiting_since_) waiting_since_ = Clock::now();
    if (nothing_begun() && !co_await wait_for_request()) co_return false;
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(shared_.config.max_header_bytes));
    parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // the head is read first
    begin_record();
    watchdog_.set(shared_.config.receive_timeout);
    co_await http::async_read_header(stream_, buffer_, parser, token(error));
    watchdog_.stop();
    waiting_since_.reset();
    empty_lines_ = 0;
    if (error) co_return co_await refuse(error);
    sent_away_ = false;
    const Head head = head_of(parser.get());
    record_.method = base::printable(head.method, 16);
    record_.path = base::printable(head.path, 200);
    version_ = parser.get().version();
    head_only_ = head.method == "HEAD";

    const Route* route = nullptr;
    std::optional<HttpError> refused = framing_error(parser.get());
    const bool framed = !refused;
    for_strangers_ = shared_.service.headers_for_strangers(head);
    try {
      if (framed) route = &shared_.service.route(head);
    } catch (const HttpError& problem) {
      refused = problem;
    }
    parser.body_limit(shared_.config.max_body_bytes);
    if (!refused && parser.content_length().value_or(0) > shared_.config.max_body_bytes)
      refused = refusal_of(http::error::body_limit, false, shared_.config);
    if (!refused) refused = make_room(parser);
    // A body that is not read cannot be passed over either.
    keep_alive_ = framed && parser.keep_alive() && (!refused || parser.is_done());
    if (route != nullptr) record_.route = route->name;
    if (refused) co_return co_await answer_all(to_answer(*refused));
    if (!co_await ask_for_body(parser)) co_return leave();
    if (!co_await read_body(parser, error)) co_return co_await refuse(error);
    asked_ = Clock::now();
    const ActiveRequest active(shared_.service);
    co_return co_await answer(*route, head, std::move(parser.get().body()));
  }

  // For the body, as much as is known of it. While a read of it begins no exception may be thrown.
  std::optional<HttpError> make_room(Parser& parser) const {
    try {
      const std::size_t there = parser.chunked() ? buffer_.size() : 0;
      parser.get().body().reserve(parser.content_length().value_or(there));
      return {};
    } catch (const std::bad_alloc& error) {
      return to_http_error(error, "");
    }
  }

  // Empty lines before a request, which some clients send behind a body, are passed over (RFC 9112,
  // 2.2), few of them.
  bool nothing_begun() {
    const auto begin = [this] {
      return std::string_view(static_cast<const char*>(buffer_.data().data()), buffer_.size());
    };
    for (; empty_lines_ < kMaxEmptyLines && begin().starts_with("\r\n"); ++empty_lines_)
      buffer_.consume(2);
    return begin().empty() || (empty_lines_ < kMaxEmptyLines && begin() == "\r");
  }

  // Over TLS, records that have been received, and not been looked into, are something, too. While
  // it is read there are none but parts of one.
  bool nothing_came() {
    boost::system::error_code none;
    if constexpr (std::is_same_v<Stream, Encrypted>) {
      SSL* tls = stream_.native_handle();
      if (SSL_pending(tls) > 0 || BIO_pending(SSL_get_rbio(tls)) > 0) return false;
    }
    return stream_.lowest_layer().available(none) == 0;
  }

  // What is waited for is given up; what has been read, though nobody has looked at it yet, is not:
  // then the connection goes on.
  void end_waiting() {
    boost::system::error_code none;
    sent_away_ = true;
    stream_.lowest_layer().cancel(none);
  }

  // For a further part of an answer to be taken.
  milliseconds write_timeout() const { return 3 * shared_.config.receive_timeout; }

  // While it drains, and nobody waits for anything.
  bool nothing_is_expected() {
    return draining_ && shared_.service.active() == 0 && nothing_came();
  }

  // While it drains: requests that were sent behind each other have come, and are answered.
  bool is_last() { return draining_ && nothing_begun() && nothing_came(); }

  net::awaitable<bool> wait_for_request() {
    boost::system::error_code error;
    idle_ = true;
    while (!error && nothing_begun() && !nothing_is_expected()) {
      sent_away_ = false;
      const bool has_begun = draining_ && !nothing_came();  // a record, of which there may be more
      watchdog_.set(has_begun ? shared_.config.receive_timeout : shared_.config.idle_timeout);
      buffer_.commit(co_await stream_.async_read_some(buffer_.prepare(4096), token(error)));
      if (error == net::error::operation_aborted && sent_away_ && !nothing_came()) error.clear();
    }
    watchdog_.stop();
    idle_ = false;
    co_return !error && !nothing_begun();
  }

  // False: the client does not take what it is told.
  net::awaitable<bool> ask_for_body(const Parser& parser) {
    const bool asks_first =
        boost::beast::iequals(parser.get()[http::field::expect], "100-continue");
    if (!asks_first || version_ < 11 || parser.is_done() || buffer_.size() > 0) co_return true;
    pace_ = SendPace(write_timeout());
    co_return co_await send("HTTP/1.1 100 Continue\r\n\r\n");
  }

  net::awaitable<bool> read_body(Parser& parser, boost::system::error_code& error) {
    watchdog_.set(3 * shared_.config.receive_timeout);
    co_await http::async_read(stream_, buffer_, parser, token(error));
    watchdog_.stop();
    record_.bytes_in = parser.get().body().size();
    co_return !error;
  }

  net::awaitable<bool> refuse(boost::system::error_code error) {
    const std::optional<HttpError> refusal = refusal_of(error, watchdog_.fired(), shared_.config);
    keep_alive_ = false;
    if (refusal) co_await answer_all(to_answer(*refusal));
    co_return false;
  }

  net::awaitable<bool> answer(const Route& route, Head head, std::string body) {
    if (shared_.config.log_text) record_.text = body;
    if (route.cost == Route::Cost::kCompute)
      co_return co_await answer_computed(route, std::move(head), std::move(body));
    const auto make = [&] { return made(shared_.service, route, head, std::move(body)); };
    if (route.cost == Route::Cost::kNone) co_return co_await answer_all(make());
    // Its turn may come after a while. Who only says that no more will come has an answer before.
    const auto prepare = [&] {
      const bool has_waited = Clock::now() - asked_ > kLook;
      return has_waited && client_left() ? std::nullopt : std::optional(make());
    };
    std::optional<Answer> answer = co_await run_on_pool(shared_.preparing, prepare);
    if (!answer) co_return leave();
    if (answer->job) co_return co_await answer_job(std::move(*answer));
    co_return co_await answer_all(std::move(*answer));
  }

  // What goes wrong is an answer, too.
  static Answer made(Service& service, const Route& route, const Head& head, std::string body) {
    try {
      return service.answer(route, head, std::move(body));
    } catch (const std::exception& error) {
      return to_answer(to_http_error(error, ""));
    }
  }

  // On the thread for such; it is stopped when the deadline passes or the client leaves.
  net::awaitable<bool> answer_computed(const Route& route, Head head, std::string body) {
    const Clock::time_point deadline = asked_ + shared_.config.deadline;
    std::optional<HttpError> refused;
    try {
      shared_.service.trace_began();
    } catch (const HttpError& full) {
      refused = full;
    }
    if (refused) co_return co_await answer_all(to_answer(*refused));
    const auto stop = std::make_shared<std::stop_source>();
    head.stop = stop->get_token();
    const auto computed = std::make_shared<std::optional<Answer>>();  // of this thread
    net::post(shared_.computing,
              [this_one = this->weak_from_this(), &shared = shared_, &route, computed, stop,
               head = std::move(head), body = std::move(body), home = stream_.get_executor()] {
                const std::stop_callback at_end(shared.ending, [stop] { stop->request_stop(); });
                Answer answer;
                if (!stop->stop_requested()) answer = made(shared.service, route, head, body);
                shared.service.trace_ended();
                net::post(home, [this_one, computed, answer = std::move(answer)] {
                  *computed = answer;
                  if (const auto self = this_one.lock()) self->wake();
                });
              });
    while (!*computed) {
      if (Clock::now() >= deadline) {
        stop->request_stop();
        co_return co_await answer_all(to_answer(HttpError(504, "deadline", kDeadlinePassed)));
      }
      if (client_left()) {
        stop->request_stop();
        co_return leave();
      }
      co_await wait_for_news(deadline);
    }
    co_return co_await answer_all(std::move(**computed));
  }

  void wake() {
    has_news_ = true;
    news_.cancel();
  }

  // Of a job or a trace; at the latest when it is time to look after the client, or the deadline.
  net::awaitable<void> wait_for_news(Clock::time_point deadline) {
    boost::system::error_code none;
    if (!has_news_) {
      news_.expires_at(std::min(deadline, Clock::now() + kLook));
      co_await news_.async_wait(token(none));
    }
    has_news_ = false;
  }

  // The sentences go to the queue, and what becomes of them to the client.
  net::awaitable<bool> answer_job(Answer answer) {
    Job& job = *answer.job;
    record_.sentences = job.size();
    shared_.metrics.asked(job.size());
    job.on_progress([weak = this->weak_from_this(), executor = stream_.get_executor()] {
      net::post(executor, [weak] {
        if (const auto self = weak.lock()) self->wake();
      });
    });
    if (!shared_.queue.push(answer.job))
      co_return co_await answer_all(shared_.service.queue_full());
    const Clock::time_point deadline = asked_ + answer.deadline;
    bool begun = false;  // the head of a streamed answer has been sent
    while (true) {
      Job::Progress progress = job.take();
      if (!progress.done && Clock::now() >= deadline)
        progress.error = HttpError(504, "deadline", kDeadlinePassed);
      if (progress.error && !begun) {
        shared_.batcher.cancel(job);
        co_return co_await answer_all(to_answer(*progress.error));
      }
      if (job.body().streamed() && !begun) {
        begun = true;
        if (!co_await begin_stream(answer)) co_return give_up(job);
      }
      if (progress.error) progress.bytes += progress.error->json() + "\n";
      record_.triples = job.num_triples();
      if (progress.done && !begun) {
        answer.body = std::move(progress.bytes);
        co_return co_await answer_all(std::move(answer));
      }
      if (!progress.bytes.empty() && !co_await send_chunk(progress.bytes)) co_return give_up(job);
      if (progress.error) {
        shared_.batcher.cancel(job);
        record_.code = progress.error->code();
      }
      if (progress.done || progress.error) co_return co_await end_stream();
      if (client_left()) co_return give_up(job);
      co_await wait_for_news(deadline);
    }
  }

  bool give_up(Job& job) {
    shared_.batcher.cancel(job);
    return leave();
  }

  // The client did; the connection ends.
  bool leave() {
    shared_.metrics.cancelled();
    end_record(499);
    keep_alive_ = false;
    return false;
  }

  // Whether the other side has closed the connection, also where there is something to read.
  bool client_left() {
    pollfd socket{stream_.lowest_layer().native_handle(), POLLRDHUP, 0};
    return ::poll(&socket, 1, 0) > 0 && (socket.revents & (POLLRDHUP | POLLERR | POLLHUP)) != 0;
  }

  template <typename Message>
  void set_headers(Message& message, const Answer& answer) {
    message.set(http::field::server, "diffie");
    message.set(http::field::date, http_date(std::chrono::system_clock::now()));
    if (!answer.content_type.empty()) message.set(http::field::content_type, answer.content_type);
    message.set("X-Content-Type-Options", "nosniff");
    message.set("Referrer-Policy", "no-referrer");
    message.set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : for_strangers_) message.set(name, value);
    for (const auto& [name, value] : answer.headers) message.set(name, value);
    message.keep_alive(keep_alive_);
  }

  net::awaitable<bool> answer_all(Answer answer) {
    if (is_last()) keep_alive_ = false;
    http::response<http::string_body> message(static_cast<http::status>(answer.status), version_);
    set_headers(message, answer);
    record_.bytes_out = answer.body.size();
    if (!answer.error.empty()) record_.code = answer.error;
    message.body() = std::move(answer.body);
    if (answer.status != 204) message.prepare_payload();  // which has no length (RFC 9110, 8.6)
    http::response_serializer<http::string_body> serializer(message);
    if (head_only_) serializer.split(true);
    boost::system::error_code error;
    SendPace pace(write_timeout());
    while (!error && !pace.too_slow() &&
           !(head_only_ ? serializer.is_header_done() : serializer.is_done())) {
      watchdog_.set(write_timeout());
      const Clock::time_point begin = Clock::now();
      const std::size_t bytes = co_await http::async_write_some(stream_, serializer, token(error));
      pace.took(Clock::now() - begin, bytes);
    }
    watchdog_.stop();
    end_record(answer.status);
    co_return !error && !pace.too_slow() && keep_alive_ && !is_last();
  }

  net::awaitable<bool> begin_stream(const Answer& answer) {
    if (is_last() || version_ < 11) keep_alive_ = false;
    http::response<http::empty_body> message(static_cast<http::status>(answer.status), version_);
    set_headers(message, answer);
    chunked_ = version_ >= 11;
    if (chunked_) message.chunked(true);
    http::response_serializer<http::empty_body> serializer(message);
    boost::system::error_code error;
    pace_ = SendPace(write_timeout());
    watchdog_.set(write_timeout());
    co_await http::async_write_header(stream_, serializer, token(error));
    watchdog_.stop();
    co_return !error;
  }

  net::awaitable<bool> send_chunk(const std::string& bytes) {
    record_.bytes_out += bytes.size();
    if (!chunked_) co_return co_await send(bytes);
    co_return co_await send(fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes));
  }

  net::awaitable<bool> send(std::string bytes) {
    boost::system::error_code error;
    for (std::size_t done = 0; done < bytes.size() && !error && !pace_.too_slow();) {
      watchdog_.set(write_timeout());
      const Clock::time_point begin = Clock::now();
      const std::size_t some =
          co_await stream_.async_write_some(net::buffer(bytes) + done, token(error));
      pace_.took(Clock::now() - begin, some);
      done += some;
    }
    watchdog_.stop();
    co_return !error && !pace_.too_slow();
  }

  net::awaitable<bool> end_stream() {
    const bool sent = !chunked_ || co_await send("0\r\n\r\n");
    end_record(200);
    co_return sent&& keep_alive_ && !is_last();
  }

  net::awaitable<void> end() {
    if constexpr (std::is_same_v<Stream, Encrypted>) {
      boost::system::error_code error;
      watchdog_.set(kLingerTimeout);
      co_await stream_.async_shutdown(token(error));
      watchdog_.stop();
      const bool still_sends = error && !watchdog_.fired();
      if (still_sends) co_await linger(stream_.next_layer(), watchdog_);
    } else {
      buffer_.clear();
      co_await linger(stream_, watchdog_);
    }
  }

  static auto token(boost::system::error_code& error) {
    return net::redirect_error(net::use_awaitable, error);
  }

  void begin_record() {
    record_ = {};
    record_.remote = remote_;
    record_.route = "none";
    started_ = Clock::now();
    keep_alive_ = false;
    head_only_ = false;
    version_ = 11;
    for_strangers_.clear();
  }
  void end_record(int status) {
    record_.status = status;
    record_.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    shared_.metrics.request_done(record_.route, status, record_.seconds);
    shared_.log.request(record_);
  }

  Stream stream_;
  Shared& shared_;
  std::function<void()> ended_;
  Watchdog watchdog_;
  net::steady_timer news_;  // cancelled when there is news
  bool has_news_ = false;
  boost::beast::flat_buffer buffer_;
  std::string remote_;
  bool idle_ = false;
  bool draining_ = false;
  int empty_lines_ = 0;     // before the next request
  bool sent_away_ = false;  // and is not waited for when it ends
  std::optional<Clock::time_point> waiting_since_ = Clock::now();

  // Of the request under way.
  RequestRecord record_;
  Clock::time_point started_;
  Clock::time_point asked_;  // when all of it had come
  unsigned version_ = 11;
  bool keep_alive_ = false;
  bool head_only_ = false;
  bool chunked_ = false;
  SendPace pace_{{}};                                               // of what send() sends
  std::vector<std::pair<std::string, std::string>> for_strangers_;  // headers
};

template <typename Stream>
std::weak_ptr<Session> start_session(Stream stream, Shared& shared, std::function<void()> ended) {
  const auto session =
      std::make_shared<StreamSession<Stream>>(std::move(stream), shared, std::move(ended));
  session->start();
  return session;
}

}  // namespace

std::weak_ptr<Session> serve(tcp::socket socket, net::ssl::context* tls, Shared& shared,
                             std::function<void()> ended) {
  if (tls == nullptr) return start_session<Plain>(std::move(socket), shared, std::move(ended));
  return start_session<Encrypted>(Encrypted(std::move(socket), *tls), shared, std::move(ended));
}

}  // namespace diffie::server
