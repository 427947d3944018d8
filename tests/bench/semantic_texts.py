"""Four invented sets of short texts for semantic filters, true by construction.

Each theme has a question and sentences that state the fact in other words than the question; a
text of the set holds sentences of no, one or two themes among sentences that say nothing of any.
"""

import random
from dataclasses import dataclass

TEXTS = 48


@dataclass(frozen=True)
class TextSet:
    """Texts, and for each question the places of the texts that answer it with yes."""

    name: str
    texts: list[str]
    truth: dict[str, frozenset[int]]


def sets() -> list[TextSet]:
    """The four sets, the same on each call."""
    return [_made(name, themes, filler) for name, (themes, filler) in _SOURCES.items()]


def _made(name: str, themes: dict[str, str], filler: str) -> TextSet:
    chance = random.Random(name)
    texts: list[list[str]] = [[] for _ in range(TEXTS)]
    truth: dict[str, set[int]] = {question: set() for question in themes}
    for question, sentences in themes.items():
        free = [i for i in range(TEXTS) if len(texts[i]) < 2]
        lines = _lines(sentences)
        for place, sentence in zip(chance.sample(free, len(lines)), lines, strict=True):
            texts[place].append(sentence)
            truth[question].add(place)
    plain = _lines(filler)
    for lines in texts:
        lines += chance.sample(plain, 3 - len(lines) // 2)
        chance.shuffle(lines)
    return TextSet(name, [" ".join(h) for h in texts], {q: frozenset(t) for q, t in truth.items()})


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


_INSPECTIONS = {
    "Where were rodents or insects found?": """
        Droppings of mice lay behind the flour bins.
        A cockroach ran across the pastry counter while we were there.
        Gnaw marks were seen on the sacks of rice.
        Flies covered the uncovered trays of dessert.
        The glue traps in the cellar had caught two rats.
        Ants had found a way into the sugar store.
        Moth larvae were discovered in the dried fruit.
        """,
    "premises where food was not kept cold enough": """
        The walk-in fridge showed 11 degrees instead of 4.
        Raw chicken stood on the worktop for hours at room temperature.
        The freezer had failed overnight and its contents had thawed.
        Milk was stored in a lukewarm cabinet.
        The refrigerator could not hold its set temperature.
        Fish lay on melted ice that nobody had replaced.
        Cream cakes were displayed in an unchilled case in the sun.
        """,
    "Which places had staff who did not wash or keep themselves clean?": """
        The cook went from raw meat to salad without rinsing his hands.
        Soap and paper towels were missing at the hand basin, and nobody used it.
        An employee handled bread after sneezing into her palm.
        Aprons were soiled with old grease and had not been changed in days.
        The dishwasher came back from the toilet and went straight to the plates.
        Long fingernails with dirt under them were noted on the server.
        Workers wore their street clothes and touched their hair while plating.
        """,
    "problems with drains or plumbing": """
        Waste water backed up through the floor grate.
        A pipe under the sink was leaking onto the tiles.
        The sink emptied slowly and smelled of sewage.
        There was no running water in the back kitchen.
        The toilet could not be flushed.
        A tap dripped without end and its seal was gone.
        The grease trap had overflowed into the yard.
        """,
    "places that lacked permits or paperwork": """
        The owner could not produce a valid licence.
        Delivery notes for the meat had been thrown away.
        The certificate on the wall had expired two years ago.
        No temperature log had been filled in since spring.
        Training records for the team were not available.
        The establishment had never been registered with the authority.
        Allergen documentation was absent.
        """,
    "fire hazards": """
        Crates of bottles blocked the emergency exit.
        The extinguisher had not been serviced in six years.
        Oil-soaked rags were piled beside the burners.
        The smoke detector had been taped over.
        Bare wires hung near the deep fryer.
        Gas cylinders stood next to the open flame of the grill.
        The exhaust hood was thick with grease that could ignite.
        """,
}
_INSPECTIONS_PLAIN = """
    The visit began shortly after ten in the morning.
    The manager was present and cooperative.
    Seating for about forty guests is available.
    The menu offers regional dishes.
    A follow-up visit is planned next month.
    The business opened in 2015.
    The dining room was freshly painted.
    Tables and chairs were in good order.
    The results were explained to the person in charge.
    Photographs are attached to this report.
    The site employs nine people.
    The premises lie on the ground floor of an older house.
    A second kitchen upstairs is used on weekends only.
    The previous visit had been without findings.
    Lunch was being served at the time.
    The windows face the market square.
    """
_REVIEWS = {
    "guests disturbed by noise": """
        The trams kept us awake until two in the morning.
        You can hear every word from the room next door.
        A disco below the window thumped all night.
        Bring earplugs, the street never sleeps.
        Construction drills started at six sharp.
        The lift rattled behind our bed and we hardly slept.
        Barking dogs in the yard robbed us of our rest.
        """,
    "reviews complaining about dirt": """
        There were hairs of strangers in the bathtub.
        The sheets had stains when we arrived.
        Dust lay finger-thick on the shelves.
        Mould grew around the shower.
        The carpet was sticky and full of crumbs.
        Nobody had emptied the bin of the previous guests.
        The kitchen was filthy, pans were covered in old fat.
        """,
    "Which guests had trouble with the internet connection?": """
        The wifi dropped every few minutes.
        I could not get online from the bedroom at all.
        My video calls froze constantly because the router is too weak.
        The wireless password we were given did not work.
        Pages took forever to load.
        Working remotely was impossible with that bandwidth.
        The network was down for the whole weekend.
        """,
    "unfriendly or rude hosts": """
        The woman at the desk rolled her eyes when we asked for a towel.
        Our landlord shouted at us over the phone.
        He never said hello and treated us like intruders.
        The receptionist was curt and dismissive.
        Nobody apologised, we were told to stop whining.
        The owner made snide remarks about our children.
        We felt unwelcome from the first minute.
        """,
    "rooms that were too cold": """
        The radiators stayed off although it was snowing.
        We slept in our coats.
        It was freezing in the bathroom each morning.
        The heating broke on the first evening.
        An icy draught came through the window frames.
        Even with three blankets we were shivering.
        The thermostat could not be turned above fifteen degrees.
        """,
    "praise for the breakfast": """
        The morning buffet with fresh rolls was a delight.
        Eggs cooked to order and wonderful coffee started our days.
        We loved the homemade jams served at eight.
        The croissants in the morning were heavenly.
        Pancakes for the kids every morning, just superb.
        The spread of cheeses and fruit before our hikes was generous and tasty.
        Best granola and yoghurt I ever had on a terrace at sunrise.
        """,
}
_REVIEWS_PLAIN = """
    We stayed for three nights in May.
    The flat is near the station.
    We travelled with two friends.
    Check-in was at four.
    The building has five floors.
    There is a supermarket around the corner.
    We paid with a card.
    The balcony looks onto a park.
    Parking is behind the house.
    We visited the museum on Saturday.
    The bed was wide.
    The walls are painted blue.
    It was our second trip to the city.
    The keys were in a box beside the door.
    A bus stops in front of the entrance.
    The room had a desk and two chairs.
    """
_RESCUES = {
    "hikers who got lost": """
        The pair had missed the turn and no longer knew where they were.
        In the fog the group wandered off the marked path and could not find it again.
        He took the wrong valley and walked in circles until dark.
        Without a map she could not tell which ridge she stood on.
        They had strayed far from their route when they called.
        The walker was disoriented after leaving the trail.
        The phone battery with the navigation app was empty and they did not know the way.
        """,
    "Which operations involved broken bones?": """
        The patient had a fracture of the lower leg.
        She snapped her wrist in a tumble on the scree.
        An x-ray later confirmed that two ribs were cracked.
        His ankle was shattered by the fall.
        The collarbone was in two pieces.
        The splint was put on the forearm, which was bent at an odd angle.
        A fractured femur made the carry slow.
        """,
    "people caught by bad weather": """
        A thunderstorm surprised the family on the summit.
        Sudden snowfall closed the pass behind them.
        Hail and gusts pinned the party down on the ledge.
        The blizzard made any movement impossible.
        Torrential rain turned the gully into a stream around them.
        Lightning struck close to the two climbers.
        A gale forced them to cower behind a boulder all night.
        """,
    "avalanche accidents": """
        A slab released above the skier and buried him to the neck.
        The snow mass carried three tourers two hundred metres down.
        Probes and transceivers were used to locate the person under the snow.
        The slope gave way and the slide swept her over the rocks.
        He was dug out of the debris cone after twenty minutes.
        The airbag kept her on the surface of the sliding snow.
        A snow slide hit the couple in the couloir.
        """,
    "failures of equipment": """
        The rope had frayed and parted at the edge.
        A bolt came out of the wall under load.
        The strap of the crampon tore.
        His ski binding did not open.
        The buckle of the harness gave out.
        The stove exploded in the tent.
        The carabiner gate was jammed and bent.
        """,
    "people who suffered from exhaustion": """
        She had no strength left to go on.
        The man could not lift his legs any more after fourteen hours.
        Completely drained, they sat down at the hut ruins.
        He collapsed with fatigue below the saddle.
        The older woman was too tired to descend.
        Their energy was spent and they had nothing to eat.
        Weak and dehydrated, the runner could no longer walk.
        """,
}
_RESCUES_PLAIN = """
    The alarm reached the centre at 15:40.
    Six volunteers took part.
    A helicopter was on standby at the valley station.
    The operation ended at half past nine.
    The team walked in from the car park.
    Relatives were informed by the police.
    The person thanked the crew.
    The team leader was on his tenth operation.
    Two vehicles were used.
    The place lies at 1,900 metres.
    The report was written the same evening.
    Radio contact was good.
    The persons concerned were between 25 and 60 years old.
    A dog team was not needed.
    The handover took place at the lower lift station.
    The callout was the third of the week.
    """
_TICKETS = {
    "customers who were charged too much": """
        My invoice shows the monthly fee twice.
        You debited forty euros more than we agreed on.
        I was billed for a package I never ordered.
        The roaming costs on my statement cannot be right.
        The discount promised by your agent was not deducted.
        I want a refund for the sum taken by mistake.
        The price went up without notice and I paid it unknowingly.
        """,
    "slow connections": """
        Downloads crawl at a tenth of the advertised rate.
        Streaming buffers every evening.
        A speed test gives me 3 Mbit instead of 100.
        Websites need a minute to open.
        The line is sluggish whenever it rains.
        Uploading one photo takes half an hour.
        The latency is so bad that games are unplayable.
        """,
    "Which customers want to leave us?": """
        Please terminate my contract at the end of the term.
        I am switching to your competitor.
        How do I close my account for good?
        I will not renew after December.
        This letter is my notice of termination.
        I have had enough and am taking my number to another provider.
        Kindly stop my subscription as soon as possible.
        """,
    "people locked out of their account": """
        My password is rejected although I reset it.
        The portal says my user name is unknown.
        I cannot sign in since the update.
        The verification code never arrives on my phone, so I stay outside.
        After three attempts my access was blocked.
        The login page keeps returning me to the start.
        I forgot my credentials and the recovery mail does not come.
        """,
    "hardware that arrived broken or died": """
        The router does not light up any more.
        A cracked screen stared at me when I opened the parcel.
        The modem smells burnt and stays dark.
        The set-top box was dented and rattles.
        The remote control gave up after two days.
        The power supply made a bang and went silent.
        The handset came with a loose charging port that does not work.
        """,
    "complaints about technicians or appointments": """
        Nobody showed up on Tuesday although I took the day off.
        The engineer came three hours late and left after five minutes.
        Your fitter drilled into my water pipe.
        The visit has been rescheduled four times.
        The installer left cables all over the hall.
        I waited at home all day for your man in vain.
        The serviceman had no tools with him and had to come again.
        """,
}
_TICKETS_PLAIN = """
    I have been a customer since 2012.
    My customer number is in the subject line.
    Please answer by e-mail.
    I live in the old town.
    I am writing on behalf of my mother.
    You can reach me in the afternoon.
    I have attached a screenshot.
    I called the hotline yesterday.
    Thank you for your help.
    This is my second message.
    I use the family tariff.
    We are four people in the household.
    I read the terms on your site.
    Best regards from the seaside.
    My neighbour recommended you.
    I moved here in June.
    """
_SOURCES = {
    "inspections": (_INSPECTIONS, _INSPECTIONS_PLAIN),
    "reviews": (_REVIEWS, _REVIEWS_PLAIN),
    "rescues": (_RESCUES, _RESCUES_PLAIN),
    "tickets": (_TICKETS, _TICKETS_PLAIN),
}
