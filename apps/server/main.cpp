// What `diffie serve` hands over to.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "commands.h"
#include "diffie/version.h"
#include "memory.h"
#include "server.h"
#include "stdout.h"

namespace {

using diffie::server::ServerConfig;

void add_duration(CLI::App& app, const std::string& name, std::chrono::milliseconds& value,
                  const std::string& help) {
  app.add_option_function<std::int64_t>(
         name, [&value](std::int64_t ms) { value = std::chrono::milliseconds(ms); },
         fmt::format("{} (default {})", help, value.count()))
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400'000}));
}

void add_options(CLI::App& app, ServerConfig& config, bool& no_log) {
  app.add_option("-m,--model", config.models,
                 "Models: NAME, PATH or NAME=PATH; the first is the default")
      ->capture_default_str();
  app.add_option("--address", config.address, "Where to listen")->capture_default_str();
  app.add_option("--port", config.port, "0: any that is free")->capture_default_str();
  app.add_option("--host", config.hosts,
                 "Further names that requests may call a server on a loopback address by");
  app.add_option("--origin", config.origins,
                 "Origins whose pages may ask, too, as https://name; '*': any");
  app.add_option("--api-keys", config.api_keys, "File with a key a line; requests must bring one");
  CLI::Option* certificate =
      app.add_option("--tls-certificate", config.tls_certificate, "Chain of certificates (PEM)");
  CLI::Option* key = app.add_option("--tls-key", config.tls_key, "Its private key (PEM)");
  certificate->needs(key);
  key->needs(certificate);
  const auto size = CLI::Range(std::size_t{1}, std::size_t{1} << 30);
  app.add_option("--max-body", config.max_body_bytes, "Bytes of a request's body")
      ->check(size)
      ->capture_default_str();
  app.add_option("--max-header", config.max_header_bytes, "Bytes of a request's head")
      ->check(size)
      ->capture_default_str();
  app.add_option("--max-connections", config.max_connections, "Open connections")
      ->check(size)
      ->capture_default_str();
  app.add_option("--max-queue", config.max_queued_sentences,
                 "Sentences that may wait; a request counts for an eighth of it at most")
      ->check(size)
      ->capture_default_str();
  add_duration(app, "--deadline-ms", config.deadline, "For an answer");
  add_duration(app, "--receive-ms", config.receive_timeout,
               "For a request's head; three times that for its body");
  add_duration(app, "--idle-ms", config.idle_timeout, "For a connection between two requests");
  add_duration(app, "--drain-ms", config.drain_timeout, "For what is under way after SIGTERM");
  app.add_flag("--log-text", config.log_text, "Log what users send, too");
  app.add_flag("--no-log", no_log, "No line for each request");
}

int run(const ServerConfig& config, const diffie::cli::SettingsOptions& settings) {
  diffie::server::keep_little_memory();
  diffie::server::Server server(config, settings);
  diffie::cli::write_stdout(fmt::format("diffie: listening on {}\n", server.url()));
  return server.run();
}

int run_program(int argc, char** argv) {
  CLI::App app{"Triples over HTTP, and a page for people (docs/server.md)", "diffie serve"};
  app.set_version_flag("--version", std::string("diffie ") + diffie::version());
  ServerConfig config;
  bool no_log = false;
  diffie::cli::SettingsOptions settings;
  add_options(app, config, no_log);
  settings.add_to(app);
  const auto serve = [&] {
    config.log_requests = !no_log;
    return run(config, settings);
  };
  return diffie::cli::run_commands(app, {{&app, serve}}, argc, argv);
}

}  // namespace

int main(int argc, char** argv) { return diffie::cli::run_guarded(run_program, argc, argv); }
