#include "result_record.h"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace diffie::cli {
namespace {

// One description for both directions: a visitor is handed every field in turn. The structured
// bindings name all of them, so a field added to a struct does not compile until it stands here.
template <class Visitor, class... Fields>
void each(Visitor& visit, Fields&... fields) {
  (visit(fields), ...);
}

template <class Visitor, class Value>
void visit_fields(Visitor& visit, Value& value) {
  using Type = std::remove_const_t<Value>;
  if constexpr (std::is_same_v<Type, Span>) {
    auto& [begin, end] = value;
    each(visit, begin, end);
  } else if constexpr (std::is_same_v<Type, Attribution>) {
    auto& [text, spans] = value;
    each(visit, text, spans);
  } else if constexpr (std::is_same_v<Type, Circumstance>) {
    auto& [kind, text, spans] = value;
    each(visit, kind, text, spans);
  } else if constexpr (std::is_same_v<Type, Factuality>) {
    auto& [polarity, modality, attributed_to] = value;
    each(visit, polarity, modality, attributed_to);
  } else if constexpr (std::is_same_v<Type, Extraction>) {
    auto& [subject, relation, object, confidence, subject_spans, relation_spans, object_spans,
           implied, factuality, circumstances] = value;
    each(visit, subject, relation, object, confidence, subject_spans, relation_spans, object_spans,
         implied, factuality, circumstances);
  } else {
    static_assert(std::is_same_v<Type, SentenceResult>);
    auto& [extractions, error, error_message] = value;
    each(visit, extractions, error, error_message);
  }
}

class Put {
 public:
  explicit Put(std::string& out) : out_(out) {}

  template <class Value>
  void operator()(const Value& value) {
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>) {
      out_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    } else {
      visit_fields(*this, value);
    }
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    out_ += text;
  }
  template <class Item>
  void operator()(const std::vector<Item>& items) {
    (*this)(static_cast<std::uint64_t>(items.size()));
    for (const Item& item : items) (*this)(item);
  }
  template <class Item>
  void operator()(const std::optional<Item>& item) {
    (*this)(item.has_value());
    if (item) (*this)(*item);
  }

 private:
  std::string& out_;
};

// How many there are of an enumeration's values.
template <class Enum>
constexpr int kNumValues = 0;
template <>
constexpr int kNumValues<Polarity> = static_cast<int>(Polarity::kNegative) + 1;
template <>
constexpr int kNumValues<Modality> = static_cast<int>(Modality::kConditional) + 1;
template <>
constexpr int kNumValues<CircumstanceKind> = static_cast<int>(CircumstanceKind::kPlace) + 1;
template <>
constexpr int kNumValues<ErrorCode> = static_cast<int>(ErrorCode::kInternal) + 1;

class Get {
 public:
  explicit Get(std::string_view& bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }

  template <class Value>
  void operator()(Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      int number = 0;
      static_assert(sizeof(number) == sizeof(value) && kNumValues<Value> > 0);
      (*this)(number);
      ok_ = ok_ && number >= 0 && number < kNumValues<Value>;
      if (ok_) value = static_cast<Value>(number);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      if (take(sizeof(value))) std::memcpy(&value, taken_, sizeof(value));
    } else {
      visit_fields(*this, value);
    }
  }
  void operator()(bool& value) {
    unsigned char number = 0;
    (*this)(number);
    ok_ = ok_ && number <= 1;
    value = ok_ && number == 1;
  }
  void operator()(std::string& text) {
    const std::uint64_t size = count();
    if (take(size)) text.assign(taken_, size);
  }
  template <class Item>
  void operator()(std::vector<Item>& items) {
    // Every item has a byte at least, so a wrong count ends with the bytes.
    for (std::uint64_t left = count(); ok_ && left > 0; --left) (*this)(items.emplace_back());
  }
  template <class Item>
  void operator()(std::optional<Item>& item) {
    bool has_value = false;
    (*this)(has_value);
    if (has_value) (*this)(item.emplace());
  }

 private:
  std::uint64_t count() {
    std::uint64_t value = 0;
    (*this)(value);
    return value;
  }
  bool take(std::uint64_t size) {
    ok_ = ok_ && size <= bytes_.size();
    if (!ok_) return false;
    taken_ = bytes_.data();
    bytes_.remove_prefix(size);
    return true;
  }

  std::string_view& bytes_;
  const char* taken_ = nullptr;
  bool ok_ = true;
};

// Ascending, inside the sentence.
bool fit(const std::vector<Span>& spans, std::size_t sentence_bytes) {
  std::size_t free_from = 0;
  for (const Span span : spans) {
    if (span.begin < free_from || span.begin >= span.end || span.end > sentence_bytes) return false;
    free_from = span.end;
  }
  return true;
}

bool fits(const Extraction& triple, std::size_t sentence_bytes) {
  bool all = triple.confidence > 0 && triple.confidence <= 1 &&
             fit(triple.subject_spans, sentence_bytes) &&
             fit(triple.relation_spans, sentence_bytes) && fit(triple.object_spans, sentence_bytes);
  if (const auto& source = triple.factuality.attributed_to)
    all = all && fit(source->spans, sentence_bytes);
  for (const Circumstance& circumstance : triple.circumstances)
    all = all && fit(circumstance.spans, sentence_bytes);
  return all;
}

}  // namespace

void append_record(std::string& out, const SentenceResult& result) { Put{out}(result); }

std::optional<SentenceResult> take_record(std::string_view& bytes, std::size_t sentence_bytes) {
  Get get(bytes);
  SentenceResult result;
  get(result);
  bool good = get.ok();
  for (const Extraction& triple : result.extractions) good = good && fits(triple, sentence_bytes);
  return good ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace diffie::cli
