"""What may differ when random calls are compared with ElectroDB: as little as possible, and each with a check.

A difference is excused where ElectroDB's request is one that DynamoDB refuses, so that nobody can depend on it, and
where an attribute that is a key itself takes another form than the one that put stores and queries ask for.
"""

from __future__ import annotations

import re
from typing import Any

from tests.conformance.electrodb.compare import meaning
from tests.conformance.electrodb.run import differences, names_of_sets, outcome_of, plain
from tests.conformance.electrodb.sendable import Tables, requests_of

STORED = ("document path provided in the update expression is invalid", "attribute that does not exist in the item")
KEY_FILTER = "Filter Expression can only contain non-primary key attributes"


def verdict(models: dict[str, Any], case: dict[str, Any], tables: Tables) -> list[str]:
    """What is wrong with our outcome of a case."""
    schema = models[case["model"]]
    outcome = outcome_of(models, case)
    found = differences(case["expected"], outcome, names_of_sets(models, case))
    refused = refusal(case, schema, outcome, tables)
    theirs = refusal(case, schema, case["expected"], tables)
    if refused is not None and not (theirs or is_asked_for(refused)):
        return [f"DynamoDB refuses our request: {refused}", *found]
    if not found or (theirs and (refused is None or theirs == refused or is_asked_for(refused))):
        return []
    return [] if is_same_but_for_own_keys(schema, case["expected"], outcome) else found


def refusal(case: dict[str, Any], schema: dict[str, Any], outcome: dict[str, Any], tables: Tables) -> str | None:
    """Why DynamoDB would refuse the request of an outcome, whatever is stored; None when it would not."""
    for action, params in requests_of(case, outcome):
        said = tables.refusal(case["model"], schema, action, plain(params))
        if said is not None and not any(text in said for text in STORED):
            return said
    return None


def is_asked_for(refused: str) -> bool:
    """A filter on a key of the index that is read: the caller's own mistake, and told by DynamoDB."""
    return KEY_FILTER in refused


# ---- attributes that are keys ----------------------------------------------------------------------------------------


def is_same_but_for_own_keys(schema: dict[str, Any], expected: dict[str, Any], outcome: dict[str, Any]) -> bool:
    fixings = own_keys(schema)
    left, right = ([meaning(params) for params in sent(each)] for each in (expected, outcome))
    return bool(fixings and left) and [formless(each, fixings) for each in left] == [
        formless(each, fixings) for each in right
    ]


def sent(outcome: dict[str, Any]) -> list[dict[str, Any]]:
    """The requests of an outcome, shown or sent."""
    shown = [outcome["params"]] if "params" in outcome else []
    return [*shown, *(each["input"] for each in outcome.get("requests", ()))]


def own_keys(schema: dict[str, Any]) -> dict[str, list[str]]:
    """By field: the texts that stand around attributes that are keys."""
    fields = {attribute.get("field", name): name for name, attribute in schema["attributes"].items()}
    found: dict[str, list[str]] = {}
    for index in schema["indexes"].values():
        for side in (index["pk"], index.get("sk")):
            if side and side["field"] in fields:
                template = side.get("template", "")
                found[side["field"]] = [text.lower() for text in re.split(r"\$\{[^}]*\}", template) if text]
    return found


def formless(value: Any, fixings: dict[str, list[str]]) -> Any:
    """A request in which values said of such attributes are without text around them, in small letters, said once."""
    if isinstance(value, dict):
        return {name: formless(each, fixings) for name, each in value.items()}
    if isinstance(value, tuple):
        fields = [part[1] for part in value if isinstance(part, tuple) and part[:1] == ("name",) and part[1] in fixings]
        if fields:
            return tuple(stripped(part, fixings[fields[0]]) for part in value)
        return tuple(formless(part, fixings) for part in value)
    if isinstance(value, list):
        changed = [formless(each, fixings) for each in value]
        return sorted({repr(each) for each in changed})
    return value


def stripped(part: Any, texts: list[str]) -> Any:
    if not (isinstance(part, tuple) and part[:1] == ("value",) and isinstance(part[1], str)):
        return part
    text, before = part[1].lower(), ""
    while texts and text != before:
        before = text
        for each in texts:
            text = text.removeprefix(each).removesuffix(each)
    return ("value", text)
