#include "lab/data/word_forms.h"

#include <algorithm>
#include <array>
#include <utility>

#ifdef DIFFIE_WORD_FORMS
#include <libstemmer.h>
#endif

namespace diffie::data {

#ifdef DIFFIE_WORD_FORMS

namespace {

using Form = std::pair<std::string_view, std::string_view>;  // form, lemma

// Made at configure time from WordNet's verb.exc and noun.exc.
constexpr Form kIrregularForms[] = {
#include "irregular_forms.inc"
};

struct DeleteStemmer {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

bool is_plain_word(std::string_view word) {
  return word.size() >= 2 &&
         std::ranges::none_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

class WordForms::Impl {
 public:
  std::string stem(std::string_view word) {
    const auto* symbols = reinterpret_cast<const sb_symbol*>(word.data());
    const sb_symbol* stemmed =
        sb_stemmer_stem(stemmer_.get(), symbols, static_cast<int>(word.size()));
    if (stemmed == nullptr) return std::string(word);
    return {reinterpret_cast<const char*>(stemmed),
            static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
  }

 private:
  std::unique_ptr<sb_stemmer, DeleteStemmer> stemmer_{sb_stemmer_new("english", "UTF_8")};
};

bool WordForms::available() { return true; }

std::vector<std::string> WordForms::stems(std::string_view word) {
  if (!is_plain_word(word)) return {};
  std::vector<std::string> stems = {impl_->stem(word)};
  const auto irregular = std::ranges::equal_range(kIrregularForms, word, {}, &Form::first);
  for (const Form& form : irregular) stems.push_back(impl_->stem(form.second));
  std::ranges::sort(stems);
  return stems;
}

#else

class WordForms::Impl {};
bool WordForms::available() { return false; }
std::vector<std::string> WordForms::stems(std::string_view) { return {}; }

#endif

WordForms::WordForms() : impl_(std::make_unique<Impl>()) {}
WordForms::~WordForms() = default;
WordForms::WordForms(WordForms&&) noexcept = default;

bool share_stem(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(
      a, [&](const std::string& stem) { return std::ranges::binary_search(b, stem); });
}

}  // namespace diffie::data
