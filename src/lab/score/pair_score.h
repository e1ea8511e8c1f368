// CaRB's score of one gold tuple against one prediction.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace diffie::score {

struct PairScore {
  double precision = 0;
  double recall = 0;
};

double f1(double precision, double recall) noexcept;

// Words as numbers; equal words have equal numbers.
class WordIds {
 public:
  WordIds();
  std::uint32_t id(std::string_view word);
  std::uint32_t be() const { return be_; }
  // Whether the word is a form of "to be".
  bool is_form_of_be(std::uint32_t id) const { return id < num_be_forms_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;
  std::uint32_t be_ = 0;
  std::uint32_t num_be_forms_ = 0;
};

// A tuple ready to be matched: word numbers in rising order, arguments after the first joined.
struct WordTuple {
  std::vector<std::uint32_t> relation;
  std::array<std::vector<std::uint32_t>, 2> slots;
  std::size_t num_slots = 0;
  std::size_t num_be = 0;       // how often the relation has the word "be"
  bool has_form_of_be = false;  // in the relation
  bool reports_speech = false;  // the relation contains said, told, added, adds or says
};

WordTuple make_word_tuple(WordIds& ids, std::string_view relation,
                          const std::vector<std::string_view>& arguments);

PairScore carb_pair_score(const WordTuple& gold, const WordTuple& predicted);

}  // namespace diffie::score
