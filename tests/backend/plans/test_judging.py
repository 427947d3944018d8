"""Judging texts with the model that made the vectors of the DocSet."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import update

from backend.inference.embeddings import (
    Embedder,
    Identity,
    Matrix,
    ProviderFailed,
    ProviderMissing,
)
from backend.inference.providers import Embedders
from backend.plans.running import judging, nearness
from backend.plans.service import PlanService
from backend.store.tables import docsets
from tests.backend.plans.desk import Desk, WordSearch, make_desk
from tests.backend.plans.domains import SATELLITES, satellites
from tests.contract.plans import plan, source, step

LEARNT = Identity(provider="minilm", model="invented", revision="1", dimension=2, recipe="none")
JUDGE = step("LlmFilter", 1, 0, question="Which ones were launched and zapped?")


class Learnt:
    """A model that has learnt one thing: what zaps a satellite is an overheated battery."""

    identity = LEARNT

    def embed(self, texts: Sequence[str]) -> Matrix:
        known = [any(word in text for word in ("zapped", "battery")) for text in texts]
        return np.array([[1.0, 0.0] if k else [0.0, 1.0] for k in known], dtype=np.float32)


class Broken(Learnt):
    def embed(self, texts: Sequence[str]) -> Matrix:
        raise ProviderFailed("the endpoint answered with status 500")


class Remote(Learnt):
    identity = replace(LEARNT, provider="endpoint")


class Known(Embedders):
    """The embedders of a process that has one model, or misses it."""

    def __init__(self, model: Embedder | None) -> None:
        super().__init__()
        self._model = model

    def of(self, identity: Identity, *, hasty: bool = False) -> Embedder:
        if identity != LEARNT or self._model is None:
            raise ProviderMissing("it is not installed")
        return self._model


def desk_with(folder: Path, model: Embedder | None) -> Desk:
    records, texts = satellites()
    made = make_desk(folder, "satellites", SATELLITES, records, texts)
    with made.database.writing() as connection:
        connection.execute(update(docsets).values(embedding=LEARNT.wire()))
    service = PlanService(
        made.database,
        WordSearch(made.database),
        folder / "runs",
        folder / "tables",
        embedders=Known(model),
    )
    return Desk(service, made.database, made.docset_id, made.records, made.key)


def overheated(desk: Desk) -> set[str]:
    return desk.expected(lambda r: int(r["satellite_id"][2:]) % 3 == 0)


def test_texts_are_judged_by_the_model_that_made_the_vectors(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, Learnt())
    assert set(desk.keys(plan(source(), JUDGE))) == overheated(desk)


def test_a_failing_model_is_reported_and_static_vectors_judge(tmp_path: Path) -> None:
    result = desk_with(tmp_path, Broken()).run(plan(source(), JUDGE))
    warning = "compared by static vectors, because the endpoint answered with status 500"
    assert warning in result.warnings
    assert result.result


def test_a_slow_endpoint_is_reported_and_static_vectors_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearness, "PATIENCE", -1)
    result = desk_with(tmp_path, Remote()).run(plan(source(), JUDGE))
    assert any("needs more than" in warning for warning in result.warnings)
    assert result.result


def test_a_search_without_its_endpoint_uses_words_and_warns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_words = WordSearch.candidates

    def candidates(search: WordSearch, *of: Any, **more: Any) -> Any:
        if of[2] == "vector":
            raise ProviderFailed("the endpoint cannot be reached")
        return by_words(search, *of, **more)

    monkeypatch.setattr(WordSearch, "candidates", candidates)
    desk = desk_with(tmp_path, Learnt())
    result = desk.run(plan(source(), JUDGE))
    assert "found by words alone, because the endpoint cannot be reached" in result.warnings
    assert {d["properties"]["entity"][desk.key] for d in result.result} == overheated(desk)


def test_static_vectors_judge_when_the_model_is_missing(tmp_path: Path) -> None:
    assert desk_with(tmp_path, None).run(plan(source(), JUDGE)).result


def test_a_costly_model_compares_the_nearest_documents_and_warns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "MOST_COMPARED", 30)
    desk = desk_with(tmp_path, Learnt())
    result = desk.run(plan(source(), JUDGE))
    assert "only the 15 closest documents were compared" in result.warnings
    assert {d["properties"]["entity"][desk.key] for d in result.result} < overheated(desk)


def test_the_ids_of_documents_may_be_judged_too(tmp_path: Path) -> None:
    """A plan that a person wrote may name any field; the answer is empty, not an error."""
    result = desk_with(tmp_path, None).run(plan(source(), {**JUDGE, "field": "doc_id"}))
    assert result.warnings
