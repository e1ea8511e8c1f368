// Function words, which annotators add and drop freely.
#pragma once

#include <optional>
#include <string_view>

namespace diffie::data {

enum class ClosedClass {
  kArticle,      // the, a, an
  kAuxiliary,    // forms of be, have, do; modal verbs
  kPreposition,  // the light ones: of, in, to; not those that decide the meaning (without, before)
  kPronoun,      // personal and possessive pronouns, the clitic 's
  kConnective,   // that, which, who, and
};

// nullopt for every other word, negations too: leaving one out would change what is said.
std::optional<ClosedClass> closed_class(std::string_view lower_cased_word);

}  // namespace diffie::data
