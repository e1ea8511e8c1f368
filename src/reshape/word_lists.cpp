#include "reshape/word_lists.h"

#include <algorithm>
#include <unordered_map>

namespace diffie::reshape {
namespace {

struct List {
  WordList list;
  std::string_view words;  // separated by single blanks
};

constexpr List kLists[] = {
    {WordList::kPronouns,
     "i you he she it we they me him her us them mine yours his hers ours theirs myself yourself "
     "himself herself itself ourselves yourselves themselves oneself this that these those who "
     "whom whose which what whoever whatever whichever where when why how here there now then "
     "thou thee ye y'all"},
    {WordList::kGivenNames,
     "aaron abigail abraham adam adele adolf agnes aisha alan albert alberto alejandro alex "
     "alexander alexandra alexei alfred ali alice alison allen amanda amelia amy ana anastasia "
     "anders andrea andreas andrei andrew andy angela ann anna anne annie anthony antonio antony "
     "april arnold arthur astrid august augustus barack barbara beatrice ben benjamin bernard "
     "bernhard beth betty bill billy bob bobby boris brad bradley brandon brenda brian bridget "
     "bruce bruno bryan caleb cameron carl carla carlos carmen carol caroline catherine cecilia "
     "celia charles charlie charlotte chen chloe chris christian christina christine christopher "
     "claire clara claude claudia clive colin connor craig cynthia daisy dan daniel daniela danny "
     "david dawn dean deborah denis dennis derek diana diane diego dick dieter dmitri dominic "
     "donald donna dora doris dorothy douglas duncan dylan earl ed eddie edgar edith edmund eduard "
     "edward edwin eileen elaine eleanor elena eli elias elisa elizabeth ella ellen elsa emil "
     "emilia emily emma enrico eric erik erika ernest ernst esther ethan eugene eva eve evelyn "
     "felix ferdinand fernando fiona florence frances francesca francesco francis francisco frank "
     "franz fred freda frederick friedrich fritz gabriel gareth gary gavin geoffrey georg george "
     "georges gerald gerard gertrude gilbert gill giovanni giuseppe gordon grace graham greg "
     "gregory greta guido gustav hannah hans harold harriet harry harvey hassan heather hector "
     "heidi heinrich helen helena helga henri henrik henry herbert herman hermann hillary hilary "
     "holly horace howard hubert hugh hugo ian ida igor ignacio inga ingrid irene irina iris isaac "
     "isabel isabella ivan jack jackie jackson jacob jacqueline jacques jake james jamie jan jane "
     "janet jason jasper javier jay jean jeff jeffrey jennifer jenny jeremy jerry jesse jessica "
     "jesus jill jim jimmy joan joanna joe joel johan johann johanna john johnny jon jonathan "
     "jorge jose josef joseph josephine joshua joyce juan judith judy jules julia julian julie "
     "juliet julius june jurgen karen karin karl kate katharina katherine kathleen kathryn katie "
     "keith kelly ken kenneth kevin kim kirsten klaus kristina kurt kyle lars laura lauren "
     "laurence lawrence leah leo leon leonard leonardo leopold leslie lewis li liam lillian lily "
     "linda lisa liz logan lorenzo louis louisa louise luca lucas lucia lucy ludwig luigi luis "
     "luke lydia lynn maggie magnus malcolm manuel marc marcel marco marcus margaret maria "
     "marianne "
     "marie marilyn mario marion mark markus marlene martha martin mary mathilde matt matthew "
     "maurice max maximilian maya megan melanie melissa mia michael michel michelle miguel mikhail "
     "mildred miles millie mohamed mohammed molly monica morgan moritz moses muhammad muriel nadia "
     "nancy naomi natalia natalie natasha nathan neil nelson nicholas nick nicola nicole niels "
     "nigel nikolai nina noah noel nora norman oliver olivia oscar oskar otto owen pablo pamela "
     "pat patricia patrick paul paula pauline pedro peggy penelope percy peter petra phil philip "
     "philippa philippe phillip phoebe pierre piotr polly rachel rafael ralph ramon raymond "
     "rebecca "
     "reginald rene ricardo richard rita rob robert roberta roberto robin rodney roger roland "
     "roman romeo ron ronald rosa rosalind rose rosemary ross roy rudolf rupert russell ruth ryan "
     "sabine sally sam samantha samuel sandra sandy sara sarah scott sean sebastian serena sergei "
     "sergey sharon sheila shirley sibyl siegfried sigmund simon simone sofia solomon sonia sophia "
     "sophie stanley stefan stella stephanie stephen steve steven stuart sue susan susanna suzanne "
     "svetlana sven sylvia tamara tania tanya tatiana ted teresa terence terry thelma theodor "
     "theodore theresa thomas tim timothy tina tobias todd tom tommy tony tracy travis trevor "
     "ulrich ursula valentina valerie vanessa venus vera veronica victor victoria vincent viola "
     "violet virginia vivian vladimir wallace walter wanda warren wayne wendy werner wilbur "
     "wilfred wilhelm will willem william willy winifred winston wolfgang xavier yoko yuri yvonne "
     "zachary zoe orville jacob wilhelm auguste lumiere dwight"},
    {WordList::kTitles,
     "mr mrs ms miss dr prof professor president king queen prince princess sir lord lady judge "
     "captain colonel general senator governor pope saint minister chancellor mayor emperor "
     "empress duke count bishop archbishop cardinal rabbi sheikh sergeant lieutenant major admiral "
     "congressman congresswoman secretary ambassador coach director"},
    {WordList::kPluralTitles,
     "presidents kings queens princes senators governors messrs drs professors judges generals "
     "captains ministers popes saints emperors brothers sisters lords congressmen detectives "
     "officers agents inspectors"},
    {WordList::kAdjectives,
     "old young new big small large little great good bad long short high low rich poor black "
     "white red green blue yellow brown grey gray pink orange dark light early late hot cold warm "
     "cool dry wet hard soft heavy strong weak deep shallow wide narrow thick thin fast slow quick "
     "quiet loud clean dirty fresh sweet sour bitter modern ancient foreign domestic private male "
     "female human urban rural junior senior major minor main chief upper lower inner outer former "
     "current own other dead live open secret sacred secular raw ripe wild tame smart clever dumb "
     "happy sad angry calm brave proud safe dangerous free cheap expensive full empty flat round "
     "square straight sharp blunt bright dull simple complex common rare left right northern "
     "southern eastern western north south east west american european african asian german french "
     "english british spanish italian russian chinese japanese indian dutch greek roman latin "
     "turkish polish swedish danish norwegian finnish irish scottish welsh canadian australian "
     "mexican brazilian korean vietnamese israeli iraqi iranian arab jewish muslim islamic "
     "catholic "
     "protestant orthodox hindu buddhist medieval solar lunar polar civil military naval federal "
     "local elderly beautiful ugly nice fine true false first second third"},
    {WordList::kInstitutions,
     "ministry department bureau office institute university college committee commission agency "
     "center centre association society museum school faculty board academy council federation "
     "administration secretary minister journal foundation fund company corporation group services "
     "service division laboratory organization organisation union congress conference court bank "
     "trust church act museum library party program programme project authority command force "
     "forces railway railroad magazine press records studies sciences research"},
    {WordList::kOneThing,
     "rock+roll trial+error supply+demand research+development law+order bed+breakfast "
     "profit+loss mergers+acquisitions health+safety terms+conditions arts+crafts fish+chips "
     "trinidad+tobago bosnia+herzegovina antigua+barbuda kitts+nevis vincent+grenadines "
     "tomé+príncipe tome+principe tyne+wear simon+garfunkel johnson+johnson procter+gamble "
     "marks+spencer standard+poor smith+wesson romeo+juliet war+peace pride+prejudice "
     "crime+punishment sense+sensibility black+white tom+jerry bonnie+clyde barnes+noble "
     "ernst+young dungeons+dragons newfoundland+labrador wallis+futuna turks+caicos "
     "jammu+kashmir hall+oates black+decker abercrombie+fitch rodgers+hammerstein "
     "gilbert+sullivan laurel+hardy cut+paste copy+paste pros+cons ups+downs odds+ends "
     "rhythm+blues country+western salt+vinegar macaroni+cheese bread+butter gin+tonic "
     "hide+seek cause+effect wear+tear nuts+bolts checks+balances flora+fauna cloak+dagger "
     "hansel+gretel beauty+beast arsenic+lace samson+delilah adam+eve friends+family "
     "oil+gas day+night time+again peace+quiet food+drink life+death loss+damage "
     "merchant+ivory dolce+gabbana ben+jerry brown+root crosse+blackwell tate+lyle "
     "hewlett+packard watson+crick sturm+drang research+analysis search+rescue "
     "information+communication science+technology"},
    {WordList::kNameEndings,
     "inc ltd co corp llc plc jr sr ii iii iv phd md esq bart mp mep gmbh ag sa"},
    {WordList::kPartners,
     "mixture combination blend union alliance merger marriage meeting pair couple border war "
     "battle fight conflict difference differences relationship relations link connection sum "
     "total product duo trio team group series set collection collaboration partnership "
     "cooperation treaty agreement conversation dialogue debate comparison balance contrast "
     "confluence junction boundary fusion compound alloy amalgam synthesis match game rivalry "
     "friendship coalition consortium exchange mix range variety average ratio distance division "
     "separation unification consisting composed comprised comprising composition son daughter "
     "child"},
    {WordList::kTogether,
     "between among amongst together jointly mutually mutual collectively combined alike joint"},
    {WordList::kMutualVerbs,
     "meet meets met meeting marry marries married divorce divorced merge merges merged collide "
     "collides collided clash clashes clashed agree agrees agreed disagree disagreed cooperate "
     "cooperated collaborate collaborated compete competed quarrel quarrelled quarreled separated "
     "separate split differ differs differed unite united converge converged correspond "
     "corresponded coincide coincided alternate alternated intersect intersects overlap overlaps "
     "constitute constitutes constituted comprise comprises comprised siblings twins brothers "
     "sisters friends rivals partners enemies neighbours neighbors cousins lovers colleagues "
     "similar different identical equal engaged synonyms synonymous interchangeable related "
     "communicate"},
    {WordList::kJoiningVerbs,
     "combine combines combined combining mix mixes mixed mixing merge merges merged merging unite "
     "unites united uniting connect connects connected connecting link links linked linking join "
     "joins joined joining separate separates separated separating divide divides divided dividing "
     "distinguish distinguishes distinguished compare compares compared comparing reconcile "
     "reconciled confuse confuses confused exchange exchanged swap swapped balance balances "
     "balanced consist consists consisted consisting comprise comprises comprised comprising "
     "compose composed multiply multiplied alternate alternates alternated straddle straddles "
     "straddled bridge bridges bridged blend blends blended fuse fuses fused total totals sum "
     "differentiate"},
    {WordList::kNumberWords,
     "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
     "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
     "hundred thousand million billion trillion dozen half quarter"},
    {WordList::kLargeNumbers, "hundred thousand million billion trillion dozen"},
    {WordList::kMonths,
     "january february march april may june july august september october november december jan "
     "feb mar apr jun jul aug sep sept oct nov dec"},
    {WordList::kWeekdays,
     "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
     "thursdays fridays saturdays sundays"},
    {WordList::kSeasons, "spring summer autumn fall winter springtime summertime wintertime"},
    {WordList::kDayParts,
     "morning mornings afternoon afternoons evening evenings night nights noon midday midnight "
     "dawn dusk sunrise sunset daybreak nightfall lunchtime bedtime overnight"},
    {WordList::kTimeUnits,
     "second seconds minute minutes hour hours day days week weeks weekend weekends fortnight "
     "month months year years decade decades century centuries millennium millennia semester "
     "quarter season seasons term"},
    {WordList::kNow,
     "today yesterday tomorrow tonight nowadays recently currently formerly presently lately "
     "overnight annually daily weekly monthly yearly hourly nightly"},
    {WordList::kWhichTime,
     "last next past previous following coming preceding ensuing same first final recent early "
     "late second third fourth entire whole subsequent"},
    {WordList::kQuantities, "several few many numerous countless some couple dozens hundreds"},
    {WordList::kHolidays,
     "christmas easter thanksgiving ramadan halloween hanukkah passover diwali pentecost whitsun "
     "lent advent epiphany"},
    {WordList::kTimePrepositions,
     "in on at by since until till from for during within over through throughout before after "
     "around about circa between past pre post toward towards under of to"},
    {WordList::kAges,
     "antiquity childhood adolescence infancy adulthood wartime peacetime renaissance prehistory "
     "youth"},
    {WordList::kPlacePrepositions,
     "in at near across around outside inside throughout along above below beneath behind beside "
     "within on off from to into through toward towards over under onto via beyond opposite"},
    {WordList::kHere,
     "here abroad overseas nearby elsewhere upstairs downstairs worldwide offshore onshore "
     "nationwide indoors outdoors everywhere downtown ashore"},
    {WordList::kPlaceNouns,
     "city cities town towns village villages country countries region regions area areas district "
     "districts province provinces county counties house houses room rooms building buildings park "
     "parks forest forests desert deserts sea seas ocean oceans river rivers valley valleys "
     "mountain mountains hill hills capital suburb suburbs neighborhood neighborhoods "
     "neighbourhood neighbourhoods street streets garden gardens kitchen hospital hospitals prison "
     "prisons jail church churches school schools museum museums hotel hotels restaurant "
     "restaurants office offices factory factories world island islands lake lakes cave caves "
     "castle castles tower harbour harbor port ports camp camps bay basin zone zones territory "
     "territories colony colonies empire kingdom republic continent hemisphere airport airports "
     "station stations university universities college colleges palace temple temples monastery "
     "cathedral mosque synagogue coast coasts beach beaches shore shores banks border borders "
     "bridge road roads highway avenue square theatre theater cinema stadium arena library "
     "libraries laboratory cemetery graveyard farm farms ranch fields meadow mine mines ghetto "
     "slum slums campus base plant warehouse shop shops store stores market markets mall apartment "
     "flat cottage mansion bedroom bathroom cellar attic basement garage yard courtyard lobby "
     "canyon gorge cliff cliffs peninsula archipelago delta estuary marsh swamp jungle savannah "
     "plain plains plateau peak summit volcano glacier reef planet moon earth place site sites "
     "spot location municipality parish borough settlement settlements outskirts vicinity "
     "homeland birthplace hometown embassy courthouse café cafe pub bar tavern inn club gym "
     "studio tunnel canal lagoon creek stream pond waterfall quarry woods grove orchard vineyard "
     "gulf strait cape state states nation nations premises headquarters metropolis countryside "
     "wilderness tomb tombs shrine abbey convent villa zoo classroom playground backyard downtown "
     "terrace roof floor ground"},
    {WordList::kBarePlaces,
     "home school university college church prison jail sea court hospital town work campus land "
     "space heaven hell earth downtown bed"},
    {WordList::kNamedPlaces,
     "afghanistan africa alabama alaska albania algeria america amsterdam andorra angola ankara "
     "antarctica arabia argentina arizona arkansas armenia asia athens atlanta auckland australia "
     "austria azerbaijan babylon baghdad bahrain bali baltimore bangkok bangladesh barcelona basel "
     "bavaria beijing beirut belarus belfast belgium belgrade belize benin berlin bern bhutan "
     "birmingham bolivia bologna bombay bonn bosnia boston botswana brazil bristol britain "
     "brisbane brittany brooklyn brussels bucharest budapest bulgaria burma burundi cairo calcutta "
     "california cambodia cambridge cameroon canada canberra carthage chad chechnya chicago chile "
     "china cleveland cologne colombia colorado congo connecticut constantinople copenhagen "
     "cornwall corsica crete crimea croatia cuba cyprus dallas damascus darfur delaware delhi "
     "denmark denver detroit dresden dubai dublin ecuador edinburgh egypt england eritrea estonia "
     "ethiopia europe fallujah fiji finland florence florida france frankfurt gabon gambia gaza "
     "geneva georgia germany ghana gibraltar glasgow greece greenland guam guatemala guinea guyana "
     "hague haiti hamburg hanoi harlem havana hawaii helsinki herzegovina hiroshima holland "
     "hollywood honduras houston hungary iceland idaho illinois india indiana indonesia iowa iran "
     "iraq ireland islamabad israel istanbul italy jakarta jamaica japan java jerusalem "
     "johannesburg jordan kabul kansas karachi kashmir kazakhstan kent kentucky kenya kiev korea "
     "kosovo kraków krakow kuwait kyiv kyoto laos latvia lebanon leeds leipzig lesotho liberia "
     "libya liechtenstein lisbon lithuania liverpool london louisiana luxembourg lyon macedonia "
     "madagascar madrid maine malawi malaysia mali malta manchester manhattan manila marseille "
     "maryland massachusetts mauritania mauritius mecca medina melbourne memphis mexico miami "
     "michigan milan minnesota mississippi missouri moldova monaco mongolia montana montenegro "
     "montreal morocco moscow mosul mozambique mumbai munich myanmar nagasaki namibia naples "
     "nazareth "
     "nebraska nepal netherlands nevada nicaragua niger nigeria normandy norway nuremberg oakland "
     "ohio oklahoma oman ontario oregon orlando oslo ottawa oxford pakistan palestine panama "
     "paraguay paris pennsylvania persia perth peru petersburg philadelphia philippines phoenix "
     "pittsburgh poland portland portugal prague pretoria provence prussia qatar quebec "
     "reykjavik riga rio romania rome russia rwanda salzburg samoa santiago sarajevo saudi saxony "
     "scandinavia scotland seattle senegal seoul serbia seville shanghai siberia sicily singapore "
     "slovakia slovenia sofia somalia spain stockholm sudan suriname swaziland sweden switzerland "
     "sydney syria taipei taiwan tajikistan tanzania tasmania tehran tennessee texas thailand "
     "tibet "
     "togo tokyo toronto transylvania troy tunisia turin turkey turkmenistan tuscany uganda "
     "ukraine "
     "uk ulster uruguay us usa uae ussr utah uzbekistan vancouver vatican venezuela venice vermont "
     "versailles vienna vietnam virginia wales warsaw washington westminster wisconsin wyoming "
     "yemen yorkshire yugoslavia zagreb zambia zealand zimbabwe zurich zürich nyc eu earth mars"},
    {WordList::kStates,
     "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia "
     "hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts "
     "michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon "
     "pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming ontario "
     "quebec alberta calif fla mass conn tenn ill ga dc ny nj ca tx pa"},
    {WordList::kCountries,
     "england france germany italy spain scotland ireland wales canada australia india china japan "
     "usa uk austria switzerland poland russia ukraine israel egypt iraq turkey mexico brazil "
     "argentina greece sweden norway denmark finland netherlands belgium"},
    {WordList::kDirections,
     "north south east west northeast northwest southeast southwest north-east north-west "
     "south-east south-west northern southern eastern western central"},
    {WordList::kPlaceParts,
     "north south east west northeast northwest southeast southwest coast outskirts centre center "
     "heart edge edges shores shore banks bank border borders foot top bottom slopes summit mouth "
     "vicinity interior suburbs middle northwestern corner corners waters site"},
    {WordList::kPeoples,
     "english german french spanish italian russian chinese japanese dutch greek latin arabic "
     "hebrew turkish polish portuguese swedish danish norwegian finnish american british european "
     "african asian indian canadian australian mexican israeli iraqi iranian palestinian korean "
     "vietnamese irish scottish welsh jewish christian muslim islamic catholic protestant hindu "
     "buddhist persian sanskrit hindi urdu yiddish czech hungarian romanian bulgarian croatian "
     "serbian ukrainian swahili esperanto egyptian syrian saudi"},
    {WordList::kNoPlaces,
     "congress parliament senate god islam christianity judaism buddhism hinduism internet web "
     "microsoft google java python word excel windows linux unix html xml bible koran quran torah "
     "genesis exodus facebook twitter youtube wikipedia i english math mathematics physics "
     "chemistry biology history court cabinet government administration committee commission "
     "council league cup championship championships tournament olympics war act treaty agreement "
     "convention constitution section chapter article figure table appendix volume book series "
     "episode part times post journal magazine newspaper news party union association system "
     "theory syndrome disease award prize jesus christ allah nazi marxism socialism communism "
     "capitalism inc corp ltd bible gospel psalm quicktime division bowl world"},
    {WordList::kMotion,
     "go goes going went gone move moves moving moved travel travels travelling traveling "
     "travelled traveled fly flies flying flew flown return returns returning returned come comes "
     "coming came emigrate emigrated emigrates immigrate immigrated migrate migrated migrates "
     "march marched marching drive drives drove driven driving walk walked walking walks sail "
     "sailed sails sailing bring brings brought bringing send sends sent sending flee flees fled "
     "fleeing head heads headed heading run runs ran running take takes took taken taking arrive "
     "arrives arrived arriving relocate relocated transfer transferred deport deported deporting "
     "exile exiled ship shipped ships carry carried carries journey journeyed hurry hurried ride "
     "rode ridden rides trip trips flight flights drove escape escaped retreat retreated advance "
     "advanced lead leads led leading stretch stretches stretched extend extends extended spread "
     "flow flows flowed empty empties emptied drain drains drained back way road visit visits "
     "import imported imports export exported exports "
     "withdraw withdrew withdrawn spreads evacuated evacuate leave leaves left flown hail hails "
     "hailed originate originated originates miles kilometers kilometres km mi invade "
     "enter entered crossed cross crossing crosses dispatched"},
};

class Table {
 public:
  Table() {
    for (const List& list : kLists) {
      for (std::string_view rest = list.words; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        lists_[word] |= bit(list.list);
      }
    }
  }

  WordLists operator[](std::string_view word) const {
    const auto found = lists_.find(word);
    return found == lists_.end() ? 0 : found->second;
  }

 private:
  static WordLists bit(WordList list) { return 1ull << static_cast<unsigned>(list); }

  std::unordered_map<std::string_view, WordLists> lists_;  // views of the lists above
};

}  // namespace

WordLists lists_of(std::string_view word) {
  static const Table table;
  return table[word];
}

}  // namespace diffie::reshape
