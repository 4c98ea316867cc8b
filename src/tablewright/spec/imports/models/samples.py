"""What sample items tell: which kinds there are, their attributes' types, and what composed keys are made of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from tablewright.errors import DesignError, TablewrightError
from tablewright.spec.imports.draft import DraftAttribute, words_of
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.spec.model import AttributeType

Item = dict[str, Any]
BY_CODE: dict[str, AttributeType] = {
    "S": "string",
    "N": "number",
    "BOOL": "boolean",
    "B": "binary",
    "M": "map",
    "L": "list",
    "SS": "set",
    "NS": "set",
    "BS": "set",
    "NULL": "any",
}
TYPE_NAMES = ("type", "entitytype", "entity", "itemtype", "kind", "objecttype", "__edb_e__", "_type", "recordtype")
FLAT_TYPE_NAMES = {each.replace("_", "") for each in TYPE_NAMES}
INTERNAL = ("__edb_e__", "__edb_v__", "_type")
KEY_NAME = re.compile(
    r"_?(pk|sk|partition_?key|sort_?key|hash_?key|range_?key)_?\d*|(gsi|lsi)_?\d*_?(pk|sk).*", re.IGNORECASE
)
TIME = re.compile(r"\d{4}-\d\d(-\d\d([T ]\d\d:\d\d.*)?)?$")
MOST_KINDS = 40


def read_item(stored: Any, place: str) -> dict[str, Any]:
    """An item from DynamoDB's JSON; what is none of it is refused by name."""
    try:
        return unmarshal_item(cast("Item", stored))
    except (TablewrightError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise DesignError(f'{place} is no item in DynamoDB\'s JSON, such as {{"id": {{"S": "a"}}}}: {error}') from None


def type_code(stored: Any) -> str:
    """`S` of `{"S": "text"}`."""
    return next(iter(cast("Mapping[str, Any]", stored)), "S") if isinstance(stored, Mapping) else "S"


def is_generic(name: str) -> bool:
    """A key that is called after what it is for, not after what it holds."""
    return KEY_NAME.fullmatch(name) is not None


# ---- attributes -----------------------------------------------------------------------------------------------------


def attribute(name: str, code: str, values: Iterable[Any], *, required: bool = False) -> DraftAttribute:
    kind = BY_CODE.get(code, "string")
    given = [each for each in values if each is not None]
    if kind == "string" and given and all(isinstance(each, str) and TIME.match(each) for each in given):
        kind = "timestamp"
    return DraftAttribute(name=name, type=kind, required=required)


def is_ordered(found: DraftAttribute | None) -> bool:
    return found is not None and found.type in ("timestamp", "number")


# ---- kinds of items -------------------------------------------------------------------------------------------------


def kinds_of(items: list[Item], key: tuple[str, ...]) -> dict[str, list[Item]]:
    """Items by what they seem to be: by an attribute that says it, else by what their keys begin with."""
    named = _type_attribute(items)
    if named is not None:
        return _group_items(items, lambda item: str(item[named]))
    if not any(is_generic(name) for name in key):
        return {}
    return _group_items(items, lambda item: _prefix_of(item, key))


def _type_attribute(items: list[Item]) -> str | None:
    names = [name for name in (items[0] if items else {}) if name.lower().replace("_", "") in FLAT_TYPE_NAMES]
    for name in names:
        values = {item.get(name) for item in items}
        if None not in values and all(isinstance(each, str) for each in values) and len(values) <= MOST_KINDS:
            return name
    return None


def _group_items(items: list[Item], label: Callable[[Item], str]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(label(item), []).append(item)
    return found


def _prefix_of(item: Item, key: tuple[str, ...]) -> str:
    """`ORDER#1 / LINE#2` is a Line: the sort key's first word, where it has one, else the partition key's."""
    for name in reversed(key):
        word = re.match(r"[^A-Za-z]*([A-Za-z]+)(?=[#_:|]|$)", str(item.get(name, "")))
        if word and word.group(1).lower() not in ("metadata", "profile", "info", "root", "meta", "details"):
            return word.group(1)
    return "Item"


def kind_name(text: str) -> str:
    """As entities are called: `ORDER_LINE` is OrderLine, `UserCounts` stays."""
    words = words_of(text) or ["Item"]
    return "".join(each[:1].upper() + (each[1:].lower() if each.isupper() else each[1:]) for each in words)


# ---- composed keys --------------------------------------------------------------------------------------------------


def parts_of_key(item: Item, field: str, known: Iterable[str]) -> tuple[str, ...]:
    """The attributes whose values stand in a key, in their order: `$shop#status_open` holds status."""
    text = item.get(field)
    if text is None:
        return ()
    if field in known:
        return (field,)
    found = [holder for each in re.split(r"[#|]", str(text)) if (holder := _holder_of(each, item, known)) is not None]
    return tuple(dict.fromkeys(found))


def _holder_of(segment: str, item: Item, known: Iterable[str]) -> str | None:
    """The attribute whose value a part of a key is; one that is named in it comes first."""
    fitting = [name for name in known if name in item and not is_generic(name) and _matches(segment, item[name])]
    named = [name for name in fitting if segment.lower().startswith(f"{name.lower()}_")]
    others = [name for name in fitting if name.lower().replace("_", "") not in FLAT_TYPE_NAMES]
    return next(iter((*named, *others)), None)


def _matches(segment: str, value: Any) -> bool:
    text = str(value)
    if isinstance(value, bool | dict | list | set) or not text:
        return False
    return segment == text or segment.endswith(f"_{text}") or (text.isdigit() and segment.lstrip("0") == text)
