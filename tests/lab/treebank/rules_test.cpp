// Every rule on sentences of its own, and what it must leave alone.
#include "lab/treebank/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_tree.h"

namespace diffie::treebank {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> told(const std::vector<RuleFact>& facts, Rule rule) {
  std::vector<std::string> lines;
  for (const RuleFact& each : facts) {
    if (each.rule != rule) continue;
    lines.push_back(each.fact.subject + "; " + each.fact.relation + "; " + each.fact.object);
  }
  return lines;
}

std::vector<std::string> clauses(const std::string& lines, Rule rule = Rule::kPlain) {
  const data::TreeSentence sentence = small_tree(lines);
  return told(main_clause_facts(Tree(sentence)), rule);
}

std::vector<std::string> relatives(const std::string& lines) {
  const data::TreeSentence sentence = small_tree(lines);
  return told(relative_facts(Tree(sentence)), Rule::kRelative);
}

std::vector<std::string> appositions(const std::string& lines) {
  const data::TreeSentence sentence = small_tree(lines);
  return told(apposition_facts(Tree(sentence)), Rule::kAppositions);
}

std::vector<std::string> possessives(const std::string& lines) {
  const data::TreeSentence sentence = small_tree(lines);
  return told(possessive_facts(Tree(sentence)), Rule::kPossessives);
}

TEST(PlainClauses, ObjectAndEachObliqueAreFacts) {
  EXPECT_THAT(clauses(R"(
    She she PRON 2 nsubj
    sold sell VERB 0 root
    the the DET 4 det
    farm farm NOUN 2 obj
    to to ADP 6 case
    Tom Tom PROPN 2 obl
    in in ADP 8 case
    1990 1990 NUM 2 obl
    . . PUNCT 2 punct)"),
              UnorderedElementsAre("She; sold; the farm", "She; sold the farm to; Tom",
                                   "She; sold the farm to Tom in; 1990"));
}

TEST(PlainClauses, AFrontedPhraseFollowsTheVerb) {
  EXPECT_THAT(clauses(R"(
    In in ADP 2 case
    1927 1927 NUM 7 obl
    , , PUNCT 2 punct
    the the DET 5 det
    club club NOUN 7 nsubj:pass
    was be AUX 7 aux:pass
    founded found VERB 0 root
    . . PUNCT 7 punct)"),
              UnorderedElementsAre("the club; was founded in; 1927"));
}

TEST(PlainClauses, CopulaTakesAPrepositionAndNegation) {
  EXPECT_THAT(clauses(R"(
    The the DET 2 det
    path path NOUN 7 nsubj
    was be AUX 7 cop
    never never ADV 7 advmod
    in in ADP 7 case
    good good ADJ 7 amod
    shape shape NOUN 0 root)"),
              UnorderedElementsAre("The path; was never in; good shape"));
}

TEST(PlainClauses, VerbsThatFollowWithoutAnObjectAreOneRelation) {
  EXPECT_THAT(clauses(R"(
    They they PRON 4 nsubj
    did do AUX 4 aux
    n't not PART 4 advmod
    want want VERB 0 root
    to to PART 6 mark
    buy buy VERB 4 xcomp
    it it PRON 6 obj)"),
              UnorderedElementsAre("They; did n't want to buy; it"));
}

TEST(PlainClauses, WhatIsSaidIsAnObjectAndAFactOfItsOwn) {
  const std::string lines = R"(
    Anna Anna PROPN 2 nsubj
    said say VERB 0 root
    that that SCONJ 6 mark
    the the DET 5 det
    mayor mayor NOUN 6 nsubj
    took take VERB 2 ccomp
    bribes bribe NOUN 6 obj)";
  EXPECT_THAT(clauses(lines), UnorderedElementsAre("Anna; said that; the mayor took bribes",
                                                   "the mayor; took; bribes"));
}

TEST(PlainClauses, ADoubtedClauseIsNoFact) {
  EXPECT_THAT(clauses(R"(
    Anna Anna PROPN 2 nsubj
    doubts doubt VERB 0 root
    that that SCONJ 5 mark
    he he PRON 5 nsubj
    took take VERB 2 ccomp
    bribes bribe NOUN 5 obj)"),
              UnorderedElementsAre("Anna; doubts that; he took bribes"));
}

TEST(PlainClauses, QuestionsConditionsAndVerbsAloneGiveNone) {
  EXPECT_THAT(clauses(R"(
    Did do AUX 3 aux
    Tom Tom PROPN 3 nsubj
    buy buy VERB 0 root
    it it PRON 3 obj
    ? ? PUNCT 3 punct)"),
              IsEmpty());
  EXPECT_THAT(clauses(R"(
    If if SCONJ 3 mark
    it it PRON 3 nsubj
    rains rain VERB 5 advcl
    we we PRON 5 nsubj
    take take VERB 0 root
    coats coat NOUN 5 obj)"),
              IsEmpty());
  EXPECT_THAT(clauses(R"(
    The the DET 3 det
    old old ADJ 3 amod
    man man NOUN 4 nsubj
    died die VERB 0 root
    . . PUNCT 4 punct)"),
              IsEmpty());
}

TEST(PlainClauses, AQuestionIsOneWithoutItsMark) {
  const std::string lines = R"(
    can can AUX 3 aux
    you you PRON 3 nsubj
    read read VERB 0 root
    it it PRON 3 obj
    and and CCONJ 6 cc
    send send VERB 3 conj
    comments comment NOUN 6 obj)";
  EXPECT_THAT(clauses(lines), IsEmpty());
  EXPECT_THAT(clauses(lines, Rule::kCoordination), IsEmpty());
}

TEST(PlainClauses, ADenialOfOneOfSeveralThingsGivesNone) {
  EXPECT_THAT(clauses(R"(
    They they PRON 4 nsubj
    did do AUX 4 aux
    not not PART 4 advmod
    meet meet VERB 0 root
    Tom Tom PROPN 4 obj
    in in ADP 7 case
    Rome Rome PROPN 4 obl)"),
              IsEmpty());
}

TEST(PlainClauses, AsidesAreLeftOutOfArguments) {
  EXPECT_THAT(clauses(R"(
    The the DET 2 det
    mill mill NOUN 9 nsubj
    , , PUNCT 6 punct
    which which PRON 6 nsubj
    had have AUX 6 aux
    burned burn VERB 2 acl:relcl
    , , PUNCT 6 punct
    was be AUX 9 aux:pass
    bought buy VERB 0 root
    by by ADP 11 case
    Tom Tom PROPN 9 obl:agent
    ( ( PUNCT 13 punct
    45 45 NUM 11 appos
    ) ) PUNCT 13 punct)"),
              UnorderedElementsAre("The mill; was bought by; Tom"));
}

TEST(NestedFacts, TellOfTheNounInsideTheObject) {
  EXPECT_THAT(clauses(R"(
    Rome Rome PROPN 4 nsubj
    is be AUX 4 cop
    the the DET 4 det
    capital capital NOUN 0 root
    of of ADP 6 case
    Italy Italy PROPN 4 nmod)",
                      Rule::kNested),
              UnorderedElementsAre("Rome; is the capital of; Italy"));
}

TEST(Coordination, EachConjunctIsAFactOfItsOwn) {
  EXPECT_THAT(clauses(R"(
    Anna Anna PROPN 4 nsubj
    and and CCONJ 3 cc
    Ben Ben PROPN 1 conj
    play play VERB 0 root
    chess chess NOUN 4 obj
    and and CCONJ 8 cc
    the the DET 8 det
    cello cello NOUN 5 conj)",
                      Rule::kCoordination),
              UnorderedElementsAre("Anna; play; chess", "Anna; play; the cello", "Ben; play; chess",
                                   "Ben; play; the cello"));
}

TEST(Coordination, WhatMustStayTogetherDoes) {
  EXPECT_THAT(clauses(R"(
    She she PRON 2 nsubj
    likes like VERB 0 root
    tea tea NOUN 2 obj
    or or CCONJ 5 cc
    coffee coffee NOUN 3 conj)"),
              UnorderedElementsAre("She; likes; tea or coffee"));
  EXPECT_THAT(clauses(R"(
    He he PRON 2 nsubj
    brought bring VERB 0 root
    his his PRON 4 nmod:poss
    wife wife NOUN 2 obj
    and and CCONJ 6 cc
    children child NOUN 4 conj)"),
              UnorderedElementsAre("He; brought; his wife and children"));
}

TEST(Coordination, VerbsShareSubjectAndAuxiliary) {
  EXPECT_THAT(clauses(R"(
    It it PRON 3 nsubj:pass 3:nsubj:pass|7:nsubj:pass
    was be AUX 3 aux:pass
    designed design VERB 0 root
    by by ADP 5 case
    Tom Tom PROPN 3 obl:agent
    and and CCONJ 7 cc
    built build VERB 3 conj
    in in ADP 9 case
    1864 1864 NUM 7 obl)",
                      Rule::kCoordination),
              UnorderedElementsAre("It; was designed by; Tom", "It; was built in; 1864"));
}

TEST(Coordination, AClauseJoinedToAPredicateIsNotPartOfIt) {
  EXPECT_THAT(clauses(R"(
    The the DET 2 det
    staff staff NOUN 4 nsubj 4:nsubj|6:nsubj
    was be AUX 4 cop
    helpful helpful ADJ 0 root
    and and CCONJ 6 cc
    gave give VERB 4 conj
    advice advice NOUN 6 obj)",
                      Rule::kCoordination),
              UnorderedElementsAre("The staff; was; helpful", "The staff; gave; advice"));
}

TEST(Coordination, ASubjectIsNotSharedWithAnIt) {
  EXPECT_THAT(clauses(R"(
    I I PRON 2 nsubj 2:nsubj|7:nsubj
    like like VERB 0 root
    them they PRON 2 obj
    but but CCONJ 7 cc
    it it PRON 7 expl
    is be AUX 7 cop
    hard hard ADJ 2 conj
    to to PART 9 mark
    choose choose VERB 7 csubj)",
                      Rule::kCoordination),
              UnorderedElementsAre("I; like; them"));
}

TEST(RelativeClauses, TheNounIsSubjectOrObject) {
  EXPECT_THAT(relatives(R"(
    The the DET 2 det
    man man NOUN 6 nsubj
    who who PRON 4 nsubj
    founded found VERB 2 acl:relcl
    Acme Acme PROPN 4 obj
    left leave VERB 0 root)"),
              UnorderedElementsAre("The man; founded; Acme"));
  EXPECT_THAT(relatives(R"(
    The the DET 2 det
    song song NOUN 5 nsubj 4:obj|5:nsubj
    she she PRON 4 nsubj
    wrote write VERB 2 acl:relcl
    failed fail VERB 0 root)"),
              UnorderedElementsAre("she; wrote; The song"));
}

TEST(RelativeClauses, ParticiplesKeepTheirPreposition) {
  EXPECT_THAT(relatives(R"(
    We we PRON 2 nsubj
    read read VERB 0 root
    a a DET 4 det
    book book NOUN 2 obj
    written write VERB 4 acl
    by by ADP 7 case
    Zoe Zoe PROPN 5 obl:agent)"),
              UnorderedElementsAre("a book; written by; Zoe"));
}

TEST(RelativeClauses, WhatNeedNotExistGivesNone) {
  EXPECT_THAT(relatives(R"(
    We we PRON 3 nsubj
    never never ADV 3 advmod
    found find VERB 0 root
    a a DET 5 det
    shop shop NOUN 3 obj
    that that PRON 7 nsubj
    sells sell VERB 5 acl:relcl
    it it PRON 7 obj)"),
              IsEmpty());
}

TEST(Appositions, TheNameIsWhatTheNounSays) {
  EXPECT_THAT(appositions(R"(
    Paris Paris PROPN 8 nsubj
    , , PUNCT 4 punct
    the the DET 4 det
    capital capital NOUN 1 appos
    of of ADP 6 case
    France France PROPN 4 nmod
    , , PUNCT 4 punct
    grows grow VERB 0 root)"),
              UnorderedElementsAre("Paris; is; the capital of France"));
  EXPECT_THAT(appositions(R"(
    Anna Anna PROPN 3 nmod:poss
    's 's PART 1 case
    brother brother NOUN 6 nsubj
    , , PUNCT 5 punct
    Tom Tom PROPN 3 appos
    slept sleep VERB 0 root)"),
              UnorderedElementsAre("Tom; was; Anna 's brother"));
}

TEST(Appositions, PlacesTitlesAndDatesGiveNone) {
  EXPECT_THAT(appositions(R"(
    Toronto Toronto PROPN 0 root
    , , PUNCT 3 punct
    Ontario Ontario PROPN 1 appos)"),
              IsEmpty());
  EXPECT_THAT(appositions(R"(
    President President PROPN 2 nmod:desc
    Obama Obama PROPN 3 nsubj
    slept sleep VERB 0 root)"),
              IsEmpty());
}

TEST(Possessives, OnlyWhatCanBeHad) {
  EXPECT_THAT(possessives(R"(
    Anna Anna PROPN 3 nmod:poss
    's 's PART 1 case
    brother brother NOUN 4 nsubj
    slept sleep VERB 0 root)"),
              UnorderedElementsAre("Anna; had; brother"));
  EXPECT_THAT(possessives(R"(
    Anna Anna PROPN 3 nmod:poss
    's 's PART 1 case
    arrival arrival NOUN 4 nsubj
    helped help VERB 0 root)"),
              IsEmpty());
}

}  // namespace
}  // namespace diffie::treebank
