"""How people speak of each collection: names, what is said of a value, of a number, of a date."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Category:
    """A property of few values. `says` puts a value behind the noun, `name` is how it is called.

    `fronted` says that a value can stand in front of the noun: `Phase III trials`.
    """

    field: str
    name: str
    plural: str
    values: tuple[str, ...]
    says: tuple[str, ...]
    fronted: bool = False


@dataclass(frozen=True)
class Amount:
    """A number. `holds` puts a comparison behind the noun: `with {} participants`.

    `bounds` are a lower and a higher number to compare with; `spelled` are other ways to write the
    higher one.
    """

    field: str
    name: str
    holds: tuple[str, ...]
    bounds: tuple[float, float]
    spelled: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fact:
    """A truth value: `randomised trials`, `that were not randomised`."""

    field: str
    adjective: str
    says: str
    denies: tuple[str, ...]


@dataclass(frozen=True)
class Moment:
    field: str
    name: str
    verb: str


@dataclass(frozen=True)
class Gap:
    """A property that some documents lack."""

    field: str
    one: str
    name: str


@dataclass(frozen=True)
class Wording:
    """A collection as people speak of it."""

    name: str
    noun: str
    nouns: str
    first: Category
    second: Category
    amount: Amount
    other: Amount
    fact: Fact
    moment: Moment
    gap: Gap
    mention: str


def phrased(category: Category, value: str, i: int = 0) -> str:
    return category.says[i % len(category.says)].format(value)


def holding(amount: Amount, comparison: str, i: int = 0) -> str:
    form = amount.holds[i % len(amount.holds)]
    return form.replace("{of}", "of ").replace("{}", comparison)


TRIALS = Wording(
    "trials",
    "trial",
    "trials",
    Category("country", "country", "countries", ("Spain", "Japan", "Brazil", "Poland"),
             ("in {}", "from {}", "run in {}", "that took place in {}")),
    Category("phase", "phase", "phases", ("Phase III", "Phase II", "Phase I"),
             ("in {}", "that are {}"), fronted=True),
    Amount("participants", "number of participants",
           ("with {} participants", "that enrolled {} people", "having {} participants"),
           (150, 500), ("five hundred", "0.5k")),
    Amount("budget_musd", "budget", ("with a budget {of}{}", "whose budget is {}"), (5, 20),
           ("20 million", "$20 million", "20m dollars", "$20m")),
    Fact("randomised", "randomised", "that were randomised",
         ("that were not randomised", "that are not randomised", "which weren't randomised",
          "without randomisation")),
    Moment("started_on", "start date", "started"),
    Gap("investigator", "an investigator", "investigator"),
    "rash",
)  # fmt: skip

LEASES = Wording(
    "leases",
    "lease",
    "leases",
    Category("city", "city", "cities", ("Lyon", "Ghent", "Porto", "Leipzig"),
             ("in {}", "located in {}", "from {}", "for units in {}")),
    Category("use", "use", "uses", ("Office", "Retail", "Warehouse", "Residential"),
             ("for {} use", "whose use is {}"), fronted=True),
    Amount("floor_area_sqm", "floor area",
           ("with {} square metres", "with a floor area {of}{}", "covering {} sqm"),
           (300, 900), ("900 m2", "900 sqm", "900 square meters")),
    Amount("monthly_rent_eur", "monthly rent",
           ("with a rent {of}{}", "where the rent is {}", "with a monthly rent {of}{}"),
           (3000, 12000), ("12k", "€12,000", "12 thousand euros", "12000 euros")),
    Fact("furnished", "furnished", "that are furnished",
         ("that are not furnished", "that aren't furnished", "which are unfurnished",
          "without furniture")),
    Moment("signed_on", "signing date", "signed"),
    Gap("agent", "an agent", "agent"),
    "balcony",
)  # fmt: skip

INSPECTIONS = Wording(
    "inspections",
    "inspection",
    "inspections",
    Category("port", "port", "ports", ("Rotterdam", "Antwerp", "Busan", "Durban"),
             ("in {}", "at {}", "carried out in {}", "done in the port of {}")),
    Category("ship_type", "ship type", "ship types", ("Tanker", "Bulk Carrier", "Ferry"),
             ("of type {}", "where the ship type is {}"), fronted=True),
    Amount("deficiencies", "number of deficiencies",
           ("with {} deficiencies", "that found {} deficiencies", "having {} deficiencies"),
           (8, 20), ("twenty",)),
    Amount("gross_tonnage", "gross tonnage",
           ("with a gross tonnage {of}{}", "where the gross tonnage is {}"), (20000, 70000),
           ("70k", "70,000", "70 thousand")),
    Fact("detained", "detained", "where the ship was detained",
         ("where the ship was not detained", "that did not lead to detention",
          "without a detention")),
    Moment("inspected_on", "inspection date", "carried out"),
    Gap("fine_kusd", "a fine", "fine"),
    "lifeboats",
)  # fmt: skip

WORDINGS = (TRIALS, LEASES, INSPECTIONS)
