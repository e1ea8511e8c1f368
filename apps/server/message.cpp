#include "message.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>

namespace diffie::server {

Answer to_answer(const HttpError& error) {
  Answer answer;
  answer.status = error.status();
  answer.body = error.json() + "\n";
  answer.error = error.code();
  answer.headers = error.headers();
  if (error.status() == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

std::string http_date(std::chrono::system_clock::time_point time) {
  static constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::tm utc = fmt::gmtime(std::chrono::system_clock::to_time_t(time));
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
                     kMonths[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900, utc.tm_hour,
                     utc.tm_min, utc.tm_sec);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& each : lower) {
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each + ('a' - 'A'));
  }
  return lower;
}

std::string percent_decoded(std::string_view text, bool plus) {
  std::string out;
  for (std::size_t pos = 0; pos < text.size(); ++pos) {
    unsigned byte = 0;
    const char* digits = text.data() + pos + 1;
    if (text[pos] == '%' && pos + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      pos += 2;
    } else {
      out += plus && text[pos] == '+' ? ' ' : text[pos];
    }
  }
  return out;
}

std::string query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view each = query.substr(0, end);
    const std::size_t equals = each.find('=');
    if (percent_decoded(each.substr(0, equals), true) == name && equals != std::string_view::npos)
      return percent_decoded(each.substr(equals + 1), true);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
  }
  return "";
}

}  // namespace diffie::server
