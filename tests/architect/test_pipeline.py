"""The stages of a design, one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.architect.designer import design
from tablewright.architect.pipeline import STAGES, TABLE_STAGES, DesignDraft, DesignOptions, assemble_table, write_table
from tablewright.errors import DesignError

ORDERS = Path(__file__).parent / "applications" / "orders.yaml"


def test_each_stage_adds_one_thing() -> None:
    draft = DesignDraft(given=ORDERS, options=DesignOptions(tables="single"))
    for stage in STAGES:
        before, draft = draft, stage(draft)
        changed = [name for name in draft.__struct_fields__ if getattr(draft, name) != getattr(before, name)]
        assert len(changed) <= 1, stage.__name__
    assert draft.design == design(ORDERS, tables="single")
    assert draft.parts == tuple(assemble_table(each, draft.options) for each in draft.solutions)
    (solution,) = draft.solutions
    assert draft.design == write_table(solution, draft.options)


def test_the_stages_have_names() -> None:
    assert [stage.__name__ for stage in STAGES] == [
        "read",
        "complete",
        "search",
        "reconsider",
        "write_tables",
        "merge",
        "weigh_guesses",
        "ask",
        "review",
        "serve",
        "weigh_tables",
        "compare",
    ]
    assert [stage.__name__ for stage in TABLE_STAGES] == ["assemble", "price", "explain", "publish"]


def test_one_table_is_not_parted_where_it_is_kept() -> None:
    kept = design(ORDERS, tables="single")
    with pytest.raises(DesignError, match="parting it would move every item"):
        design(ORDERS, tables="several", keep=kept)
