"""Words that exclude each other as labels of one value: what is net is not gross.

Each line lists words of which a value has at most one. If one of them is in a property's name or
description, the others on its line count against places beside them; a slash joins synonyms. The
lists are general English and belong to no kind of document.
"""

from collections.abc import Sequence
from functools import lru_cache

from backend.extraction.words import stem

_EXACT = """
opening closing
minimum/min/lowest maximum/max/highest average/mean
first last
next/following previous/last/prior/earlier/former
start/begin/beginning/from/commencement end/expiry/until/ending/expiration
departure/depart/outward/outbound arrival/arrive return/inbound
budget/planned/estimated/target actual
phone/telephone/tel fax mobile/cell email/mail emergency
loading/load/embarkation discharge/unloading/destination
origin/from destination/to
width/breadth height length depth weight
gross tare net
asset liability equity
import export
increase decrease
adult child
male female
boiling melting flash
proposer/proposed seconder/seconded
"""
"""A label with a word from another side of these lines names a different value, whatever else fits.
"""
_LINES = """
billing/invoice shipping/delivery
income/revenue/sales expense/cost/expenditure profit
before after
temperature pressure humidity speed
net/takehome gross tax/deduction/withheld deduction
subtotal tax total/grand discount deposit
paid/received due/outstanding/balance
issue/issued/published expiry/expires/valid due paid received signed printed/generated \
revised/revision replaced/replaces/supersedes filed sealed served sent/posted/mailed born died \
delivered/delivery shipped/dispatched inspected sampled/collected reported/report tested \
calibrated approved updated entered/entry reviewed/review purchased/purchase
this/current previous/last/prior cumulative/todate/ytd/year
old/former/previous new/current
buyer/purchaser/customer/client/consignee/importer \
seller/vendor/supplier/shipper/exporter/manufacturer broker/agent carrier/haulier
sender/from/consignor recipient/addressee/to/consignee
employer/company employee/worker
landlord/lessor tenant/lessee agent
lender/creditor/bank borrower/debtor guarantor
claimant/plaintiff/petitioner/pursuer/appellant defendant/respondent/defender/accused \
judge/magistrate/sheriff/justice lawyer/attorney/counsel/solicitor/advocate/barrister clerk \
witness
insurer/underwriter insured/policyholder/claimant broker adjuster/assessor
doctor/physician/vet/surgeon patient nurse owner
teacher/tutor student/pupil head/headteacher/principal parent/guardian
mother father child
author/writer editor reviewer/referee publisher translator
host/organiser guest/participant/attendee speaker
inspector/examiner owner/occupier contractor/builder
owner operator/driver/hirer
captain/master/skipper pilot owner agent
applicant/inventor attorney/representative examiner assignee
grantee/recipient/beneficiary funder/grantor/donor/sponsor
artist/painter curator lender/owner borrower/museum
principal/capital interest fee/charge
price/unit total/amount quantity/qty
day night
hour day week month year
accepted/approved/granted/passed rejected/declined/refused/failed/denied
registration/reference case policy account invoice order serial batch/lot tax/vat phone part
chair/chairman secretary/clerk treasurer
"""


def _sides(lines: str) -> list[list[frozenset[str]]]:
    return [
        [frozenset(map(stem, side.split("/"))) for side in line.split()]
        for line in lines.strip().splitlines()
    ]


def _contrasts() -> dict[str, tuple[frozenset[str], ...]]:
    result: dict[str, list[frozenset[str]]] = {}
    for sides in _sides(_EXACT + _LINES):
        for at, side in enumerate(sides):
            others = frozenset().union(*(one for n, one in enumerate(sides) if n != at)) - side
            for word in side:
                result.setdefault(word, []).append(others)
    return {word: tuple(lines) for word, lines in result.items()}


_CONTRASTS = _contrasts()


@lru_cache(maxsize=2_000)
def contrary(names: frozenset[str]) -> frozenset[str]:
    """The stems that count against a property with these stems in its name."""
    against: set[str] = set()
    for name in names:
        for others in _CONTRASTS.get(name, ()):
            against |= others
    return frozenset(against - names)


def has_contrary(names: frozenset[str]) -> bool:
    """Whether some labels name the opposite of what a property with this name asks for."""
    return bool(_exactly(names))


def rules_out(label: Sequence[str], names: frozenset[str]) -> bool:
    """Whether a label with these stems names the opposite of what a property with this name asks
    for.
    """
    return any(
        not others.isdisjoint(label) and own.isdisjoint(label) for own, others in _exactly(names)
    )


@lru_cache(maxsize=2_000)
def _exactly(names: frozenset[str]) -> list[tuple[frozenset[str], frozenset[str]]]:
    """For each line with a word of the name: the sides that contain one, and all other words."""
    confused = []
    for sides in _sides(_EXACT):
        own = frozenset[str]().union(*(side for side in sides if not side.isdisjoint(names)))
        if own:
            confused.append((own, frozenset[str]().union(*sides) - own))
    return confused
