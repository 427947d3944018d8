"""English stop words: words too common to distinguish elements, and phrases that frame a question.

Dropped from queries but kept in the index: a query of nothing else ("to be or not to be") is
searched unchanged. Words are in lower case, without accents, and not stemmed.
"""

_ARTICLES_AND_PRONOUNS = """
    a an the this that these those i me my mine myself we us our ours ourselves you your yours
    yourself yourselves he him his himself she her hers herself it its itself they them their
    theirs themselves one ones oneself somebody someone something anybody anyone anything nobody
    nothing everybody everyone everything each every either neither both all any some none no
    few many much more most several such other others another same own who whom whose which what
    whatever whichever whoever
"""

_PREPOSITIONS_AND_CONJUNCTIONS = """
    about above across after against along among amongst around as at before behind below
    beneath beside besides between beyond by despite down during except for from in inside into
    like near of off on onto out outside over past per since than through throughout till to
    toward towards under underneath until unto up upon via with within without and but or nor so
    yet if unless whether while whereas although though because hence thus therefore however
    moreover furthermore nevertheless otherwise else then when whenever where wherever whereby
    wherein why how
"""

_AUXILIARIES = """
    am is are was were be been being do does did doing done have has had having can could may
    might must shall should will would ought cannot dont doesnt didnt isnt arent wasnt werent
    hasnt havent hadnt wont wouldnt cant couldnt shouldnt mustnt don doesn didn isn aren wasn
    weren hasn haven hadn won wouldn couldn shouldn mustn s t d m ll ve re
"""

_ADVERBS = """
    again ago already also always almost alone altogether anyway anywhere apart away back once
    ever even everywhere far further here indeed instead just maybe merely mostly namely never
    not now nowhere often only perhaps quite rather really seldom sometimes somewhat somewhere
    soon still there thereby therein thereof together too twice usually very well
"""

_COMMON_VERBS = """
    become becomes became becoming come comes came get gets got getting give gives gave given
    giving go goes going gone keep keeps kept let lets make makes made making put puts said say
    says saying see sees saw seen seem seems seemed take takes taken taking took use used uses
    using want wants wanted
"""

_FRAMES_OF_QUESTIONS = """
    ask asked asking available called concern concerned concerning concerns consider considered
    contain contains deal dealing deals describe described describes describing discuss
    discussed discusses discussing etc exist exists explain explained find finding found
    interested involve involved involves know known knows list look looking mean means need
    needed needs please possible present provide provided provides regard regarding related
    relating relevant show showing shown shows tell various wish
"""

STOP_WORDS: frozenset[str] = frozenset(
    " ".join(
        (
            _ARTICLES_AND_PRONOUNS,
            _PREPOSITIONS_AND_CONJUNCTIONS,
            _AUXILIARIES,
            _ADVERBS,
            _COMMON_VERBS,
            _FRAMES_OF_QUESTIONS,
        )
    ).split()
)
