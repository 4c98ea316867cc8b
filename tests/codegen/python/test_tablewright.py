"""Typed Tablewright code: formatted, strictly typed, and with the answers of the proof."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tablewright as tw
from tablewright.architect.designer import design
from tablewright.codegen.functions import is_paged
from tablewright.codegen.python.model import name_design
from tablewright.codegen.python.patterns import runs_steps
from tablewright.codegen.python.project import python
from tablewright.codegen.targets import find_refusals, generate
from tests.codegen import semantics
from tests.codegen.designs import NAMES, case
from tests.codegen.nasty import nasty
from tests.codegen.python.generated import arguments, filled, hold_time, imported, left_differently, replay, write_to
from tests.codegen.replay import record
from tests.codegen.specials import SPECIALS, special
from tests.golden.designs import golden
from tests.proof.specs import writing_spec

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import Design, PatternDesign
    from tests.codegen.replay import Call

SPECS = sorted((Path(__file__).parents[3] / "examples" / "specs").glob("*.yaml"))
QUICK = ("online-shop", "social-network")


def outcome(run: Callable[[], Any]) -> Any:
    """The answer of a read, or what came of a write."""
    try:
        given = run()
    except (tw.ConditionFailed, tw.TransactionCancelled):
        return "refused"
    except LookupError:
        return "absent"
    return "written" if given is None else given


def asks_for_nothing(known: NamedDesign, pattern: PatternDesign, call: Call) -> bool:
    """Whether an input is none of the values there are, which typed views refuse."""
    typed = not runs_steps(known, pattern)
    allowed = {each.name: each.values for each in pattern.parameters if each.values}
    return typed and any(call.inputs[name]["S"] not in values for name, values in allowed.items())


def differences(application: Design, folder: Path, *, is_async: bool, rounds: int = 3, seed: int = 3) -> list[str]:
    known = name_design(application)
    recording = record(application, seed=seed, rounds=rounds)
    engine = filled(application, recording)
    write_to(python(application), folder)
    moment = datetime.fromtimestamp(recording.time, UTC)
    with imported(folder / "python", known.package) as module, engine, tw.time_held(moment):
        entities = module("entities")
        if any(runs_steps(known, each) for each in application.patterns):  # else there is nothing that runs steps
            hold_time(module, recording.time)
        patterns = module("patterns_async" if is_async else "patterns")

        def call(pattern: PatternDesign, each: Call) -> Any:
            function = getattr(patterns, known.functions[pattern.id])
            given = arguments(known, pattern, each, entities)
            if is_async:
                adb = tw.AsyncDatabase.embedded(engine=engine)
                return asyncio.run(function(adb, **given))
            return function(tw.Database.embedded(engine=engine), **given)

        def tried(pattern: PatternDesign, each: Call) -> Any:
            if pattern.kind == "write":
                return outcome(lambda: call(pattern, each))
            if asks_for_nothing(known, pattern, each):
                with pytest.raises(tw.ValidationError):
                    call(pattern, each)
                return tw.Page([]) if is_paged(pattern) else None
            return call(pattern, each)

        return [*replay(known, recording, tried), *left_differently(application, recording, engine)]


@pytest.mark.parametrize("name", QUICK)
def test_answers_and_items_are_those_of_the_proof(name: str, tmp_path: Path) -> None:
    assert differences(case(name), tmp_path, is_async=False) == []
    assert differences(case(name), tmp_path, is_async=True, rounds=1) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_applications(name: str, tmp_path: Path) -> None:
    assert differences(case(name), tmp_path, is_async=False, rounds=12) == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_all_example_specs(spec: Path, tmp_path: Path) -> None:
    assert differences(golden(spec.stem), tmp_path, is_async=False, rounds=12) == []


@pytest.mark.parametrize("name", ["divided", "fan_out", "packed", "refreshed", "walks", "read_copies"])
def test_whatever_a_step_can_do(name: str, tmp_path: Path) -> None:
    assert differences(special(name, "plain"), tmp_path, is_async=False) == []


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("name", semantics.NAMES)
def test_what_writes_and_reads_mean(name: str, style: str, tmp_path: Path) -> None:
    application = semantics.semantic(name, style)
    assert differences(application, tmp_path, is_async=False, rounds=6, seed=5) == []
    assert differences(application, tmp_path, is_async=True, rounds=2) == []


def test_second_items_that_no_mirror_can_hold_are_written_by_steps(tmp_path: Path) -> None:
    application = design(next(each for each in SPECS if each.stem == "life-os"), aim="gsis")
    assert not application.service
    assert "python" not in find_refusals(application, ["all"])
    assert any(path.startswith("python/") for path in generate(application, ["all"]))
    assert differences(application, tmp_path, is_async=False, rounds=6) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("name", SPECIALS)
def test_every_step_in_both_styles(name: str, style: str, tmp_path: Path) -> None:
    assert differences(special(name, style), tmp_path, is_async=False, rounds=12) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_names_that_are_words_of_the_language(style: str, tmp_path: Path) -> None:
    assert differences(nasty(style), tmp_path, is_async=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("seed", range(12))
def test_random_applications(seed: int, style: str, tmp_path: Path) -> None:
    assert differences(design(writing_spec(seed, style=style)), tmp_path, is_async=False, rounds=6) == []
