"""The questions of the golden set with their truths.

Conventions
-----------
* Every truth is computed from ``Document.values`` by the small function beside the question; none
  is typed in, and none comes from any product.
* Values are canonical: spellings of the same thing ("CA", "State of California") have one value,
  and amounts are full units of the currency. ``Kind.same`` lists the other spellings; an answer
  that uses one of them names the same thing.
* A document without a value does not enter averages, sums, groups, rankings, lists of values or
  distinct counts of that property, and never meets a condition on it, a negated one included:
  "a state other than California" and "not certified" need a value that says so.
* "Without a ..." asks for the documents that do not give the value.
* A group appears if at least one document has both the key and the number asked for.
* Shares are fractions from 0 to 1 ("71 %" is 0.71); the denominator is the documents that state
  the value. Where the wording leaves it open, ``accept`` has the share of all documents.
* Groups by year have the year as an int, groups by month "2023-01"; months without a document do
  not appear, and an answer that shows them with 0 is right too.
* Amounts in several currencies are never added: the truth is a dict by currency. The one invoice
  without a currency enters no such sum; ``accept`` has the dict that shows it apart.
* Dates are those of the event asked about, never of the report, signature or next meeting. An
  e-mail's date is that of its Date header in the sender's own time zone.
* Lists are lists of document names; where ``ordered`` is true the order counts. "Which document
  has the largest ..." is a list of one name. Extra words or numbers beside a right answer (such as
  the amounts of a sorted list) do no harm.
* Truths are free of ties; the helpers raise an error otherwise.
* Means and sums are rounded to four decimals; compare with a small tolerance.
* An answer that differs from the truth is wrong in silence if nothing in it warns of the cause.
"""

from __future__ import annotations

from tests.golden import question_sets_one, question_sets_two
from tests.golden.truth import Question

QUESTIONS: list[Question] = [*question_sets_one.QUESTIONS, *question_sets_two.QUESTIONS]


def for_kind(kind: str) -> list[Question]:
    """The questions about one kind."""
    return [question for question in QUESTIONS if question.kind == kind]


if __name__ == "__main__":
    for question in QUESTIONS:
        print(f"{question.kind} | {question.voice} | {question.text}\n    {question.truth!r}")
