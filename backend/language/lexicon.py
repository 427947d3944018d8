"""The words that steer a request, each with a one-letter tag and a payload.

Tags (small letters steer, capital letters have a payload that a step needs):

    o only, keep          x exclude              r remove a step or value    n not, without
    w also, include       i instead              I instead of                c change, use
    g group verb          e for each, per        s sort verb                 l limit verb
    y by                  z to (end of a range)  t than                      b between
    m missing             h present              f filter (noun)             v distinct
    a sign of a number    u summary              q way of searching          R about, mentioning
    k other step (noun)   J reverse              Y span of time (year)       E document noun
    C comparison          p "or more"            A aggregate                 # count
    d direction           X superlative          T first, top, last          O ordinal
    % share               = difference           j yes / no                  W which, what
    ! out of scope        G compare              & and, but                  | or
    S a multiple of the current amount

Everything here is general English; nothing is specific to one kind of document.
"""

from functools import lru_cache
from typing import Any

from backend.language.words import stem

# (tag, payload, phrases separated by |). Longer phrases win over shorter ones.
ENTRIES: tuple[tuple[str, Any, str], ...] = (
    ("&", None, "and"),
    ("&", "but", "but"),
    ("|", None, "or|nor"),
    (
        "o",
        None,
        "only|just|solely|exclusively|restrict|restricted|limit to|limited to|narrow|"
        "narrow down|keep|keep only|filter to|filter for|filter by|filter on|filter down to|"
        "retain|must be|must have|should be|focus on|zoom in on|stick to|nothing but|require|"
        "filter only|must|has to|have to|needs to|require that|reduce to|only consider|"
        "consider only|provided that|given that|as long as|so long as|on condition that|"
        "assuming that|"
        "confine|confine to|confine it to|confined to|concentrate on|look only at|alone",
    ),
    (
        "x",
        None,
        "exclude|excluding|omit|leave out|leave away|ignore|skip|filter out|take out|throw out|"
        "hide|leave off|"
        "weed out|leave aside|eliminate|disregard|cut out|rule out|except|except for|excepting|"
        "apart from|aside from|other than|all but|everything but|anything but|minus|"
        "not interested in|"
        "should not be included|must not be included|not be included|should be excluded|excluded|"
        "can be excluded|can be dropped|can be left out|can be removed|should not appear|can go|"
        "should go|must go|is not wanted|are not wanted|left out|removed|omitted|kick out|kick",
    ),
    (
        "r",
        None,
        "remove|drop|delete|clear|cancel|undo|discard|get rid of|strip|lose|stop|no longer|"
        "do not need|do not want|dont need|dont want|revert|no more|take away|take off|"
        "turn off|switch off|disable|erase|scrap|ditch|bin|axe|kill|lift|relax|forget|forget about|"
        "not have to be|not have to|need not be|not need to be|not necessarily|no need to be|"
        "not care about|not care if|not care whether|do not care if|do not care whether|"
        "does not interest me|do not interest me|regardless of|irrespective of|"
        "whether or not|does not matter|do not matter|"
        "do not care|do not care what|not care what|not care how|no matter what|"
        "not matter|is irrelevant|irrelevant|not important|is not important|never mind|no matter|"
        "never mind about|who cares about|whatever|independent of|independently of|"
        "do not restrict by|do not limit by|do not filter by|do not filter on|unset|"
        "do not have to be|does not have to be|do not need to be|does not need to be|"
        "do away with|away with|"
        "stop filtering by|stop filtering on|stop limiting|stop restricting|no longer limit to|"
        "no longer restrict to|can be anything|can be any|may be anything|could be anything|reset|"
        "throw away|should not matter|must not matter|need not matter|"
        "scratch|scratch out|cross out|strike|strike out|strike off|"
        "do without|can do without|manage without|"
        "open up|do not show|do not include|no need to|is not needed|are not needed|not needed|"
        "is not required|is not necessary|no longer needed|is no longer needed|"
        "is of no importance|is of no interest|of no importance|of no interest|is immaterial|"
        "plays no role|play no role|makes no difference|make no difference",
    ),
    (
        "n",
        None,
        "not|but not|and not|no|none|nobody|no one|noone|nothing|without|without any|never|non|"
        "lacking|neither|"
        "outside|outside of|none of|cannot|un|was not|were not|is not|are not|had no|have no|"
        "has no|with no|anywhere but|must not be|should not be|may not be|must not|should not|"
        "everywhere but|everywhere except|anywhere except|everyone but|everyone except|"
        "everybody but|everybody except|anyone but|anyone except|"
        "must not have|yet to|still to|never had|do not have|does not have|did not have|not have|"
        "in no",
    ),
    (
        "w",
        None,
        "also|include|add|as well|as well as|too|plus|in addition|additionally|including|"
        "along with|together with|extend to|widen to|expand to|broaden to|besides|not only|"
        "bring in|but also|on top of that|furthermore|append|put in|bring back|extend|widen|"
        "broaden|expand|alongside|moreover|throw in|not just|do not forget|do not forget about|"
        "do not leave out|do not omit|should be included|must be included|be included|further|"
        "is fine too|are fine too|is ok too|are ok too|let in|bring in|not limited to|and also|"
        "included|next to it|next to that|beside it|alongside it|"
        "restore|reinstate|readmit|can stay|may stay|should stay|must stay|can remain|may remain|"
        "is ok|is okay|are ok|are okay|is fine|are fine|is allowed|are allowed|stays|stays in|"
        "you forgot|you missed|you left out|you skipped|you forgot about|allow|aswell|"
        "come back|may come back|can come back|may return|back in|put back|add back",
    ),
    (
        "i",
        None,
        "instead|rather|now|this time|correction|i said|i mean|i meant|my mistake|i asked for|"
        "i wanted|i was asking for|i was talking about|i was thinking of|i was referring to|"
        "i am talking about|i am referring to|i was after|i had in mind|it was supposed to be|"
        "supposed to be|was supposed to be|were supposed to be|is supposed to be",
    ),
    ("I", None, "instead of|rather than|in place of|in lieu of|as opposed to|not by"),
    (
        "c",
        None,
        "change|change to|switch|switch to|replace|swap|use|turn|turn into|update|modify|set|"
        "substitute|make|make it|make that|convert|adjust|try|go with|do|do it|move|alter|"
        "rewrite|raise|increase|decrease|reduce|lower|bump|shift|instead use|put|exchange|trade|"
        "cut|trim|shorten|take|tighten|loosen|ease|push|push it up|up it|bring it down|bring it up|"
        "bring that down|bring that up|stricter|tighter|looser|jump|skip to|truncate",
    ),
    (
        "g",
        None,
        "group|groups|distribution|distributed|distribution over|distributed over|"
        "distributed across|spread over|spread across|group by|grouped|break down|broken down|"
        "break it down|break this down|break them down|break that down|breakdown|split|"
        "split up|bucket|partition|categorize|categorise|grouping|groupings|aggregate by|"
        "segment|slice|divide by|classify|cluster by|bin|spread|spread over|distributed by|"
        "distribution by|distribution of|organise|organize|organised|organized|separate|separated|"
        "subdivide|subdivided|regroup|tabulate",
    ),
    (
        "e",
        None,
        "per|for each|for every|by each|each|every|across|in each|within each|of each|in every|"
        "for each combination of|for every combination of|per combination of|across all|"
        "by combination of|for the different|across the different|for the various|"
        "one line per|one row per|one number per|one figure per|one entry per|one value per|"
        "one line for each|one row for each|one number for each|one figure for each|one per|"
        "one for each|one for every|a line per|a row per|a line for each|a row for each|"
        "a number per|a number for each",
    ),
    (
        "s",
        None,
        "sort|sorted|sorting|order|ordered|ordering|rank|ranked|ranking|arrange|arranged|"
        "start with the|begin with the|sort order|in order of|in the order of|starting with the|"
        "beginning with the|sort them|"
        "order them|rank them",
    ),
    (
        "l",
        None,
        "limit|limits|cap|at a time|limited|cut after|cut it after|cut off after|cut it off after|"
        "maximum number of rows|maximum number of results|row limit|maximum number of documents|"
        "stop after|end after|cut off|cut the list off|cut it off|cut off the list|"
        "cut the list short",
    ),
    (
        "y",
        None,
        "by|as in|in terms of|with respect to|according to|on the basis of|based on|as measured by|"
        "measured by|with regard to",
    ),
    ("z", None, "to|through|thru|until|till|up to|and up to|up to and including"),
    ("t", None, "than|as"),
    (
        "b",
        None,
        "between|in the range of|in the range|ranging|in between|anywhere between|from|"
        "somewhere between|anywhere from|somewhere from|ranging from|in the range from",
    ),
    (
        "m",
        None,
        "missing|blank|empty|null|absent|unavailable|unspecified|undefined|not known|unknown|"
        "not given|not available|not recorded|not specified|not stated|not reported|not set|"
        "not present|not provided|lacks|lack|not filled in|unrecorded|unreported|"
        "not state|not mention|not specify",
    ),
    (
        "h",
        None,
        "known|present|given|available|recorded|specified|exists|exist|not missing|not empty|"
        "not null|not blank|is not unknown|filled in|provided|stated",
    ),
    (
        "f",
        None,
        "filter|filters|condition|conditions|restriction|restrictions|constraint|constraints|"
        "filtered|ceiling|floor|bar|criterion|criteria|requirement|requirements|filtering|threshold|"
        "cutoff|cut off|range|ranges",
    ),
    ("v", None, "distinct|different|unique|various|individual values of"),
    (
        "u",
        None,
        "summarize|summarise|summary|summaries|summarization|overview|recap|digest|sum up|"
        "synopsis|gist|tldr|key points|main points|brief|short summary|quick summary|"
        "short overview|quick overview|in short|boil down|boil it down|boil this down|"
        "boil that down|boil these down|boil them down|condense|a few sentences|"
        "few sentences|a few lines|few lines|a few words|few words|"
        "a couple of sentences|a short paragraph|one paragraph|a paragraph|"
        "in a nutshell|nutshell",
    ),
    (
        "q",
        "vector",
        "vector|vector search|vector database|semantic|semantic search|semantically|embedding|"
        "embeddings|similarity|similarity search|by meaning|nearest neighbor|nearest neighbour|"
        "knn|search by meaning|searching by meaning|the search by meaning",
    ),
    (
        "q",
        "keyword",
        "keyword|keyword search|keywords|exact phrase|literal|literally|exact words|verbatim",
    ),
    (
        "q",
        "lexical",
        "lexical|lexical search|full text|full text search|bm25|word search|text search",
    ),
    ("q", "hybrid", "hybrid|hybrid search|both searches"),
    (
        "R",
        None,
        "about|mention|mentions|mentioning|mentioned|contain|contains|containing|talk about|"
        "talks about|talking about|related to|relating to|involving|involve|involved|caused by|"
        "cause by|due to|because of|discuss|discusses|discussing|describe|describes|describing|"
        "regarding|concerning|refer to|refers to|referring to|deal with|dealing with|"
        "says|say|reads|search for|look for|searching for|that say|that says|saying|resulting from|"
        "attributed to|blamed on|report on|cover|covering|attributable to|tell of|with the word|"
        "with the words|with the phrase|the word|the words|the phrase|the term|"
        "what was said about|said about|address|addressing|touch on|concern|concerns",
    ),
    (
        "k",
        "LlmFilter",
        "llm filter|llm|ai filter|ai|language model|llm step|llm filters|semantic filter|"
        "llmfilter|llm filter node|text filter|model filter|model reading the text|"
        "language model filter|fuzzy filter|language model check|"
        "model check|llm check|ai check|llm question|language model question|language model step|"
        "question to the model|question for the model",
    ),
    (
        "k",
        "LlmExtractEntity",
        "llmextractentity|"
        "extraction|extract|extracted|extraction step|entity extraction|extract entity|"
        "extracting|extracted field|pulled out|picked out",
    ),
    ("k", "cluster", "clustering|clusters|cluster|k means"),
    ("k", "Project", "projection|column selection|selected columns"),
    ("k", "Math", "math|calculation|division|arithmetic"),
    (
        "J",
        None,
        "reverse|reversed|flip|invert|inverted|other way around|other way round|opposite|"
        "the opposite order|opposite order|upside down|turn around|backwards|the other way|"
        "the other way round|the other way around|"
        "other way|other direction|the other direction|opposite direction|the other order|"
        "in reverse|the wrong way round|the wrong way around|wrong way round|the wrong way|"
        "in the opposite direction|in the other direction|negate|inverse|the inverse|vice versa|"
        "the reverse|wrong direction|wrong order|the wrong order|swap the order|switch the order|"
        "change the order|the other end|other end|the opposite end|opposite end",
    ),
    (
        "Y",
        "year",
        "year|years|yearly|annual|annually|year by year|calendar year|over the years|"
        "across the years|through the years|over time|across years",
    ),
    ("Y", "quarter", "quarter|quarters|quarterly|calendar quarter"),
    ("Y", "month", "month|months|monthly|month by month|calendar month|over the months"),
    ("Y", "week", "week|weeks|weekly"),
    (
        "C",
        "gt",
        "over|above|more than|greater than|exceeding|exceed|exceeds|exceeded|higher than|"
        "beyond|larger than|bigger than|longer than|in excess of|upwards of|north of|>|"
        "better than|superior to|more|greater|higher|above the|stronger than|surpass|"
        "surpassing|past",
    ),
    (
        "C",
        "ge",
        "at least|no less than|no fewer than|not less than|not under|not below|minimum of|"
        "a minimum of|>=|≥|starting at|starting from|from at least|not fewer than|min of|"
        "starting with|lower bound|lower limit|lower end|reach|reaches|reached|reaching",
    ),
    (
        "C",
        "lt",
        "under|below|less than|not even|fewer than|lower than|smaller than|shorter than|<|"
        "worse than|south of|less|fewer|lower|short of|inferior to|beneath|shy of",
    ),
    (
        "C",
        "le",
        "at most|no more than|not more than|not over|not above|maximum of|a maximum of|<=|≤|"
        "up to|no greater than|not exceeding|at the most|no higher than|max of|not greater than|"
        "upper bound|upper limit|upper end|capped at|cap at|cap it at|cap that at|cap of|a cap of|"
        "ceiling of|a ceiling of|ending at|stop at|stopping at|topping out at",
    ),
    (
        "C",
        "eq",
        "exactly|equal to|equals|equal|=|==|precisely|of exactly|equalling|identical to|set to",
    ),
    (
        "C",
        "ne",
        "not equal to|not equal|different from|!=|<>|unequal to|does not equal|differs from",
    ),
    (
        "C",
        "around",
        "around|approximately|roughly|circa|nearly|close to|in the neighborhood of|about",
    ),
    ("C", "after", "after|later than|newer than|more recent than|following|past the"),
    ("C", "before", "before|earlier than|prior to|older than|preceding|ahead of"),
    (
        "C",
        "since",
        "since|starting in|as of|from the beginning of|on or after|beginning in|beginning|"
        "not before|from then on|no earlier than|dating from|in or after|at or after|from or after|"
        "on or since|nothing before",
    ),
    (
        "C",
        "until",
        "on or before|by the end of|not after|until the end of|through the end of|ending in|"
        "no later than|not later than|in or before|at or before|nothing after",
    ),
    (
        "p",
        "ge",
        "or more|or higher|or above|or greater|or over|and up|and above|or later|or newer|"
        "and upwards|and upward|and beyond|"
        "and more|and higher|or larger|or better|and later|onwards|onward|and after|or after|"
        "on|or bigger|or longer|or older|and over|and newer|upwards",
    ),
    (
        "p",
        "le",
        "or less|or fewer|or below|or lower|or under|and below|or earlier|or older than that|"
        "and under|or smaller|and earlier|and less|tops|and fewer|and lower|or before|or shorter|"
        "or younger|or worse",
    ),
    ("A", "avg", "average|avg|mean|averaged|on average|averages"),
    (
        "A",
        "sum",
        "total|sum|sums|combined|overall|altogether|cumulative|summed|in total|aggregate|"
        "totals|total up|add up|added up|add them up|add it up|add these up|add those up|"
        "add them all up|adding up|grand total|collective|all together",
    ),
    ("A", "median", "median|medians|typical"),
    ("A", "min", "minimum|min|minima|minimal"),
    ("A", "max", "maximum|max|maxima|maximal|peak"),
    (
        "#",
        None,
        "how many|number of|count|counts|counting|counted|tally|total number of|how often|"
        "the number|numbers of|a count of|frequency|how much|total count|head count of|number|"
        "numbers|"
        "how frequently|total count of|total number|what number of|"
        "absolute number|absolute numbers|in absolute terms|plain count|simple count|"
        "actual number|exact number|raw number|raw count|absolute count|actual count",
    ),
    (
        "d",
        True,
        "descending|desc|decreasing|highest to lowest|high to low|largest to smallest|"
        "from high to low|from highest to lowest|from largest to smallest|most to least|"
        "big to small|falling|in descending order|best to worst|top down|biggest to smallest|"
        "greatest to least|descending order|decreasing order|in decreasing order",
    ),
    (
        "d",
        False,
        "ascending|asc|increasing|lowest to highest|low to high|smallest to largest|"
        "from low to high|from lowest to highest|from smallest to largest|least to most|rising|"
        "in ascending order|ascending order|increasing order|"
        "worst to best|small to big|smallest to biggest|in increasing order",
    ),
    (
        "d",
        "name",
        "alphabetically|alphabetical|alphabetical order|in alphabetical order|a to z|from a to z|"
        "alphabetic|alphabetic order|by the alphabet",
    ),
    ("d", "name down", "z to a|from z to a|reverse alphabetical|reverse alphabetical order"),
    (
        "d",
        "newest",
        "newest to oldest|reverse chronological|reverse chronologically|latest to earliest|"
        "in reverse chronological order|reverse chronological order|from newest to oldest|"
        "from latest to earliest",
    ),
    (
        "d",
        "oldest",
        "oldest to newest|earliest to latest|chronologically|chronological|chronological order|"
        "in chronological order|from oldest to newest|from earliest to latest",
    ),
    (
        "X",
        (True, None),
        "most|highest|largest|biggest|greatest|maximal|best|strongest|leading|topmost",
    ),
    (
        "X",
        (True, "count"),
        "most popular|most widespread|most common|most frequent|commonest|most frequently|"
        "most often",
    ),
    (
        "X",
        (False, "count"),
        "least popular|least common|least frequent|rarest|least often|least frequently",
    ),
    ("X", (False, None), "least|lowest|fewest|smallest|worst|weakest|tiniest"),
    ("X", (True, "date"), "latest|most recent|most recently|recent|recently"),
    ("X", (False, "date"), "earliest"),
    ("X", (True, "age"), "newest|youngest"),
    ("X", (False, "age"), "oldest"),
    ("X", (True, "speed"), "fastest|quickest"),
    ("X", (False, "speed"), "slowest"),
    ("X", (True, "price"), "most expensive|priciest|dearest|costliest"),
    ("X", (False, "price"), "cheapest|least expensive"),
    ("X", (True, "duration"), "longest"),
    ("X", (False, "duration"), "shortest"),
    ("X", (True, "death"), "deadliest|most deadly|bloodiest|most lethal|worst fatal"),
    ("X", (True, "weight"), "heaviest"),
    ("X", (False, "weight"), "lightest"),
    ("X", (True, "profit"), "most profitable"),
    ("X", (False, "profit"), "least profitable"),
    ("T", "top", "top"),
    ("T", "bottom", "bottom"),
    ("T", "first", "first"),
    ("T", "last", "last|final"),
    ("O", 2, "second|2nd"),
    ("O", 3, "third|3rd"),
    ("O", 4, "fourth|4th"),
    ("O", 5, "fifth|5th"),
    ("O", 1, "1st"),
    ("O", 0, "middle"),
    (
        "%",
        None,
        "percentage|percent|share|proportion|fraction|what part|ratio|%|percentage of|share of|"
        "proportion of|fraction of|percent of|rate|what portion|portion|in percent|pct|percentages|"
        "shares|proportions|fractions|relative share|as percentages|as percentage",
    ),
    (
        "=",
        None,
        "difference|how many more|how much more|how much higher|how much larger|"
        "how much greater|difference between|gap between|difference in|how many fewer|"
        "how much bigger|how much longer|how much taller|how much heavier|how much older|"
        "how much deeper|how much dearer|how much faster|gap",
    ),
    ("G", None, "compare|versus|vs|comparison|compared to|compared with|against|contrast"),
    (
        "a",
        "lt",
        "negative|below zero|in the red|loss making|unprofitable|lost money|losing money|"
        "lose money|made a loss|making a loss|make a loss|posted a loss|ran at a loss",
    ),
    (
        "a",
        "gt",
        "positive|above zero|in the black|nonzero|non zero|profitable|made money|making money|"
        "make money|made a profit|making a profit|make a profit|posted a profit|turned a profit",
    ),
    ("a", "eq", "nil"),
    ("E", (), "the list|a list|a plain list|the table|the lines"),
    ("j", True, "true|yes"),
    ("j", False, "false"),
    (
        "W",
        None,
        "which|what|who|whose|list of|where|how high|how large|how big|how great|how low|"
        "how small|in which|in what",
    ),
    ("S", 2.0, "double|doubled|doubling|twice as much|twice as many|twice that|two times that"),
    ("S", 2.0, "twice the amount|twice the number|twice as long|twice as high|twice the limit"),
    ("S", 3.0, "triple|three times that|three times as much|three times as many"),
    ("S", 0.5, "half|halve|halved|halving|in half|half of that|half as much|half as many"),
    (
        "!",
        None,
        "email|mail|send|upload|translate|plot|chart|graph|draw|visualize|visualise|print|"
        "tweet|export|download|weather forecast|delete all|delete every|delete these|"
        "delete the documents|delete documents|delete all the|book|buy|call|predict|forecast|"
        "rename|reindex|re index|overwrite|purge|wipe|create|insert|publish|post|"
        "notify|schedule|joke|poem|story|song|sing|hack|password|recommend|save|remind|"
        "share with|write|round to|round off|rounded to|round up|round down|round it|round them|"
        "decimals|decimal places",
    ),
)


@lru_cache(maxsize=1)
def phrases() -> dict[tuple[str, ...], tuple[str, Any]]:
    """Each phrase of the table in lower case with tag and payload, and `ing` forms of commands."""
    entries: dict[tuple[str, ...], tuple[str, Any]] = {}
    for tag, load, text in ENTRIES:
        for phrase in text.split("|"):
            entries.setdefault(tuple(phrase.split()), (tag, load))
    for (verb, *others), (tag, load) in list(entries.items()):
        if tag in _COMMANDS and len(verb) > 3 and verb.isalpha():
            for form in _ongoing(verb):
                entries.setdefault((form, *others), (tag, load))
    return entries


_COMMANDS = frozenset("oxrwsg")


def _ongoing(verb: str) -> tuple[str, ...]:
    """Possible `ing` forms of a verb."""
    if verb.endswith(("ing", "ed")):
        return ()
    return (verb.removesuffix("e") + "ing", verb + verb[-1] + "ing")


@lru_cache(maxsize=1)
def steering_stems() -> frozenset[str]:
    """Stems of single words that ask for a number, an order or a comparison."""
    single = ((phrase[0], tag) for phrase, (tag, _) in phrases().items() if len(phrase) == 1)
    return frozenset(stem(word) for word, tag in single if tag in "AX#dCT%vu")


LONGEST_PHRASE = 5
