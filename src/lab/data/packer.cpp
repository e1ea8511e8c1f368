#include "lab/data/packer.h"

#include <fmt/format.h>

#include <limits>

#include "diffie/error.h"
#include "extract/role_letters.h"

namespace diffie::data {
namespace {

constexpr float kUnknown = -1;

std::int32_t checked_offset(std::size_t size, const char* what) {
  constexpr auto kLargest = std::numeric_limits<std::int32_t>::max();
  if (size > static_cast<std::size_t>(kLargest)) {
    throw Error(ErrorCode::kExhausted,
                fmt::format("training set: {} {}, {} are possible", size, what, kLargest));
  }
  return static_cast<std::int32_t>(size);
}

}  // namespace

Packer::Packer(TrainingSet front) : set_(std::move(front)) {
  if (set_.sentence_offsets.empty()) set_.sentence_offsets.push_back(0);
  if (set_.instance_offsets.empty()) set_.instance_offsets.push_back(0);
}

std::int32_t Packer::add_sentence(const std::string& spelling, const text::Sentence& sentence,
                                  std::size_t row) {
  const auto [entry, is_new] =
      place_of_.try_emplace(spelling, static_cast<std::int32_t>(set_.num_sentences()));
  if (!is_new) return entry->second;
  set_.piece_ids.insert(set_.piece_ids.end(), sentence.piece_ids.begin(), sentence.piece_ids.end());
  for (std::size_t word = 0; word < sentence.words.size(); ++word) {
    set_.word_of_piece.insert(set_.word_of_piece.end(), sentence.words[word].num_pieces,
                              static_cast<std::int32_t>(word));
  }
  set_.sentence_offsets.push_back(checked_offset(set_.piece_ids.size(), "pieces"));
  set_.sentence_row.push_back(checked_offset(row, "rows"));
  return entry->second;
}

void Packer::add_instance(std::int32_t place, const text::Sentence& sentence,
                          std::string_view word_tags, float weight, std::uint8_t category) {
  for (std::size_t word = 0; word < sentence.words.size(); ++word) {
    set_.tags.insert(set_.tags.end(), sentence.words[word].num_pieces,
                     static_cast<std::uint8_t>(extract::role_of(word_tags[word])));
  }
  set_.instance_sentence.push_back(place);
  set_.instance_offsets.push_back(checked_offset(set_.tags.size(), "tags"));
  set_.instance_weight.push_back(weight);
  set_.instance_category.push_back(category);
  if (!set_.instance_judgement.empty()) {
    set_.instance_judgement.insert(set_.instance_judgement.end(), 2, kUnknown);
  }
}

void Packer::add_judgement(float exact, float lenient) {
  set_.instance_judgement.resize(2 * set_.num_instances(), kUnknown);
  set_.instance_judgement[set_.instance_judgement.size() - 2] = exact;
  set_.instance_judgement.back() = lenient;
}

}  // namespace diffie::data
