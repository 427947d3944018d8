"""Synonyms in general English."""

from functools import lru_cache

from backend.language.words import stem

# Each line is one meaning.
_SYNONYMS = """
author writer written wrote novelist
creator inventor created designer
owner holder proprietor possessor owned belongs
landlord lessor owner
tenant renter lessee occupant lodger
boss ceo chief executive head leader
manager supervisor head lead superior foreman
teacher instructor lecturer tutor trainer professor educator taught
student pupil learner attendee child
doctor physician clinician medic practitioner
surgeon doctor operated
driver motorist
captain skipper master commander
inspector examiner auditor assessor surveyor checker inspected
judge magistrate justice
lawyer attorney counsel solicitor barrister advocate
claimant plaintiff complainant petitioner appellant
defendant respondent accused
customer client buyer purchaser shopper
supplier vendor seller provider contractor dealer merchant
maker make manufacturer brand built producer vendor
sponsor funder backer financer patron benefactor advertiser
donor giver benefactor donated
recipient grantee beneficiary awardee payee receiver
reporter finder discoverer discovered notifier informant reported
curator keeper custodian
host presenter moderator interviewer anchor presented hosted
guest interviewee visitor
farmer grower cultivator grown
cook chef cooked
guide leader
coach trainer
player athlete competitor contestant
winner champion victor won
artist painter sculptor performer
musician performer
composer songwriter composed
director directed filmmaker
editor edited
publisher imprint press published
translator interpreter translated
recruiter hiring hirer recruited
applicant candidate contender application
technician engineer mechanic repairer
employee staff headcount worker workforce personnel people
crew staff team personnel
agent representative broker rep
assignee handler responsible assigned
sender shipper sent
carrier courier haulier
reviewer critic rater reviewed
taster critic reviewer tasted
researcher scientist investigator
witness observer spotter
victim casualty
member membership
visitor attendance audience spectator attendee turnout viewer
passenger rider traveller commuter
population inhabitant people resident citizen
user subscriber account
place location site venue spot locality whereabouts
city town municipality
village settlement hamlet town
town city municipality settlement
district borough neighbourhood neighborhood quarter ward area
region area territory zone
state region province
country nation
province county canton
street road address
building premises facility house
office branch bureau site location
station stop halt
port harbour harbor dock
warehouse depot storage store
shop store outlet branch
origin provenance source
destination target place
route path way track trail line
company firm business corporation enterprise
employer company firm business
organization organisation institution body
department division unit team section
agency authority office bureau
school university college institution academy
court courtroom tribunal
hospital clinic infirmary
insurer carrier
airline carrier
start begin commence launch onset
begin start commencement
end finish close closing terminate completion completed
year annual
date day when published publication issued happened
published release released issued aired broadcast appeared publication launched
signed signature signing concluded
delivered arrival arrive received receipt delivery
received receipt got obtained incoming
sent shipped dispatched dispatch
returned return back
spend spent spending charged charge paid payment cost
departure depart departed leave
acquired acquisition bought purchased obtained procured purchase
bought purchased purchase acquired
sold sale
built constructed erected construction
made created produced manufactured production
founded established founding
born birth
died death deceased
hired recruited employed joined
filled staffed hired occupied
posted listed advertised announced published
inspected examined checked visited inspection
tested examined test
sampled collected taken drawn
fixed repaired patched mended remedied resolved fix patch
restored restoration conserved refurbished repaired renovated
terminated cancelled canceled revoked cancellation termination
paid pay payment settled
due deadline expiry expire expiration
end expiry expire expiration
filed submitted lodged filing submission
requested request asked sought claimed
answered answer replied reply response responded
rejected refused declined denied refusal rejection
awarded granted given award
decided ruled decision ruling judgment verdict
approved granted authorised authorized approval
registered enrolled recorded registration
updated changed modified revised
harvested picked reaped harvest
planted sown planting
served offered
death die dead kill fatal fatality casualty perish lethal deadly victim lose
injury injured hurt wounded wound harm
duration length long last short time period span term runtime life lifetime lifespan
delay late lateness delayed overdue tardy
age old young
speed fast quick velocity pace
profit profitable earnings net income gain
loss losses deficit
revenue sales turnover takings proceeds
price cost expense expensive cheap amount pay paid charge fee bill fare
cost price expense spending spend expenditure outlay budget costly
value worth amount price
salary wage pay compensation income remuneration earnings
fine penalty sanction
damages compensation award payout awarded
bounty reward prize payout
grant funding subsidy award
donation gift contribution
debt owe owed liability borrowing
rent lease rental
discount rebate reduction
loan credit lending
bid offer tender proposal bidder
tariff rate fee
growth grow grew increase rise
margin markup
outlook guidance forecast
weight heavy mass light weigh
height tall high
elevation altitude height
size large big small dimension
length long extent
width wide broad breadth
depth deep
area surface acreage size
volume capacity
temperature hot cold warm heat
moisture wet damp humid humidity dry
sugar sweet sweetness sugary
acidity acidic sour acid
alcohol strength strong boozy booze
calories energy kcal
fat greasy fatty
salinity salty salt
power strength output
distance far mileage
thickness thick
noise loud loudness
concentration level content
quantity number count volume
yield output quantity tonnage
consumption usage use consumed
rainfall precipitation rain
slope steep gradient
capacity seats places
seat passenger capacity
hours workload
rating score grade stars
score points rating mark
grade quality class mark
condition state shape
status state stage phase progress
phase stage
severity seriousness gravity severe serious dangerous danger
priority urgency urgent importance important
difficulty difficult hard easy challenging
popularity popular
risk risky hazard danger
experience experienced hours
seniority level rank
completion finished completed retention
material substance fabric
color colour hue shade
category kind type class sort genre
style kind type
kind type category sort
topic subject theme
title name headline
subject matter topic theme
position role job title
occupation job profession
trade craft
language tongue
cause reason why trigger
reason cause why motive
method way procedure process technique approach
procedure process method
outcome result verdict
equipment machine machinery tool gear device implement
machine machinery equipment
vehicle car automobile truck
car vehicle automobile
ship vessel boat
aircraft plane airplane
product software application item
platform system os
skill ability competence competency qualification expertise
allergen allergy allergenic
dish meal food
recipe dish
drug medicine medication treatment remedy
diagnosis disease illness condition
symptom complaint
crop produce plant
species kind breed
contract agreement
invoice bill
statute law act
injury damage
comment note remark
closure seal stopper
grape variety cultivar
producer winery estate maker vineyard
transcript transcribed transcription
duration runtime
remote telework remotely
renewable extendable renewal prolonged renewed
exploited abused
appealed challenged appeal
display exhibited shown displayed
organic bio
download listen play
applicant candidate
bid offer
participant enrolled enrolment enrollment subject patient volunteer
install installation deployment
citation cited reference
defect fault error bug flaw trouble problem
trouble problem mishap incident
damage damaged broken wrecked smashed ruined
complaint grievance
vote ballot
visit call
weather meteorological
sex gender
actual real true effective
"""


def _groups() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for line in _SYNONYMS.strip().splitlines():
        stems = {stem(word) for word in line.split()}
        for word in stems:
            groups.setdefault(word, set()).update(stems)
    return {word: frozenset(others) for word, others in groups.items()}


_MEANINGS = _groups()


def synonyms(word_stem: str) -> frozenset[str]:
    """Stems of the synonyms of a stem, itself included."""
    return _MEANINGS.get(word_stem, frozenset({word_stem}))


_ENDINGS = (
    "ation", "ition", "ment", "ance", "ence", "ure", "ur", "age", "ion", "ing", "al", "er", "or",
    "ee", "e", "i",
)  # fmt: skip
_SHORTEST_ROOT = 4


@lru_cache(maxsize=50_000)
def root(word_stem: str) -> str:
    """A stem without the ending that makes a verb a noun: `treat` of `treatment`."""
    for ending in _ENDINGS:
        rest = word_stem.removesuffix(ending)
        if rest != word_stem and len(rest) >= _SHORTEST_ROOT:
            return rest
    return word_stem
