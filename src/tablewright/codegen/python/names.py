"""What things are called in Python: no two alike, none a word of the language."""

from __future__ import annotations

import builtins
import keyword
import sys
from typing import TYPE_CHECKING

from tablewright.codegen.names import pascal, snake

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.model import Design, ItemType, PatternDesign

TAKEN_CLASSES = frozenset(
    (
        *dir(builtins),
        *"Any Attr Code Database Decimal Filter Given Item Keep Literal Mapping NotFound Number Page Range".split(),
        *"Read Self Sequence Sort Stored TypeAlias Write Writing".split(),
    )
)
DOCUMENT_METHODS = frozenset("from_dict from_json to_dict to_json".split())
"""Of `tw.Entity` and `tw.Map`."""
ENTITY_METHODS = DOCUMENT_METHODS | frozenset(
    "create delete find match parse patch put remove scan schema update upsert".split()
)
"""Of `tw.Entity`; an attribute of such a name would hide one."""
TAKEN_ATTRIBUTES = ENTITY_METHODS | {"key", "self", "cls", "tw"}
KEEPING = ("KEEP", "Keep")
CHANGING = ("become",)
RUNNING = ("do_writing", "find_first", "find_number", "find_page")
"""What modules of these names have for functions of patterns."""
TAKEN_PARAMETERS = frozenset(
    (*KEEPING, *CHANGING, *RUNNING, *"after change db deletion each found key limit query requests tw".split())
)
OTHERS = frozenset("tablewright boto3 botocore tests".split())


def make_unique(name: str, taken: Iterable[str]) -> str:
    """The name, with `_` or a number behind it where it is taken or a word of the language."""
    used = set(taken)
    candidates = [name, f"{name}_", *(f"{name}{number}" for number in range(2, 1000))]
    return next(each for each in candidates if each not in used and not keyword.iskeyword(each))


def python_names(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """By name: its form in Python."""
    return make_distinct({name: snake(name) for name in names}, taken)


def make_distinct(names: Mapping[str, str], taken: Iterable[str]) -> dict[str, str]:
    """The same with no two values alike."""
    used = set(taken)
    found: dict[str, str] = {}
    for key, name in names.items():
        found[key] = make_unique(name, used)
        used.add(found[key])
    return found


def class_names(design: Design) -> dict[str, str]:
    """By item type: its class."""
    used = set(TAKEN_CLASSES)
    found: dict[str, str] = {}
    for item in design.items:
        found[item.name] = make_unique(pascal(item.name), used)
        used.add(found[item.name])
    return found


def attribute_names(item: ItemType, also: Iterable[str] = ()) -> dict[str, str]:
    """By stored attribute: its name on the class."""
    names = dict.fromkeys((*(each.name for each in item.attributes), *also))
    return python_names(names, TAKEN_ATTRIBUTES)


def parameter_names(pattern: PatternDesign) -> dict[str, str]:
    return python_names((each.name for each in pattern.parameters), TAKEN_PARAMETERS)


def package_name(design: Design) -> str:
    return make_unique(snake(design.name), (*OTHERS, *sys.stdlib_module_names))
