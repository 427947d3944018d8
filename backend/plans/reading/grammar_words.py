"""Words and phrases that constructions consist of, by kind, with their values.

A table of general English. A phrase may have several kinds: the chart finds the one that fits.
"""

from backend.language.number_words import ORDINALS
from backend.plans.reading.chart import Construction
from backend.plans.reading.pieces import Quantity


class _NoLoad:
    """The value of words that carry only their kind."""


NO_LOAD = _NoLoad()
_ENTRIES: tuple[tuple[str, object, str], ...] = (
    (
        "Idle",
        NO_LOAD,
        """
        at the moment | at this moment | at the minute | at present | these days | at this stage |
        at this time | ever | anywhere | everywhere
        """,
    ),
    (
        "Be",
        NO_LOAD,
        """
        is | are | was | were | be | being | been | equals | equal to | is equal to | = | of |
        as | : | named | called | is called | is named | are called | are named | under | with
        value | with the value | includes | include
        """,
    ),
    (
        "With",
        NO_LOAD,
        """
        with | having | has | have | had | whose | that have | that has | which have | which
        has | who have | who has | where | when | that are | that is | which are | who are |
        that were | for which | in which | there are | that had | is | are | if | do | does |
        of
        """,
    ),
    (
        "More",
        "gt",
        """
        more than | greater than | larger than | higher than | bigger than | above | over |
        exceeding | exceeds | exceed | exceeded | longer than | older than | beyond | larger |
        in excess of | stronger than | heavier than | better than | >
        """,
    ),
    (
        "More",
        "lt",
        """
        less than | fewer than | smaller than | lower than | below | under | shorter than |
        younger than | cheaper than | <
        """,
    ),
    (
        "More",
        "ge",
        """
        larger than or equal to | greater than or equal to | more than or equal to|
        at least | no less than | no fewer than | not less than | minimum of | a minimum of |
        not below | reach | reaches | reached | reaching | >= | ≥
        """,
    ),
    (
        "More",
        "le",
        """
        less than or equal to | smaller than or equal to | no higher than | lower than or equal to |
        at most | no more than | not more than | maximum of | a maximum of | up to | <= | ≤ |
        not above | not over | not exceeding
        """,
    ),
    ("More", "eq", "exactly | equal to | equals | = | precisely"),
    ("More", "ne", "not | not equal to | other than | != | <>"),
    ("More", "around", "about | around | roughly | approximately"),
    (
        "OrMore",
        "ge",
        """
        + | or later | or bigger | and more | or newer |
        or more | or higher | or over | or greater | or above | or larger | or older | or
        longer | and above | and over | and up | and higher | or better
        """,
    ),
    (
        "OrMore",
        "le",
        """
        or less | or fewer | or lower | or under | or below | or younger | or shorter | or
        smaller | and below | and under | or cheaper
        """,
    ),
    ("OrMore", "around", "or so | or thereabouts"),
    ("Func", "avg", "average | mean | avg | averages"),
    (
        "Func",
        "sum",
        """
        total | sum of | sum | combined | overall | total sum of | total amount of | total
        number of | altogether
        """,
    ),
    (
        "Func",
        "min",
        """
        minimum | min | lowest | smallest | least | shortest | youngest | cheapest | earliest
        | fewest
        """,
    ),
    (
        "Func",
        "max",
        """
        maximum | max | highest | largest | greatest | biggest | longest | oldest | most |
        latest | top | most expensive | dearest | priciest
        """,
    ),
    ("Func", "median", "median"),
    (
        "Best",
        True,
        """
        highest | largest | greatest | biggest | most | maximum | max | top | longest | best |
        latest | most recent | newest | richest | strongest | tallest | heaviest |
        commonest | most common | most frequent
        """,
    ),
    (
        "Best",
        False,
        """
        lowest | smallest | least | fewest | minimum | min | shortest | worst | earliest |
        cheapest | poorest | weakest | rarest | least common | least frequent
        """,
    ),
    ("Latest", True, "latest | most recent | most recently | newest | last"),
    ("Latest", False, "earliest | oldest | first"),
    (
        "Dir",
        False,
        """
        ascending | increasing | ascendingly | asc | from low to high | from lowest to highest
        | from smallest to largest | from least to most | from a to z | smallest to largest |
        lowest to highest | low to high | rising | from the lowest to the highest | from early
        to late | from earliest to latest | from oldest to newest | chronological | from
        youngest to oldest | from short to long | lowest first | smallest first | earliest
        first
        """,
    ),
    (
        "Dir",
        True,
        """
        descending | decreasing | descendingly | desc | from high to low | from highest to
        lowest | from largest to smallest | from most to least | from z to a | largest to
        smallest | highest to lowest | high to low | falling | from the highest to the lowest
        | reverse alphabetical | from latest to earliest | from newest to oldest | reverse |
        from oldest to youngest | inverse | from long to short | highest first | largest first
        | latest first | most recent first | newest first | descendant | descent | reverse
        lexicographical
        """,
    ),
    (
        "SortBy",
        NO_LOAD,
        """
        sorted by | ordered by | sort by | order by | ranked by | arranged by | rank by |
        listed by | sort the list by | order them by | sort them by | sort the results by |
        order the results by | by | sorted on | in order of | sorted according to | in the
        order of | according to | order the list by | sort results by | order results by |
        sorted in order of | ordered in order of | sort it by | listed in order of | arrange
        them by | rank them by | in accordance with | sorted in the order of | sort them in
        order of | sort the list in order of | sort the names by | by order of
        """,
    ),
    (
        "SortIn",
        NO_LOAD,
        """
        sorted in | ordered in | sort in | order in | in | listed in | arranged in | sorted |
        ordered | sort them in | order them in | sort the list in | sort the results in |
        order | sort | sort the result in | sort the names in | order the results in | return
        them in | ranked in | with | sort by | order by | sorted by | ordered by | list them
        in | listed | order of | sorted from | by | sort results in | order the names in
        """,
    ),
    (
        "Alpha",
        NO_LOAD,
        """
        alphabetical | alphabetic | lexicographic | lexicographical | alphabetically |
        lexicographically | dictionary | name
        """,
    ),
    ("Order", NO_LOAD, "order | order of | ordering | sequence"),
    (
        "Distinct",
        NO_LOAD,
        """
        different | distinct | unique | differing | various | all the different | distinctive
        | all different | all distinct
        """,
    ),
    (
        "Each",
        NO_LOAD,
        """
        for each | per | of each | in each | for every | by each | each | from each | within
        each | by | for each of | for all | for different | for the different | of different |
        in every | of every | at each | for each different | for each distinct | on each |
        grouped by | group by | based on | in different | has each | have each | does each |
        with each | across | under each | belong to each | for each kind of | for various | of
        all | every | for all different | each each | that each | by different | to each |
        broken down by | for | in | into each | corresponding to each | about each | did each
        | was each | operate out of each | from different | is each | are in each | using each
        | each type of
        """,
    ),
    (
        "HowMany",
        NO_LOAD,
        """
        how many | number of | count of | count | the number of | total number of | how much |
        the count of | numbers of | amount of | count the number of | the total number of |
        total count of | how many total | count how many | the amount of | total counts of |
        counts of | corresponding number of | the corresponding number of | quantity of |
        frequency of
        """,
    ),
    (
        "Not",
        NO_LOAD,
        """
        not | is not | are not | not in | no | other than | except | excluding | but not |
        without | not of | never | that are not | that is not | not have | does not | do not |
        did not | isn | aren | except for | non | non - | not equal to | not from | were not
        | was not | apart from | not by | not with | not on | not for | outside | outside of
        | neither | has no | have no | with no | had no | not have any | ignoring | disregarding
        | leaving out | leaving aside | not counting | save for | but for |
        all but | everything but | everyone but | everybody but
        """,
    ),
    (
        "Overall",
        "sum",
        """
        in total | altogether | all together | all in all | in sum | added up | overall | combined |
        if you add them all up | if you add them up | adding them up | put together |
        taken together | add up to | adds up to | come to in total | comes to in total
        """,
    ),
    ("Overall", "avg", "on average | in the mean"),
    (
        "Excluded",
        NO_LOAD,
        """
        should be disregarded | should be ignored | should be left out | should be excluded |
        should be omitted | are to be disregarded | are to be ignored | are to be left out |
        are to be excluded | to be left out | must be left out | must be ignored | are left out |
        left out | do not count | can be ignored | can be left out | may be ignored | disregarded |
        should not count | should not be counted | are not to be counted
        """,
    ),
    (
        "Contains",
        "contains",
        """
        contains | contain | containing | including | includes | include | with | has | have |
        as the phrase | like | has the substring | contain the substring | contains the
        substring | with the | having
        """,
    ),
    (
        "Contains",
        "prefix",
        """
        starts with | start with | starting with | begins with | begin with | beginning with |
        that start with | start from | starts by
        """,
    ),
    (
        "Letters",
        NO_LOAD,
        """
        letter | the letter | letters | the letters | word | the word | phrase | the phrase |
        substring | the substring | string | the string | text | the words | character | the
        character | a letter | prefix | the prefix | keyword
        """,
    ),
    (
        "Missing",
        NO_LOAD,
        """
        missing | unknown | null | empty | not known | not specified | not available |
        unspecified | not given | not recorded | blank
        """,
    ),
    (
        "Most",
        True,
        """
        most times | the most times |
        most | the most | most number of | the most number of | largest number of | maximum
        number of | highest number of | greatest number of | most amount of | largest amount
        of | the largest number of | highest count of | the highest number of | the greatest
        number of | the maximum number of | maximum count of | biggest number of
        """,
    ),
    (
        "Most",
        False,
        """
        fewest | the fewest | least | the least | smallest number of | lowest number of |
        minimum number of | fewest number of | least number of | the smallest number of | the
        lowest number of | the least number of | the minimum number of | smallest amount of
        """,
    ),
    *(("Rank", place, word) for place, word in enumerate(ORDINALS[1:10], 2)),
    (
        "Common",
        True,
        """
        most common | most popular | most frequent | most frequently | most often | most
        commonly | most frequently used | most commonly used | most used | most prevalent |
        most widespread
        """,
    ),
    (
        "Common",
        False,
        """
        least common | least popular | least frequent | rarest | least often | least used |
        least frequently | least commonly
        """,
    ),
    ("Fine", "hours", "hours | hrs"),
    ("Fine", "minutes", "minutes | mins"),
    ("Busy", True, "busiest | most active"),
    ("Busy", False, "quietest | slackest | least busy | least active"),
    ("Time", "year", "year | years | calendar year"),
    ("Time", "month", "month | months | calendar month"),
    ("Time", "quarter", "quarter | quarters"),
    ("Time", "week", "week | weeks"),
    ("When", "in", "in | during | on | at | within | throughout | made on | of | for"),
    (
        "When",
        "after",
        """
        after | later than | since after | newer than | more recent than | following
        """,
    ),
    ("When", "before", "before | earlier than | prior to | older than | until before"),
    ("When", "since", "since | from | starting from | on or after | no earlier than | not before"),
    (
        "When",
        "until",
        """
        until | till | by | on or before | up to | no later than | not after | through
        """,
    ),
    ("Avg", "avg", "average | mean | the average | the mean | average value | overall average"),
    ("Often", Quantity(1), "once | one time"),
    ("Often", Quantity(2), "twice | two times"),
    ("Often", Quantity(3), "three times | thrice"),
    (
        "HasNone",
        NO_LOAD,
        """
        had no | have no | has no | with no | never | never had | without | without any |
        did not have | have never had
        """,
    ),
    ("Times", 0.5, "half | half of"),
    ("Times", 2.0, "twice | double | two times"),
    ("Times", 3.0, "three times | triple | thrice"),
    ("Times", 4.0, "four times"),
    ("Times", 5.0, "five times"),
    ("Times", 10.0, "ten times"),
    ("Times", 1 / 3, "third of | one third of"),
    ("Times", 2 / 3, "two thirds of | two - thirds of"),
    ("Times", 0.25, "quarter of | one quarter of"),
    ("Times", 0.75, "three quarters of | three - quarters of"),
    ("Times", 0.2, "fifth of | one fifth of"),
    ("Times", 0.1, "tenth of | one tenth of"),
    ("Avg", "median", "median | the median"),
)


def _phrases() -> list[Construction]:
    made: list[Construction] = []
    for kind, value, listed in _ENTRIES:
        for phrase in listed.split("|"):
            pattern = " ".join(phrase.split())

            def stand_for(value: object = value) -> object:
                return value

            made.append(Construction(kind, pattern, stand_for, pattern, f"words: {kind}"))
    return made


PHRASES = _phrases()
