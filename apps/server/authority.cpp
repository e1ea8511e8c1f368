#include "authority.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>

#include "message.h"

namespace diffie::server {

namespace ip = boost::asio::ip;

namespace {

std::optional<ip::address> parse_address(const std::string& text) {
  boost::system::error_code error;
  const ip::address address = ip::make_address(text, error);
  if (error) return {};
  return address;
}

bool has_only(std::string_view text, std::string_view marks) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char each) {
    return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') ||
           marks.find(each) != std::string_view::npos;
  });
}

// What stands behind the colon; nothing is a port, too, the usual one.
bool parse_port(std::string_view text, std::optional<std::uint16_t>& port) {
  if (text.empty()) return true;
  std::uint16_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  port = number;
  return error == std::errc() && at == end;
}

// The name alone, brackets taken off.
std::optional<std::string> parse_name(std::string_view text) {
  std::string name = lower_case(text);
  const bool bracketed = name.size() >= 2 && name.front() == '[' && name.back() == ']';
  if (bracketed) name = name.substr(1, name.size() - 2);
  if (!bracketed && name.ends_with('.')) name.pop_back();
  const auto address = parse_address(name);
  if (bracketed ? !address || !address->is_v6() : !has_only(name, "-._~")) return {};
  return address ? address->to_string() : name;
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  const std::size_t bracket = text.find(']');
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::optional<std::string> name = parse_name(text.substr(0, colon));
  if (!name) return {};
  Authority found{*name, {}};
  if (colon != std::string_view::npos && !parse_port(text.substr(colon + 1), found.port)) return {};
  return found;
}

std::optional<PageOrigin> parse_origin(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos) return {};
  const std::string scheme = lower_case(text.substr(0, end));
  const std::optional<Authority> authority = parse_authority(text.substr(end + 3));
  if (!has_only(scheme, "+-.") || !authority) return {};
  PageOrigin origin{scheme, *authority};
  const std::uint16_t usual = scheme == "http" ? 80 : scheme == "https" ? 443 : 0;
  if (origin.authority.port == usual) origin.authority.port.reset();
  return origin;
}

bool is_loopback(const std::string& name) {
  if (name == "localhost") return true;
  const auto address = parse_address(name);
  if (!address) return false;
  if (!address->is_v6() || !address->to_v6().is_v4_mapped()) return address->is_loopback();
  return ip::make_address_v4(ip::v4_mapped, address->to_v6()).is_loopback();
}

}  // namespace diffie::server
