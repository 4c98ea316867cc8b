"""Generated TypeScript on Node, against the embedded engine: every answer, outcome and stored item is the proof's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tablewright.codegen.typescript.project import typescript
from tests.codegen.designs import NAMES, styled_case
from tests.codegen.replay import Recording, record
from tests.codegen.specials import SPECIALS, special
from tests.codegen.typescript.comparison import answers_of, expected_of, in_pages
from tests.codegen.typescript.packages import compiled, first_reads, paged, replayed

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.architect.design.model import Design
    from tests.conftest import Node

STYLES = ("electrodb", "plain")


def check(node: Node, folder: Path, designs: dict[str, Design], seed: int = 1) -> None:
    made = compiled(folder, {name: typescript(each) for name, each in designs.items()})
    for name, each in designs.items():
        module = made / name / "typescript" / "src" / "index.js"
        recording = record(each, seed=seed)
        results, final = replayed(node, module, each, recording)
        assert answers_of(each, recording.calls, results) == expected_of(each, recording.calls), name
        assert final == recording.final, name
        check_pages(node, module, each, recording)


def check_pages(node: Node, module: Path, design: Design, recording: Recording) -> None:
    reads = first_reads(recording)
    for size in (1, 2, 3):
        results = paged(node, module, design, recording, size)
        assert in_pages(design, reads, results, size) == expected_of(design, reads)


def test_two_applications_and_what_items_become(node: Node, tmp_path: Path) -> None:
    names = ("shards", "keys_only", "embedded", "divided", "totals")
    designs = {name: special(name, "plain") for name in names}
    cases = {
        "online-shop": styled_case("online-shop", "electrodb"),
        "task-manager": styled_case("task-manager", "plain"),
    }
    check(node, tmp_path, {**cases, **designs})


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [2, 3])
def test_every_application(style: str, seed: int, node: Node, tmp_path: Path) -> None:
    check(node, tmp_path, {name: styled_case(name, style) for name in NAMES}, seed)


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [2, 3])
def test_every_special(style: str, seed: int, node: Node, tmp_path: Path) -> None:
    check(node, tmp_path, {name: special(name, style) for name in SPECIALS}, seed)
