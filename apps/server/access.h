// Who may ask.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "message.h"

namespace diffie::server {

class Access {
 public:
  // The file has a key a line. Bound to a loopback address, requests must call us by such an
  // address, "localhost" or one of `hosts`: a page of another origin cannot reach us by a name of
  // its own. Throws kNotFound, kInvalidArgument.
  Access(const std::string& api_keys_file, const std::string& address,
         const std::vector<std::string>& hosts);

  void check_host(const Head& head) const;  // throws HttpError 403
  void check_key(const Head& head) const;   // throws HttpError 401

 private:
  bool loopback_;
  std::vector<std::string> hosts_;
  std::vector<std::string> key_sums_;  // SHA-256
};

}  // namespace diffie::server
