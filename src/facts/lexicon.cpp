#include "facts/lexicon.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace diffie::facts {
namespace {

struct List {
  Classes classes;
  bool inflected;          // regular verbs in their bare form, of which all forms are meant
  std::string_view words;  // separated by single blanks
};

constexpr List kLists[] = {
    {kBe, false, "be is am are was were been being 's 're 'm ai"},
    {kHave, false, "have has had having 've"},
    {kDo, false, "do does did"},
    {kWill, false, "will shall can wo ca sha 'll 'd"},
    {kModal, false, "may might could would should must ought"},
    {kNot, false, "not n't nt never hardly scarcely neither nor cannot"},
    {kWill, false, "cannot"},
    // As people type them.
    {kDo | kNot, false, "dont didnt doesnt"},
    {kWill | kNot, false, "cant wont"},
    {kModal | kNot, false, "couldnt wouldnt shouldnt"},
    {kBe | kNot, false, "isnt wasnt arent werent"},
    {kHave | kNot, false, "havent hasnt hadnt"},
    {kAdverb, false,
     "also always already still just then now soon often sometimes ever even only too so again "
     "yet once later first finally almost nearly perhaps maybe however instead therefore thus "
     "otherwise quite rather very really today yesterday both all each long once indeed anyway "
     "thereafter afterwards "
     "meanwhile hence thereby hereby nevertheless nonetheless moreover furthermore"},
    {kHedge | kAdverb, false,
     "allegedly reportedly supposedly purportedly presumably probably possibly perhaps maybe "
     "apparently seemingly ostensibly conceivably potentially likely arguably "
     "hypothetically theoretically"},
    {kTo, false, "to"},
    {kNo, false, "no none nobody nothing nowhere noone neither"},
    {kDeterminer, false,
     "a an the this these those its his her their our my your some any no each every all both "
     "many most several few either another such one two three single"},
    {kPronoun, false, "i you he she it we they who there this these those"},
    {kPreposition, false,
     "of in on at by for from with into over under between after before during through about "
     "against among within without upon across since until till than like near via per toward "
     "towards around behind off up down out as to because despite besides"},
    {kAnd, false, "and or nor but & plus"},
    {kThat, false, "that"},
    {kWh, false, "who which whom whose what where why how when"},
    {kSubordinator, false,
     "because although though while when whenever after before since until till as where whereas "
     "once whereby wherever"},
    {kIf, false, "if unless"},
    {kWhether, false, "whether"},
    // Speech and belief.
    {kSay, false,
     "say says said saying tell tells told telling write writes wrote written writing insist "
     "insists "
     "insisted insisting admit admits admitted admitting swear swears swore sworn foretell "
     "foresee foresees foresaw quip quips quipped"},
    {kSay, true,
     "claim state report announce argue assert declare explain warn add note remark mention "
     "contend maintain allege confirm complain predict reply respond acknowledge concede testify "
     "boast joke whisper shout conclude suggest estimate observe stress emphasize emphasise "
     "affirm recount reiterate posit propose promise rule theorize speculate tweet caution "
     "speculate hint imply indicate advise vow pledge opine cite comment propound"},
    {kSay, false, "implies implied"},
    {kThink, false, "think thinks thought thinking feel feels felt feeling"},
    {kThink, true,
     "believe suppose assume imagine presume suspect fear hope guess reckon consider expect"},
    {kHint, true, "suspect suggest speculate hint imply fear hope guess imagine"},
    {kHint, false, "implies implied"},
    {kDeny, false, "deny denies denied denying"},
    {kDeny, true, "dispute refute reject disclaim"},
    {kDoubt, true, "doubt disbelieve"},
    {kKnow, false,
     "know knows knew known knowing find finds found show shows showed shown showing prove proves "
     "proved proven see sees saw seen forget forgets forgot forgotten learn learns learned learnt "
     "understand understands understood mean means meant glad sorry happy aware sad surprised "
     "clear "
     "obvious fact because evident regret regrets regretted hear hears heard proud"},
    {kKnow, true,
     "realize realise discover notice reveal remember recall demonstrate recognise "
     "recognize ensure"},
    {kTrue, false, "true case certain sure right correct"},
    {kFalse, false, "false untrue wrong lie myth hoax incorrect nonsense impossible"},
    {kEvidence, false, "evidence proof sign indication reason"},
    {kGuess, false,
     "possible likely probable conceivable plausible chance chances possibility probability "
     "likelihood rumour rumours rumor rumors claim claims allegation allegations suspicion "
     "suspicions hope hopes fear fears belief theory theories idea hypothesis suggestion risk "
     "danger seem seems seemed appear appears appeared prospect speculation assumption "
     "assumed concern concerns notion"},
    {kUnlikely, false, "unlikely improbable doubtful impossible"},
    // Infinitives and gerunds.
    {kFail, false,
     "fail fails failed failing failure forget forgets forgot forgotten unable refuse refuses "
     "refused refusing refusal stop stops stopped stopping quit quits quitting prevent prevents "
     "prevented preventing forbid forbids forbade forbidden ban bans banned banning bar bars "
     "barred "
     "barring refrain refrains refrained refraining unwilling reluctant impossible inability "
     "reluctance keep keeps kept yet"},
    {kFail, true, "decline neglect avoid cease omit resist discourage prohibit escape dissuade"},
    {kWant, false,
     "want wants wanted wanting plan plans planned planning intend intends intended intending seek "
     "seeks sought seeking try tries tried trying expected likely supposed set due ready eager "
     "willing keen bound meant going gonna wanna ought need needs needed needing like love prefer "
     "prefers preferred hope hopes hoped seem seems seemed appear appears appeared swear swears "
     "swore tend tends poised slated scheduled attempt attempts attempted effort efforts "
     "thought said alleged believed rumoured rumored reported desire desires chance plan "
     "opportunity right decision bid offer offers offered think thinking thinks consider considers "
     "considered considering bet mean means anxious determined destined tempted "
     "required obliged designed free hesitant prepared proposal threat pretend pretends "
     "pretended have has had having"},
    {kWant, true,
     "aim wish expect agree threaten promise consider contemplate struggle volunteer vow pledge "
     "propose strive yearn aspire resolve arrange contrive envisage imagine recommend discuss "
     "suggest hesitate long undertake delay postpone fancy"},
    {kManage, false,
     "able begin begins began begun beginning start starts started starting come comes came get "
     "gets "
     "got help helps helped go goes went continue used happen dare turn turns turned first last"},
    {kManage, true,
     "manage continue proceed happen finish enjoy help succeed resume remember live grow bother "
     "rush hurry cooperate decide choose regret"},
    {kManage, false, "decided chose chosen"},
    {kOrder, false,
     "ask asks asked asking tell tells told telling order orders ordered ordering beg begs begged "
     "begging let forbid"},
    {kOrder, true,
     "urge command invite instruct advise encourage request allow permit warn require train remind "
     "teach call push pressure recommend implore authorize authorise"},
    {kForce, false, "lead leads led leading get gets got make makes made"},
    {kForce, true, "force cause enable compel oblige persuade convince inspire prompt"},
    {kAsk, false, "know known see tell sure clear unclear question questions uncertain"},
    {kAsk, true,
     "ask wonder inquire enquire doubt decide determine investigate check examine "
     "consider debate"},
    {kAccuse, false, "accuse accuses accused accusing suspected suspect suspects"},
    // Shapes.
    {kBaseVerb, false,
     "accept act add adjust allow answer apply arrange ask avoid bake be beat become begin believe "
     "bend bind bite boil book break bring browse build burn buy call cancel carry catch change "
     "charge check choose clean clear click climb close come compare complete confirm connect "
     "consider contact continue cook cool copy count cover create cross cut dance decide deliver "
     "describe dial dig discover discuss do download draw dress drink drive drop dry eat email "
     "enable engage enjoy ensure enter examine excuse expect explain explore fax feed feel fill "
     "find finish fix fly fold follow forget forgive forward fry gather get give go grab grow "
     "guess hang have head hear heat help hide hire hit hold ignore imagine improve include inform "
     "insert install invite join jump keep kick kill knock know lay lead learn leave lend let lie "
     "lift light list listen live load lock log look lose love lower make mark measure meet melt "
     "mention mind mix move name need note notice offer open order pack park pass paste pay peel "
     "pick place plan plant play point post pour practice practise prepare press print produce "
     "protect prove provide pull push put quit raise reach read realize receive recommend record "
     "reduce refer register relax release remain remember remind remove rent repair repeat replace "
     "reply report request require rest return review ride ring rinse roll run save say scan "
     "scroll "
     "search see select sell send serve set share shoot show shut sign sing sit skip sleep slice "
     "slide speak spend spray spread sprinkle stand start stay steal step stick stir stop store "
     "study submit suggest support suppose sweep swim switch take talk taste teach tell test thank "
     "think throw tie touch train transfer travel treat trust try turn type understand update "
     "upload use view visit vote wait wake walk want warm warn wash watch water wear wipe wish "
     "work worry wrap write"},
    {kPastVerb, false,
     "was were had did said told wrote written went gone came took taken made got gave given saw "
     "seen knew known thought found left lost met ran sat stood sold sent spoke spoken spent began "
     "begun broke broken brought built bought caught chose chosen drew drawn drove driven drank "
     "ate "
     "eaten fell fallen felt fought flew flown forgot grew grown heard held kept led lent lay lain "
     "meant paid rode ridden rang rose risen sang sung sank sunk shook shot shone slept stole "
     "stolen stuck struck swam taught tore torn threw thrown understood woke wore worn won wound "
     "fled bound bit blew bled bred dealt dug fed hid hung laid lit sought slid spun spread swept "
     "swore swung wept became"},
    {kGreeting, false, "please kindly pls ok okay yes well hey oh hi also"},
    {kComma, false, ","},
    {kStop, false, "; : -- — – ... …"},
    {kBracket, false, "( ) [ ] - -lrb- -rrb-"},
    {kQuote, false, "\" “ ” `` '' « » ‘ „"},
    {kEnd, false, ". ! ?"},
};

bool ends(std::string_view word, std::string_view ending) {
  return word.size() > ending.size() && word.ends_with(ending);
}

bool is_vowel(char letter) { return std::string_view("aeiou").find(letter) != std::string::npos; }

class Table {
 public:
  Table() {
    for (const List& list : kLists) {
      for (std::string_view rest = list.words; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        list.inflected ? add_forms(std::string(word), list.classes)
                       : add(std::string(word), list.classes);
      }
    }
  }

  Classes operator[](std::string_view word) const {
    const auto found = classes_.find(word);
    return found == classes_.end() ? 0 : found->second;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  void add(const std::string& word, Classes classes) { classes_[word] |= classes; }

  // Regular English spelling; a doubled consonant needs a list that names the form.
  void add_forms(const std::string& base, Classes classes) {
    add(base, classes);
    const bool y = ends(base, "y") && !is_vowel(base[base.size() - 2]);
    const bool e = ends(base, "e");
    const std::string stem = y || e ? base.substr(0, base.size() - 1) : base;
    const bool hisses = ends(base, "s") || ends(base, "sh") || ends(base, "ch") || ends(base, "x");
    add(y ? stem + "ies" : hisses ? base + "es" : base + "s", classes);
    add(y ? stem + "ied" : stem + "ed", classes);
    add(e ? stem + "ing" : base + "ing", classes);
  }

  std::unordered_map<std::string, Classes, Hash, std::equal_to<>> classes_;
};

}  // namespace

Classes classes_of(std::string_view word) {
  static const Table table;
  const Classes classes = table[word];
  if (word.find_first_not_of("?!.") == std::string_view::npos && word.size() > 1) return kEnd;
  // "family", "reply" and "July" are among what this takes for an adverb; they are no trigger and
  // seldom stand inside a verb group.
  if (classes == 0 && word.size() > 4 && word.ends_with("ly")) return kAdverb;
  return classes;
}

}  // namespace diffie::facts
