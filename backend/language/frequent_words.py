"""Common English words, which are never treated as typos of another word."""

from functools import lru_cache

from backend.language.words import FUNCTION_WORDS

_COMMON = """
able above absence accept access accident account accurate achieve act action active actual add
address adult advance advice affect afford afraid age agency agent agree aid aim air airline alarm
alcohol alike alive allow alone amount anger angle angry animal annual another answer anxious
anybody anyone apart appeal appear apple apply appoint approach approve area argue arise arm army
arrange arrive arrow art article ask asleep aspect assess asset assist assume attach attack attempt
attend attract audience aunt author autumn avenue average avoid awake award aware away baby back
bacon bad badge bag bake balance ball band bank bar bare barn barrel base basic basin basket bath
battery battle beach bean bear beard beast beat beauty bed bee beef beer begin behave behind belief
bell belong belt bench bend benefit best bet better beyond bicycle big bike bill bind bird birth bit
bite bitter black blade blame blanket bleed blend bless blind block blood bloom blow blue board boat
body boil bold bomb bond bone bonus book boot border bore born borrow boss bottle bottom bounce bowl
box boy brain branch brand brass brave bread break breakfast breast breath breathe breed brick bride
bridge brief bright bring broad broken brother brown brush budget bug build bulk bull burn burst
bury bus bush business busy butter button buy cabin cabinet cable cake calculate calf call calm
camera camp can cancel cancer candle cap capable capital captain capture car card care career
careful cargo carpet carry cart case cash cast castle cat catch cattle cause cease ceiling cell cent
center central century chain chair chalk challenge chamber champion chance change channel chapter
charge charm chart chase cheap check cheek cheese chef chemical chest chicken chief child chilly
chin choice choose church circle citizen city civil claim class classic clause clay clean clear
clerk clever client cliff climate climb clinic clock close cloth cloud club coach coal coast coat
code coffee coin cold collar colleague collect college colony color colour column comb combine come
comfort command comment commercial commit common company compare compete complain complete complex
concern concert conclude concrete conduct confirm conflict connect consider consist constant
construct consult consume contact contain content contest continue contract control convert cook
cool cope copper copy core corn corner correct cost cotton cough council count country county couple
courage course court cousin cover cow crack craft crash crazy cream create creature credit creek
crew crime crisp critic crop cross crowd crown cruel crush cry cup cure curious current curse
curtain curve custom customer cut cycle daily dairy damage damp dance danger dare dark data date
daughter dawn day dead deaf deal dear death debate debt decade decay decide deck declare decline
deep deer defeat defect defend define degree delay deliver demand dense dental deny depart depend
deposit depth describe desert deserve design desire desk destroy detail detect develop device devote
diet differ difficult dig dinner dip direct dirt dirty disappear discover discuss disease dish disk
display distance district divide doctor dog dollar domestic door double doubt down dozen draft drag
drain drama draw dream dress drift drill drink drive drop drown drug drum dry duck due dull dust
duty dwell eager ear early earn earth ease east easy eat economy edge edit educate effect effort egg
elbow elder elect electric element elevator else elsewhere embark emerge emotion employ empty enable
end enemy energy engage engine enjoy enough enter entire entrance entry equal equip error escape
essay estate estimate evening event everybody everyone evil exact exam excess exchange excite excuse
exercise exhibit exist exit expand expect expense expert explain explode explore export expose
express extend extra extreme eye face fact factor factory fade fail faint fair faith fall false fame
family famous fan far fare farm farmer fashion fast fasten fat fate father fault favor fear feast
feather feature fee feed feel fellow female fence fetch fever fiber fiction field fierce fight
figure file fill film final find fine finger finish fire firm fish fit fix flag flame flat flavor
fleet flesh flight float flock flood floor flour flow flower fluid fly fog fold folk follow food
fool foot force forest forget forgive fork form formal former fort fortune forward found frame free
freeze fresh friend front frost frozen fruit fuel full fun fund funny fur future gain game gap
garage garden garlic gas gate gather gauge general gentle get ghost giant gift girl give glad glance
glass global globe glory glove glue goal goat god gold golf good goods grab grade grain grand grant
grape grass grave gray great green greet grey grief grip groom ground group grow guard guess guest
guide guilty gun guy habit hair half hall hammer hand handle hang happen happy harbor hard harm
harvest hat hate have hay head heal health hear heart heat heavy height hello help hen herb herd
hide high hill hint hire history hit hobby hold hole holiday hollow holy home honest honey honor
hook hope horn horse hospital host hot hotel hour house huge human humid humidity humor hungry hunt
hurry hurt husband ice idea ideal ill image imagine impact import improve inch include income
increase index industry infant infect inform injure inner inspect install instance insult insure
intend intense interest introduce invent invest invite involve iron island issue item jacket jail
job join joint joke journey joy judge juice jump junior jury keen keep keeper key kick kid kill kind
king kiss kitchen knee knife knock knot know label labor lack ladder lady lake lamb lamp land
landing lane language large last late laugh launch law lawn lay layer lazy lead leader leaf leak
lean learn lease leather leave lecture left leg legal lemon lend length lesson let letter level
library license lid lie life lift light like limit line link lion lip liquid list listen liter
literature little live liver load loan local locate lock log lonely long look loose lord lose lot
loud love low loyal luck lumber lump lunch lung luxury machine magic mail main major make male man
manage manner map march margin mark market marry mass master match mate material matter maximum meal
mean measure meat media medical medium meet melt member memory mental menu merchant mercy merge
metal meter method midday middle midnight mild mile military milk mill mind mine mineral minor
minute mirror miss mistake mix mode model modern modest moment money month mood moon moral morning
mother motion motor mount mountain mouse mouth move movie mud muscle museum music nail name narrow
nation native nature navy near neat neck need needle neighbor nerve nest net neutral new news night
noble noise noon north nose note notice novel nurse nut oak oat obey object observe obtain ocean odd
offer office officer oil old olive onion open operate opinion oppose orange orchard order organ
origin other otherwise oven over owe own owner oxygen pace pack package page pain paint pair palace
pale palm pan panel panic paper parcel parent park part partner party pass passage passenger past
path patient pattern pause pay peace peak pear pen pencil people pepper percent perfect perform
period permit person pet phase phone photo phrase physical piano pick picnic picture pie piece pig
pile pilot pin pine pink pipe pitch place plain plan plane planet plant plastic plate play player
please pleasure plenty plot plough plug plus pocket poem poet point poison pole police policy polish
polite pond pool poor popular population port portion position positive possess post pot potato
pound pour powder power practice praise pray prefer prepare present preserve press pretend pretty
prevent price pride priest prime prince print prior prison private prize problem process produce
product profit program project promise proof proper property protect proud prove provide public pull
pump punch punish pupil pure purple purpose purse push put puzzle quality quantity quarrel quarter
queen quick quiet quilt quit quote rabbit race radio rail rain raise ranch range rank rapid rare
rate rather raw ray reach react read ready real reason receive recent recipe reckon recognize record
recover red reduce refer refuse regard region regret regular reject relate relative relax release
relief rely remain remark remedy remind remote rent repair repeat replace reply report request
require rescue research reserve resign resist resort respect rest restore result retail retire
return reveal reverse review reward rice rich ride rifle right ring ripe rise risk rival river road
roast rob robin rock rod role roll roof room root rope rose rough round route row royal rub rubber
rude ruin rule run rural rush rust sad saddle safe sail salad salary sale salt same sample sand save
saw say scale scare scatter scene school science score scrape scratch scream screen screw sea seal
search season seat second secret secure see seed seek seem select sell send senior sense separate
series serious servant serve set settle severe sew shade shadow shake shallow shame shape share
sharp shave shed sheep sheet shelf shell shelter shield shift shine ship shirt shock shoe shoot shop
shore short shoulder shout show shower shrink shut shy sick side sight sign signal silent silk
silver simple sing single sink sister sit site size skill skin skirt sky slave sleep slice slide
slight slip slope slow small smart smash smell smile smoke smooth snake snow soap social sock soft
soil soldier solid solve song sore sort soul sound soup sour source south space spare speak special
species speech speed spell spend spice spill spin spirit spite split spoil spoon sport spot spray
spread spring square squeeze stable staff stage stain stair stake stamp stand standard staple star
stare start state statement station status stay steady steak steal steam steel steep steer stem step
stick stiff still sting stir stock stomach stone stool stop store storm story stove straight strain
strange straw stream street strength stress stretch strict strike string strip stroke strong
structure student study stuff stupid style subject submit substance succeed sudden suffer sugar
suggest suit summer sun supper supply support suppose sure surface surprise surround survey survive
suspect swallow swear sweat sweep sweet swell swim swing switch sword symptom system table tail take
tale talent talk tall tame tank tap tape target task taste tax tea teach team tear technical teeth
tell temper temple tempt tend tender tennis tense tent term terrible test text thank thick thief
thin thing think thirst thought thread threat throat throw thumb thunder ticket tide tidy tie tiger
tight tile timber time tin tiny tip tire tired title toe together toilet tomato tomorrow tone tongue
tonight tool tooth top topic total touch tough tour towel tower town toy track trade traffic train
transfer transport trap travel tray treasure treat tree tremble trial tribe trick trip troop trouble
truck true trunk trust truth try tube tune tunnel turn twice twin twist type ugly uncle under union
unique unit unite universe upper upset urban urge urgent use usual vacation valid valley value van
vanish variety various vast vegetable vehicle version vessel vest victim victory video view village
violent violin visit visitor voice volume vote voyage wage wagon waist wait wake walk wall wander
want war warm warn wash waste watch water wave wax weak wealth weapon wear weather weave web wedding
week weigh weight welcome well west wet whale wheat wheel wheelbase whip whisper white wide width
wife wild win wind window wine wing winner winter wipe wire wise wish witness wolf woman wonder wood
wool word work worker world worm worry worse worth wound wrap wreck wrist write wrong yard year
yellow yesterday yield young youth zone
"""


def _doubles(word: str) -> bool:
    """Whether the last letter doubles before an ending: `bigest` is not an English word."""
    a, b, c = (letter in "aeiou" for letter in word[-3:])
    return len(word) == 3 and not a and b and not c and word[-1] not in "wxy"


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    return frozenset(_COMMON.split()) | FUNCTION_WORDS


_ENDINGS = (
    "s", "es", "ed", "d", "ing", "er", "ers", "est", "ly", "y", "ness", "less", "ful", "al",
    "ion", "ment", "or", "able",
)  # fmt: skip
_DOUBLING = frozenset({"ed", "ing", "er", "ers", "est"})
_Y_ENDINGS = ("ies", "ied", "ier", "iest", "ily", "iness")


def is_english(word: str) -> bool:
    """Whether a word, or the word it derives from, is a common English word."""
    common = _words()
    low = word.lower()
    if low in common:
        return True
    for ending in _ENDINGS:
        rest = low.removesuffix(ending)
        if rest != low and len(rest) >= 3 and not (ending in _DOUBLING and _doubles(rest)):
            single = rest[:-1] if rest[-1] == rest[-2] and len(rest) > 3 else rest
            whole = {rest} if ending == "d" else {rest, rest + "e", single}
            if whole & common and (ending != "d" or rest.endswith("e")):
                return True
    return any(low.endswith(e) and low.removesuffix(e) + "y" in common for e in _Y_ENDINGS)
