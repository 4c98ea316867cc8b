"""Follows the calls of a line of ElectroDB on the loaded style, and gives the request it makes there."""

from __future__ import annotations

import re
from typing import Any

from tablewright.runtime.electrodb.service import LoadedService
from tablewright.runtime.transports.recorded import Recorded
from tests.conformance.electrodb.run import snake

NAMING = ("query", "scan", "collections", "byAccessPattern")  # what follows one of these is a name of the schema


def request_of(service: LoadedService, calls: list[Any]) -> Any:
    """The request of a whole line, which ends with params() or go()."""
    client = Recorded([{}] * 10)
    if calls[-2] == {"name": "go"}:
        calls[-1]["call"] = [{**(calls[-1]["call"] or [{}])[0], "client": client}]
    made = follow(start_of(service, calls), calls)
    sent = [params for _, params in client.requests]
    if not sent:
        return made
    return sent if "RequestItems" in sent[0] else sent[0]  # a batch may take several requests


def start_of(service: LoadedService, calls: list[Any]) -> Any:
    """Takes from `calls` what it takes to get there: an entity, the conversions of one, or the service."""
    if calls[0]["name"] == "conversions":
        calls.pop(0)
        return getattr(service, calls.pop(0)["name"]).conversions
    if calls[0]["name"] in service.entities:
        return getattr(service, calls.pop(0)["name"])
    return service


def follow(current: Any, calls: list[Any]) -> Any:
    before = ""
    for step in calls:
        if "name" in step:
            current = named(current, step["name"], before)
            before = step["name"]
        else:
            current = called(current, step["call"], before)
    return current


def named(current: Any, name: str, before: str) -> Any:
    if before == "byAccessPattern":
        return current[name]
    return getattr(current, name if before in NAMING else snake(name))


def called(current: Any, args: list[Any], name: str) -> Any:
    if name in ("go", "params", "commit"):
        return current(**{snake(option): value for option, value in (args or [{}])[0].items()})
    return current(*(argument(each) for each in args))


def argument(value: Any) -> Any:
    if isinstance(value, dict) and "$members" in value:
        return lambda **entities: [follow(entities[calls[0]["name"]], calls[1:]) for calls in value["$members"]]
    if isinstance(value, dict) and "$callback" in value:
        return lambda a, op: called_back(a, op, **value["$callback"])
    return value


def called_back(a: Any, op: Any, used: list[Any], text: str | None) -> Any:
    """Do what the callback did: the operations in order, and the text glued from what they gave."""
    results: list[Any] = []
    for name, *args in used:
        given = [operand(a, results, each) for each in args]
        results.append(getattr(op, snake(name))(*given))
    if text is None:
        return None
    alone = re.fullmatch(r"<(\d+)>", text)
    return results[int(alone[1])] if alone else re.sub(r"<(\d+)>", lambda found: str(results[int(found[1])]), text)


def operand(a: Any, results: list[Any], value: Any) -> Any:
    if isinstance(value, dict) and "$used" in value:
        return results[value["$used"]]
    if not (isinstance(value, dict) and "$path" in value):
        return value
    place = a
    for part in value["$path"]:
        place = place[part]
    return place
