from __future__ import annotations

import pytest

from tablewright.design.model import (
    Cascade,
    KeyTemplate,
    PatternDesign,
    Predicted,
    ReadStep,
    SortCondition,
    WriteStep,
)
from tablewright.report.patterns import read_text, request_lines, write_text

PK = (KeyTemplate("pk", "A#{a}"),)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (ReadStep(operation="GetItem", table="t", pk=PK), "GetItem A#{a}"),
        (
            ReadStep(
                operation="Query",
                table="t",
                index="gsi1",
                pk=PK,
                sk=(SortCondition(field="sk", operator="between", low="B#\x01", high="B#\U0010ffff"),),
                backwards=True,
                limit=5,
                consistent=True,
            ),
            "Query gsi1 A#{a} | begins_with B#, backwards, limit 5, consistent",
        ),
        (
            ReadStep(
                operation="Query",
                table="t",
                pk=PK,
                sk=(SortCondition(field="sk", operator="between", low="B#{from}", high="B#{to}#\U0010ffff"),),
                shards=4,
                for_each={"status": ("x", "y"), "_bucket": ()},
            ),
            "Query A#{a} | between B#{from} and B#{to}#…, on each of 4 shards, for each status of 2, for each bucket",
        ),
        (
            ReadStep(operation="BatchGetItem", table="t", pk=(KeyTemplate("pk", "{pk}"),), keys_from=0),
            "BatchGetItem {pk}, for what step 1 found",
        ),
    ],
)
def test_reads(step: ReadStep, expected: str) -> None:
    assert read_text(step) == expected


def test_writes() -> None:
    step = WriteStep(
        operation="UpdateItem",
        item="Task",
        table="t",
        key=(*PK, KeyTemplate("sk", "B")),
        set={"x": "{x}"},
        add={"n": "1"},
        remove=("y",),
        condition="attribute_exists(pk)",
    )
    assert write_text(step) == "UpdateItem Task A#{a} | B, sets x, n (added), y (removed), if attribute_exists(pk)"


def test_a_delete_shows_what_it_goes_on_to():
    made = PatternDesign(
        id="drop",
        kind="write",
        op="delete",
        entities=("A",),
        writes=(WriteStep(operation="DeleteItem", item="A", table="t", key=PK),),
        cascade=(
            Cascade(
                of="A",
                entity="B",
                by={"a": "a"},
                reads=(ReadStep(operation="Query", table="t", index="gsi1", pk=PK),),
                writes=(
                    WriteStep(operation="DeleteItem", item="B", table="t", key=PK),
                    WriteStep(operation="DeleteItem", item="BName", table="t", key=PK),
                ),
                transaction=True,
            ),
        ),
        predicted=Predicted(requests=1.0, items=1.0),
    )
    assert request_lines(made) == [
        "DeleteItem A A#{a}",
        "then every B of that A: Query gsi1 A#{a}",
        "each: Transact DeleteItem B A#{a}",
        "each: Transact DeleteItem BName A#{a}",
    ]
