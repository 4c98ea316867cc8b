from __future__ import annotations

import pytest

from tablewright.architect.design.model import KeyTemplate, ReadStep, SortCondition, WriteStep
from tablewright.architect.document.words import amount, money, percent, read_text, size, times, units, write_text

PK = (KeyTemplate("pk", "A#{a}"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (money(0), "$0.00"),
        (money(0.004), "<$0.01"),
        (money(-12.5), "-$12.50"),
        (money(123456.7), "$123,457"),
        (amount(950), "950"),
        (amount(12_500), "12.5k"),
        (amount(3e6), "3M"),
        (amount(2.5e9), "2.5G"),
        (amount(0.123), "0.12"),
        (units(0.5), "0.5"),
        (units(1234.5), "1,234"),
        (size(300), "300 B"),
        (size(2048), "2.0 KB"),
        (size(5 * 1024**4), "5120 GB"),
        (times(1.25), "1.2x"),
        (times(62_500), "62,500x"),
        (percent(0.004), "<1%"),
        (percent(0.0), "0%"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert text == expected


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
