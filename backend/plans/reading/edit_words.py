"""Words of follow-ups and feedback, by kind: what is unwanted, references, and asides.

They are not in the grammar of first questions, where `no` or `drop` have nothing to undo.
"""

from collections.abc import Sequence

from backend.language.adjectives import SUPERLATIVES
from backend.language.tokens import Token
from backend.plans.reading.chart import Construction

_ENTRIES: tuple[tuple[str, object, str], ...] = (
    (
        "Drop",
        "drop",
        """
        drop | remove | leave out | take out | take away | exclude | without | get rid of | skip |
        delete | rm | omit | ignore | forget | forget about | do not worry about | never mind |
        except | except for | lose | throw out | filter out | hide | cut out | cut | do not want |
        do not show | do not include | do not need | kick out | scrap | discard | minus | not
        interested in | do not care about | do not bother with | other than | apart from | rid of |
        leave off | nevermind | bar | all but | anything but | everything but | all except |
        everything except | anyone but | everyone but | all bar | do away with | no need for |
        excluding | but no | no longer | disregard | disregarding | ignoring | omitting | leave
        aside | leaving out | leaving aside | undo
        """,
    ),
    (
        "Instead",
        "instead",
        """
        instead of | rather than | in place of | not | , not | and not | but not | as opposed to |
        no longer | replacing | opposed to
        """,
    ),
    (
        "Unwanted",
        "unwanted",
        """
        is not needed | are not needed | is not necessary | are not necessary | can be removed |
        can go | should go | has to go | is out | are out | can be dropped | does not matter | do
        not matter | is irrelevant | is not important | is not required | can be ignored | may go |
        must go | off | is unnecessary | should not be in there | should not be there | should not
        appear | need not appear | are not wanted | is not wanted | do not belong | do not belong
        here | should be left out | can be left out | should not be included | should not be in it
        | was a mistake | were a mistake | is a mistake | may be omitted | can be omitted | should
        be omitted | may be left out | may be excluded | can be excluded | should be excluded | may
        be ignored | may be disregarded | should be disregarded | may be dropped | should be
        dropped | may be removed | should be removed | may be skipped | can be skipped | may be
        lifted | can be lifted | no longer matters | no longer matter | need not be included | need
        not be listed | need not be shown | is of no interest | are of no interest | aside | are
        irrelevant | is no longer needed | are no longer needed | are to be left out | is to be
        left out | are to be excluded | is to be excluded | are to be disregarded | is to be
        omitted | are to be omitted
        """,
    ),
    (
        "AnyOf",
        "any",
        """
        any | may be any | no matter which | no matter what | whatever | it may be any | regardless
        of | irrespective of | whichever | does not have to be | need not be | no matter the |
        could be any | can be any | of any | all | in any
        """,
    ),
    (
        "StepName",
        "limit",
        """
        limit | restriction to Num results | cap | cutoff | limit of Num | limitation
        """,
    ),
    ("Threshold", "low", "minimum | floor | lower limit | lower bound | minimum number"),
    ("Threshold", "high", "maximum | ceiling | upper limit | upper bound | maximum number"),
    ("Threshold", "limit", "limit | threshold | bar | bound | cutoff | cap | mark"),
    (
        "Move",
        "move",
        """
        raise | lower | increase | decrease | reduce | extend | change | set | bump | push | move |
        put | bring | take | drop | make
        """,
    ),
    (
        "ShareWord",
        "share",
        """
        share | percentage | percent | per cent | proportion | fraction | % | pct | percentages
        """,
    ),
    ("StepName", "sort", "sort | sorting | order | ordering | ranking | sort order"),
    ("StepName", "group", "group | groups | grouping | groupings | breakdown | split"),
    (
        "StepName",
        "filter",
        """
        filter | condition | restriction | requirement | criterion | constraint | bit | part |
        thing | business | clause | restriction to | limitation to | rule | stuff
        """,
    ),
    (
        "StepName",
        "filters",
        """
        filters | conditions | restrictions | requirements | criteria | constraints
        """,
    ),
    ("StepName", "columns", "columns | column | field | fields | selection of columns"),
    (
        "Them",
        "them",
        """
        them | those | these | that | it | they | this | the result | the results | the list | the
        above | the ones | ones | one | that list | this list | the others | of them | of those |
        of these | among them | among those | among these | in there | from those | from these |
        from them | out of those | out of these | of that | of this | within those | in that list
        | of this list | of that list | in this list | out of them | which of those | which of
        them | which of these | any of them | any of those | each of them | for those | for these
        | for them | on those | on these | by those | by them
        """,
    ),
    ("When", "in", "from"),
    (
        "ShowVerb",
        "show",
        """
        list | show | show me | see | give me | give | display | print | get | get me | let me see
        | return | find | bring up | who are | which are | what are | who were | which were | what
        were | just list | return to | let me have | furnish | can i see | could i see | may i see
        """,
    ),
    (
        "Itself",
        "itself",
        """
        themselves | itself | behind that | behind it | in question | in full | in detail | behind
        them | concerned | one by one | individually
        """,
    ),
    (
        "NumberOnly",
        "number",
        """
        just the number | the number only | number only | only the number | as a number | just a
        number | the number please | a number only | as a count | just the count | in numbers
        """,
    ),
    (
        "HowManyAlone",
        "count",
        """
        how many | count | how many's that | how many is that | how many are that | how many are
        those | how many are they | how many are there | how many of them | how many of them are
        there | how many of those | how many are these | how many was that | how many were there |
        how many in total | how many altogether | how many is it | how many would that be | how
        many does that make | the count | the number | the total number | count them | count those
        | count these | count it | what number is that | how many of these | how many do we have |
        how many there are | how many have we got | how many ones | how many ones is that | how
        many entries | how many results | how many records | how many rows | the figure | total
        count | a count | a total count | tally | a tally | their number | number of them | the
        total number of them | number of those | back to counts | back to numbers
        """,
    ),
    (
        "AddUp",
        "sum",
        """
        add up | sum up | add together | total up | tot up | sum of | how much in total is | what
        do they come to in | what does it come to in | what do those come to in | total of | the
        total of | the sum of | add | what do they add up to in | what do those add up to in | what
        does it add up to in
        """,
    ),
    (
        "Whole",
        "whole",
        """
        all of them | all | everything | them all | no limit | the whole list | the full list |
        the complete list | the whole lot | every one of them | all results | all the results |
        without limit | without a limit | the entire list | all of it | the whole thing |
        unlimited | the numbers for everybody | the numbers for everyone | the numbers for all |
        the figures for everybody | the figures for everyone | the figures for all
        """,
    ),
    (
        "AtTop",
        "top",
        """
        first | at the top | on top | at top | come first | comes first | to start with | at the
        beginning | at the head | up top | goes first | go first | leading | to the top | in
        first place | on first place | on the first place | at the top of the list | uppermost
        """,
    ),
    (
        "AtBottom",
        "bottom",
        """
        last | at the bottom | at the end | at bottom | come last | comes last | to the bottom
        """,
    ),
    (
        "Others",
        "others",
        """
        the others | the rest | the other ones | the remaining ones | all the others | all others
        | the opposite | the remainder | the other way | everything else | everybody else | the
        rest of them | everywhere else | anywhere else | elsewhere | all other places | the
        ones left | the other Noun | all other Noun
        """,
    ),
    (
        "ComeTo",
        "sum",
        """
        add up to | come to | amount to | sum up to | in total | altogether | in all | all
        together | together | combined | taken together | put together | all in all | summed
        up | summed | added up | total
        """,
    ),
    (
        "StartingWith",
        "starting",
        """
        starting with | starting from | beginning with | beginning from | start with | start from |
        begin with | from the | starting at | beginning at
        """,
    ),
    (
        "Reversed",
        "reversed",
        """
        the other way round | the other way around | reverse | reversed | in reverse | reverse the
        order | flip the order | the opposite order | in the opposite order | invert | flip it |
        turn it around | other way round | upside down | backwards | in reverse order | reverse
        order | reverse it
        """,
    ),
    (
        "MakeIt",
        "make",
        """
        make it | make that | up to | down to | bump it up to | bump that threshold up to |
        threshold to | raise that to | lower that to | raise the limit to | threshold up to |
        change it to | change that to | change to | should be | should have been | must be | has to
        be | set it to | use | switch to | let it be | turn it into | it should be | set to | i
        meant | i mean | meant | limit to | cut to | to | take | raise it to | lower it to | go for
        | change the limit to | top | first | the first | only | just | limit it to | reduce to |
        reduce it to | extend to | keep | show | do | no more than | not more than | do not show
        more than | not show more than
        """,
    ),
    (
        "Entries",
        "entries",
        """
        results | entries | rows | records | items | ones | of them | of those | of these | hits |
        lines | only | instead | instead please | is enough | is plenty | would be enough | will do
        | would do | are enough | pieces | are plenty | max | at most | suffice | are sufficient |
        at the most | tops | maximum
        """,
    ),
    (
        "Aside",
        "aside",
        """
        please | pls | plz | kindly | thanks | thank you | thx | cheers | hi | hello | hey | hiya |
        ok | okay | oh | ooh | ah | hmm | um | uh | er | well | so | then | now | right | great |
        good | nice | sorry | oops | no wait | wait | actually | in fact | on reflection | on
        second thought | my mistake | my bad | i see | got it | could you | can you | would you |
        will you | could we | can we | could i | can i | may i | might i | might i have | could i
        have | i would like | i would like to | i would like to see | i should like | i should like
        to see | i want | i want to see | i need | we need | we want | i wonder if you could | i
        was wondering | would it be possible to | is it possible to | if you would | if possible |
        if you can | if you could | if you do not mind | is enough | is plenty | would be enough |
        would be great | would be nice | would be good | that would be great | is sufficient |
        would suffice | pretty please | for me | for now | for us | let us | do you have | tell me
        | it should | it should contain | it should have | should contain | it should be limited to
        | it should retain | should retain | retain | contain | is required | are required | i
        think | i guess | maybe | perhaps | really | just | only | instead | though | anyway | too
        | also | as well | again | same | the same | and the same | and the same for | the same for
        | same for | same but | the same but | same thing | what about | how about | and what about
        | and how about | but | and | yes | nope | yeah | keep | keep only | limit to | limit it to
        | restrict to | restrict it to | narrow to | narrow it down to | narrow down to | use |
        switch to | change to | i meant | i mean | meant | should have said | i should have said |
        include | add | make it | do | go for | use that | that is | all i need is | what i need is
        | is what i need | was what i meant | want | need | rather | put | have | it is | they are
        | them | themselves | let me have | would be more useful | better | of course | by the way
        | also show | we should | in addition | additionally | plus | besides | furthermore |
        moreover | likewise | similarly | is that | are they | are there | were they | was it | is
        it | in there | there | the ones | ones | the one | one | who | which | what | where |
        whose | it | they | that | those | these | this | of those | of them | of these | among
        them | among those | from those | if they | if it | everyone | anyone | list | show | show
        me | see | give me | give | display | goodness | goodness me | gosh | gracious | blimey |
        wow | lovely | brilliant | marvellous | super | hooray | phew | ha | haha | yikes | dear me
        | oh dear | oh my | bless you | ta | tho | whoops | fab | cool | perfect | excellent |
        splendid | i say | hang on | hold on | one moment | so kind | be so kind | be so kind as to
        | if you would be so kind | state | indicate | present | furnish | provide | specify |
        supply | mention | consider | repeat | repeat this | repeat that | once more |
        side by side | next to each other | comes out | come out | came out |
        corresponding | equivalent | respective | concerned with | i am only concerned with | i
        only care about | i only want | i only need | care about | please consider | it looks | how
        does that look | how does it look | what of | would it be | what would it be | what would
        that be | what is it | what was it | what were they | could this be | can this be | could
        it be | can that be | separately | in turn | again please
        """,
    ),
)


def _phrases() -> list[Construction]:
    made: list[Construction] = []
    for kind, value, listed in _ENTRIES:
        for phrase in listed.split("|"):
            pattern = " ".join(phrase.split())

            def stand_for(*_: object, value: object = value) -> object:
                return value

            made.append(Construction(kind, pattern, stand_for, pattern, f"words: {kind}"))
    return made


EDIT_PHRASES = _phrases()

_MARKS = {
    "only": "only|just|keep|restrict|narrow|nothing but|limit to|limited to|retain",
    "also": "also|as well|too|in addition|besides|add|include|plus|including|let in|additionally",
    "instead": """instead|rather|switch to|change|replace|make it|make that|use|not but|in place of
        |opposed to""",
    "meant": "meant|mean|sorry|oops|mistake|should have|should be|actually|wrong|no",
    "drop": """drop|remove|leave out|leave off|take out|exclude|excluding|without|get rid of|skip|
        delete|rm|omit|except|minus|throw out|filter out|hide|cut|scrap|discard|lose""",
    "not": "not|no|never|neither|nor|non",
    "forget": "forget|ignore|worry|never mind|not needed|not matter|irrelevant|any|whatever|matter",
    "about": "what about|how about|and for|and in|and on|and at|and among|and within|and by|now",
    "same": "same|again|likewise|similarly",
    "same figure": """corresponding figure|corresponding number|corresponding value|same figure|same
        number|same value|equivalent figure|corresponding amount""",
    "them": """them|those|these|they|it|their|that|of that|there|its|she|he|ones|one""",
    "of those": """of those|of them|of these|among them|among those|among these|from those|from
        them|out of those|out of them|which of|who of|any of them""",
    "all": "all|everything|whole|every|everyone|each|total|altogether|complete",
    "list": "list|show|see|display|which|who|what|give|names",
    "count": "how many|count|number",
    "or": "or|either",
    "high": """highest|largest|biggest|greatest|most|maximum|newest|latest|best|descending|heaviest
        |longest|dearest|top|recent|down""",
    "low": """lowest|smallest|least|fewest|minimum|shortest|earliest|oldest|lightest|cheapest
        |ascending|youngest|low|up""",
    "by": "by|per|each|split|break down|broken down|group",
    "first": "first|top|earliest|oldest",
    "last": "last|latest|newest|most recent",
}
_MARK_PHRASES = [
    (tuple(phrase.split()), mark)
    for mark, phrases in _MARKS.items()
    for phrase in phrases.split("|")
    if phrase.strip()
]


_SHORT = 3


def marks_of(tokens: Sequence[Token]) -> frozenset[str]:
    """How the words of a follow-up relate to the plan: `only`, `instead`, `them`."""
    words = tuple(token.lower for token in tokens if token.kind != "sign")
    results = {
        mark
        for phrase, mark in _MARK_PHRASES
        for i in range(len(words) - len(phrase) + 1)
        if words[i : i + len(phrase)] == phrase
    }
    if words[:1] == ("and",):
        results.add("and begins")
    if any(word in SUPERLATIVES or word.endswith("est") for word in words):
        results.add("superlative")
    if len(words) <= _SHORT:
        results.add("short")
    return frozenset(results)
