"""Extraction from real files: the sample collection, partitioned and compared with its truth."""

from typing import Any

import pytest

from backend.extraction.engine import extract
from backend.extraction.extracted import Extracted
from backend.partition import partition
from tests.sample_reports import write_reports
from workbench.contract.partition_options import PartitionOptions
from workbench.contract.schema import Schema
from workbench.demo.documents import DEMO_SCHEMA, DemoDocument

Reports = list[tuple[DemoDocument, dict[str, Extracted]]]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    schema = Schema.model_validate(DEMO_SCHEMA)
    out = []
    for document in write_reports(tmp_path_factory.mktemp("reports"), count=24, seed=11):
        elements = partition(
            document.path,
            name=document.path.name,
            options=PartitionOptions(),
            progress=lambda done, total: None,
        ).elements
        out.append((document, extract(elements, schema)))
    return out


def _same(got: Any, true: Any) -> bool:
    return got == true or (isinstance(true, float) and got is not None and abs(got - true) < 0.005)


def test_nineteen_of_twenty_values_are_right(reports: Reports) -> None:
    results = [
        _same(extracted[name].value, true)
        for document, extracted in reports
        for name, true in document.facts.items()
    ]
    assert sum(results) / len(results) >= 0.95


def test_confident_values_are_right(reports: Reports) -> None:
    sure = [
        _same(extracted[name].value, true)
        for document, extracted in reports
        for name, true in document.facts.items()
        if extracted[name].confidence >= 0.8
    ]
    assert len(sure) > 100
    assert sum(sure) / len(sure) >= 0.98
