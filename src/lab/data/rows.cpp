#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "diffie/error.h"
#include "diffie/lab/data.h"
#include "files/read_file.h"
#include "lab/data/csv.h"
#include "text/white_space.h"

namespace diffie::data {
namespace {

[[noreturn]] void fail(const std::string& name, std::size_t line, const std::string& what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}:{}: {}", name, line, what));
}

// The text between `head` and `tail` (to the end when `tail` is empty), which moves `text` past it.
std::optional<std::string_view> take_slot(std::string_view& text, std::string_view head,
                                          std::string_view tail) {
  if (!text.starts_with(head)) return std::nullopt;
  text.remove_prefix(head.size());
  const std::size_t end = tail.empty() ? text.size() : text.find(tail);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view slot = text.substr(0, end);
  text.remove_prefix(end);
  return text::strip(slot);
}

std::optional<Triple> parse_triple(std::string_view text) {
  text = text::strip(text);
  const auto subject = take_slot(text, "subject <is>", "<and> relation <is>");
  if (!subject) return std::nullopt;
  const auto relation = take_slot(text, "<and> relation <is>", "<and> object <is>");
  if (!relation) return std::nullopt;
  const auto object = take_slot(text, "<and> object <is>", "");
  if (!object) return std::nullopt;
  return Triple{std::string(*subject), std::string(*relation), std::string(*object)};
}

std::vector<Triple> parse_target(std::string_view target, const std::string& name,
                                 std::size_t line) {
  constexpr std::string_view kThen = "<then>";
  std::vector<Triple> triples;
  while (true) {
    const std::size_t end = target.find(kThen);
    const std::string_view part = target.substr(0, end);
    std::optional<Triple> triple = parse_triple(part);
    if (!triple) {
      fail(name, line,
           fmt::format("triple {} is '{}', wanted 'subject <is> S <and> relation <is> R <and> "
                       "object <is> O'",
                       triples.size() + 1, base::printable(text::strip(part), 80)));
    }
    triples.push_back(*std::move(triple));
    if (end == std::string_view::npos) return triples;
    target.remove_prefix(end + kThen.size());
  }
}

std::vector<Row> parse_table(std::string_view text, const std::string& name, bool has_header) {
  std::vector<Row> rows;
  TableReader reader(text, name, has_header ? Quoting::kCsv : Quoting::kNone);
  if (has_header) reader.next();
  while (const auto cells = reader.next()) {
    const std::size_t line = reader.line();
    if (cells->size() != 2) {
      fail(name, line, fmt::format("{} cells, wanted 2 (sentence, target)", cells->size()));
    }
    rows.push_back({rows.size(), (*cells)[0], parse_target((*cells)[1], name, line)});
  }
  return rows;
}

std::string string_field(const nlohmann::json& object, const char* key, const std::string& name,
                         std::size_t line) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) {
    fail(name, line, fmt::format("no string '{}'", key));
  }
  return std::string(text::strip(found->get_ref<const std::string&>()));
}

Row parse_json_row(std::string_view text, const std::string& name, std::size_t line) {
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) fail(name, line, "not a JSON object");
  Row row;
  row.sentence = string_field(object, "sentence", name, line);
  auto triples = object.find("triples");
  if (triples == object.end()) triples = object.find("extractions");
  if (triples == object.end() || !triples->is_array()) {
    fail(name, line, "no array 'triples' or 'extractions'");
  }
  for (const nlohmann::json& triple : *triples) {
    if (!triple.is_object()) fail(name, line, "a triple is not an object");
    row.triples.push_back({string_field(triple, "subject", name, line),
                           string_field(triple, "relation", name, line),
                           string_field(triple, "object", name, line)});
  }
  return row;
}

std::vector<Row> parse_json_lines(std::string_view text, const std::string& name) {
  std::vector<Row> rows;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text::strip(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (content.empty()) continue;
    rows.push_back(parse_json_row(content, name, line));
    rows.back().number = rows.size() - 1;
  }
  return rows;
}

}  // namespace

std::vector<Row> parse_rows(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string_view content = text::strip(text);
  if (content.starts_with('{')) return parse_json_lines(text, name);
  return parse_table(text, name, content.starts_with("source\ttarget"));
}

std::vector<Row> read_rows(const std::filesystem::path& path) {
  return parse_rows(files::read_text_file(path), path.string());
}

std::vector<std::size_t> read_row_order(const std::filesystem::path& path, std::size_t num_rows) {
  const std::string text = files::read_text_file(path);
  std::vector<std::size_t> order;
  std::vector<bool> seen(num_rows, false);
  std::size_t line = 0;
  for (const std::string_view word : text::split_words(text)) {
    ++line;
    std::size_t row = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), row);
    if (error != std::errc{} || end != word.data() + word.size() || row >= num_rows || seen[row]) {
      fail(path.string(), line,
           fmt::format("'{}' is no row number below {} that is new here", word, num_rows));
    }
    seen[row] = true;
    order.push_back(row);
  }
  return order;
}

std::vector<Row> take_rows(std::vector<Row> rows, std::span<const std::size_t> order,
                           std::size_t count) {
  const std::size_t available = order.empty() ? rows.size() : order.size();
  if (count > available) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} rows asked for, {} are there", count, available));
  }
  if (count == 0) count = available;
  std::vector<Row> taken;
  taken.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = order.empty() ? i : order[i];
    if (index >= rows.size()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("row {} asked for, {} are there", index, rows.size()));
    }
    taken.push_back(std::move(rows[index]));
  }
  return taken;
}

}  // namespace diffie::data
