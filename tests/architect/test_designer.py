"""The whole way from a spec to a design."""

from __future__ import annotations

from tablewright.architect.designer import design
from tablewright.design.read import design_json, read_design
from tests.architect.designs import CASE_FILES

SPEC = {
    "name": "orders",
    "entities": {"Order": {"id": "orderId", "attributes": {"orderId": "string", "customer": {"required": True}}}},
    "access_patterns": [
        {"id": "get", "kind": "get", "entity": "Order", "by": "orderId"},
        {"id": "of", "kind": "query", "entity": "Order", "by": "customer"},
    ],
}


def test_explanations_are_added_when_asked_for() -> None:
    short, long = design(SPEC), design(SPEC, explain=True)
    assert short.advice.decisions == ()
    assert {each.kind for each in long.advice.decisions} >= {"table-key", "index"}
    assert short.advice.critique == long.advice.critique != ()
    reasons = {each.subject: each.why for each in long.advice.decisions if each.kind == "plan"}
    assert {each.id: each.why for each in long.patterns if each.id in reasons} == reasons
    assert short.tables == long.tables
    assert read_design(design_json(long).decode()) == long


def test_progress_is_told_in_the_order_of_the_work() -> None:
    told: list[str] = []
    design(SPEC, progress=told.append)
    assert told == ["searching", "reviewing"]
    told.clear()
    design(SPEC, explain=True, progress=told.append)
    assert [each.partition(":")[0] for each in told] == ["searching", "reviewing", "explaining", "asking"]


def test_the_key_style_that_is_asked_for_wins() -> None:
    plain = design({**SPEC, "constraints": {"key_style": "electrodb"}}, key_style="plain")
    assert (plain.key_style, plain.encoding.type_field) == ("plain", "_type")
    assert plain.items[0].keys[0].pk[0].text == "ORDER#{orderId}"
    assert plain.spec["constraints"] == {"key_style": "plain"}
    assert design(SPEC).items[0].keys[0].pk[0].text == "$orders#orderId_{orderId}"


def test_order_in_the_spec_does_not_matter_to_keys() -> None:
    import yaml

    spec = yaml.safe_load(CASE_FILES["online-shop"].read_text(encoding="utf-8"))
    turned = {
        **spec,
        "entities": dict(reversed(spec["entities"].items())),
        "access_patterns": spec["access_patterns"][::-1],
    }
    one, other = ({item.name: item.keys for item in design(each, aim="gsis").items} for each in (spec, turned))
    assert one == other
