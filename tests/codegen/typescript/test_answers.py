"""Generated TypeScript on Node, against the embedded engine: every answer, outcome and stored item is the proof's."""

from __future__ import annotations

import subprocess
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.codegen.names import camel
from tablewright.codegen.typescript.project import typescript
from tablewright.design.steps.errors import WrongValue
from tablewright.design.steps.model import Rule, Slot, Writing
from tablewright.design.steps.rules import with_rules
from tests.codegen.designs import NAMES, styled_case
from tests.codegen.nasty import nasty
from tests.codegen.replay import record
from tests.codegen.semantics import NAMES as MEANINGS
from tests.codegen.semantics import semantic
from tests.codegen.specials import SPECIALS, special
from tests.codegen.typescript.comparison import answers_of, expected_of, in_pages
from tests.codegen.typescript.packages import compiled, first_reads, paged, replayed
from tests.proof.ranks import ranks_design
from tests.proof.scores import scores_design

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.design.model import Design
    from tests.codegen.replay import Recording
    from tests.codegen.typescript.packages import Replayer
    from tests.conftest import Node

STYLES = ("electrodb", "plain")


SIZES = (1, 2, 3)
"""Of pages."""


def check(
    replayer: Replayer, made: Path, name: str, design: Design, seed: int = 1, sizes: tuple[int, ...] = SIZES
) -> None:
    module = made / name / "typescript" / "src" / "index.js"
    recording = record(design, seed=seed)
    results, final = replayed(replayer, module, design, recording)
    assert answers_of(design, recording.calls, results) == expected_of(design, recording.calls), name
    assert final == recording.final, name
    check_pages(replayer, module, design, recording, sizes)


def check_pages(replayer: Replayer, module: Path, design: Design, recording: Recording, sizes: tuple[int, ...]) -> None:
    reads = first_reads(recording)
    for size, results in paged(replayer, module, design, recording, sizes):
        assert in_pages(design, reads, results, size) == expected_of(design, reads)


def build(folder: Path, designs: dict[str, Design]) -> Path:
    return compiled(folder, {name: typescript(each) for name, each in designs.items()})


FEW = {
    "task-manager": lambda: styled_case("task-manager", "plain"),
    "keys_only": lambda: special("keys_only", "electrodb"),
    "embedded": lambda: special("embedded", "plain"),
    "packed": lambda: special("packed", "plain"),
    "listed": lambda: special("listed", "plain"),
    "parents": lambda: special("parents", "plain"),
    "copied": lambda: special("copied", "plain"),
    "refreshed": lambda: special("refreshed", "electrodb"),
    "latest": lambda: special("latest", "electrodb"),
    "overlaps": lambda: special("overlaps", "electrodb"),
    "read_copies": lambda: special("read_copies", "plain"),
    "nasty": lambda: nasty("plain"),
    "shop": lambda: semantic("shop", "electrodb"),
    "likes": lambda: semantic("likes", "plain"),
    "weather": lambda: semantic("weather", "electrodb"),
    "weather-plain": lambda: semantic("weather", "plain"),
    "tasks": lambda: semantic("tasks", "plain"),
    "rules": lambda: semantic("rules", "plain"),
}
MORE = {
    "online-shop": lambda: styled_case("online-shop", "electrodb"),
    "shards": lambda: special("shards", "plain"),
    "walks": lambda: special("walks", "plain"),
    "divided": lambda: special("divided", "electrodb"),
}
"""What takes longest to compile and to ask."""


@pytest.fixture(scope="module")
def made(node: Node, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some packages, compiled in one run."""
    assert node
    return build(tmp_path_factory.mktemp("typescript"), {name: each() for name, each in FEW.items()})


@pytest.mark.xdist_group("typescript")
@pytest.mark.parametrize("name", FEW)
def test_answers_are_the_proofs(name: str, made: Path, replayer: Replayer) -> None:
    check(replayer, made, name, FEW[name]())


@pytest.mark.slow
def test_more_answers_are_the_proofs(node: Node, replayer: Replayer, tmp_path: Path) -> None:
    designs = {name: each() for name, each in MORE.items()}
    made = build(tmp_path, designs)
    check_own_tests(node, made, len(MORE))
    for name, each in designs.items():
        check(replayer, made, name, each)


@pytest.mark.xdist_group("typescript")
def test_the_packages_own_tests_pass(made: Path, node: Node) -> None:
    check_own_tests(node, made, len(FEW))


def check_own_tests(node: Node, made: Path, count: int) -> None:
    tests = sorted(made.glob("*/typescript/test/*.test.js"))
    assert len(tests) == count
    command = [node.executable, "--test", *map(str, tests)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout


RULED: list[tuple[list[Rule], dict[str, Any]]] = [
    ([Rule(input="a", default="x")], {}),
    ([Rule(input="a", default="x")], {"a": None}),
    ([Rule(input="a", default="x")], {"a": "y", "b": 1}),
    ([Rule(input="a", default=False)], {}),
    ([Rule(input="a", default=0, min=0)], {}),
    ([Rule(input="at", default=Slot("_now"))], {}),
    ([Rule(input="n", min=1, max=5)], {"n": 0}),
    ([Rule(input="n", min=1, max=5)], {"n": 5}),
    ([Rule(input="n", min=1, max=5)], {"n": 5.5}),
    ([Rule(input="n", min=1, max=5)], {}),
    ([Rule(input="t", min_length=2, max_length=3)], {"t": "\U0001f600"}),
    ([Rule(input="t", min_length=2, max_length=3)], {"t": "\U0001f600\U0001f600\U0001f600"}),
    ([Rule(input="t", max_length=3)], {"t": "abcd"}),
    ([Rule(input="t", pattern="^[A-Z]{2}-\\d+$")], {"t": "AB-12"}),
    ([Rule(input="t", pattern="^[A-Z]{2}-\\d+$")], {"t": "AB-12\n"}),
    ([Rule(input="t", pattern="^[A-Z]{2}-\\d+$")], {"t": "xAB-12"}),
    ([Rule(input="t", pattern="b+")], {"t": "abbc"}),
    ([Rule(input="t", pattern="^.$")], {"t": "\U0001f600"}),
    ([Rule(input="t", pattern="^[$]\\-$")], {"t": "$-"}),
    ([Rule(input="q", each="Line", default=1, min=1)], {"Line": [{}, {"q": 3}]}),
    ([Rule(input="q", each="Line", default=1, min=1)], {"Line": [{"q": 0}]}),
]


def obeyed(rules: list[Rule], given: dict[str, Any]) -> Any:
    """What the interpreter makes of the same."""
    writing = Writing(op="put", entities=("Thing",), writes=(), rules=tuple(rules))
    try:
        return dict(with_rules(writing, given, 4_102_444_800.5))
    except WrongValue:
        return "InvalidValueError"


@pytest.mark.xdist_group("typescript")
def test_defaults_and_rules_mean_the_same(made: Path, node: Node) -> None:
    cases = [{"rules": [_plain(each) for each in rules], "input": given} for rules, given in RULED]
    seen = node.run("rules.mjs", {"folder": str(made / "rules" / "typescript" / "src"), "cases": cases})
    assert seen == [obeyed(rules, given) for rules, given in RULED]


def _plain(rule: Rule) -> dict[str, Any]:
    """A rule as packages have it."""
    said = {each.name: getattr(rule, each.name) for each in fields(rule)}
    return {
        camel(name): {"slot": value.name} if isinstance(value, Slot) else value
        for name, value in said.items()
        if value is not None and value != ""
    }


@pytest.mark.xdist_group("typescript")
def test_the_support_modules_keep_their_word(made: Path, node: Node) -> None:
    seen = node.run("support.mjs", {"folder": str(made / "keys_only" / "typescript" / "src")})
    assert seen == {
        "sums": ["0.3", "1000000000000000000001", "-0.2", "1.0000001", "0"],
        "bigSum": "9007199254740994",
        "order": [-1, -1, -1, 1, 0],
        "cursor": ["12345678901234567890", [1, 2], True],
        "foreign": "CursorError",
        "otherSteps": "CursorError",
        "garbage": "CursorError",
        "unprocessed": [{"pk": "a"}, {"pk": "b"}, {"pk": "a"}, None],
        "asked": [["a", "b", "c"], ["a"]],
        "conflict": [None, 2],
        "refused": ["TransactionRefusedError", 1],
        "reasons": ["None", "ConditionalCheckFailed"],
    }


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_every_design(style: str, replayer: Replayer, tmp_path: Path) -> None:
    """Applications, specials and meanings together: half of a compiler's time is for the types of the AWS SDK."""
    designs = {name: styled_case(name, style) for name in NAMES}
    designs |= {name: special(name, style) for name in SPECIALS}
    designs |= {name: semantic(name, style) for name in MEANINGS}
    assert len(designs) == len(NAMES) + len(SPECIALS) + len(MEANINGS)
    made = build(tmp_path, designs)
    for name, each in designs.items():
        check(replayer, made, name, each, seed=2, sizes=(1, 3))
        check(replayer, made, name, each, seed=3, sizes=(2,))


def test_what_the_stream_keeps_is_read(replayer: Replayer, tmp_path: Path) -> None:
    """Before anything is written: afterwards it is behind until the function has run."""
    designs = {"scores": scores_design("plain"), "ranks": ranks_design("electrodb")}
    made = build(tmp_path, designs)
    for name, each in designs.items():
        module = made / name / "typescript" / "src" / "index.js"
        check_pages(replayer, module, each, record(each, seed=1), sizes=SIZES)
