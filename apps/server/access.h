// Who may ask.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "authority.h"
#include "message.h"

namespace diffie::server {

class Access {
 public:
  // The file has a key a line, blanks at its ends are none of it. Bound to a loopback address,
  // requests must call us by such an address, "localhost" or one of `hosts`: a page of another
  // origin cannot reach us by a name of its own. Pages of other origins may ask if `origins` has
  // theirs, or "*". Throws kNotFound, kInvalidArgument.
  Access(const std::string& api_keys_file, const std::string& address,
         const std::vector<std::string>& hosts, const std::vector<std::string>& origins = {});

  void check_host(const Head& head) const;    // throws HttpError 403
  void check_origin(const Head& head) const;  // throws HttpError 403
  void check_key(const Head& head) const;     // throws HttpError 401

  // Whether a page of another origin asks, and may read the answer.
  bool is_welcome_stranger(const Head& head) const;

 private:
  void let_in(const std::string& origin);
  bool is_own_page(const Head& head) const;
  bool is_known(const std::string& host) const;

  bool loopback_;
  std::vector<std::string> hosts_;
  std::vector<PageOrigin> pages_;  // that may ask
  bool all_pages_ = false;
  bool nameless_pages_ = false;        // "null"
  std::vector<std::string> key_sums_;  // SHA-256
};

}  // namespace diffie::server
