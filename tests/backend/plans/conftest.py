from collections.abc import Callable

import pytest

from tests.backend.plans import (
    appeals,
    burglaries,
    cooperatives,
    digs,
    domains,
    greenhouses,
    moorings,
    other_domains,
    rentals,
    repairs,
)
from tests.backend.plans.desk import Desk, make_desk

_SCHEMAS = {
    "recipes": domains.RECIPES,
    "invoices": domains.INVOICES,
    "satellites": domains.SATELLITES,
    "sailings": other_domains.SAILINGS,
    "clinic": other_domains.CASES,
    "rentals": rentals.RENTALS,
    "repairs": repairs.REPAIRS,
    "appeals": appeals.APPEALS,
    "burglaries": burglaries.BURGLARIES,
    "greenhouses": greenhouses.GREENHOUSES,
    "digs": digs.DIGS,
    "cooperatives": cooperatives.COOPERATIVES,
    "moorings": moorings.MOORINGS,
}
_RECORDS = {
    "recipes": domains.recipes,
    "invoices": domains.invoices,
    "satellites": domains.satellites,
    "sailings": other_domains.sailings,
    "clinic": other_domains.cases,
    "rentals": rentals.rentals,
    "repairs": repairs.repairs,
    "appeals": appeals.appeals,
    "burglaries": burglaries.burglaries,
    "greenhouses": greenhouses.greenhouses,
    "digs": digs.digs,
    "cooperatives": cooperatives.cooperatives,
    "moorings": moorings.moorings,
}


@pytest.fixture(scope="session")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Desk]:
    """The invented collections by name, each made once."""
    made: dict[str, Desk] = {}

    def desk(name: str) -> Desk:
        if name not in made:
            records, texts = _RECORDS[name]()
            folder = tmp_path_factory.mktemp(name)
            made[name] = make_desk(folder, name, _SCHEMAS[name], records, texts)
        return made[name]

    return desk


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A collection of satellites that a test may change."""
    records, texts = domains.satellites()
    folder = tmp_path_factory.mktemp("fresh")
    return make_desk(folder, "satellites", domains.SATELLITES, records, texts)
