"""Properties from elements: values by schema, and schemas by example.

Owns how a value is found (labels, tables, headings, shapes, running text), how sure it is, what
validators mean, and how properties are suggested. It refuses to know where elements come from,
where values are kept, and any language model: everything here is deterministic and reads nothing
but its arguments.
"""

from backend.extraction.engine import Extracted, Guess, extract
from backend.extraction.results import property_values
from backend.extraction.suggestions import suggest
from backend.extraction.validators import check_validators

__all__ = ["Extracted", "Guess", "check_validators", "extract", "property_values", "suggest"]
