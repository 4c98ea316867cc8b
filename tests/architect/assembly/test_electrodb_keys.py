"""ElectroDB itself writes the keys that the design describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design
from tablewright.design.service import service_of
from tablewright.schema.electro.write import dump_service
from tests.architect.designs import CASES, case_design
from tests.architect.specs import random_spec
from tests.design.test_service import key_fields, tasks, values_of

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tests.conftest import Node


def as_electrodb(made: Design) -> dict[str, Any]:
    plain = [
        item for item in made.items if item.kind in ("entity", "copy") and all(each.shards == 1 for each in item.keys)
    ]
    return {"schemas": dump_service(service_of(made)), "items": {item.name: values_of(item) for item in plain}}


def test_electrodb_writes_the_same_keys(node: Node) -> None:
    designs = {
        **{f"{case}-{style}": case_design(case, style) for case in CASES for style in ("electrodb", "plain")},
        **{f"tasks-{style}": tasks(key_style=style) for style in ("electrodb", "plain")},
        **{f"random-{seed}": design(random_spec(seed, entities=3, patterns=7)) for seed in range(4)},
    }
    answers = node.run("design_keys.cjs", {name: as_electrodb(made) for name, made in designs.items()})
    for name, made in designs.items():
        for item in made.items:
            written = answers[name].get(item.name)
            if written is not None:
                fields = key_fields(item)
                assert {field: written.get(field) for field in fields} == {
                    field: item.sample[field] for field in fields
                }
                assert made.key_style == "plain" or item.fixed.items() <= written.items()
