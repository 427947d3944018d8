"""Set phrases in labels and sentences, and the word that each stands for.

"Bill to" names a customer and "on behalf of" a client, which the single words do not show. General
English; none belongs to a kind of document.
"""

import re

from backend.extraction.foreign_labels import foreign_labels

_PHRASES = {
    "customer": "bill to|billed to|sold to|invoice to|account holder",
    "delivery address": "ship to|deliver to|delivered to",
    "birth date": "date of birth|dob|d.o.b.|born on",
    "purchase order": "p.o.|po",
    "quantity": "qty|number of pieces|no. of|how many|number of units",
    "amount": "amt",
    "phone": "tel",
    "number": "no.|nr.",
    "account": "acct",
    "total due": "amount due|balance due|please pay|to pay|amount payable|still to pay",
    "author": "prepared by|written by|drawn up by|made up by|compiled by",
    "fault": "at fault",
    "email": "e-mail",
    "subtotal": "sub-total|sub total|net total",
    "employer": "works for|working for|employed by|on the payroll of",
    "employee": "wages for|salary of|pay for|dear colleague",
    "net pay": "take-home|take home|take-home pay|take home pay|in the envelope|amount paid out",
    "gross pay": "before deductions|before stoppages",
    "year to date": "ytd|to date|so far this year|td|year to date|till date"
    "|cumulative|cumulated|since january|this tax year"
    "|since april",
    "issued": "issued on|dated|date of issue|made on|done at",
    "issuer": "issued by|made by|given by|issuing body|issuing authority|issuing office",
    "deadline": "no later than|not later than|at the latest|close of business"
    "|cut-off|last day for|on or before|must reach us by"
    "|must be in by|closes on|closing date|time limit|last date"
    "|must be received|to be received by|to be returned by"
    "|tenders back|reply by|answer by|respond by|hand in by"
    "|apply by|closing time",
    "next": "coming up|due back|due again|next due|again in",
    "expiry": "valid until|valid to|valid through|good until|use by"
    "|best before|expires on|lapses on|runs out on|good through"
    "|not valid after",
    "start": "with effect from|as from|as of|commencing on|starting on"
    "|effective from|effective as of",
    "duration": "for a period of|for a term of|lasting|lasts|runs for",
    "client": "on behalf of|acting for|instructed by|at the request of|commissioned by",
    "recipient": "made out to|payable to|addressed to|for the attention of|attn",
    "sender": "sent by|from the desk of",
    "signed": "signed by|for and on behalf of|yours sincerely"
    "|yours faithfully|yours truly|kind regards|best regards"
    "|with best wishes",
    "approved": "signed off by|okayed by|countersigned by|authorised by|authorized by",
    "inspector": "inspected by|examined by|checked by|carried out by"
    "|surveyed by|visited by|seen by",
    "tester": "tested by|analysed by|analyzed by|measured by|calibrated by",
    "sampled": "taken by|collected by|drawn by|sampled by",
    "supervisor": "supervised by|reports to|reporting to|overseen by|under the supervision of",
    "judge": "heard by|before the honourable|before the honorable|presided over by|presiding",
    "plaintiff": "brought by|on the application of|claim of",
    "defendant": "brought against|proceedings against|in the matter against",
    "attorney": "represented by|appeared for|appearing for|appears by",
    "seller": "sold by|purchased from|bought from|supplied by",
    "buyer": "bought by|purchased by|sold to",
    "maker": "manufactured by|produced by|made in the works of",
    "carrier": "carried by|shipped by|transported by|conveyed by",
    "owner": "owned by|belonging to|property of|registered keeper|kept by"
    "|registered to|registered owner|keeper shown",
    "tenant": "let to|rented to|rented by",
    "landlord": "let by|rented from",
    "lender": "lent by|loaned by|on loan from",
    "borrower": "lent to|loaned to|on loan to",
    "donor": "donated by|given by|gift of|sponsored by|funded by",
    "organiser": "hosted by|organised by|organized by|run by|put on by",
    "chair": "chaired by|in the chair|presided by",
    "present": "in attendance|those present",
    "absent": "apologies from|apologies received|apologies for absence",
    "proposer": "proposed by|moved by",
    "seconder": "seconded by",
    "teacher": "taught by",
    "doctor": "referred by|under the care of|attending physician|treated by",
    "driver": "driven by|at the wheel",
    "contact": "get in touch|call us|questions to|queries to|enquiries to"
    "|speak to|write to|media contact|for further information"
    "|for more information|in case of questions|reach us",
    "reason": "because of|because|due to|owing to|on account of|caused by|put down to"
    "|on the ground that|on the grounds that|on the grounds of|for lack of|for want of",
    "reference": "our ref|your ref|quote ref|please quote|in reply quote",
    "title": "entitled|titled|with the title|called|known as|by the name of",
    "location": "located at|situated at|taking place at|held at|takes place at|at the site of",
    "departure": "leaves from|sets off|leaving from|setting off",
    "arrival": "gets in|arriving at|due in",
    "deposit": "paid in advance|down payment|held as security|paid up front",
    "fine": "penalty charge|fixed penalty",
    "refund": "money back|paid back",
    "discount": "money off|knocked off",
    "capacity": "room for|space for|up to",
    "age": "years old|aged|year-old",
    "weight": "weighs|weighing|weighed",
    "height": "metres tall|feet tall|stands at",
    "price": "sold for|costs|priced at|going for|asking price|hammer price",
    "winner": "awarded to|goes to|went to|won by",
    "cause": "brought about by|the result of|root cause",
    "diagnosis": "diagnosed with|suffering from|consistent with",
    "treatment": "treated with|given for",
    "medication": "prescribed|take one|to be taken",
    "opening": "brought forward|started with|starting with|began with|beginning with",
    "closing": "carried forward|ended with|ending with|ends with|left over",
    "died": "passed away|passed on|went home|fell asleep|entered into rest|laid to rest",
    "deceased": "in loving memory of|in memory of|in remembrance of",
    "children": "mother of|father of|parent of|mum to|dad to|mum of|dad of",
    "hearing": "adjourned to|listed for|set down for|come back before|relisted",
    "total": "in all|all told|altogether|all in all|all together",
    "appointment": "has appointed|has named|takes office|steps up|takes up",
    "predecessor": "takes over from|succeeds|in succession to|in place of"
    "|replaces|follows on from|taking over from",
    "previous employer": "comes from|joins from|coming from|previously with"
    "|previously at|formerly of|formerly at|formerly with"
    "|moves from|came from",
    "birth": "née",
    "funeral": "memorial service|requiem mass|celebration of life|funeral mass",
    "flower": "in lieu of flowers|instead of flowers|no flowers",
    "hotel": "where you stay|you stay|we sleep|staying at|place of stay",
    "outbound": "way there|flight out|journey out|going out|outward journey",
    "return": "way back|flight back|journey back|journey home|back home|coming home",
    "odometer": "km reading|kilometre reading|kilometer reading|mileage reading|clock reading",
    "next due": "next test|next inspection|next check|next service",
    "amount paid": "sum paid|total paid|you paid|we received",
    "applicant": "filed by|applied for by|on application by",
    "court": "in the court",
    "hours": "hrs",
    "previous": "prior year|last year|previous year|year before",
    "product": "trade name|product name|brand name|name of the product",
    "supplier": "placed on the market by|marketed by|distributed by",
    "emergency phone": "in case of emergency|in an emergency|emergency call"
    "|poison centre|poison center",
    "revised": "version of|last changed|last update|last updated|as amended",
    "declarant": "declared by|lodged by|on behalf of the importer",
}
_MEANINGS = foreign_labels() | {
    phrase: meaning for meaning, phrases in _PHRASES.items() for phrase in phrases.split("|")
}
_TAILS: dict[str, list[str]] = {}
for _phrase in sorted(_MEANINGS, key=len, reverse=True):
    _TAILS.setdefault(_phrase[0], []).append(re.escape(_phrase[1:]))
_ANY = re.compile(
    r"(?<!\w)(?:"
    + "|".join(f"{first}(?:{'|'.join(tails)})" for first, tails in _TAILS.items())
    + r")(?!\w)"
)
"""All phrases by their first letter, so that most words are rejected quickly."""


def in_words(text: str) -> str:
    """A text in lower case with each set phrase replaced by the word it stands for."""
    return _ANY.sub(lambda match: f" {_MEANINGS[match[0]]} ", text)


def phrases(text: str) -> list[tuple[int, int, str]]:
    """The positions of set phrases in a text, with the word that each stands for."""
    return [
        (match.start(), match.end(), meaning)
        for match in _ANY.finditer(text.lower())
        if " " in match[0]
        for meaning in _MEANINGS[match[0]].split()[:1]
    ]
