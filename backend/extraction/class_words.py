"""Maps the nouns in a property's name or description to the classes of text that they ask for.

General English, grouped by who or what bears such a name: a firm or a body, a person, a place and
so on. A noun may appear in several groups, since a buyer can be a person or a firm.
"""

from backend.extraction.words import stem

_NOUNS = {
    "legal body": """
        company firm organisation organization business corporation vendor supplier seller buyer
        customer client employer insurer bank agency manufacturer maker carrier laboratory lab
        publisher issuer shop store merchant institution university school hospital clinic airline
        brand distributor contractor operator provider party parties lessor lessee landlord tenant
        lender borrower creditor debtor licensor licensee exporter importer shipper consignee
        consignor association ministry authority department office facility owner retailer payee
        payer body charity club council court tribunal sponsor funder grantor grantee donor
        organiser organizer promoter garage practice surgery pharmacy museum gallery library college
        faculty institute academy society union trust fund foundation committee board broker
        underwriter administrator utility developer builder subcontractor consultant auditor
        assessor hirer renter forwarder haulier courier consortium partner producer grower farm
        restaurant hotel venue franchisee franchisor claimant plaintiff petitioner defendant
        respondent appellant complainant applicant assignee proprietor guarantor trustee beneficiary
        recipient sender addressee purchaser bidder tenderer winner team agent registrar orchestra
        ensemble choir band publication journal newspaper studio label crew undertaker cemetery
        parish church kennel shelter zoo nursery breeder installer repairer dealer dealership
        affiliate subsidiary parent regulator station headquarters secretariat embassy consulate
        lab caterer host exhibitor lessors lessees victim responder brigade
    """,
    "person": """
        person author signatory employee patient physician doctor inspector officer manager contact
        attendee recipient applicant student driver pilot teacher witness chair chairman editor
        sender who participant member president secretary judge engineer technician nurse examiner
        reviewer tenant landlord party parties owner holder candidate guest passenger surgeon
        analyst auditor director supervisor trainer speaker customer buyer advocate lawyer attorney
        solicitor barrister counsel magistrate sheriff adjudicator arbitrator mediator notary clerk
        registrar claimant plaintiff petitioner defendant respondent appellant complainant accused
        prisoner offender victim deceased heir beneficiary executor trustee guardian parent mother
        father child children pupil learner tutor headteacher principal dean professor lecturer
        researcher investigator inventor applicant scientist artist painter sculptor composer
        conductor photographer writer translator illustrator curator registrar borrower lender
        reader visitor resident occupant occupier householder citizen voter nominee delegate mayor
        councillor minister governor ambassador consul captain skipper master mate crew sailor
        officer purser steward operator mechanic electrician plumber carpenter builder architect
        surveyor assessor adjuster agent broker client donor volunteer helper organiser
        organizer coordinator leader guide instructor coach referee umpire player athlete competitor
        winner runner rider jockey swimmer treasurer chairperson convenor proposer seconder trustee
        caller reporter observer recorder finder keeper handler breeder vet veterinarian dentist
        midwife paramedic pharmacist therapist psychologist counsellor pathologist radiologist
        anaesthetist donor farmer grower forester ranger warden diver climber hiker rescuer
        firefighter policeman constable detective sergeant lieutenant commander responder dispatcher
        courier postman cashier salesperson assistant receptionist porter cleaner cook chef waiter
        baker butcher tailor hairdresser groom bride spouse husband wife partner celebrant priest
        vicar pastor officiant mourner actor actress producer performer singer soloist dancer
        musician host presenter moderator interviewer interviewee nominee referrer referee sponsor
        supervisor promotor opponent approver requester requestor assignee responsible developer
        tester maintainer user administrator staff worker colleague superior foreman shopper payee
        payer hirer renter insured policyholder debtor creditor guarantor taxpayer undersigned
        signer addressee traveller traveler
    """,
    "place": """
        country state city town location place venue province jurisdiction nation region where law
        site port origin destination district municipality county airport village parish borough
        island territory station harbour harbor berth quay terminal depot warehouse area zone route
        road street bridge river lake forest field plot birthplace hometown nationality citizenship
        habitat locality neighbourhood neighborhood continent
    """,
    "address": "address street residence premises property domicile headquarters",
    "code": """
        number id code reference identifier registration serial vin sku iban account policy no nr
        licence license plate docket barcode ean isbn issn doi key imo mmsi bic swift batch lot
        permit certificate passport ticket booking reservation order invoice tracking waybill
        container chip microchip tag patent file ref case claim
    """,
    "duration": "duration term period long length validity warranty time runtime stay",
    "time": "time clock hour when call start departure arrival opening",
    "currency": "currency",
    "mail": "mail email",
    "url": "url website link web homepage recording",
    "host": "domain",
    "phone": "phone telephone fax mobile hotline helpline cell",
    "heading": "title subject heading headline topic",
    "name": """
        name product model make vessel ship boat aircraft species breed medicine drug medication
        substance chemical project programme program course event film book song work painting item
        equipment machine instrument device vehicle variety cultivar dish wine game team artwork
        exhibition conference journal brand animal pet horse dog cat
    """,
    "post": "job position post role function occupation profession capacity rank",
    "phrase": """
        diagnosis illness injury disease symptom reason cause remedy treatment therapy material
        medium colour color condition hazard danger finding result outcome species breed sex gender
        status method technique procedure product item goods equipment instrument commodity cargo
        crop variety medicine dose dosage frequency weather occupation profession trade job position
        post role title function purpose use activity service work language religion subject topic
        decision verdict grade rating category type kind packaging package defect fault problem
        complaint allergy specimen sample substance ingredient fuel pest action measure
        recommendation instruction requirement qualification benefit terms delivery route
        relationship size dimension food diet meal habitat behaviour behavior stage phase model
        part component feature skill hobby sport event offence offense violation charge claim
        damage circumstances restriction equipment object specialty speciality discipline
    """,
    "prose": """
        summary description abstract statement narrative finding conclusion cause reason purpose
        scope details remark comment recommendation explanation circumstances outcome
    """,
}


def _sorted() -> dict[str, tuple[str, ...]]:
    result: dict[str, list[str]] = {}
    for kinds, nouns in _NOUNS.items():
        for noun in nouns.split():
            own = result.setdefault(stem(noun), [])
            own += [kind for kind in kinds.split() if kind not in own]
    return {noun: tuple(kinds) for noun, kinds in result.items()}


CLASSES = _sorted()
"""Stem of a noun -> the classes of text that it can name."""
_SOMEBODY = {*_NOUNS["legal body"].split(), *_NOUNS["person"].split()}
ROLES = frozenset(_SOMEBODY | {f"{noun}s" for noun in _SOMEBODY})
"""Nouns for somebody who does something, in lower case."""
