"""Answers applied to a spec as a mapping: what `spec.text_edit` does to a text, for trying many answers quickly.

entities.Game.attributes.map.required    an attribute in short form (`map: string`) is written out
relationships[0].avg                     by position
access_patterns.AP7.rate                 by id; a whole pattern under a new id is added at the end
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.errors import DesignError
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.explain.questions.asking import OpenQuestion
    from tablewright.spec.model import Spec


def answered(origin: Spec, content: Mapping[str, Any], changes: Mapping[str, Any]) -> Spec:
    """A spec with answers in it, `content` being its written form; what only the architect says in it stays."""
    found = read_spec(apply_answers(content, changes))
    together = {each.id: each.together for each in origin.patterns}
    said = (msgspec.structs.replace(each, together=together.get(each.id, {})) for each in found.patterns)
    going_on = (each for each in origin.patterns if each.cascade_of)
    return msgspec.structs.replace(found, patterns=(*said, *going_on))


def apply_answers(content: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The written form of a spec with answers in it; what was given is left as it is."""
    found = deepcopy(dict(content))
    for path, value in changes.items():
        section, _, rest = path.partition(".")
        if section == "access_patterns" and rest:
            _set_in_pattern(found, rest, value)
        elif section == "entities" and ".attributes." in rest:
            _set_in_attribute(found, rest, value)
        else:
            _set_at(found, path, value)
    return found


def _set_in_pattern(content: dict[str, Any], path: str, value: Any) -> None:
    patterns: list[dict[str, Any]] = content.setdefault("access_patterns", [])
    known = sorted((each for each in patterns if _starts(path, str(each["id"]))), key=lambda each: -len(each["id"]))
    if known and path != known[0]["id"]:
        _set_at(known[0], path[len(known[0]["id"]) + 1 :], value)
    elif known:
        known[0].update(value)
    elif isinstance(value, Mapping):
        patterns.append({"id": path, **cast("Mapping[str, Any]", value)})
    else:
        raise DesignError(f'there is no access pattern for "access_patterns.{path}"; is the answer for another spec?')


def _starts(path: str, id_: str) -> bool:
    return path == id_ or path.startswith(f"{id_}.")


def _set_in_attribute(content: dict[str, Any], path: str, value: Any) -> None:
    """Lists of names and `name: type` are written out where more is to be said."""
    entity, _, rest = path.partition(".attributes.")
    name, _, field = rest.partition(".")
    fields = content["entities"][entity]
    given: Any = fields.get("attributes") or {}
    attributes: dict[str, Any] = dict.fromkeys(given, "string") if isinstance(given, list) else dict(given)  # pyright: ignore[reportUnknownArgumentType]
    before = attributes.get(name)
    options = {"type": before} if isinstance(before, str) else dict(before or {})
    _set_at(options, field, value)
    attributes[name] = options
    fields["attributes"] = attributes


def _set_at(content: dict[str, Any], path: str, value: Any) -> None:
    *way, last = path.replace("[", ".[").split(".")
    place: Any = content
    for name in way:
        place = place[int(name[1:-1])] if name.startswith("[") else place.setdefault(name, {})
    place[last] = value


def that_can_be_said(content: Mapping[str, Any], found: Iterator[OpenQuestion]) -> Iterator[OpenQuestion]:
    """Without answers that would contradict the rest of the spec, and without questions that have no other answer."""
    for asking in found:
        others = tuple(each for each in asking.others if _is_readable(content, each.changes))
        if others or asking.always:
            yield msgspec.structs.replace(asking, others=others)


def _is_readable(content: Mapping[str, Any], changes: Mapping[str, Any]) -> bool:
    try:
        read_spec(apply_answers(content, changes))
    except DesignError:
        return False
    return True
