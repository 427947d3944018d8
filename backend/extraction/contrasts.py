"""Words that rule each other out as labels of one value: what is net is not gross.

Each line lists words of which a value bears one at most. A word of a property's name or description
makes the others of its line speak against a place they stand beside; a slash joins words that mean
the same. General English; none of it belongs to a kind of document.
"""

from functools import lru_cache

from backend.extraction.words import stem

_LINES = """
net/takehome gross tax/deduction/withheld deduction
subtotal tax total/grand discount deposit
paid/received due/outstanding/balance
opening closing
minimum/min/lowest maximum/max/highest average/mean
first last
next/following previous/last/prior/earlier/former
start/begin/beginning/from/commencement end/expiry/until/ending/expiration
departure/depart/outward/outbound arrival/arrive return/inbound
issue/issued/published expiry/expires/valid due paid received signed printed/generated \
revised/revision replaced/replaces/supersedes filed sealed served sent/posted/mailed born died \
delivered/delivery shipped/dispatched inspected sampled/collected reported/report tested \
calibrated approved updated entered/entry reviewed/review purchased/purchase
this/current previous/last/prior cumulative/todate/ytd/year
budget/planned/estimated/target actual
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
phone/telephone/tel fax mobile/cell email/mail emergency
billing/invoice shipping/delivery
loading/load/embarkation discharge/unloading/destination
origin/from destination/to
width/breadth height length depth weight
gross tare net
principal/capital interest fee/charge
price/unit total/amount quantity/qty
income/revenue/sales expense/cost/expenditure profit
asset liability equity
import export
before after
increase decrease
adult child
male female
day night
hour day week month year
accepted/approved/granted/passed rejected/declined/refused/failed/denied
registration/reference case policy account invoice order serial batch/lot tax/vat phone part
temperature pressure humidity speed
boiling melting flash
chair/chairman secretary/clerk treasurer
proposer/proposed seconder/seconded
"""


def _contrasts() -> dict[str, tuple[frozenset[str], ...]]:
    result: dict[str, list[frozenset[str]]] = {}
    for line in _LINES.strip().splitlines():
        sides = [{stem(word) for word in side.split("/")} for side in line.split()]
        for at, side in enumerate(sides):
            others = frozenset().union(*(one for n, one in enumerate(sides) if n != at)) - side
            for word in side:
                result.setdefault(word, []).append(others)
    return {word: tuple(lines) for word, lines in result.items()}


_CONTRASTS = _contrasts()


@lru_cache(maxsize=2_000)
def contrary(names: frozenset[str]) -> frozenset[str]:
    """The stems that speak against a property whose name has these stems."""
    against: set[str] = set()
    for name in names:
        for others in _CONTRASTS.get(name, ()):
            against |= others
    return frozenset(against - names)
