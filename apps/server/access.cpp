#include "access.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "authority.h"
#include "base/printable.h"
#include "checksums/sha256.h"

namespace diffie::server {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

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

std::string host_name(const std::string& host) {
  if (const auto found = parse_authority(host)) return found->name;
  if (const auto found = parse_authority("[" + host + "]")) return found->name;  // ::1
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--host is '{}', must be a name or an address, as browsers write it",
                          base::printable(host)));
}

// Without what no header carries at its ends.
std::string_view trimmed(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

bool is_control_byte(char each) { return (each >= 0 && each < ' ') || each == '\x7F'; }

std::vector<std::string> read_key_sums(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be read", path));
  std::vector<std::string> sums;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    std::string_view key = line;
    if (++number == 1 && key.starts_with(kByteOrderMark)) key.remove_prefix(kByteOrderMark.size());
    key = trimmed(key);
    if (std::any_of(key.begin(), key.end(), is_control_byte))
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: line {}: a control character, which no key can have", path, number));
    if (!key.empty()) sums.push_back(sum_of(key));
  }
  if (sums.empty()) throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: has no key", path));
  return sums;
}

}  // namespace

Access::Access(const std::string& api_keys_file, const std::string& address,
               const std::vector<std::string>& hosts, const std::vector<std::string>& origins)
    : loopback_(is_loopback(address)) {
  for (const std::string& host : hosts) hosts_.push_back(host_name(host));
  for (const std::string& origin : origins) let_in(origin);
  if (!api_keys_file.empty()) key_sums_ = read_key_sums(api_keys_file);
}

void Access::let_in(const std::string& origin) {
  if (origin == "*") {
    all_pages_ = true;
  } else if (lower_case(origin) == "null") {
    nameless_pages_ = true;
  } else if (const auto page = parse_origin(std::string_view(origin).substr(
                 0, origin.size() - (origin.ends_with('/') ? 1 : 0)))) {
    pages_.push_back(*page);
  } else {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--origin is '{}', must be as browsers write it, https://name or "
                            "https://name:8443, or '*'",
                            base::printable(origin)));
  }
}

void Access::check_host(const Head& head) const {
  if (!loopback_ || head.host.empty()) return;
  const std::optional<Authority> asked = parse_authority(head.host);
  if (asked && (is_loopback(asked->name) || is_known(asked->name))) return;
  throw HttpError(403, "forbidden",
                  fmt::format("not known here as '{}' (--host)", base::printable(head.host)));
}

bool Access::is_known(const std::string& host) const {
  return std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end();
}

// Browsers say whose page asks, programs do not. A proxy in front of us may have another scheme, or
// call us by another name: then --host has it.
bool Access::is_own_page(const Head& head) const {
  if (head.origin.empty()) return true;
  const std::optional<PageOrigin> page = parse_origin(head.origin);  // none: "null"
  if (!page) return false;
  return is_known(page->authority.name) || page == parse_origin(page->scheme + "://" + head.host);
}

bool Access::is_welcome_stranger(const Head& head) const {
  if (is_own_page(head)) return false;
  if (all_pages_ || head.origin == "null") return all_pages_ || nameless_pages_;
  const std::optional<PageOrigin> page = parse_origin(head.origin);
  return page && std::find(pages_.begin(), pages_.end(), *page) != pages_.end();
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
