#include "extract/tidy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "base/utf8.h"
#include "extract/pools.h"

namespace diffie::extract {
namespace {

constexpr std::size_t kImplied = 2;  // every sentence ends with "is of"

struct Case {
  const char* sentence;  // word/role, role S, R or O; without one: background
  const char* wanted;    // subject | relation | object, or "" when nothing is left
};

struct Tagged {
  std::vector<std::string> words;
  Triple triple;
};

Tagged tagged(const std::string& text) {
  Tagged out;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    const std::size_t slash = word.size() >= 2 ? word.size() - 2 : 0;
    const std::size_t role =
        word[slash] == '/' ? std::string_view("SRO").find(word.back()) : std::string::npos;
    if (role != std::string::npos) {
      out.triple.words[role].push_back(static_cast<std::uint32_t>(out.words.size()));
      word.resize(slash);
    }
    out.words.push_back(word);
  }
  return out;
}

std::string shown(const Tagged& tagged) {
  std::string text;
  for (const auto& slot : tagged.triple.words) {
    if (&slot != &tagged.triple.words[0]) text += " |";
    for (const std::uint32_t word : slot) text += (text.empty() ? "" : " ") + tagged.words[word];
  }
  return text;
}

constexpr Case kCases[] = {
    {"please/S the/S men/S send/R it/O is of", "the men | send | it"},
    // a gap that joins
    {"acts/S met/R u2/O and bob/O dylan/O is of", "acts | met | u2 and bob dylan"},
    {"the/S firm/S , acme/S , left/R town/O is of", "the firm , acme | left | town"},
    {"ann/S met/R ben/O at carl/O is of", "ann | met | ben carl"},
    {"ann/S met/R ben/O or carl/O is of", "ann | met | ben or carl"},
    {"ann/S met/R ben/O , and , carl/O is of", "ann | met | ben , and , carl"},
    {"ann/S met/R ben/O and at carl/O is of", "ann | met | ben carl"},
    {"ann/O ,/S ben/O left/R carl/S is of", "carl | left | ann , ben"},
    {"dan/S ann/O ,/S ben/O carl/S left/R is of", "dan , carl | left | ann ben"},
    // cut off before its end
    {"curie/S won/R the/O prize/O in/O 1911 . is of", "curie | won | the prize"},
    {"she/S met/R the/O head/O of/O the/O bank . is of", "she | met | the head"},
    {"it/S is/R what/O we/O asked/O for/O . is of", "it | is | what we asked for"},
    {"the/S man/S who/S founded/R acme/O is of", "the man who | founded | acme"},
    {"the/S man/S who lives here founded/R acme/O is of", "the man | founded | acme"},
    {"the/S head/S of/S acme left/R town/O is of", "the head | left | town"},
    // what is clean stays
    {"ann/S likes/R tea/O . is of", "ann | likes | tea"},
    {"he/S left/R it/O is of", "he | left | it"},
    {"dogs/S that/S bite/R men/O is of", "dogs that | bite | men"},
    {"dogs that/S bite/R men/O is of", "that | bite | men"},
    {"which/S bit/R him/O is of", "which | bit | him"},
    {"prices/S rose/R 5/O %/O . is of", "prices | rose | 5 %"},
    {"it/S cost/R $/O 5/O . is of", "it | cost | $ 5"},
    {"may/S met/R will/O is of", "may | met | will"},
    // marks at the edges
    {"ann/S ,/S likes/R tea/O ./O is of", "ann | likes | tea"},
    {"\"/S ann/S \"/S ,/R likes/R :/R --/O tea/O !/O is of", "ann | likes | tea"},
    {"\u201C/O tea/O \u201D/O ann/S \u2014/S likes/R is of", "ann | likes | tea"},
    {"ann/S likes/R tea/O (/O is of", "ann | likes | tea"},
    {"ann/S likes/R (/O tea/O )/O is of", "ann | likes | tea"},
    {"ann/S likes/R tea/O (/O hot/O )/O is of", "ann | likes | tea ( hot )"},
    {"(/S x/S )/S ltd/S likes/R tea/O is of", "ltd | likes | tea"},
    {"ann/S saw/R the/O film/O \"/O jaws/O \"/O . is of", "ann | saw | the film \" jaws \""},
    {"ann/S saw/R \"/O jaws/O \"/O and/O \"/O alien/O \"/O is of",
     "ann | saw | \" jaws \" and \" alien \""},
    {"ann/S saw/R jaws/O \"/O . is of", "ann | saw | jaws"},
    {"-lrb-/S ann/S likes/R tea/O -rrb-/O is of", "ann | likes | tea"},
    // numbers and words cut in two
    {"it/S fell/R to/R -/O 5/O degrees/O ./O is of", "it | fell to | - 5 degrees"},
    {"he/S lives/R in/R the/O u/O ./O s/O ./O is of", "he | lives in | the u . s ."},
    {"he/S runs/R alphabet/O inc/O ./O is of", "he | runs | alphabet inc ."},
    {"he/S takes/R vitamin/O c/O ./O is of", "he | takes | vitamin c"},
    {"it/S rose/R by/R ./O 5/O percent/O is of", "it | rose by | . 5 percent"},
    {"it/S fell/R -/O about 5/O degrees/O is of", "it | fell | 5 degrees"},
    {"it/S fell/R -/O five/O degrees/O is of", "it | fell | five degrees"},
    {"it/S fell/R to/R -/O is of", ""},
    {"he/S runs/R acme/O inc ./O is of", "he | runs | acme"},
    {"he/S met/R ./O is of", ""},
    {"he/S runs/R alphabet/O inc/O ,/O is of", "he | runs | alphabet inc"},
    {"he/S took/R no/O ./O 5/O ./O is of", "he | took | no . 5"},
    {"it/S fell/R to/R -/O 5/O is of", "it | fell to | - 5"},
    {"yes -/S 5/S men/S left/R town/O is of", "- 5 men | left | town"},
    {"c . c/S ./S met/R him/O is of", "c . | met | him"},
    {"she/S '/R s/R a/O doctor/O is of", "she | ' s | a doctor"},
    {"the/S users/S '/S like/R it/O is of", "the users | like | it"},
    // list markers
    {"1/S ./S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"1./S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"2/S )/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"10/S ./S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"(/S a/S )/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"\u2022/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"*/S bob/S bought/R -/O a/O car/O is of", "bob | bought | a car"},
    {"-/S 5/S men/S bought/R a/O car/O is of", "5 men | bought | a car"},
    {"j/S ./S smith/S bought/R a/O car/O is of", "j . smith | bought | a car"},
    {"3/S ./S 5/S million/S bought/R a/O car/O is of", "3 . 5 million | bought | a car"},
    {"1984/S ./S orwell/S wrote/R it/O is of", "1984 . orwell | wrote | it"},
    {"(/S 123/S )/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"(/S 1234/S )/S bob/S bought/R a/O car/O is of", "( 1234 ) bob | bought | a car"},
    {"z/S )/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"9/S -rrb-/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"ab/S )/S bob/S bought/R a/O car/O is of", "ab ) bob | bought | a car"},
    {"0a/S )/S bob/S bought/R a/O car/O is of", "0a ) bob | bought | a car"},
    {"1:/S )/S bob/S bought/R a/O car/O is of", "1: ) bob | bought | a car"},
    {"{/S )/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"a)/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {"b)/S bob/S bought/R 2)/O a/O car/O is of", "bob | bought | 2) a car"},
    {", 2)/S bob/S bought/R a/O car/O is of", "bob | bought | a car"},
    {", 2./S bob/S bought/R a/O car/O is of", "2. bob | bought | a car"},
    {"yes 2)/S bob/S bought/R a/O car/O is of", "2) bob | bought | a car"},
    {"a./S bob/S bought/R a/O car/O is of", "a. bob | bought | a car"},
    {"(/S a/S x/S )/S bob/S bought/R a/O car/O is of", "( a x ) bob | bought | a car"},
    // marks inside marks
    {"ann/S likes/R (/O big/O (/O hot/O )/O tea/O is of", "ann | likes | big ( hot ) tea"},
    {"ann/S likes/R tea/O (/O hot/O )/O now/O )/O is of", "ann | likes | tea ( hot ) now"},
    {"ann/S likes/R (/O (/O hot/O )/O tea/O )/O now/O is of", "ann | likes | ( ( hot ) tea ) now"},
    {"ann/S likes/R old/O (/O tea/O (/O hot/O )/O )/O is of", "ann | likes | old ( tea ( hot ) )"},
    {"he/S saw/R '/O ann/O '/O s/O dog/O '/O is of", "he | saw | ann ' s dog"},
    {"he/S saw/R \u2018/O ann/O \u2019/O s/O dog/O \u2019/O is of", "he | saw | ann \u2019 s dog"},
    {"he/S saw/R ann/O \u2019/O s/O dog/O is of", "he | saw | ann \u2019 s dog"},
    {"'/S s/S ann/S left/R town/O is of", "s ann | left | town"},
    // conjunctions
    {"and/S ann/S and/S or/R likes/R ,/O and/O tea/O but/O is of", "ann | likes | tea"},
    {"ann/S and/S ben/S like/R tea/O is of", "ann and ben | like | tea"},
    // articles of relations
    {"bonn/S is/R the/R capital/O is of", "bonn | is the | capital"},
    {"bonn/S is/R the/R old capital/O is of", "bonn | is | capital"},
    {"bonn/S is/R and/R the/R , a/R old capital/O is of", "bonn | is | capital"},
    // what is torn
    {"ann/S has/R a/R dog/R and/R a/O cat/O is of", ""},
    {"ann/S has/R a/R dog/R or/R ,/R a/O cat/O is of", ""},
    {"she/S isn/R '/R t/R ill/O is of", "she | isn ' t | ill"},
    {"she/S isn/R '/R t ill/O is of", ""},
    {"she/S isn/R ' t/R ill/O is of", ""},
    {"don/S '/R t/R forget/R it/O is of", ""},
    {"isn/S ' t/S ann/S left/R town/O is of", ""},
    {"she/S isn/R \u2019/R t ill/O is of", ""},
    {"she/S isn/R \u2019/R t/R ill/O is of", "she | isn \u2019 t | ill"},
    {"she/S said/R isn/O '/O t is of", ""},
    {"she/S said/R isn/O '/O t/O is of", "she | said | isn ' t"},
    {"she/S said/R it/O '/O t is of", "she | said | it"},
    {"it isn ' t that she/S left/R him/O is of", "she | left | him"},
    // implied words
    {"paris/S ,/R capital/O is/R of", "paris | is | capital"},
    {"paris/S of/R capital/O is/R of", "paris | of is | capital"},
    // what says nothing
    {"the man/S died/R ./O is of", ""},
    {"the dam/S fails/R if/O is of", ""},
    {"please/S send/R it/O is of", ""},
    {"the/S of/S send/R it/O is of", ""},
    {"he/S said/R that/O it rained is of", ""},
    {"i/S know/R that/O . is of", "i | know | that"},
    {"i/S know/R that/O is of", "i | know | that"},
    {"i/S know/R that/O . he left is of", "i | know | that"},
    {"he/S said/R that/O one/O is of", "he | said | that one"},
    {"he/S met/R this/O man is of", "he | met | this"},
    {"the/S ,/S of/S send/R it/O is of", ""},
    {"he/S met/R the/O ,/O of/O . is of", ""},
    {"ann/S ,/R ben/O is of", ""},
    {"ann/S in/R bonn/O is of", ""},
    {"ann/S and/R the/R bonn/O is of", ""},
    {"ann/S \u2026/R bonn/O is of", ""},
    {"\U0001F600/S likes/R tea/O is of", ""},
    {"\u00E9t\u00E9/S likes/R tea/O is of", "\u00E9t\u00E9 | likes | tea"},
};

TEST(Tidy, Cases) {
  for (const Case& each : kCases) {
    Tagged got = tagged(each.sentence);
    const bool stays = tidy_triple(got.triple, {got.words, kImplied});
    EXPECT_EQ(stays ? shown(got) : "", each.wanted) << each.sentence;
  }
}

// The borders of what counts as a letter or digit: the code points on either side of each.
TEST(Tidy, SignsAreNoLetters) {
  const auto is_letter = [](char32_t c) {
    char bytes[4];
    return has_letter_or_digit("-" + std::string(bytes, base::encode_utf8(c, bytes)));
  };
  for (const char32_t letter :
       {U'0',      U'9',      U'A',      U'Z',          U'a',         U'z',
        U'\u00C0', U'\u00D6', U'\u00D8', U'\u00F6',     U'\u00F8',    U'\u1FFF',
        U'\u2100', U'\u218F', U'\u2C00', U'\u2FFF',     U'\u3005',    U'\uFDFF',
        U'\uFE70', U'\uFFFC', U'\uFFFE', U'\U0001EFFF', U'\U00020000'})
    EXPECT_TRUE(is_letter(letter)) << std::hex << static_cast<std::uint32_t>(letter);
  for (const char32_t sign :
       {U'/',      U':',      U'@',      U'[',      U'`',      U'{',          U'\u00A0',
        U'\u00BF', U'\u00D7', U'\u00F7', U'\u2000', U'\u20FF', U'\u2190',     U'\u2BFF',
        U'\u3000', U'\u3004', U'\uFE00', U'\uFE6F', U'\uFFFD', U'\U0001F000', U'\U0001FFFF'})
    EXPECT_FALSE(is_letter(sign)) << std::hex << static_cast<std::uint32_t>(sign);
  EXPECT_FALSE(has_letter_or_digit(""));
  EXPECT_TRUE(has_letter_or_digit("\u2014\u2014\u00E9"));
}

TEST(Tidy, TakesFromTheEdgesAndAddsWhatJoins) {
  const std::vector<std::string> vocabulary = {
      "ann", "ben", "likes", "the", "a",  "that", "and", "or", ",",      ".",      "\"", "'",
      "s",   "(",   ")",     "1",   "x",  "-",    "of",  "is", "\u201C", "\u201D", "in", "inc",
      "u",   "*",   ":",     "but", "it", "5",    "to",  "if", "please", "``",     "''", "\u2022"};
  std::mt19937 random(7);
  std::size_t stayed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> words(4 + random() % 12);
    for (std::string& word : words) word = vocabulary[random() % vocabulary.size()];
    std::vector<Role> roles(words.size());
    for (Role& role : roles) role = static_cast<Role>(random() % 4);
    const std::size_t num_implied = random() % 3;
    Triple before;
    if (!construct_triple(roles, static_cast<Rule>(random() % 3), before, num_implied)) continue;
    const TidySentence sentence(words, num_implied);
    Triple once = before;
    if (!tidy_triple(once, sentence)) continue;
    ++stayed;
    for (std::size_t slot = 0; slot < 3; ++slot) {
      ASSERT_FALSE(once.words[slot].empty());
      const std::vector<std::uint32_t>& old = before.words[slot];
      for (const std::uint32_t word : once.words[slot]) {
        if (std::binary_search(old.begin(), old.end(), word)) continue;
        ASSERT_TRUE(
            slot != 1 && word > old.front() && word < old.back() &&
            (words[word] == "and" || words[word] == "or" || !has_letter_or_digit(words[word])))
            << words[word] << " was added";
      }
    }
    for (const std::size_t slot : {0u, 2u}) {
      for (const std::uint32_t word : before.words[slot]) {
        ASSERT_FALSE(word > once.words[slot].front() && word < once.words[slot].back() &&
                     !std::binary_search(once.words[slot].begin(), once.words[slot].end(), word))
            << "a word from between was taken";
      }
    }
    Triple twice = once;
    ASSERT_TRUE(tidy_triple(twice, sentence));
    ASSERT_EQ(twice, once);
  }
  EXPECT_GT(stayed, 1000u);
}

TEST(Tidy, PoolCountsWhatBecomesTheSame) {
  const std::vector<std::string> words = {"1", ".", "bob", "bought", "a", "car", ".", "is"};
  Settings settings;
  settings.rule = Rule::kAllRuns;
  settings.tidy = true;
  CandidateSetBuilder builder(words, PoolRules(settings), 1);
  builder.add(roles_of("SSSROOBB"), 2);
  builder.add(roles_of("BBSROOOB"), 3);
  builder.add(roles_of("BBSRBBOB"), 4);  // no object
  const CandidateSet pool = builder.finish();
  EXPECT_EQ(pool.num_samples, 9u);
  ASSERT_EQ(pool.candidates.size(), 1u);
  EXPECT_EQ(pool.candidates[0].count, 5u);
}

TEST(ExplicitOnly, LeavesOutRelationsThatAreImpliedAlone) {
  PoolRules rules = Rule::kAllRuns;
  rules.explicit_only = true;
  CandidateSetBuilder builder({"ann", "a", "spy", "is", "of"}, rules, 2);
  builder.add(roles_of("SBORB"), 3);
  builder.add(roles_of("SROBR"), 2);
  const CandidateSet pool = builder.finish();
  EXPECT_EQ(pool.num_samples, 5u);
  ASSERT_EQ(pool.candidates.size(), 1u);
  EXPECT_EQ(pool.candidates[0].count, 2u);
}

}  // namespace
}  // namespace diffie::extract
