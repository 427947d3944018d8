"""Words around questions, for fitting: what people say beside what they ask, and what narrows it.

`TALK` says nothing about documents, so that the question means the same with it. `NARROWING` names
what no collection of the sets knows: with it no answer is right.
"""

import random

BEFORE = (
    "Hey there,", "Good evening!", "Hullo,", "Hi all,", "Dear team,", "Afternoon!", "Howdy -",
    "Quick one:", "Small question:", "Silly question:", "Sorry to bother you,", "Excuse me,",
    "My manager wants to know:", "My boss is asking,", "I am curious,", "Just wondering,",
    "We are writing our yearly report.", "I am preparing a talk.", "I have a client here,",
    "I hope you are well.", "You know what I need?", "Let me think.", "Right then,", "Okay so,",
    "Something for the newsletter:", "The auditors are here again.", "I forgot my notes,",
    "It is for a colleague:", "A customer is waiting,", "She is asking again,", "Hmm, tricky.",
    "Never done this before,", "This may sound odd,", "One more thing,", "As I told Peter,",
    "I am putting a slide together:", "He will not believe me,", "Ahem,", "Yo,", "Listen,",
    "There is a bet on this in the office:", "We had an argument about it.", "Please help me out:",
)  # fmt: skip
BEHIND = (
    ", no rush", ", no hurry", ", if you can", ", please and thanks", "? I need it for a meeting",
    "? It is rather urgent", ". My boss is waiting", ", I keep forgetting", "? Ta",
    ". Much appreciated", ", you legend", ". That would help us a lot", ", my colleague wonders",
    ". I promised somebody an answer", "? I have to report it upstairs", ", when you have a minute",
    ", I could not say myself", "? It is bugging me", ", the sooner the better", ", asap",
    ". We are a bit stuck", "? I have always wondered", ", nothing fancy", ". Sorry for the hassle",
    ", cheers mate", "? The phone keeps ringing", ". That is all", ", she insists", ", honestly",
    ", believe it or not", "? My money is on a surprise", ", so I can plan ahead", ", any idea?",
    "? I would be grateful", ", as I said", ", I suppose", " - thanks a bunch", ". Over to you",
)  # fmt: skip
ASKING = (
    "could you dig up {}", "can you pull {}", "please fetch me {}", "I would love to know {}",
    "let us look at {}", "would you mind telling me {}", "I have to find out {}",
    "could somebody figure out {}", "kindly provide {}", "we would like to learn {}",
    "help me find {}", "can you work out {}", "please check {}", "you could tell us {}",
)  # fmt: skip
NARROWING = (
    "painted purple", "with a crowbar", "haunted only", "the waterproof ones", "if vaccinated",
    "only insured ones", "for beginners", "seen by astronauts", "the velvet ones", "by candlelight",
    "those with a lantern", "organic only", "as long as they are nocturnal", "during the strike",
    "where the harness broke", "which our rivals made", "only what we translated ourselves",
)  # fmt: skip


def with_talk(question: str, dice: random.Random) -> str:
    """The question with words around it."""
    lower = question[0].lower() + question[1:] if question[1:2].islower() else question
    way = dice.random()
    if way < 0.4:
        return f"{dice.choice(BEFORE)} {lower}"
    if way < 0.75:
        return question.rstrip(" ?.") + dice.choice(BEHIND)
    text = dice.choice(ASKING).format(lower.rstrip(" ?."))
    return f"{dice.choice(BEFORE)} {text}" if way > 0.9 else text


def narrowed(question: str, dice: random.Random) -> str:
    """The question with a condition behind a comma that nothing explains."""
    return f"{question.rstrip(' ?.')}, {dice.choice(NARROWING)}"
