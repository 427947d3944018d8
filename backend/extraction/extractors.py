"""All candidates of a property, whatever its type.

The extractors are independent of each other: labelled values, values shaped like the examples,
roles defined in the text, addresses and dates recognised by form, running text near the words of
the property, values listed in the examples, and dedicated ones for arrays and objects. Their
agreement is stronger evidence than any of them alone.
"""

from backend.extraction.candidates import Candidate
from backend.extraction.compound import InnerValues, array_candidates, object_candidates
from backend.extraction.labels import Rivals, labelled
from backend.extraction.passages import defined, exemplified, narrated, shaped, speaking_of
from backend.extraction.reading import Reading
from backend.extraction.shapes import formed, lone_date
from backend.extraction.targets import Target


def candidates(
    target: Target, reading: Reading, rivals: Rivals, inner_values: InnerValues
) -> list[Candidate]:
    """Candidates of a property, best first; `inner_values` extracts the properties of an object."""
    match target.shape.kind:
        case "array":
            return array_candidates(target, reading, rivals)
        case "object":
            return object_candidates(target, reading, inner_values)
        case _:
            return _scalar(target, reading, rivals)


def _scalar(target: Target, reading: Reading, rivals: Rivals) -> list[Candidate]:
    speaking = speaking_of(target, reading)
    results = [
        *labelled(target, reading, rivals),
        *shaped(target, reading),
        *defined(target, speaking),
        *formed(target, reading),
    ]
    best = max((candidate.score for candidate in results), default=0.0)
    if best < 0.95:
        results += narrated(target, reading, speaking)
    if best < 0.5:
        results += [*exemplified(target, reading), *lone_date(target, reading)]
    return sorted(results, key=lambda candidate: -candidate.score)
