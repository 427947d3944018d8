"""Questions for documents of three collections that nothing was made for, held against Python."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk

Record = dict[str, Any]
Desks = Callable[[str], Desk]

DOCUMENTS: list[tuple[str, str, Any]] = [
    ("recipes", "Show me Thai recipes", lambda r: r["cuisine"] == "Thai"),
    (
        "recipes",
        "vegetarian recipes that take less than 30 minutes",
        lambda r: r["vegetarian"] and r["cooking_minutes"] < 30,
    ),
    ("recipes", "Which recipes are not vegetarian?", lambda r: not r["vegetarian"]),
    ("recipes", "recipes with more than 800 calories", lambda r: r["calories"] > 800),
    (
        "recipes",
        "easy Greek or French dishes",
        lambda r: r["difficulty"] == "Easy" and r["cuisine"] in ("Greek", "French"),
    ),
    ("recipes", "dishes rated above 4", lambda r: r["rating"] > 4),
    ("recipes", "recipes without a rating", lambda r: r["rating"] is None),
    ("recipes", "recipes written by Chidi Obi", lambda r: r["author"] == "Chidi Obi"),
    (
        "recipes",
        "recipes by Ana Duarte or Bram Kok published in 2021",
        lambda r: r["author"] in ("Ana Duarte", "Bram Kok") and r["published_on"][:4] == "2021",
    ),
    (
        "recipes",
        "hard recipes published after March 2022",
        lambda r: r["difficulty"] == "Hard" and r["published_on"] > "2022-03-31",
    ),
    ("recipes", "What can I cook in under an hour?", lambda r: r["cooking_minutes"] < 60),
    ("recipes", "recipes that take at most 1 hour", lambda r: r["cooking_minutes"] <= 60),
    ("recipes", "recipes with no allergens", lambda r: r["allergen_count"] == 0),
    ("recipes", "recipes with at least 2 allergens", lambda r: r["allergen_count"] >= 2),
    ("recipes", "Recipes that serve 6 people", lambda r: r["servings"] == 6),
    ("recipes", "recipes between 300 and 500 calories", lambda r: 300 <= r["calories"] <= 500),
    ("recipes", "all recipes except the Mexican ones", lambda r: r["cuisine"] != "Mexican"),
    ("invoices", "unpaid invoices", lambda r: not r["paid"]),
    ("invoices", "Show the invoices that have not been paid", lambda r: not r["paid"]),
    ("invoices", "invoices over 100k euros", lambda r: r["amount_keur"] > 100),
    (
        "invoices",
        "invoices above 250 thousand euros from Norda Steel",
        lambda r: r["amount_keur"] > 250 and r["supplier"] == "Norda Steel",
    ),
    ("invoices", "invoices from Quill & Sons", lambda r: r["supplier"] == "Quill & Sons"),
    ("invoices", "invoices from suppliers in Guinea", lambda r: r["supplier_country"] == "Guinea"),
    ("invoices", "invoices paid by card", lambda r: r["payment_method"] == "Card"),
    (
        "invoices",
        "invoices issued in the first quarter of 2023",
        lambda r: "2023-01" <= r["issued_on"][:7] <= "2023-03",
    ),
    ("invoices", "invoices due before 2023", lambda r: r["due_on"] < "2023"),
    (
        "invoices",
        "invoices due between January 2023 and June 2023",
        lambda r: "2023-01" <= r["due_on"][:7] <= "2023-06",
    ),
    ("invoices", "invoices with 19% VAT", lambda r: r["vat_pct"] == 19),
    ("invoices", "invoices with a vat above 10 percent", lambda r: r["vat_pct"] > 10),
    ("invoices", "invoices without an approver", lambda r: r["approver"] is None),
    ("invoices", "invoices approved by Kim Lund", lambda r: r["approver"] == "Kim Lund"),
    ("invoices", "bills with more than 20 lines", lambda r: r["line_items"] > 20),
    ("invoices", "invoices to customers in Norway", lambda r: r["customer_country"] == "Norway"),
    ("satellites", "satellites in low orbit", lambda r: r["orbit"] == "LEO"),
    (
        "satellites",
        "active navigation satellites",
        lambda r: r["active"] and r["purpose"] == "Navigation",
    ),
    ("satellites", "inactive satellites", lambda r: not r["active"]),
    ("satellites", "satellites heavier than 2 tons", lambda r: r["mass_kg"] > 2000),
    ("satellites", "satellites that weigh less than 500 kg", lambda r: r["mass_kg"] < 500),
    (
        "satellites",
        "satellites that cost more than 1.2 billion dollars",
        lambda r: r["cost_musd"] > 1200,
    ),
    (
        "satellites",
        "satellites launched from Kourou in 2015",
        lambda r: r["launch_site"] == "Kourou" and r["launch_date"][:4] == "2015",
    ),
    ("satellites", "satellites launched since 2020", lambda r: r["launch_date"] >= "2020"),
    (
        "satellites",
        "satellites launched before 2012 that are still active",
        lambda r: r["launch_date"] < "2012" and r["active"],
    ),
    ("satellites", "lost or retired satellites", lambda r: r["status"] in ("Lost", "Retired")),
    (
        "satellites",
        "satellites operated by Borealis but not in GEO",
        lambda r: r["operator"] == "Borealis" and r["orbit"] != "GEO",
    ),
    ("satellites", "satellites with failures", lambda r: r["failures"] > 0),
    (
        "satellites",
        "satellites with no failures and a cost under 100 million",
        lambda r: r["failures"] == 0 and r["cost_musd"] < 100,
    ),
    ("satellites", "satellites of unknown cost", lambda r: r["cost_musd"] is None),
    (
        "satellites",
        "satellites at an altitude above 10000 miles",
        lambda r: r["altitude_km"] > 16093,
    ),
    (
        "satellites",
        "Weather satellites launched from Mahia or Vandenberg",
        lambda r: r["purpose"] == "Weather" and r["launch_site"] in ("Mahia", "Vandenberg"),
    ),
    (
        "satellites",
        "satellites launched in 2011, 2013 or 2017",
        lambda r: r["launch_date"][:4] in ("2011", "2013", "2017"),
    ),
    ("satellites", "communication satellites", lambda r: r["purpose"] == "Communications"),
    (
        "satellites",
        "Give me every satellite Borealis has in GEO",
        lambda r: r["operator"] == "Borealis" and r["orbit"] == "GEO",
    ),
    (
        "satellites",
        "satellites from Baikonur with a mass of at least 3000 kg",
        lambda r: r["launch_site"] == "Baikonur" and r["mass_kg"] >= 3000,
    ),
    (
        "satellites",
        "which satellites weigh between one and two tons?",
        lambda r: 1000 <= r["mass_kg"] <= 2000,
    ),
    (
        "satellites",
        "satellites launched between 2014 and 2016 or operated by Cosmolink",
        lambda r: "2014" <= r["launch_date"][:4] <= "2016" or r["operator"] == "Cosmolink",
    ),
    ("satellites", "satellites launched in March", lambda r: r["launch_date"][5:7] == "03"),
    ("satellites", "satellites with more than one failure", lambda r: r["failures"] > 1),
    ("satellites", "satellites that had exactly 2 failures", lambda r: r["failures"] == 2),
    ("satellites", "satellites without any failures", lambda r: r["failures"] == 0),
    (
        "satellites",
        "Retired weather satellites older than 2015",
        lambda r: (
            r["status"] == "Retired" and r["purpose"] == "Weather" and r["launch_date"] < "2015"
        ),
    ),
    ("satellites", "satellites costing less than $50 million", lambda r: r["cost_musd"] < 50),
    (
        "satellites",
        "satellites for earth imaging or navigation",
        lambda r: r["purpose"] in ("Earth imaging", "Navigation"),
    ),
    (
        "satellites",
        "satellites whose operator is Delta Orbital",
        lambda r: r["operator"] == "Delta Orbital",
    ),
    ("satellites", "satellite S-42", lambda r: r["satellite_id"] == "S-42"),
    (
        "satellites",
        "satellites launched on 2015-03-04 or later",
        lambda r: r["launch_date"] >= "2015-03-04",
    ),
    ("satellites", "satellites with a known cost above 2bn", lambda r: r["cost_musd"] > 2000),
    ("satellites", "all satellites other than those in LEO", lambda r: r["orbit"] != "LEO"),
    ("satellites", "satellites neither in LEO nor in MEO", lambda r: r["orbit"] == "GEO"),
    (
        "satellites",
        "satellites in either GEO or MEO with failures",
        lambda r: r["orbit"] in ("GEO", "MEO") and r["failures"] > 0,
    ),
    ("invoices", "invoices issued last year", lambda r: r["issued_on"][:4] == "2025"),
    (
        "invoices",
        "invoices issued in the second half of 2023",
        lambda r: "2023-07" <= r["issued_on"][:7] <= "2023-12",
    ),
    (
        "invoices",
        "invoices from Norda Steel and Sable Optics",
        lambda r: r["supplier"] in ("Norda Steel", "Sable Optics"),
    ),
    (
        "invoices",
        "unpaid invoices over 50,000 euros",
        lambda r: not r["paid"] and r["amount_keur"] > 50,
    ),
    (
        "invoices",
        "invoices that were not approved by Kim Lund",
        lambda r: r["approver"] != "Kim Lund",
    ),
    (
        "invoices",
        "invoices with neither card nor cheque payment",
        lambda r: r["payment_method"] == "Transfer",
    ),
    ("invoices", "invoices with 0% vat", lambda r: r["vat_pct"] == 0),
    (
        "invoices",
        "invoices INV-0003 and INV-0010",
        lambda r: r["invoice_number"] in ("INV-0003", "INV-0010"),
    ),
    ("invoices", "Quill invoices", lambda r: r["supplier"] == "Quill & Sons"),
    ("invoices", "10 to 20 line items", lambda r: 10 <= r["line_items"] <= 20),
    ("invoices", "fewer than ten lines", lambda r: r["line_items"] < 10),
    ("invoices", "invoices from January 2023", lambda r: r["issued_on"][:7] == "2023-01"),
    (
        "invoices",
        "invoices issued from March to May 2023",
        lambda r: "2023-03" <= r["issued_on"][:7] <= "2023-05",
    ),
    (
        "invoices",
        "invoices issued in 2022 or 2024 but not paid",
        lambda r: r["issued_on"][:4] in ("2022", "2024") and not r["paid"],
    ),
]


@pytest.mark.parametrize(("name", "question", "test"), DOCUMENTS)
def test_a_question_for_documents_finds_exactly_those(
    desks: Desks, name: str, question: str, test: Callable[[Record], Any]
) -> None:
    desk = desks(name)
    keys = desk.keys(desk.ask(question))
    assert set(keys) == desk.expected(test)
    assert len(keys) == len(set(keys))
