"""Plain boto3 code: the answers of the proof, on the real client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import boto3
import msgspec
import pytest

from tablewright.codegen.python.model import name_design
from tablewright.codegen.python.plain.project import python_boto3
from tablewright.engine.server import serve
from tests.codegen import semantics
from tests.codegen.designs import NAMES, case
from tests.codegen.nasty import nasty
from tests.codegen.python.generated import arguments, filled, hold_time, imported, left_differently, replay, write_to
from tests.codegen.python.test_tablewright import SPECS
from tests.codegen.replay import record
from tests.codegen.specials import SPECIALS, special
from tests.codegen.typescript.packages import first_reads
from tests.golden.designs import golden
from tests.proof.ranks import ranks_design
from tests.proof.scores import scores_design

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.design.model import Design, PatternDesign
    from tests.codegen.replay import Call


def client(url: str) -> Any:
    return boto3.client(
        "dynamodb",
        endpoint_url=url,
        region_name="eu-west-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
    )


def differences(application: Design, folder: Path, rounds: int = 2, *, reads_only: bool = False) -> list[str]:
    """`reads_only`: before anything is written, where somebody else keeps what is read."""
    known = name_design(application, plain=True)
    recording = record(application, seed=5, rounds=rounds)
    engine = filled(application, recording)
    write_to(python_boto3(application), folder)
    server = serve(engine).start()
    try:
        with imported(folder / "python-boto3", known.package) as module:
            hold_time(module, recording.time)
            db = module("database").Database(client(server.url))
            refused = (module("refusals").ConditionFailed, module("refusals").TransactionRefused)
            patterns, entities = module("patterns"), module("entities")

            def call(pattern: PatternDesign, each: Call) -> Any:
                function = getattr(patterns, known.functions[pattern.id])
                given = arguments(known, pattern, each, entities)
                if pattern.kind != "write":
                    return function(db, **given)
                try:
                    function(db, **given)
                except refused:
                    return "refused"
                except LookupError:
                    return "absent"
                return "written"

            if reads_only:
                return [*replay(known, msgspec.structs.replace(recording, calls=first_reads(recording)), call)]
            return [*replay(known, recording, call), *left_differently(application, recording, engine)]
    finally:
        server.stop()


@pytest.mark.parametrize("name", ["task-manager"])
def test_answers_and_items_are_those_of_the_proof(name: str, tmp_path: Path) -> None:
    assert differences(case(name), tmp_path) == []


@pytest.mark.parametrize("name", ["copied", "embedded", "latest", "packed", "parents", "refreshed", "totals", "walks"])
def test_whatever_a_step_can_do(name: str, tmp_path: Path) -> None:
    assert differences(special(name, "plain"), tmp_path) == []


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("name", semantics.NAMES)
def test_what_writes_and_reads_mean(name: str, style: str, tmp_path: Path) -> None:
    assert differences(semantics.semantic(name, style), tmp_path, rounds=4) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_applications(name: str, tmp_path: Path) -> None:
    assert differences(case(name), tmp_path, rounds=6) == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_all_example_specs(spec: Path, tmp_path: Path) -> None:
    assert differences(golden(spec.stem), tmp_path, rounds=6) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("name", SPECIALS)
def test_every_step_in_both_styles(name: str, style: str, tmp_path: Path) -> None:
    assert differences(special(name, style), tmp_path, rounds=6) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_names_that_are_words_of_the_language(style: str, tmp_path: Path) -> None:
    assert differences(nasty(style), tmp_path) == []


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("made", [scores_design, ranks_design])
def test_what_the_stream_keeps_is_read(made: Any, style: str, tmp_path: Path) -> None:
    assert differences(made(style), tmp_path, rounds=6, reads_only=True) == []
