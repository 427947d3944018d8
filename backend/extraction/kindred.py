"""Groups of near-synonyms on forms, in letters and in reports of any trade.

General English: words that a native speaker would use interchangeably to label a value. A word may
appear in several groups. Unlike those in `words` they are also common in names and texts, so they
do not mark a text as a label.
"""

KINDRED = """
discharge discharged release released leave left checkout
unload unloaded unloading discharge discharged
deadline closing close closes closed due latest until cutoff
apply application applicant
employer company organisation organization hiring firm
job post position vacancy role occupation opening
profession occupation job employment
diagnosis illness disease disorder condition assessment impression dx
medication medicine medical drug prescription rx pharmaceutical
treatment treated therapy care procedure
weight weigh weighed weighs mass wt scales
height tall
width wide breadth
depth deep
species animal breed
pet animal
neutered castrated spayed sterilised sterilized
rest confined confinement quiet
ship vessel boat
port harbour harbor
load loaded loading laden shipped embarked
package pkgs carton piece box bag pallet parcel bale colli
shipper consignor sender exporter
consignee receiver recipient importer
freight carriage shipping transport haulage
carrier haulier transporter airline
grant award awarded granted funding fund
grantee recipient beneficiary awardee
funder donor sponsor grantor
contact officer liaison enquiries inquiries
manager officer head lead supervisor
cofunding matching match contribution cofinancing
recall recalled withdrawal withdrawn
remedy solution redress compensation
hazard danger risk
inspect inspected inspection examined examination surveyed survey tested visit visited checked
inspector surveyor examiner assessor tester auditor
next following renewal reinspection
certificate certification licence license permit
premises property building dwelling house flat installation site
floor area size surface footage
outcome result conclusion verdict assessment decision
salary pay wage remuneration stipend earnings income
weekly week
monthly month
annual yearly annum year
remote home telework hybrid telecommute
language spoken fluent
permanent open indefinite
temporary fixed limited
interest rate apr
loan credit mortgage advance
principal amount sum
insured policyholder assured
insurer insurance underwriter
premium contribution
claim claimant
deductible excess
fee charge dues tariff
deposit bond security
balance outstanding remaining
discount rebate reduction
enrolment enrollment registration enrolled registered
student pupil learner
teacher instructor lecturer tutor trainer
course class module subject programme program
grade mark score gpa
school college university academy
exam examination test
ticket fare
passenger traveller traveler guest
arrival arrive arrives arrived landing checkin
departure depart departs departed leaving
admission admitted intake
speaker presenter lecturer
host organiser organizer hosted organised
participant attendee attending present delegates
chair chairman chairperson presiding
plaintiff claimant petitioner complainant appellant
defendant respondent accused
judge justice magistrate
judgment ruling decision decided decree
lawyer attorney counsel solicitor
offence offense violation breach infringement
fine penalty surcharge
death deceased died
spouse husband wife married partner
address residence residing domicile
postcode zip
harvest yield
temperature temp
capacity volume
speed velocity
fuel petrol gasoline diesel
mileage odometer
vehicle car automobile truck
plate registration tag
driver operator
warranty guarantee guaranteed
repair fix fixed mended
defect fault failure malfunction deficiency
complaint grievance
order ordered
dispatch dispatched despatched shipped sent
delivery delivered
invoice bill
payment paid settled settlement
artist painter creator sculptor
museum gallery
publisher press
expected estimated projected
approved authorised authorized sanctioned
prepared compiled drafted written
purpose aim objective
budget funding
headcount staff workforce employees
child children minor
animal dog cat
owner holder proprietor keeper
caller sender
member affiliate
tonnage tons
engine motor
colour color
expiry expires expiration valid validity
signed signature signatory undersigned
phone telephone tel mobile cell
mail email
website web url
village hamlet parish
forest wood woodland
catch haul
crop plant
allergy allergies allergic
dose dosage
blood sanguine
surgery operation surgical
symptom complaint
height elevation altitude
opened opening launched
closed closure shut
hired appointed engaged recruited joined
resigned resignation quit
promoted promotion
sold sale selling
bought purchase purchased
rented rental let letting
donated donation gift
won winner prize
bid bidder tender offer quotation quote
applicant petitioner claimant appellant pursuer
defender defendant respondent accused debtor
court tribunal chamber
judge magistrate sheriff adjudicator arbitrator justice registrar
advocate barrister counsel lawyer attorney solicitor representative
hearing trial sitting listed
case docket claim suit cause matter proceedings
verdict sentence judgment judgement ruling
appeal appellate
bail bond surety
witness testified deponent
warrant summons subpoena
crime offence offense felony
police constabulary constable
prisoner inmate detainee
probation parole
executor administrator trustee
heir beneficiary legatee
deceased decedent testator
notary notarised notarized attested
filed lodged submitted
sealed stamped
served serving
inventor inventors invention
assignee applicant proprietor
patent invention application
priority earliest
abstract summary synopsis overview
title heading headline subject caption
employee worker staff operative associate
employer company firm organisation
wages pay earnings remuneration salary
gross earnings
net takehome payable
deduction withheld withholding deducted stoppages
overtime extra
leave holiday vacation absence
sick illness absent
shift roster rota
supervisor foreman manager superior
department section division unit team
allowance benefit perk
pension superannuation retirement provident
tax paye tds levy duty
hazard hazardous danger dangerous warning
chemical substance product preparation mixture
ingredient component constituent composition contains
flashpoint flammability flammable
boil boiling
melt melting freezing
emergency urgent helpline hotline
poison toxic toxicity
precaution precautionary safety
storage store stored keep
disposal dispose discarded waste
transport carriage shipment
pupil student scholar learner
parent guardian carer mother father
teacher tutor master mistress instructor
headteacher principal headmaster headmistress rector
class form year group grade set
attendance attended present
absence absent missed
lateness late
behaviour behavior conduct
effort attitude application
attainment achievement progress
term semester trimester
report card
tender bid procurement solicitation
buyer purchaser authority contracting procuring commissioning
lot parcel division
deadline closing submission due cutoff
query question clarification enquiry inquiry
value worth estimate budget
visit viewing walkthrough
award awarded winner successful
criteria criterion
consultant adviser advisor
architect designer
builder contractor constructor
subcontractor subcontract
foreman superintendent
permit licence license consent permission authorisation authorization
planning zoning development
applicant proposer
neighbour neighbor adjoining
storey floor level
roof roofing
wall brickwork masonry
window glazing
boiler heater furnace
plumbing plumber pipework
electric electrical electrician wiring
voltage volts
current amps
power wattage watts kilowatts
energy electricity consumption usage
meter reading
tariff rate
supply supplied supplies
bill invoice statement
account customer
arrears overdue outstanding
reminder dunning
instalment installment
direct debit
refund refunded reimbursed reimbursement repayment
expense cost outlay expenditure
claim claimed
mileage distance travelled traveled
journey trip travel voyage route
outward outbound outgoing
return inbound returning homeward
origin start departure from
destination end arrival
stop halt station
platform track
gate pier stand
flight sector leg
seat berth cabin bunk
booking reservation reserved booked
room suite chamber
night overnight
hotel inn lodge guesthouse
guest visitor lodger occupant
checkin arrival
checkout departure
breakfast meal board
crew staff hands
captain skipper master pilot commander
mate deputy
vessel ship boat craft
flag registry
draught draft
cargo goods freight load
container box
anchor moored berthed
tide tidal
bunker fuel
engineer technician mechanic fitter
helicopter aircraft plane drone
takeoff departure
runway strip
weather sky forecast outlook
rain rainfall precipitation
snow snowfall
humidity moisture
pressure barometer
sunrise dawn
sunset dusk
river stream brook creek
lake loch reservoir pond
mountain peak hill summit
trail path track footpath
road street lane highway route carriageway
bridge viaduct overpass
closure closed shut
diversion detour alternative
works roadworks repairs
traffic vehicles
accident crash collision
injury wound harm trauma
victim casualty injured
rescue rescued saved
alarm alert call
fire blaze
responder crew brigade
ambulance paramedic
hospital infirmary clinic ward
doctor gp consultant physician surgeon
nurse midwife
patient client inpatient outpatient
diagnosis finding condition
prescription prescribed rx
tablet pill capsule
dose dosage strength
frequency often interval
vaccine vaccination immunisation immunization jab
blood serum plasma
urine stool
scan xray imaging radiograph
test assay analysis examination
normal reference expected
abnormal elevated raised
specimen sample swab
pathologist analyst
gestation pregnancy pregnant
birth delivery born
baby infant newborn
anaesthetic anesthetic sedation
scar incision wound
follow followup review recheck
dentist dental tooth
optician lens spectacles
vet veterinarian veterinary
breed species
microchip chip transponder
litter puppies kittens
stallion mare foal horse
herd flock
farm holding ranch
farmer grower producer
field plot paddock
crop variety cultivar
seed seeds sowing
pesticide herbicide fungicide spray
fertiliser fertilizer manure
irrigation watering
yield output production
pest insect infestation vermin
trap bait
treatment fumigation disinfestation
plant botanical
soil ground earth
tree timber wood
sighting observed observation seen spotted recorded
observer recorder
habitat environment
survey study
volunteer helper
donor giver contributor sponsor
charity nonprofit foundation
pledge promise commitment
raised collected
grant funding award
trustee director governor
chairman chair president convenor
secretary clerk
treasurer bursar
quorum present
apologies absent
motion proposal resolution proposed
seconded seconder
vote voted ballot poll
carried passed adopted agreed
minutes record
agenda business
meeting session assembly
conference congress symposium convention
talk lecture presentation
speaker lecturer keynote
delegate attendee
paper article manuscript
editor editorial
reviewer referee
journal periodical magazine
volume issue
publisher imprint
edition printing
pages extent
author writer
translator translated translation
illustrator illustrated
isbn issn
library archive
borrower reader
loan lent lending borrowed
lender owner
borrow hire rent
museum gallery collection
exhibition show display
artwork work piece object
medium material technique
dimension size measurement
signed inscribed
provenance origin
sculptor sculpture
photographer photograph photo
frame framed
condition state
insurance cover coverage
insured covered policyholder
excess deductible
peril risk
loss damage
adjuster assessor
settlement payout payment
declined refused rejected denied
accepted approved granted allowed
appeal objection
mortgage loan
lender bank
guarantor surety
repayment instalment
maturity redemption
coupon interest
share stock equity
shareholder stockholder
dividend distribution
profit earnings income surplus
loss deficit
revenue turnover sales
asset property
liability debt
audit auditor audited
fiscal financial
quarter quarterly
dear salutation
sender writer
recipient addressee
enclosure enclosed attached attachment
copy cc
subject regarding re
signed signature
landlord lessor letting
tenant lessee occupier renter
rent rental
deposit bond
notice termination
property premises dwelling
bedroom bed
bathroom bath
furnished furniture
pets animals
repair maintenance
inventory schedule
agent broker agency realtor
seller vendor
buyer purchaser
price consideration
completion closing
survey appraisal valuation
parking garage
garden yard
storey stories
vehicle car
chassis vin
registration plate
mechanic garage workshop
service serviced
tyre tire
brake brakes
odometer mileage
mot inspection roadworthiness
fail failed
pass passed
calibration calibrated
instrument gauge device
uncertainty tolerance accuracy
traceable traceability
standard norm
laboratory lab
technician operator
method procedure protocol
equipment apparatus plant machine machinery
hirer customer
hire rental
operator driver
delivery drop
collection pickup return
accessory attachment
damage waiver
recall withdrawal
batch lot
barcode ean upc
consumer customer user
shop store retailer outlet
stop discontinue
contact enquiries helpline
brand label trademark
package pack packaging
expiry bestbefore
nationality citizenship citizen
passport identity
visa entry
border customs
declaration declared
importer consignee
exporter consignor
tariff duty
consignment shipment
quantity amount number
marks markings
inspector officer
vacancy position
candidate applicant
skill requirement qualification
experience background
interview selection
closing deadline
start commencing commence
contract permanent
benefits package
training course
trainer instructor tutor
certificate diploma award
degree qualification
thesis dissertation
supervisor adviser advisor promotor
defence defense viva
university college faculty
faculty department school
credit ects
cause reason
remedy action measure correction
corrective preventive
finding observation
nonconformity deviation
severity seriousness criticality
priority urgency
status state
assigned assignee responsible owner
reported reporter raised
resolved fixed closed
version release revision
deployed deployment rollout
outage downtime interruption
restored recovered
impact effect consequence
affected impacted
server host machine
user account
incident event
start began onset
duration lasted
match game fixture
team side club
referee umpire
score result
goal point
player competitor athlete
coach trainer
venue stadium ground arena pitch
spectators crowd attendance
winner champion
race event
finish finished
record best
concert gig performance
orchestra ensemble choir
programme repertoire
admission entry ticket
doors opening
interval intermission
film movie picture
actor cast
shoot filming
recipe dish
serves servings portions yield
cook cooking bake baking
preparation prep
wine vintage
burial cremation funeral interment
mourners bereaved
cemetery churchyard
church parish chapel
priest vicar minister pastor celebrant
wedding marriage
bride groom
christening baptism
alderman councillor councilman
district borough ward
council municipality
citizen resident inhabitant
decision determination
election polling
candidate nominee
hirer lessee renter
lessor owner hireco
craft vessel barge ship
pupil child children kid
trailer unit piece
dwelling home house residence
charterer hirer
grant aid
shut closed closure
referee reviewer
rental hire
opening started start begin began brought initial
closing ended end final carried
credit deposit income receipt incoming
debit withdrawal payment outgoing
holder owner customer member
examiner inspector tester
died passed deceased
deadline submission submit received receipt lodge lodged lodging handed handing returned
bid bidder tender tenderer offer quotation proposal
buyer purchaser contracting authority procuring procurement acquirer
claimant plaintiff petitioner pursuer applicant appellant complainant
defendant respondent defender accused appellee
court tribunal bench chamber judiciary sheriff
judge justice magistrate adjudicator arbitrator
hearing trial sitting session proceeding
order judgment judgement ruling decree decision
case cause matter file docket suit action proceeding claim
costs expense expenses fee charge outlay
lawyer attorney solicitor counsel advocate barrister representative
inventor deviser originator
applicant proprietor assignee filer
filing filed lodged application
patent invention specification
employee worker staff payee member associate colleague
employer payer company firm
hours time worked units
gross earnings total pay
net takehome paid payout transfer
tax paye withholding withheld levy
deduction stoppage contribution withheld
pension superannuation retirement provident
overtime extra premium
period month week cycle interval span
pupil student learner child scholar name
school academy college kindergarten institution
teacher tutor advisor adviser instructor homeroom mentor kaiako
class form group room homeroom section set grade
absent absence missed away truancy
average mean median mark grade gpa
term semester quarter trimester session reopen reopens resume resumes begins
product substance preparation mixture trade
supplier manufacturer distributor producer importer maker
hazard danger warning signal
emergency poison urgent helpline
revision version edition issue
station garage workshop facility centre center lane tester
registration plate licence license reg
make model vehicle marque
odometer mileage milage km miles tacho reading
inspection test check examination survey mot roadworthiness review
result outcome verdict assessment overall grade finding
fee price charge cost paid sum amount
deceased departed late loved
born birth birthday
died death passed passing dead
funeral service burial mass ceremony cremation interment committal farewell
donation donations gift contribution memorial lieu
flower flowers floral wreath wreaths bouquet
children son sons daughter daughters child
bank branch institution
account iban number
holder owner customer name client
balance saldo amount
overdraft limit facility line arranged
statement extract
booking reservation confirmation itinerary order file ref reference
agency operator organiser organizer tour travel
traveller traveler passenger guest delegate participant pax
departure depart departing outbound outward out leave leaves start
return back inbound home homeward
hotel accommodation lodging stay pension inn hostel guesthouse sleep
flight train ship bus service
board meal meals catering breakfast
appointment appointed named elected chosen promoted joins join
position post role title office job capacity
predecessor succeeds succeed replaces replace follows follow takes
successor succeeded
previous former earlier last formerly
contact enquiries inquiries questions queries interviews information press media
exporter consignor seller shipper sender supplier
importer consignee buyer receiver
declarant agent broker representative customs lodged
package packages parcel carton colli bale box crate pallet
commodity tariff hs code goods
duty customs tariff levy
weight mass gross net kg
invoice bill
value worth amount price
acceptance accepted registered registration entry
guest visitor occupant
nights stay length
room suite cabin unit
checkin arrival arrive arriving
checkout departure leave leaving
member subscriber patron
subscription membership plan
instalment installment payment repayment
arrears overdue outstanding
refund repayment reimbursement
deposit advance prepayment downpayment
discount rebate reduction deduction concession
surcharge supplement extra
tip gratuity
shipping postage carriage delivery freight
tracking waybill consignment shipment parcel
dispatch dispatched despatch despatched shipped sent
delivery delivered deliver handover
warranty guarantee
serial sn number
batch lot charge
expiry expires best use before shelf
storage store keep stored
ingredient ingredients contains composition
dose dosage posology strength
prescriber prescribed physician doctor
symptom complaint sign presenting
allergy allergies intolerance
diagnosis finding impression conclusion opinion
surgery operation procedure
surgeon operator physician
ward unit department
admission admitted hospitalised
insurer underwriter insurance company
policyholder insured policy holder
premium contribution rate
excess deductible
claim loss damage
adjuster assessor surveyor expert
witness bystander observer
victim injured casualty
suspect accused offender
offence offense violation charge crime
officer constable policeman patrol
penalty fine sanction
landlord lessor owner proprietor letting
tenant lessee renter occupier
rent rental hire
premises property building address dwelling
mortgage loan advance
lender creditor bank
borrower debtor
security collateral pledge
guarantor surety
interest rate coupon
maturity due repayment
shareholder member stockholder
director board officer
auditor accountant
chair chairman chairwoman chairperson presiding president
secretary clerk minute minutes
attendee attendees present attending participant
apologies absent regrets excused
resolution motion decision
agenda item topic
venue place location hall site
organiser organizer host promoter
speaker presenter lecturer
sponsor patron funder
participant competitor entrant contestant
prize award trophy
distance length
duration time length runtime
altitude elevation height
temperature temp
rainfall precipitation
captain master skipper commander
crew hands
vessel ship boat
flag nationality registry
cargo freight load goods
berth quay dock pier
fuel petrol diesel gas
engine motor
route road line
closure closed shut blocked
diversion detour alternative
contractor builder firm company
architect designer planner
permit licence license consent approval permission
parcel plot lot land
area surface size acreage
objection comment representation
breeder owner keeper
microchip chip transponder
vaccine vaccination jab
vet veterinarian surgeon
treatment therapy medication
curator keeper conservator
artist painter maker creator
artwork work painting object piece
lender owner collection
exhibition show display
insurance value valuation
calibration calibrated adjustment
instrument device equipment apparatus meter gauge
uncertainty tolerance error
standard norm reference
laboratory lab institute
technician analyst tester
sample specimen probe
parameter analyte measurand determinand
limit threshold maximum
method procedure protocol
author writer researcher
editor handling managing
journal publication periodical
manuscript paper article submission
reviewer referee
grant funding award
investigator researcher pi lead
budget funds money
salary pay wage remuneration
vacancy position job opening
qualification degree education
recall withdrawal
defect fault flaw problem
remedy refund replacement repair
consumer customer buyer
retailer shop store seller
units quantity number pieces sold
model type variant
cancel cancelled cancellation
reason cause ground because why
status state condition
priority urgency severity
reported raised logged notified
resolved closed fixed completed
affected impacted concerned
population inhabitants residents
founded established since
website web homepage url
email mail
fax telefax
telephone phone tel mobile cell call
street road address
postcode zip
county district borough
"""
