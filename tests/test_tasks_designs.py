"""The door in Python: a spec as a path, a mapping, a text or values, and designs wherever a spec is taken."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tablewright import tasks
from tablewright.design.advice import Answer
from tablewright.design.read import design_json
from tablewright.errors import DesignError
from tablewright.spec.read import read_spec
from tablewright.spec.starter import STARTER

SPEC: dict[str, Any] = yaml.safe_load(STARTER)


def test_every_form_of_a_spec_gives_the_same_design(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(STARTER)
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    first = tasks.design(SPEC, quick=True)
    for given in (STARTER, tmp_path / "spec.yaml", str(tmp_path / "spec.json"), read_spec(SPEC), first):
        assert design_json(tasks.design(given, quick=True)) == design_json(first)


def test_a_design_is_taken_where_a_spec_is(tmp_path: Path) -> None:
    found = tasks.design(SPEC, key_style="plain", minimise="gsis", quick=True)
    (path, _) = tasks.write_design(found, tmp_path)
    assert tasks.cost(path) == found.cost
    assert tasks.heat(json.loads(path.read_text())) == found.heat
    assert tasks.questions(found) == found.advice.questions
    assert tasks.explain(path, "ap4").patterns[0].id == "AP4"
    assert tasks.compare(path, found).same
    proven = tasks.prove(path)
    assert proven.proof is not None
    assert proven.proof.passed


def test_traffic_of_a_design_keeps_its_keys(tmp_path: Path) -> None:
    found = tasks.design(SPEC, minimise="gsis", quick=True)
    ten = tasks.heat(found, traffic=10)
    assert {each.partition_key for each in ten.partitions} == {each.partition_key for each in found.heat.partitions}
    assert ten.partitions[0].rcu_per_second == pytest.approx(10 * found.heat.partitions[0].rcu_per_second)


def test_what_cannot_be_met_says_so() -> None:
    with pytest.raises(DesignError):
        tasks.design(SPEC, max_gsis=0, quick=True)


def test_answers_are_written_and_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(STARTER)
    changed = tasks.answer(path, [Answer(answer="", outcome="", changes={"entities.Book.count": 7000})])
    assert changed == ["entities.Book.count"]
    assert path.read_text() == STARTER.replace("count: 5000\n", "count: 7000\n")
    with pytest.raises(DesignError):
        tasks.answer(path, [Answer(answer="", outcome="", changes={"entities.Book.count": "many"})])
    assert path.read_text() == STARTER.replace("count: 5000\n", "count: 7000\n")


def test_published_schemas_are_of_three_kinds() -> None:
    assert [tasks.published_schema(kind)["title"] for kind in ("spec", "design", "service")] == [
        "Tablewright spec",
        "Tablewright design",
        "Tablewright service",
    ]


def test_a_quick_design_is_the_same_but_for_what_takes_long() -> None:
    quick, whole = tasks.design(SPEC, quick=True), tasks.design(SPEC)
    assert (quick.tables, quick.items) == (whole.tables, whole.items)
    assert [(each.reads, each.writes) for each in quick.patterns] == [
        (each.reads, each.writes) for each in whole.patterns
    ]
    assert quick.advice.decisions == ()
    assert whole.advice.decisions
    assert sum(each.chosen for each in whole.advice.alternatives) == 1


def test_every_task_is_found_and_serving_a_table_does_not_load_the_architect() -> None:
    assert [name for name in tasks.__all__ if not hasattr(tasks, name)] == []
    code = "import sys; from tablewright.tasks import engine_server; print('tablewright.architect' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
