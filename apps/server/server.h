// Listens, serves, drains, ends.
#pragma once

#include <memory>

#include "server_config.h"
#include "settings_options.h"

namespace diffie::server {

class Server {
 public:
  // Loads the models and listens. Throws Error. The options must outlive it.
  Server(const ServerConfig& config, const cli::SettingsOptions& options);
  ~Server();

  std::string url() const;

  // Until SIGTERM or SIGINT and the end of what is under way, or a second one; SIGHUP loads the
  // models anew. The exit code: 0 where every request had its answer.
  int run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace diffie::server
