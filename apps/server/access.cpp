#include "access.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/printable.h"
#include "checksums/sha256.h"

namespace diffie::server {
namespace {

std::string sum_of(std::string_view key) {
  return checksums::sha256(std::as_bytes(std::span(key)));
}

// Takes as long whether they differ in the first byte or in the last.
bool equal(std::string_view a, std::string_view b) {
  unsigned differences = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differences |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differences == 0;
}

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1" || host == "[::1]") return true;
  return host.starts_with("127.") &&
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

// Without the port, in lower case.
std::string name_of_host(std::string_view host) {
  const std::size_t bracket = host.find(']');
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  return lower_case(host.substr(0, colon));
}

std::vector<std::string> read_key_sums(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be read", path));
  std::vector<std::string> sums;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) sums.push_back(sum_of(line));
  }
  if (sums.empty()) throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: has no key", path));
  return sums;
}

}  // namespace

Access::Access(const std::string& api_keys_file, const std::string& address,
               const std::vector<std::string>& hosts, const std::vector<std::string>& origins)
    : loopback_(is_loopback(address)) {
  for (const std::string& host : hosts) hosts_.push_back(name_of_host(host));
  for (const std::string& origin : origins) origins_.push_back(lower_case(origin));
  if (!api_keys_file.empty()) key_sums_ = read_key_sums(api_keys_file);
}

void Access::check_host(const Head& head) const {
  const std::string name = name_of_host(head.host);
  if (!loopback_ || head.host.empty() || is_loopback(name) || is_known(name)) return;
  throw HttpError(403, "forbidden",
                  fmt::format("not known here as '{}' (--host)", base::printable(name)));
}

bool Access::is_known(const std::string& host) const {
  return std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end();
}

// Browsers say whose page asks, programs do not. A proxy in front of us may have another scheme, or
// call us by another name: then --host has it.
bool Access::is_own_page(const Head& head) const {
  if (head.origin.empty()) return true;
  const std::size_t scheme = head.origin.find("://");
  if (scheme == std::string::npos) return false;  // "null"
  const std::string authority = lower_case(std::string_view(head.origin).substr(scheme + 3));
  return authority == lower_case(head.host) || is_known(name_of_host(authority));
}

bool Access::is_welcome_stranger(const Head& head) const {
  if (is_own_page(head)) return false;
  const std::string origin = lower_case(head.origin);
  return std::any_of(origins_.begin(), origins_.end(),
                     [&](const std::string& each) { return each == "*" || each == origin; });
}

void Access::check_origin(const Head& head) const {
  if (is_own_page(head) || is_welcome_stranger(head)) return;
  throw HttpError(
      403, "forbidden",
      fmt::format("pages of '{}' may not ask here (--origin)", base::printable(head.origin)));
}

void Access::check_key(const Head& head) const {
  if (key_sums_.empty()) return;
  constexpr std::string_view kScheme = "bearer ";
  bool known = false;
  if (lower_case(head.authorization.substr(0, kScheme.size())) == kScheme) {
    const std::string sum = sum_of(std::string_view(head.authorization).substr(kScheme.size()));
    for (const std::string& each : key_sums_) known |= equal(sum, each);
  }
  if (!known) throw HttpError(401, "unauthorized", "a key is needed: Authorization: Bearer KEY");
}

}  // namespace diffie::server
