"""Groups of words that mean nearly the same on forms, in letters and in reports of any trade.

General English: what a native speaker would put for one another as the label of a value. A word may
stand in several groups. These words are common in names and texts as well, so that, unlike those of
`words`, they are no sign that a text is a label.
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
"""
