"""Filler words, nouns for documents, number words, and common verbs."""

from backend.language.number_words import CARDINALS

FREE = frozenset(
    """
    a about actual actually after afterwards again all allowed along already also although am
    amid among amongst an annum answer any anybody anyone anything are at back based be because
    been behind being believe belong belonging belongs better both brief called came can care
    case catalog catalogue
    collection column columns come comes coming complete concerned corpus could
    currently d
    data database dataset definitely detail details did directly display do does doing done down
    during each either entire even ever every everybody everyone everything exactly feel fetch
    field fields finally find fine first following for full get give go goes going guess had
    happen happened happening has have having he held hello her here hey hi him his hmm hope how
    however i if in individual info information interested into is it its itself kind kindly
    know less let lets like list listed located look looking made make makes many matter matters
    may maybe me meant might mine more much my name named need next nice occur occurred
    occurring of off oh ok okay on one ones onto operated our ours out own particular
    particularly per perhaps person place placed places plan please possible prefer previously
    properties property put query question quite rather raw really registered relevant
    respectively result resulted retrieve return s same see set shall she should show simply
    since plain node nodes situated so some somebody someone something sort specific specifically
    step still stuff such suppose sure take taken takes taking tell thank thanks that the their them
    then there these they thing things think this those though thought throughout took toward
    towards type types uh um under underlying up upon us used using value values very via view want
    wanted was way we welcome well went were when where whether while who whole whom whose why
    will wish with within would yet you your occurs happens appears exists consider considers
    considered considering compute computed calculate calculated determine themselves itself enough
    suffice suffices sufficient everywhere anywhere say anyway wait oops correct
    """.split()  # noqa: SIM905
)
"""Words without a meaning of their own, wherever they appear."""

FREE_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "so far", "right now", "by now", "at the moment", "at present", "for now",
        "at all", "in all", "all in all", "these days", "of course", "you know", "kind of",
        "sort of", "a bit", "a little", "to be exact", "to be precise", "if any",
        "if there are any", "and so on", "or so", "or something", "as a whole", "by any chance",
        "just wondering", "to be clear", "to be fair",
        "i am after", "i after", "am after", "in question", "on record",
        "on file", "in our records", "in the data", "up to now", "until now", "till now",
        "as of now", "as yet", "in advance", "thanks in advance", "many thanks in advance",
        "led to", "leads to", "lead to", "leading to", "resulted in",
        "pull up", "bring up", "dig up", "dig out", "call up", "a bunch of",
        "a lot of", "lots of", "take part in", "took part in",
        "taken part in", "taking part in", "looked after", "looks after", "looking after",
        "taken care of", "takes care of", "cared for", "nothing else", "and nothing else",
        "nothing more", "and nothing more", "end up", "ends up", "ended up", "end up with",
        "ends up with", "ended up with", "turned out to be", "turn up", "turns up", "turned up",
        "come in", "comes in", "came in", "show up", "shows up", "showed up",
    )
)  # fmt: skip
"""Phrases of several words without a meaning of their own."""

DOCUMENT_NOUNS = frozenset(
    """
    article articles case cases doc docs document documents entries entry example examples file
    files filing filings hit hits instance instances item items match matches occurrence
    occurrences one ones page pages paper papers record records report reports result results
    piece pieces row rows text texts
    """.split()  # noqa: SIM905
)


NUMBER_WORDS = CARDINALS | {
    "hundred": 100, "thousand": 1000, "dozen": 12, "single": 1, "twin": 2, "dual": 2,
}  # fmt: skip


LIGHT_VERBS = frozenset(
    """
    appear appeared appears came carried carries carry come comes coming did do done fall fallen
    falls fell found gave get gets getting give given gives go goes going gone got held hold holding
    holds keep keeping keeps kept lie lies made make makes need needed needing needs remain remained
    remains require required requires run running runs saw see seen showed showing shown shows stand
    standing stands stay stayed stays stood take taken takes took use used uses using want wanted
    wants went """.split()  # noqa: SIM905
)
"""Verbs that add nothing to the value or property beside them."""

_VERBS = """
accept account apply arrange arrive assign attend award belong book borrow bring build buy call
carry cause charge collect commission contribute depend
develop differ evolve experience fluctuate generate result suffer vary
attract compose conduct cook create deliver demand depart end design develop display donate
drive earn employ engage enter exhibit feature fetch file fly gather grow handle harvest hire host
import inspect install issue join label land launch lead leave lend list live load log manage
manufacture mark measure meet move note obtain offer open operate order own pack park pay perform
pick plan plant play post prepare present print produce publish purchase put raise reach read
receive record register release rely rent reserve sail sell send serve ship sign spend stage start
store study submit supply tag teach test transfer transport travel treat try undergo visit watch
weigh work write
"""
_IRREGULAR_VERBS = """
bought brought built drove driven flew flown grew grown led left lent met paid ran sang sent sold
spent taught underwent undergone wrote written
"""


def _forms(verb: str) -> set[str]:
    base = verb.removesuffix("e")
    doubled = verb + verb[-1]
    y = verb[:-1] + "i" if verb.endswith("y") else verb
    return {verb, verb + "s", y + "es", base + "ed", y + "ed", base + "ing", doubled + "ed",
            doubled + "ing"}  # fmt: skip


CARRIERS = (
    LIGHT_VERBS
    | frozenset(_IRREGULAR_VERBS.split())
    | frozenset(form for verb in _VERBS.split() for form in _forms(verb))
)
"""Verbs that can apply to documents of any kind."""

PAST_FORMS = frozenset(
    """
    hurt hit lost won caught held laid led met sat struck took taken begun broken brought built
    chosen come drawn driven eaten fallen fed felt fought found flown forgotten given gone grown
    heard hidden known lent meant ridden risen run seen shown spoken taught thrown told worn
    """.split()  # noqa: SIM905
)
"""Past forms of common verbs that do not end in `ed`."""

PARTICIPLES = PAST_FORMS | frozenset(
    """
    written sent paid done made sold spent put set cut read left kept bought delivered
    """.split()  # noqa: SIM905
)
"""The same with those that can also be facts about documents, as `paid`."""

PARTICLES = frozenset({"out", "up", "off", "away", "down", "back", "over", "in"})


def is_past(word: str) -> bool:
    """Whether a word is a past form of a verb: `broken`, `replaced`."""
    return word in PAST_FORMS or (len(word) > 4 and word.endswith("ed"))


def bases_of_past(word: str) -> tuple[str, ...]:
    """What a regular past may be formed of: `pass` and `passe` for `passed`."""
    return (word[:-2], word[:-1]) if len(word) > 4 and word.endswith("ed") else ()
