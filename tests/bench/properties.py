"""Property extraction on documents of four kinds: exact-match F1, precision when sure, speed.

    python -m tests.bench.properties [documents per template] [--misses] [--model .8]

Exact match: numbers equal to a hundredth, texts equal but for case and blanks. "Seen" templates
were there while the rules were written, "unseen" ones were not. Speed is documents per second on
one core, reading of elements included, partitioning not.

With `--model` a simulated language model reads along: it finds that share of the values, half of
the others are wrong but stand in the document as cited, and half are missing. That measures how
the two are put together, and no real model.
"""

import random
import sys
import time
from collections import Counter, defaultdict
from datetime import date, datetime
from typing import Any

from backend.extraction.agreement import ModelAnswers, agreed
from backend.extraction.citing import READ, CitedValue
from backend.extraction.engine import extract
from backend.extraction.extracted import Extracted
from tests.bench.property_documents import Draft, Facts
from tests.bench.property_unseen import KINDS
from workbench.contract.schema import Schema

SURE = 0.8


class Tally:
    """Counts for one group of values."""

    def __init__(self) -> None:
        self.right = self.wrong = self.missed = self.sure = self.sure_right = 0

    def add(self, right: bool, answered: bool, wanted: bool, confidence: float) -> None:
        self.right += right
        self.wrong += answered and not right
        self.missed += wanted and not right
        if answered and confidence >= SURE:
            self.sure += 1
            self.sure_right += right

    @property
    def f1(self) -> float:
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else 1.0

    @property
    def sure_precision(self) -> float:
        return self.sure_right / self.sure if self.sure else 1.0

    def line(self) -> str:
        answered = self.right + self.wrong
        return (
            f"F1 {self.f1:.3f}   precision if sure {self.sure_precision:.3f} "
            f"({self.sure} of {answered} values are sure)"
        )


def wire(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value


def same(got: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool):
        return got is wanted
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return abs(got - wanted) < 0.005
    if isinstance(wanted, list) and isinstance(got, list):
        return len(got) == len(wanted) and all(map(same, got, wanted))
    if isinstance(wanted, dict) and isinstance(got, dict):
        return wanted.keys() == got.keys() and all(same(got[key], wanted[key]) for key in wanted)
    return " ".join(str(got).lower().split()).rstrip(".") == " ".join(
        str(wanted).lower().split()
    ).rstrip(".")


def family(kind: str) -> str:
    if kind in ("string", "custom"):
        return "free text"
    return "nested" if kind in ("array", "object") else "typed"


class SimulatedModel:
    """Right in a given share of all values; its citations always hold."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._random = random.Random(7)
        self._seen: dict[str, list[Any]] = defaultdict(list)

    def answers(self, facts: Facts) -> ModelAnswers:
        sample = {}
        for name, fact in facts.items():
            value = wire(fact)
            drawn = self._random.random()
            others = [other for other in self._seen[name] if not same(other, value)]
            self._seen[name].append(value)
            if drawn < self._share:
                sample[name] = CitedValue(value=value, element=0, confidence=READ)
            elif drawn < (1 + self._share) / 2 and others:
                wrong = self._random.choice(others)
                sample[name] = CitedValue(value=wrong, element=0, confidence=READ)
        return ModelAnswers(samples=[sample], note=None)


def main(count: int, show_misses: bool, model: SimulatedModel | None) -> None:
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    misses: Counter[str] = Counter()
    spent, documents = 0.0, 0
    for kind, (properties, draw, seen, unseen) in KINDS.items():
        schema = Schema.model_validate({"properties": properties})
        for template in (*seen, *unseen):
            name = template.__name__
            side = "unseen" if template in unseen else "seen"
            rng = random.Random(f"{name} 1")
            for _ in range(count):
                facts: Facts = draw(rng)
                draft = Draft()
                template(draft, facts, rng)
                start = time.process_time()
                extracted: dict[str, Extracted] = extract(draft.elements, schema)
                spent += time.process_time() - start
                documents += 1
                if model is not None:
                    extracted = agreed(extracted, model.answers(facts), draft.elements)
                for prop in schema.properties:
                    got, wanted = extracted[prop.name], wire(facts[prop.name])
                    right = same(got.value, wanted)
                    groups = [(side, family(prop.kind)), (side, kind), (side, "all")]
                    for group in groups:
                        tallies[group].add(right, got.value is not None, True, got.confidence)
                    if not right:
                        misses[
                            f"{name}.{prop.name}: {got.value!r} for {wanted!r} ({got.confidence})"
                        ] += 1
    for side in ("seen", "unseen"):
        print(f"{side} templates")
        for group, tally in tallies.items():
            if group[0] == side:
                print(f"  {group[1]:<18} {tally.line()}")
    print(f"{documents / spent:.0f} documents/s on one core ({documents} documents)")
    if show_misses:
        shown: set[str] = set()
        for text in misses:
            key = text.split(":")[0]
            if key not in shown:
                shown.add(key)
                total = sum(n for t, n in misses.items() if t.split(":")[0] == key)
                print(f"  {total:>3} x {text}")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
    share = float(sys.argv[sys.argv.index("--model") + 1]) if "--model" in sys.argv else None
    model = None if share is None else SimulatedModel(share)
    main(numbers[0] if numbers else 40, "--misses" in sys.argv, model)
