"""Causes of invented events, each with the sentences that describe it.

`{…}` in a sentence names a field of the event (see `story`). `course` is what the crew noticed,
`examination` what the wreckage or the records showed, `finding` the probable cause as the office
puts it.
"""

from typing import NamedTuple


class Cause(NamedTuple):
    """`severity` (0..1) scales damage and injuries; `weather` raises the probability of
    instrument conditions.
    """

    name: str
    phases: tuple[str, ...]
    course: tuple[str, ...]
    examination: tuple[str, ...]
    finding: str
    advice: str
    severity: float
    weather: float = 0.15
    windy: bool = False
    helicopter: bool = False


CAUSES: tuple[Cause, ...] = (
    Cause(
        "Fuel exhaustion",
        ("Cruise", "Approach"),
        (
            "About {minutes} minutes after departure the engine began to surge and then stopped. "
            "The pilot changed tanks and switched on the auxiliary pump, but power did not "
            "return.",
            "The pilot reported that both fuel gauges had read near a quarter when the engine lost "
            "power. A restart was tried twice without success, and a field ahead was chosen.",
        ),
        (
            "Less than a liter of usable fuel was drained from the two tanks. There was no smell "
            "of fuel at the site and no trace of a leak on the wings or the belly.",
            "The fuel log showed that the aircraft had last been filled two flights earlier. "
            "With the consumption given in the handbook the tanks would have been empty at the "
            "time of the event.",
        ),
        "The pilot's inadequate preflight planning, which resulted in fuel exhaustion and a "
        "total loss of engine power.",
        "Operators should measure fuel with a dipstick before each flight and not rely on gauges.",
        0.5,
    ),
    Cause(
        "Bird strike",
        ("Takeoff", "Climb", "Approach"),
        (
            "Passing {height} feet above the ground, the crew saw a flock of large birds to the "
            "left. At least two struck the aircraft, one of them on the windshield.",
            "The pilot heard a loud bang and felt a strong vibration. Feathers were seen on the "
            "cowling, and the pilot turned back towards the runway.",
        ),
        (
            "Remains found in the engine inlet and behind the windshield frame were sent to the "
            "national museum, which identified them as those of a gray heron.",
            "One blade of the propeller was bent and the leading edge of the right wing was "
            "dented over a length of forty centimeters.",
        ),
        "An in-flight collision with birds that the crew could not have avoided.",
        "The airport should resume the grass-height program that was stopped two years ago.",
        0.3,
    ),
    Cause(
        "Loss of control in crosswind",
        ("Landing",),
        (
            "The touchdown was on the centerline, but a gust then lifted the upwind wing. The "
            "aircraft veered to the side, left the runway and came to rest in the drainage ditch.",
            "During the roll-out the nose swung into the wind. The pilot applied full opposite "
            "rudder and brake, but the aircraft crossed the runway edge at about 35 knots.",
        ),
        (
            "Tire marks began 240 meters past the threshold and curved continuously to the left. "
            "The brakes and the rudder cables worked normally when tested.",
            "The crosswind at the time was close to the demonstrated limit given in the "
            "handbook. No fault was found in the controls.",
        ),
        "The pilot's failure to maintain directional control during the landing roll in a "
        "gusting crosswind.",
        "Flying schools should practice crosswind landings at the limit with an instructor on "
        "board.",
        0.25,
        windy=True,
    ),
    Cause(
        "Carburetor icing",
        ("Climb", "Cruise", "Approach"),
        (
            "The engine speed fell slowly over several minutes and the engine then ran roughly. "
            "The pilot enriched the mixture, and applied carburetor heat only when little power "
            "was left.",
            "When the pilot advanced the throttle after a long descent, the engine did not "
            "answer. The aircraft could not reach the runway and was landed on a meadow short of "
            "it.",
        ),
        (
            "The engine was run on a test stand the next day and reached full power. Temperature "
            "and dew point lay in the region where serious icing is expected at descent power.",
            "No mechanical fault was found. The carburetor heat control was in the OFF position "
            "and the door was free to move.",
        ),
        "The pilot's delayed use of carburetor heat, which led to a partial loss of engine power "
        "due to carburetor icing.",
        "A reminder about icing at high humidity should be added to the approach checklist.",
        0.45,
    ),
    Cause(
        "Landing gear failure",
        ("Landing",),
        (
            "The three gear lights were green on final approach. During the roll-out the right "
            "main gear folded, the wing touched the runway, and the aircraft turned through "
            "about ninety degrees.",
            "The nose gear collapsed as it was lowered to the runway. The propeller struck the "
            "surface and the aircraft slid for {height} feet on its nose.",
        ),
        (
            "The drag brace of the collapsed leg had broken at a fatigue crack that covered two "
            "thirds of its section. The part had flown 4,300 hours since new.",
            "The down-lock was found out of adjustment by six millimeters. The last rigging "
            "check recorded in the log had been made nineteen months earlier.",
        ),
        "The failure of the landing gear during the landing roll as a result of inadequate "
        "maintenance.",
        "The maker should shorten the inspection interval of the drag brace to 500 hours.",
        0.2,
    ),
    Cause(
        "Runway excursion",
        ("Landing",),
        (
            "The aircraft crossed the threshold high and fast and touched down beyond the middle "
            "of the wet runway. Braking had little effect, and it ran off the end into soft "
            "ground.",
            "After a late touchdown the crew felt almost no braking. The aircraft passed the end "
            "lights at about 40 knots, went through the perimeter fence and stopped on a road.",
        ),
        (
            "Marks of steam-cleaned rubber were found over the last 300 meters of the runway, "
            "which is typical of tires riding on a film of water.",
            "The recorded speed at the threshold was 17 knots above the target. The landing "
            "distance needed in those conditions exceeded the length that was left.",
        ),
        "The crew's continuation of an unstable approach to a wet runway, which resulted in an "
        "excursion.",
        "Crews should be required to announce a go-around when the approach is unstable at 500 "
        "feet.",
        0.3,
        weather=0.6,
    ),
    Cause(
        "Wire strike",
        ("Maneuvering",),
        (
            "While flying low along the valley the aircraft struck a power line that crossed the "
            "river. It yawed sharply, lost height and came down on the gravel bank.",
            "The pilot had finished the third pass over the field when the gear caught a "
            "cable. The aircraft rolled to the right and hit the ground {minutes} meters on.",
        ),
        (
            "Two of the three cables were cut. The line carried no marker balls and was not "
            "shown on the chart found in the cockpit.",
            "Copper traces on the mast and on the leading edge matched the cable. The sun stood "
            "eleven degrees above the horizon, straight ahead.",
        ),
        "The pilot's failure to see and avoid a power line during low-level flight.",
        "The line should be marked and entered in the obstacle list of the state.",
        0.7,
    ),
    Cause(
        "Engine power loss",
        ("Takeoff", "Climb"),
        (
            "At about {height} feet the engine lost most of its power with a loud knock. The "
            "pilot lowered the nose and landed straight ahead on a plowed field.",
            "Shortly after lift-off the power dropped and oil covered the windshield. There was "
            "not enough runway left, and the aircraft went through the hedge at its end.",
        ),
        (
            "The number three connecting rod had broken through the crankcase. The oil filter "
            "held metal particles, which suggests that the bearing had been failing for some "
            "hours.",
            "An exhaust valve of cylinder two was stuck open. Deposits on the stem showed that "
            "the guide had been dry for a long time.",
        ),
        "A total loss of engine power during the initial climb due to the fatigue failure of an "
        "engine part.",
        "Oil analysis should be made at every oil change and the results kept with the log.",
        0.55,
    ),
    Cause(
        "Ground collision",
        ("Taxi",),
        (
            "While the aircraft taxied to the apron its left wing tip struck a parked fuel "
            "truck. It turned to the left and stopped with the wing against the cab.",
            "Two aircraft were moving towards the same holding point. The pilot looked down to "
            "set a radio frequency, and the propeller cut into the tail of the aircraft ahead.",
        ),
        (
            "The yellow guide line was worn away over some thirty meters, and the stand had been "
            "lengthened for larger aircraft without moving the parking place of the truck.",
            "The apron camera showed that both pilots had a clear view of each other for at "
            "least nine seconds.",
        ),
        "The pilot's inadequate lookout while taxiing.",
        "The airport should repaint the guide lines and move the parking place of service "
        "vehicles.",
        0.08,
    ),
    Cause(
        "Controlled flight into terrain",
        ("Cruise", "Approach"),
        (
            "Radar showed a slow descent below the minimum height of the sector. The last return "
            "was {minutes} kilometers from the airport, and the wreckage was found on a wooded "
            "slope the next morning.",
            "The pilot told the controller that the ground was in sight and descended below the "
            "cloud. Contact was lost in the valley, where the cloud reached down to the trees.",
        ),
        (
            "The aircraft had hit the slope with wings level and under power. The altimeter was "
            "set to the pressure of the departure airport, which gave a reading 310 feet too "
            "high.",
            "Cut branches over a length of 70 meters showed a shallow flight path. All control "
            "cables were accounted for and the engine had been running.",
        ),
        "The pilot's decision to continue visual flight into instrument conditions, which "
        "resulted in a collision with terrain.",
        "The office again recommends terrain warning devices for all aircraft that carry "
        "passengers.",
        0.95,
        weather=1.0,
    ),
    Cause(
        "Hard landing",
        ("Landing",),
        (
            "The aircraft flared high, stalled a few feet above the runway and dropped. It "
            "bounced twice, and at the third contact the nose wheel and the firewall were bent.",
            "The pilot rounded out late and the main wheels hit hard. A go-around and a normal "
            "landing followed, but the damage was found after parking.",
        ),
        (
            "The recorder held a vertical acceleration of 3.1 g at the first contact. Wrinkles "
            "were found in the skin on both sides of the nose.",
            "The mounting of the main gear was cracked on both sides. The pilot had made two "
            "landings in the previous ninety days.",
        ),
        "The pilot's improper landing flare, which resulted in a hard landing.",
        "Pilots should fly with an instructor after a pause of more than sixty days.",
        0.12,
    ),
    Cause(
        "Tail rotor failure",
        ("Maneuvering", "Approach"),
        (
            "In the hover the helicopter began to turn to the right and did not answer to the "
            "pedals. The pilot closed the throttle, and it landed hard after two turns.",
            "A grinding noise was heard from behind, followed by a fast yaw. The pilot lowered the "
            "collective and the helicopter came down on the slope beside the pad.",
        ),
        (
            "The drive shaft of the tail rotor had parted at the third coupling. The grease was "
            "dry and showed signs of strong heat.",
            "One blade of the tail rotor was missing and was found 60 meters away. The root "
            "fitting had a crack that began at a corrosion pit.",
        ),
        "The failure of the tail rotor drive as a result of inadequate lubrication.",
        "The interval for greasing the couplings should be counted in months as well as in hours.",
        0.5,
        helicopter=True,
    ),
)
