"""Words as the engine compares them: stems, a small general lexicon, and function words.

Two words are equal if their stems are, near-synonyms if the lexicon groups them ("town" and
"city"), and possibly equal if they differ by a typing error. The lexicon is the general English of
forms and reports; nothing in it belongs to one collection.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import Stemmer
from rapidfuzz import process
from rapidfuzz.distance import OSA

from backend.extraction.kindred import KINDRED
from backend.extraction.set_phrases import in_words

_STEMMER = Stemmer.Stemmer("english")
_WORD = re.compile(r"[^\W\d_]+|\d+|#|№")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

SAME, GROUP, TYPO = 1.0, 0.85, 0.8

_STOP = """
a an the of in on at to for by with and or from as is are was were be been that which who whom this
these those its it his her their our your any all each per into than then there whether if not no s
do did does has have had will would shall should may can
"""
STOP = frozenset(_STOP.split())
"""Function words, which never decide whether a label fits."""

_GENERIC = "number date time name type value information detail amount total id"
GENERIC = frozenset(_GENERIC.split())
"""Words in so many labels that they count half."""

_SOLO = {"from": "sender", "to": "recipient", "by": "author"}
"""Function words that are labels when alone."""

_GROUPS = """
number no nr num id identifier reference ref code # №
place location site where venue
city town municipality village
state province region
country nation
make maker manufacturer brand manufactured made
model variant
vendor supplier seller merchant biller payee provider contractor sender
customer client buyer purchaser payer recipient addressee
total sum overall grand payable
amount price cost value charge fee payment
due owed outstanding payable pay
paid settled
subtotal net
tax vat gst
phone telephone mobile
start begin beginning effective commencement commence commences commencing inception
end expiry expire expires expiration termination until ending
injury injured hurt casualty wounded
fatal fatality death died killed dead deceased
damage harm
cause reason
weather meteorological conditions
wind gust
speed velocity
person people individual
patient subject
sample specimen material
result finding measured measurement reading outcome
doctor physician clinician practitioner
birth born
author writer
company firm organization organisation business corporation
law jurisdiction governed governing
term duration period length
quantity count units
description particulars details product article item goods
signatory signed signature signer
ordered requested referring referred
issue issued published release released dated
kind type category class sort nature
phase stage
weight mass
collection collected drawn sampled taken
receipt received
salary wage pay compensation remuneration
operator operated
event incident accident occurrence occurred mishap happened
estimate estimated approximate
experience hours logged
employee worker staff
landlord lessor
tenant lessee
lease rent rental
laboratory lab
method procedure technique
reviewer reviewed verified approved
sex gender
street address
equipment machine device unit
total gesamt gesamtbetrag summe totaal somme totale importe
net netto ht nettobetrag
tax umsatzsteuer steuer ust mwst tva btw iva steuerbetrag
customer kunde käufer client klant cliente acheteur empfänger leistungsempfänger
supplier lieferant verkäufer fournisseur leverancier vendeur proveedor
date datum fecha data
due fällig fälligkeit échéance vervaldatum zahlbar
delivery lieferung liefer livraison levering entrega
invoice rechnung facture factuur factura fattura
number nummer numéro número
name nom naam nombre
address adresse anschrift adres dirección
payable zahlbetrag
price preis prix prijs precio
amount betrag montant bedrag importe
begin beginn début
end ende fin einde
"""

_NEGATIONS = "no not none without never nobody nil zero neither nor non"
NEGATIONS = frozenset(_NEGATIONS.split())


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of one word, lower case."""
    return str(_STEMMER.stemWord(word.lower()))


@lru_cache(maxsize=50_000)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a label, name or phrase in order, with set phrases replaced and function words
    kept.
    """
    return tuple(stem(word) for word in _WORD.findall(spelled(text)))


@lru_cache(maxsize=50_000)
def content(text: str) -> tuple[str, ...]:
    """The meaningful stems of `text`, without single letters."""
    text = _SOLO.get(text.strip(" :").lower(), text)
    results = tuple(s for s in stems(text) if s not in _STOP_STEMS and (len(s) > 1 or s in "#№"))
    return tuple(_NUMBER if s in _NUMBER_SIGNS else s for s in results)


def spelled(text: str) -> str:
    """A name or a label in lower case, split into words, with set phrases replaced."""
    return in_words(_CAMEL.sub(" ", text.replace("_", " ")).lower())


_STOP_STEMS = frozenset(stem(word) for word in STOP) - {"no"}
GENERIC_STEMS = frozenset(stem(word) for word in GENERIC)
_NUMBER_SIGNS = frozenset({"#", "№", "no", "nr", "num"})
_NUMBER = stem("number")


def _grouped(groups: str) -> dict[str, frozenset[str]]:
    near: dict[str, set[str]] = {}
    for line in groups.strip().splitlines():
        group = {stem(word) for word in line.split()}
        for member in group:
            near.setdefault(member, set()).update(group - {member})
    return {member: frozenset(others) for member, others in near.items()}


NEAR = _grouped(_GROUPS + KINDRED)
"""Stem -> the stems of its near-synonyms."""

FORM_WORDS = (
    frozenset(_grouped(_GROUPS))
    | GENERIC_STEMS
    | frozenset({"invoic", "report", "order", "contract"})
)
"""Stems that are typical of labels."""


def nearest_spelling(word: str, vocabulary: Iterable[str]) -> str | None:
    """The word that `word` misspells: one edit in five letters or more, two in nine or more."""
    if len(word) < 5:
        return None
    limit = 2 if len(word) >= 9 else 1
    nearest = process.extractOne(word, list(vocabulary), scorer=OSA.distance, score_cutoff=limit)
    return str(nearest[0]) if nearest else None
