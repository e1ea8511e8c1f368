#include "diffie/lab/tag_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/json_text.h"
#include "base/take_line.h"
#include "diffie/error.h"
#include "extract/role_letters.h"
#include "files/loaded_file.h"
#include "files/strict_json.h"

namespace diffie {
namespace {

using nlohmann::json;

// Of a sentence: the weights of several anchored models, 2^20 each, may be added up.
constexpr std::uint64_t kMaxSamples = 1 << 24;

[[noreturn]] void refuse(const std::string& problem) { throw Error(ErrorCode::kBadInput, problem); }

const json& field(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) refuse(fmt::format("no '{}'", name));
  return *found;
}

const std::string& text_of(const json& value, const char* name) {
  if (!value.is_string()) refuse(fmt::format("'{}' holds something that is no text", name));
  return value.get_ref<const std::string&>();
}

const json& list_of(const json& object, const char* name) {
  const json& value = field(object, name);
  if (!value.is_array()) refuse(fmt::format("'{}' is no list", name));
  return value;
}

float read_probability(const json& value) {
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0 && number <= 1)) refuse("a judgement is no number from 0 to 1");
  return static_cast<float>(number);
}

TagCount read_entry(const json& entry, std::size_t num_words) {
  if (!entry.is_array() || (entry.size() != 2 && entry.size() != 4)) {
    refuse("an entry of 'pool' is no [tags, count] and no [tags, count, exact, lenient]");
  }
  const std::string& tags = text_of(entry[0], "pool");
  if (tags.size() != num_words) {
    refuse(fmt::format("{} tags for {} words", tags.size(), num_words));
  }
  if (tags.find_first_not_of(extract::kRoleLetters) != std::string::npos) {
    refuse("a tag is none of B, S, R, O");
  }
  if (!entry[1].is_number_unsigned() || entry[1].get<std::uint64_t>() - 1 >= kMaxSamples) {
    refuse(fmt::format("a count is no number from 1 to {}", kMaxSamples));
  }
  TagCount read{tags, entry[1].get<std::uint32_t>()};
  if (entry.size() == 4) {
    read.exact = read_probability(entry[2]);
    read.lenient = read_probability(entry[3]);
  }
  return read;
}

void sort_tags(std::vector<TagCount>& tags) {
  std::sort(tags.begin(), tags.end(),
            [](const TagCount& a, const TagCount& b) { return a.tags < b.tags; });
  const auto twice =
      std::adjacent_find(tags.begin(), tags.end(),
                         [](const TagCount& a, const TagCount& b) { return a.tags == b.tags; });
  if (twice != tags.end()) refuse(fmt::format("the tags {} appear twice", twice->tags));
  std::stable_sort(tags.begin(), tags.end(),
                   [](const TagCount& a, const TagCount& b) { return a.count > b.count; });
}

TagPool read_pool(const json& object) {
  if (!object.is_object()) refuse("no JSON object");
  TagPool pool;
  pool.sentence = text_of(field(object, "sentence"), "sentence");
  for (const json& word : list_of(object, "words")) pool.words.push_back(text_of(word, "words"));
  if (const auto implied = object.find("implied"); implied != object.end()) {
    if (!implied->is_number_unsigned() || implied->get<std::uint64_t>() > pool.words.size()) {
      refuse(fmt::format("'implied' is no number from 0 to {}", pool.words.size()));
    }
    pool.num_implied = implied->get<std::size_t>();
  }
  for (const json& entry : list_of(object, "pool")) {
    pool.tags.push_back(read_entry(entry, pool.words.size()));
  }
  if (pool.num_samples() > kMaxSamples) {
    refuse(fmt::format("{} samples, {} are allowed", pool.num_samples(), kMaxSamples));
  }
  sort_tags(pool.tags);
  return pool;
}

TagPool read_line(std::string_view line, const std::string& where) {
  constexpr files::JsonLimits kLimits{.max_depth = 4, .max_values = 1'000'000};
  try {
    return read_pool(files::parse_strict_json(line, where, kLimits));
  } catch (const Error& error) {
    // What the JSON parser says names the place already.
    const bool parsed = error.code() == ErrorCode::kBadInput;
    throw Error(ErrorCode::kBadInput,
                parsed ? fmt::format("{}: {}", where, error.what()) : error.what());
  }
}

void visit_lines(std::string_view text, const std::string& name,
                 const std::function<void(TagPool)>& visit) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = base::take_line(text);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    visit(read_line(line, fmt::format("{}: line {}", name, number)));
  }
}

}  // namespace

std::uint64_t TagPool::num_samples() const {
  std::uint64_t sum = 0;
  for (const TagCount& entry : tags) sum += entry.count;
  return sum;
}

std::vector<TagPool> parse_tag_pools(std::string_view text, const std::string& name) {
  std::vector<TagPool> pools;
  visit_lines(text, name, [&](TagPool pool) { pools.push_back(std::move(pool)); });
  return pools;
}

std::vector<TagPool> read_tag_pools(const std::filesystem::path& path) {
  std::vector<TagPool> pools;
  for_each_tag_pool(path, [&](TagPool pool) { pools.push_back(std::move(pool)); });
  return pools;
}

void for_each_tag_pool(const std::filesystem::path& path,
                       const std::function<void(TagPool)>& visit) {
  const files::LoadedFile file = files::LoadedFile::open(path);
  const auto bytes = file.bytes();
  visit_lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string(), visit);
}

void append_tag_pool(std::string& out, const TagPool& pool) {
  out += "{\"sentence\": ";
  base::append_json_string(out, pool.sentence);
  out += ", \"words\": [";
  for (std::size_t i = 0; i < pool.words.size(); ++i) {
    if (i > 0) out += ", ";
    base::append_json_string(out, pool.words[i]);
  }
  out += ']';
  if (pool.num_implied > 0) {
    fmt::format_to(std::back_inserter(out), ", \"implied\": {}", pool.num_implied);
  }
  out += ", \"pool\": [";
  for (std::size_t i = 0; i < pool.tags.size(); ++i) {
    const TagCount& entry = pool.tags[i];
    const auto put = std::back_inserter(out);
    fmt::format_to(put, "{}[\"{}\", {}", i > 0 ? ", " : "", entry.tags, entry.count);
    if (entry.is_judged()) fmt::format_to(put, ", {}, {}", entry.exact, entry.lenient);
    out += ']';
  }
  out += "]}\n";
}

}  // namespace diffie
