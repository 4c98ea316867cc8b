"""Access patterns as functions of a class: the table's own key as `key` and as a query, and every index.

Letter case is said where it is not that which the service says for all of its keys (see `module`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.python.classes.draft import EntityNames
from tablewright.codegen.python.classes.functions import Role
from tablewright.codegen.python.entities import rename_template
from tablewright.codegen.python.literals import INDENT, Code, docstring, invoke, kept, printed, text
from tablewright.schema.functions import Made
from tablewright.schema.keys import PatternKeys
from tablewright.schema.model import Casing, Entity
from tablewright.schema.ordered import disorder
from tablewright.schema.templates import template_parts
from tablewright.schema.types import NUMBER, STRING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.codegen.python.classes.draft import Draft
    from tablewright.schema.model import AccessPattern, KeySide
    from tablewright.schema.places import Place

LOWER = ("default", "lower")
TAKEN_APART = re.compile(r"\(\s*\{([\w$\s,:]*)\}\s*\)\s*=>")
ONE_PARAMETER = re.compile(
    r"(?:function\b)?\s*(?:[\w$]+\s*)?\(\s*([A-Za-z_$][\w$]*)\s*\)\s*(?:=>|\{)|([A-Za-z_$][\w$]*)\s*=>"
)


class Owner(msgspec.Struct, frozen=True):
    """The entity whose patterns are written: its names, types by attribute, its keys, and the fields of its table."""

    entity: Entity
    names: EntityNames
    kinds: Mapping[str, str]
    keys: Mapping[str, PatternKeys]  # by pattern, as the typed style has them
    table_fields: Mapping[str | None, tuple[str, ...]]
    sources: Mapping[str, str]
    casing: Casing  # what the service says


def pattern_lines(draft: Draft, owner: Owner, pattern: AccessPattern, place: Place) -> list[str]:
    """One access pattern; the table's own key is also written as a query, under the schema's name for it."""
    check(draft, pattern, place)
    options = printed_options(draft, owner, pattern, place)
    if pattern.index is not None:
        head = printed(invoke("tw.index", pattern.index, **options), 1, 1)
        return [f"{INDENT}@{head}", *signature(owner, pattern, owner.names.patterns[pattern.name], pattern.doc)]
    head = printed(invoke("tw.primary", **options), 1, 1) if options else "tw.primary"
    key = [f"{INDENT}@{head}", *signature(owner, pattern, "key", f"One {owner.entity.name}.", is_key=True)]
    query = signature(owner, pattern, owner.names.patterns[pattern.name], pattern.doc)
    return [*key, "", f'{INDENT}@tw.index("table")', *query]


def check(draft: Draft, pattern: AccessPattern, place: Place) -> None:
    """What no class says of an access pattern."""
    if pattern.index == "table":
        draft.faults.add(place / "index", 'an index named "table" would be taken for the table itself')
    if repeats(pattern) and pattern.kind == "composite":
        draft.faults.add(place, f"{listed(pattern)} stands in both keys, of which it is all that is stored")
    elif repeats(pattern) and pattern.sk is not None and pattern.sk.cast != pattern.pk.cast:
        draft.faults.add(place, f"{listed(pattern)} stands in both keys, and is cast in one of them")
    features = {"shards": pattern.shards, "bucket": pattern.bucket, "queue": pattern.queue}
    for name, value in {**features, "across_tenants": pattern.across_tenants}.items():
        if value:
            draft.faults.add(place / name, "it is no part of what this target writes")


def printed_options(draft: Draft, owner: Owner, pattern: AccessPattern, place: Place) -> dict[str, Any]:
    collection = pattern.collection
    projection = pattern.projection
    names = owner.names.attributes
    if not isinstance(projection, str):
        projection = tuple(names.get(each, each) for each in projection)
    return kept(
        collection=collection[0] if len(collection) == 1 else collection,
        kind=pattern.kind if pattern.kind != "isolated" else None,
        scope=pattern.scope,
        **(keys(draft, owner, pattern, place) if pattern.kind != "composite" else {}),
        projection=projection if projection != "all" else None,
        **sparse(draft, owner, pattern, place),
    )


# ---- keys -----------------------------------------------------------------------------------------------------------


def keys(draft: Draft, owner: Owner, pattern: AccessPattern, place: Place) -> dict[str, Any]:
    sides = {"pk": pattern.pk, **({} if pattern.sk is None else {"sk": pattern.sk})}
    stored = tuple(each.field for each in sides.values())
    names = owner.names.attributes
    return {
        **{which: template(draft, side, names, place / which) for which, side in sides.items()},
        "fields": stored if stored != owner.table_fields[pattern.index][: len(stored)] else None,
        "casing": casing(sides, owner.casing),
        "cast": {names[name]: side.cast for side in sides.values() if side.cast for name in side.composite},
        "sort": sort(pattern, names),
    }


def sort(pattern: AccessPattern, names: Mapping[str, str]) -> str | Code | None:
    """What is said of the sort key where there is none, or where it repeats an attribute of the partition key."""
    if pattern.sk is None:
        return Code("False")
    return names[pattern.sk.composite[0]] if repeats(pattern) and pattern.sk.template is None else None


def repeats(pattern: AccessPattern) -> bool:
    """Whether the sort key is made of an attribute of the partition key; no schema repeats one beside others."""
    side = pattern.sk
    return side is not None and bool(side.composite) and set(side.composite) <= set(pattern.pk.composite)


def listed(pattern: AccessPattern) -> str:
    return ", ".join(pattern.sk.composite if pattern.sk is not None else ())


def template(draft: Draft, side: KeySide, names: Mapping[str, str], place: Place) -> str | None:
    if side.template is None:
        return None
    if any(brace in before for _, before in template_parts(side.template) for brace in "{}"):
        draft.faults.add(place / "template", "braces in a template stand for attributes")
    return rename_template(side.template, names)


def casing(sides: Mapping[str, KeySide], usual: Casing) -> str | tuple[str, ...] | None:
    """The letter case of both keys, where it is not that of the service."""
    found = tuple("default" if each.casing in LOWER else each.casing for each in sides.values())
    if len(set(found)) > 1:
        return found
    return found[0] if found[0] != usual else None


# ---- sparse indexes -------------------------------------------------------------------------------------------------


def sparse(draft: Draft, owner: Owner, pattern: AccessPattern, place: Place) -> dict[str, Any]:
    """The condition, and what it reads: what the schema says, else what its JavaScript does, else everything."""
    condition: Any = pattern.condition
    if condition is None:
        return {}
    names = owner.names.attributes
    if isinstance(condition, Made) and condition.name == "having":
        return having(condition.args[0], names)
    read = names_read(owner.sources.get(condition.name, ""))
    mentioned = list(names) if read is None else [each for each in names if each in read]
    depends = pattern.depends_on or (*pattern.composites, *mentioned)
    asked = draft.supplied.wrapper(condition, Role(("item: Any",), "object"), str(place / "condition"))
    return {"condition": asked, "depends_on": tuple(dict.fromkeys(names[each] for each in depends))}


def names_read(source: str) -> set[str] | None:
    """The attributes that a JavaScript function reads of its only parameter; None where that cannot be told."""
    taken_apart = TAKEN_APART.match(source)
    if taken_apart is not None:
        return {each.partition(":")[0].strip() for each in taken_apart[1].split(",")}
    whole = ONE_PARAMETER.match(source)
    if whole is None:
        return None
    name = re.escape(whole[1] or whole[2])
    body = source[whole.end() :]
    mentions = re.findall(rf"(?<![\w$.]){name}(?![\w$])", body)
    read = re.findall(rf"(?<![\w$.]){name}\??\.([A-Za-z_$][\w$]*)", body)
    return set(read) if len(read) == len(mentions) else None


def having(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    tests = (
        f"item[{text(names[name])}] {'is not None' if value is None else f'== {printed(value)}'}"
        for name, value in values.items()
    )
    said = Code(f"lambda item: {' and '.join(tests) or 'True'}")
    return {"condition": said, "depends_on": tuple(names[name] for name in values)}


# ---- signatures -----------------------------------------------------------------------------------------------------


def signature(owner: Owner, pattern: AccessPattern, name: str, doc: str, *, is_key: bool = False) -> list[str]:
    given = [f"{owner.names.attributes[each]}: {owner.kinds[each]}" for each in pattern.pk.composite]
    sort = [] if pattern.sk is None else list(sort_parameters(owner, pattern, pattern.sk, is_key=is_key))
    return function_lines(name, given, sort, doc or words(owner, pattern))


def sort_parameters(owner: Owner, pattern: AccessPattern, side: KeySide, *, is_key: bool) -> Iterator[str]:
    for each in () if repeats(pattern) else side.composite:
        kind = owner.kinds[each]
        if is_key:
            yield f"{owner.names.attributes[each]}: {kind}"
        else:
            shown = f"Range[{kind}]" if is_ordered(owner, pattern, each) else kind
            yield f"{owner.names.attributes[each]}: {shown} = ANY"


def is_ordered(owner: Owner, pattern: AccessPattern, name: str) -> bool:
    """Whether keys sort as the values do, without which the typed style takes no comparison."""
    attribute = owner.entity.attribute(name)
    if attribute is None or attribute.type not in (STRING, NUMBER):
        return False
    side = owner.keys[pattern.name].sk
    if side is None or side.numeric or pattern.kind == "composite":
        return True
    return all(disorder(each.type, each.padding) is None for each in side.pieces if each.name == name)


def function_lines(name: str, given: Iterable[str], sort: list[str], doc: str) -> list[str]:
    parameters = ["self", *given, *(["*", *sort] if sort else [])]
    made = invoke(f"def {name}", *(Code(each) for each in parameters))
    return [f"{INDENT}{printed(made, 1, 0, 9)} -> None:", docstring([sentence(doc)], INDENT * 2)]


def words(owner: Owner, pattern: AccessPattern) -> str:
    names = owner.names.attributes
    by = " and ".join(names[each] for each in pattern.pk.composite) or "nothing"
    sort = ", ".join(names[each] for each in pattern.sk.composite) if pattern.sk else ""
    return f"By {by}{f', in the order of {sort}' if sort else ''}."


def sentence(doc: str) -> str:
    """Words that can end a docstring, as a quote or a backslash cannot."""
    flat = doc.strip()
    return flat if flat and flat[-1] not in '"\\' else f"{flat}."
