#include "files/strict_json.h"

#include <fmt/format.h>

#include "base/field_error.h"
#include "base/printable.h"

namespace diffie::files {
namespace {

using nlohmann::json;

[[noreturn]] void corrupt(std::string_view where, const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", where, problem));
}

// Leaves nothing structured in what is inside, so that no destructor has work to do.
void take_apart(json& value) noexcept {
  if (!value.is_structured()) return;
  for (json& inner : value) take_apart(inner);
  value.clear();
}

// Builds the value itself: the library's own builder takes any depth (which then overflows the
// stack in dump and copy) and keeps the last of two equal keys.
class StrictBuilder : public json::json_sax_t {
 public:
  StrictBuilder(std::string_view where, const JsonLimits& limits)
      : where_(where), limits_(limits) {}

  json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const auto [slot, is_new] = open_.back()->get_ref<json::object_t&>().try_emplace(name, nullptr);
    if (!is_new) {
      const std::string key = base::printable(name);
      throw base::FieldError(ErrorCode::kCorruptModel, path() + key,
                             fmt::format("{}: key '{}' appears twice", where_, key));
    }
    slot_ = &slot->second;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
    corrupt(where_, fmt::format("not JSON at byte {}", position));
  }

 private:
  // Of what is open, "a.b[1]." or nothing.
  std::string path() const {
    std::string path;
    for (std::size_t depth = 0; depth + 1 < open_.size(); ++depth) {
      const json& outer = *open_[depth];
      if (outer.is_array()) {
        path += fmt::format("[{}]", outer.size() - 1);
        continue;
      }
      for (const auto& [name, value] : outer.get_ref<const json::object_t&>()) {
        if (&value == open_[depth + 1]) path += (path.empty() ? "" : ".") + base::printable(name);
      }
    }
    return path.empty() ? path : path + ".";
  }

  json* place(json&& value) {
    if (++num_values_ > limits_.max_values) {
      corrupt(where_, fmt::format("more than {} JSON values", limits_.max_values));
    }
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return &open_.back()->back();
    }
    *slot_ = std::move(value);
    return slot_;
  }

  bool add(json value) {
    place(std::move(value));
    return true;
  }

  bool open(json&& container) {
    if (open_.size() >= limits_.max_depth) {
      corrupt(where_, fmt::format("JSON is nested deeper than {}", limits_.max_depth));
    }
    open_.push_back(place(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view where_;
  JsonLimits limits_;
  json root_;
  TakesApart apart_{root_};
  std::vector<json*> open_;  // a parent does not grow while its last child is open
  json* slot_ = nullptr;     // where the value of the key just read goes
  std::size_t num_values_ = 0;
};

std::string shown(const json& value) {
  if (value.is_string())
    return fmt::format("'{}'", base::printable(value.get_ref<const std::string&>()));
  if (value.is_structured()) return value.type_name();
  return value.dump();
}

}  // namespace

TakesApart::~TakesApart() { take_apart(value_); }

json parse_strict_json(std::string_view text, std::string_view where, const JsonLimits& limits) {
  // The library takes a zero byte for the end and would ignore what follows it.
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) corrupt(where, fmt::format("zero byte at byte {}", zero));
  StrictBuilder builder(where, limits);
  json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

JsonObject::JsonObject(const json& value, std::string_view where, std::string path)
    : value_(&value), where_(where), path_(std::move(path)) {
  if (!value.is_object()) {
    corrupt(where_, fmt::format("{}: found {}, wanted an object",
                                path_.empty() ? "top level" : path_, value.type_name()));
  }
}

void JsonObject::fail(std::string_view key, const std::string& problem) const {
  const std::string name = base::printable(key);
  corrupt(where_, fmt::format("{}: {}", path_.empty() ? name : path_ + "." + name, problem));
}

const json& JsonObject::get(std::string_view key) {
  const auto found = value_->find(key);
  if (found == value_->end()) fail(key, "missing");
  asked_.emplace(key);
  return *found;
}

bool JsonObject::has(std::string_view key) const { return value_->contains(key); }

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> names;
  for (const auto& item : value_->items()) names.push_back(item.key());
  return names;
}

std::int64_t JsonObject::integer(std::string_view key, std::int64_t min, std::int64_t max) {
  const json& value = get(key);
  const bool too_big = value.is_number_unsigned() &&
                       value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_integer() || too_big || value.get<std::int64_t>() < min ||
      value.get<std::int64_t>() > max) {
    fail(key, fmt::format("found {}, wanted an integer in {}..{}", shown(value), min, max));
  }
  return value.get<std::int64_t>();
}

std::int32_t JsonObject::int32(std::string_view key, std::int32_t min, std::int32_t max) {
  return static_cast<std::int32_t>(integer(key, min, max));
}

double JsonObject::number(std::string_view key, double min, double max) {
  const json& value = get(key);
  if (!value.is_number() || !(value.get<double>() >= min && value.get<double>() <= max)) {
    fail(key, fmt::format("found {}, wanted a number in {}..{}", shown(value), min, max));
  }
  return value.get<double>();
}

bool JsonObject::boolean(std::string_view key) {
  const json& value = get(key);
  if (!value.is_boolean()) fail(key, fmt::format("found {}, wanted true or false", shown(value)));
  return value.get<bool>();
}

std::string JsonObject::string(std::string_view key, std::size_t max_bytes) {
  const json& value = get(key);
  if (!value.is_string()) fail(key, fmt::format("found {}, wanted a string", shown(value)));
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() > max_bytes) {
    fail(key, fmt::format("string of {} bytes, at most {} are allowed", text.size(), max_bytes));
  }
  return text;
}

std::size_t JsonObject::one_of(std::string_view key, std::span<const std::string_view> names) {
  const std::string found = string(key, 256);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == found) return i;
  }
  fail(key,
       fmt::format("found '{}', wanted one of {}", base::printable(found), fmt::join(names, ", ")));
}

std::vector<std::string> JsonObject::strings(std::string_view key, std::size_t max_count,
                                             std::size_t max_bytes) {
  const json& value = get(key);
  if (!value.is_array() || value.size() > max_count) {
    fail(key, fmt::format("wanted an array of at most {} strings", max_count));
  }
  std::vector<std::string> texts;
  for (const json& item : value) {
    if (!item.is_string() || item.get_ref<const std::string&>().size() > max_bytes) {
      fail(key,
           fmt::format("found {}, wanted a string of at most {} bytes", shown(item), max_bytes));
    }
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

std::vector<std::uint64_t> JsonObject::unsigneds(std::string_view key, std::size_t max_count) {
  const json& value = get(key);
  if (!value.is_array() || value.size() > max_count) {
    fail(key, fmt::format("wanted an array of at most {} integers", max_count));
  }
  std::vector<std::uint64_t> numbers;
  for (const json& item : value) {
    if (!item.is_number_unsigned()) {
      fail(key, fmt::format("found {}, wanted an integer in 0..2^64-1", shown(item)));
    }
    numbers.push_back(item.get<std::uint64_t>());
  }
  return numbers;
}

JsonObject JsonObject::object(std::string_view key) {
  const json& value = get(key);
  const std::string name = base::printable(key);
  return JsonObject(value, where_, path_.empty() ? name : path_ + "." + name);
}

void JsonObject::finish() const {
  for (const auto& item : value_->items()) {
    if (!asked_.contains(item.key())) fail(item.key(), "unknown key");
  }
}

}  // namespace diffie::files
