// Names of servers as Host has them, and of pages as Origin has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace diffie::server {

// "Name.:80" or "[::1]".
struct Authority {
  std::string name;  // in lower case without a last dot; an address in one spelling, unbracketed
  std::optional<std::uint16_t> port;

  friend bool operator==(const Authority&, const Authority&) = default;
};
std::optional<Authority> parse_authority(std::string_view text);

// "https://name:8443", as browsers write it: no path behind it.
struct PageOrigin {
  std::string scheme;
  Authority authority;  // without the port that the scheme has anyway

  friend bool operator==(const PageOrigin&, const PageOrigin&) = default;
};
std::optional<PageOrigin> parse_origin(std::string_view text);

// Whether it is this machine that is called so: "localhost", or an address, however it is written,
// also one of IPv4 within IPv6.
bool is_loopback(const std::string& name);

}  // namespace diffie::server
