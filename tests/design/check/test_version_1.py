"""Designs of version 1, kept as they were written: they are read, and mean what the design made today means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablewright.design.read import design_data, read_design
from tablewright.errors import DesignError

FILES = sorted((Path(__file__).parent / "version_1").glob("*.json"))


def content(name: str) -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "version_1" / f"{name}.json").read_text())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_version_1_file_is_read_and_written_as_version_2(path: Path) -> None:
    made = read_design(path)
    assert json.loads(path.read_text())["version"] == 1
    assert made.version == 2
    assert read_design(design_data(made)) == made


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_lost_on_the_way(path: Path) -> None:
    """Every value of the old file is in the new data, but for filters, sparse indexes and missing conditions."""
    old, new = json.loads(path.read_text()), design_data(read_design(path))
    assert [place for place in differences(old, new) if not place.endswith((".filters", ".when", ".condition"))] == [
        ".version"
    ]


def differences(old: Any, new: Any, place: str = "") -> list[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        return [found for name in old for found in differences(old[name], new.get(name), f"{place}.{name}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and not place.endswith(".filters"):
        return [found for one, other in zip(old, new, strict=True) for found in differences(one, other, place)]
    return [] if old == new else [place]


def test_filters_and_sparse_indexes_are_texts_now() -> None:
    sparse = read_design(content("sparse"))
    assert {str(keys.when) for item in sparse.items for keys in item.keys if keys.when} == {
        "status = 'open'",
        "attribute_exists(pinned)",
    }
    native = read_design(content("native"))
    filters = {str(each) for pattern in native.patterns for step in pattern.reads for each in step.filters}
    assert filters == {"date >= {value}"}


def test_faults_of_a_version_1_file_are_named() -> None:
    spoilt = content("native")
    reads = [step for pattern in spoilt["patterns"] for step in pattern["reads"] if step["filters"]]
    reads[0]["filters"][0]["operator"] = "resembles"
    with pytest.raises(DesignError, match="resembles"):
        read_design(spoilt)


def test_another_version_is_refused() -> None:
    with pytest.raises(DesignError, match="is a design of version 3, and this program reads 1 and 2"):
        read_design({**content("native"), "version": 3})
