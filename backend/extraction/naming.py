"""Classifies the words of a name: nouns for bodies, posts, titles, everyday words.

"Bethesda Methodist Church" is a body and "Head of Collections" a post by their nouns; a name
without any everyday word is almost always a person's or a firm's. General vocabulary, independent
of kinds of documents.
"""

import re
from functools import cache, lru_cache

from backend.inference.providers import embedder_for

_BODIES = """
academy administration agency airline airlines airways ambulance aquarium archive archives army
arena associates association authority automotive autohaus bakery bank banca banco banque bar barn
barracks basilica bishopric board borough brewery brigade broker brokers brothers builders bureau
bus cafe camp capital care carriers cars castle caterers cathedral cemetery center centre chamber
chambers chapel charity chemicals chemist church cinema city clinic club coaches collective college
commission committee communications community company conference congregation conservatory
consortium constabulary construction consultancy consultants consulting contractors convent
cooperative co-operative corps council county court courier couriers crematorium crew cruises
dairy dealers dental department depot design diocese directorate distillery distribution district
division electric electrical electronics embassy energy engineering engineers enterprise
enterprises establishment estate estates executive exchange express fabrication facility factory
faculty family farm farms federation ferries films finance financial fisheries fleet foods
forwarding foundation foundry freight friends fund funeral furniture gallery garage gardens
gas government group guild gym hall haulage health hire hospice hospital hostel hotel hotels house
imports inc industries infirmary initiative inn inspectorate institute institution insurance
insurers interiors international investments jewellers kindergarten kitchen klinik klinikum
laboratories laboratory labs landscapes laundry law leasing legion library lines lodge logistics
ltd management manor manufacturing marina marine market markets media memorial mills mine mines
ministry mission monastery mosque motel motors movers museum navy network networks newspaper
nursery nurseries office offices oil opera orchestra order orphanage outfitters packaging palace
parish park parks parliament partners partnership pension petroleum pharma pharmaceuticals
pharmacy philharmonic plant plastics plumbing police polytechnic port post power practice presbytery
press printers prison productions products project properties property publications publishers
publishing quarry racing radio rail railway railways ranch recording records recruitment refinery
regiment registry rentals repairs research resort restaurant retail robotics roofing rugby saloon
salon sanctuary savings school schools seafoods secretariat security seminary service services
shelter shipping shipyard shop society software solar solicitors solutions spa stables stadium
staffing station steel stiftung store stores studio studios supermarket supplies supply surgery
surveyors symphony synagogue syndicate systems taxi team technologies technology telecom
telecommunications temple terminal textiles theater theatre tours trade traders trading trails
transit transport travel treasury tribunal trust trustees union universität university université
utilities ventures verein veterinary vets village vineyard vineyards warehouse water wines winery
winters works workshop workshops yard youth zoo sons daughters
""".split()  # noqa: SIM905
_POSTS = """
accountant administrator adviser advisor agent ambassador analyst architect assistant associate
attorney auditor barrister buyer cashier chair chairman chairperson chairwoman chancellor chaplain
chief clerk coach commander commissioner comptroller conductor consultant controller coordinator
co-ordinator councillor counsel counsellor curator dean delegate deputy designer developer director
dispatcher driver editor electrician engineer examiner executive foreman forester governor
graduate handler head headmaster headmistress
headteacher hostess inspector instructor intern
investigator judge justice keeper lawyer lead leader lecturer librarian lieutenant magistrate
manager marshal mayor mechanic member minister notary nurse officer operator organiser organizer
owner partner pathologist pharmacist photographer physician pilot planner president principal
producer professor programmer receptionist recorder rector registrar representative
researcher reviewer scientist secretary sergeant solicitor specialist steward strategist
superintendent supervisor surgeon surveyor teacher technician technologist therapist trainee trainer
translator treasurer trustee tutor undersecretary veterinarian vice-president waiter waitress warden
writer
""".split()  # noqa: SIM905
_LEADING = re.compile(
    r"^(?:(?:Senior|Junior|Deputy|Acting|Interim|Assistant|Associate|Joint|Group|Regional|General)"
    r"\s)*(?:Head of|Director of|Director for|Director,|Vice[- ]President|Chief \w+|Member of"
    r"|Manager of|Manager,|Professor of|Minister of|Minister for|Secretary of|Secretary for"
    r"|Chair of|President of|Officer in)\b",
    re.IGNORECASE,
)
_TITLES = """
mr mrs ms miss mx dr prof professor sir dame lord lady rev revd reverend fr father sister brother
hon honourable honorable judge justice sheriff magistrate recorder capt captain cpt col colonel lt
lieutenant sgt sergeant maj major gen general cpl corporal herr frau hr mme mlle madame monsieur
señor señora senhor senhora sr sra don doña dott dottor dottoressa sig signor signora ing dipl mag
univ priv rabbi smt shri sri dhr mevr mevrouw meneer pan pani imam pastor canon dean bishop
archbishop venerable constable pc inspector insp nurse councillor cllr president senator deputy
district employment deputy tribunal associate chief mr/mrs
""".split()  # noqa: SIM905
BODIES = frozenset(_BODIES)
POSTS = frozenset(_POSTS)
TITLES = frozenset(_TITLES)
_TITLE_BEFORE = re.compile(r"(?<![\w.])(?P<word>[^\W\d_]+)\.?\s$")
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_EDGE = ".,;:()[]\"“”‘’'*|#–—_/!?"
_LINKS = frozenset("of the de von van der den la le du di da del for et y und and in at".split())  # noqa: SIM905
_MOST_NAMES = 4


@lru_cache(maxsize=50_000)
def made_of(text: str) -> tuple[float, float, float, float, float]:
    """The share of everyday words, whether the last word is one, and whether a text names a body,
    names a post and begins with a title; each 0 to 1.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    content = [word for word in words if word not in _LINKS and len(word) > 1]
    if not content:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    common = [word.strip(_EDGE) in _everyday() for word in content]
    return (
        sum(common) / len(common),
        float(common[-1]),
        float(names_body(text)),
        float(names_post(text)),
        float(titled(text)),
    )


def names_body(text: str, besides: frozenset[str] = frozenset()) -> bool:
    """Whether one of the words other than `besides` is a noun for a body, such as a school or a
    bank.
    """
    words = {word.lower() for word in _WORD.findall(text)}
    return not words.isdisjoint(BODIES - besides if besides else BODIES)


@lru_cache(maxsize=20_000)
def names_post(text: str) -> bool:
    """Whether a text names a position and not a person: "Chief Financial Officer"."""
    words = [word.lower() for word in _WORD.findall(text)]
    if not words:
        return False
    if _LEADING.match(text):
        return True
    return words[-1] in POSTS and all(word in _everyday() or word in POSTS for word in words)


def titled(text: str) -> bool:
    """Whether a name begins with a title: "Dr. Holm", "District Judge Holm"."""
    words = _WORD.findall(text)
    return len(words) > 1 and words[0].lower() in TITLES and not common(words[-1])


def title_before(text: str, start: int) -> int:
    """Where the titles right before a name begin; `start` if there are none."""
    while (match := _TITLE_BEFORE.search(text, 0, start)) is not None:
        if match["word"].lower() not in TITLES or not match["word"][0].isupper():
            break
        start = match.start("word")
    return start


def common(word: str) -> bool:
    """Whether a word is frequent in all kinds of text, as names hardly ever are."""
    return word.lower().strip(_EDGE) in _everyday()


def bare_ends(words: list[str]) -> tuple[int, int]:
    """The start and end of the longest run of two to four rare words among everyday ones, as in
    "Follows Dilys Perrott who"; (0, 0) if there is none.
    """
    best = (0, 0)
    start = 0
    for at in range(len(words) + 1):
        if at < len(words) and _namely(words[at]):
            continue
        if 2 <= at - start <= _MOST_NAMES and at - start > best[1] - best[0]:
            best = (start, at)
        start = at + 1
    return best if best != (0, len(words)) else (0, 0)


def _namely(word: str) -> bool:
    """Whether a word could be part of a person's name."""
    bare = word.strip(_EDGE)
    if not bare or not bare[0].isupper() or any(map(str.isdigit, bare)):
        return False
    return len(bare) == 1 or (not common(bare) and bare.lower() not in TITLES)


@cache
def _everyday() -> frozenset[str]:
    """Some 11,000 English words frequent enough to be a single token."""
    embedder = embedder_for("static")
    return getattr(embedder, "everyday", frozenset())
