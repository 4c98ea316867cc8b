"""Between composites, keys and cursors, without asking the database."""

from __future__ import annotations

from typing import Any, Literal

from tablewright.errors import RequestError
from tablewright.runtime.items.cursor import read_cursor, write_cursor
from tablewright.runtime.items.layout import Layout, Values, incomplete
from tablewright.schema.keys import PatternKeys

Strict = Literal["all", "pk", "none"]


class Conversions:
    """`entity.conversions.from_composite.to_keys({...})`; `by_access_pattern["byVessel"]` for one index."""

    def __init__(self, layout: Layout, keys: PatternKeys | None = None) -> None:
        self.layout = layout
        self.keys = keys

    @property
    def from_composite(self) -> FromComposite:
        return FromComposite(self)

    @property
    def from_keys(self) -> FromKeys:
        return FromKeys(self)

    @property
    def from_cursor(self) -> FromCursor:
        return FromCursor(self)

    @property
    def by_access_pattern(self) -> dict[str, Conversions]:
        return {name: Conversions(self.layout, keys) for name, keys in self.layout.keys.items()}

    def patterns(self) -> list[PatternKeys]:
        """The access patterns whose keys count: all, or the chosen one and the table."""
        if self.keys is None:
            return list(self.layout.keys.values())
        return [self.keys] if self.keys is self.layout.primary else [self.keys, self.layout.primary]


class FromComposite:
    def __init__(self, conversions: Conversions) -> None:
        self.of = conversions

    def to_keys(self, composite: Values, *, strict: Strict = "none") -> dict[str, Any]:
        layout = self.of.layout
        if not any(name in layout.index_composites for name in composite):
            raise RequestError("there are no composites to make keys of", code=2009)
        keys: dict[str, Any] = {}
        for pattern in self.of.patterns():
            check_strict(layout, pattern, composite, strict, is_chosen=self.of.keys is not None)
            keys.update({field: key for field, key in key_fields(layout, pattern, composite) if field not in keys})
        return keys

    def to_cursor(self, composite: Values) -> str:
        return write_cursor(self.to_keys(composite, strict="all"))


def check_strict(layout: Layout, keys: PatternKeys, composite: Values, strict: Strict, *, is_chosen: bool) -> None:
    """`all` wants the table key entirely and of other indexes the pk; `pk` wants every pk."""
    if strict == "none":
        return
    missing = keys.pk.missing(composite)
    if strict == "all" and keys.sk is not None and (keys is layout.primary or is_chosen):
        missing += keys.sk.missing(composite)
    if missing:
        raise incomplete(layout, keys.pattern, missing)


def key_fields(layout: Layout, keys: PatternKeys, composite: Values) -> list[tuple[str, Any]]:
    if keys.pattern.kind == "composite":
        names = [name for name in keys.pattern.composites if name in composite]
        return [(layout.attributes[name].field, composite[name]) for name in names]
    sides = [side for side in (keys.pk, keys.sk) if side is not None]
    composed = [(side.field, side.compose(composite)) for side in sides]
    return [(field, key) for field, key in composed if key is not None]


class FromKeys:
    def __init__(self, conversions: Conversions) -> None:
        self.of = conversions

    def to_cursor(self, keys: Values) -> str:
        if self.of.keys is not None:
            self.wanted(keys)
        elif not keys:
            raise RequestError("there are no keys to make a cursor of", code=2007)
        return write_cursor(dict(keys))

    def to_composite(self, keys: Values) -> dict[str, Any]:
        self.wanted(keys)
        layout = self.of.layout
        composites: dict[str, Any] = {}
        for pattern in self.of.patterns():
            for name, value in split_keys(layout, pattern, keys).items():
                composites.setdefault(name, value)
        return composites

    def wanted(self, keys: Values) -> None:
        """Refuse keys that lack a field of one of the indexes."""
        layout = self.of.layout
        fields = [field for pattern in self.of.patterns() for field in fields_of(layout, pattern)]
        missing = [field for field in dict.fromkeys(fields) if field not in keys]
        if missing:
            raise RequestError(f"{layout.name}: the keys lack {', '.join(missing)}", code=2007)


def fields_of(layout: Layout, keys: PatternKeys) -> list[str]:
    if keys.pattern.kind == "composite":
        return [layout.attributes[name].field for name in keys.pattern.composites]
    return [side.field for side in (keys.pk, keys.sk) if side is not None]


def split_keys(layout: Layout, keys: PatternKeys, given: Values) -> dict[str, Any]:
    if keys.pattern.kind == "composite":
        return {name: given[layout.attributes[name].field] for name in keys.pattern.composites}
    composites: dict[str, Any] = {}
    for side in (keys.pk, keys.sk):
        if side is None:
            continue
        found = side.split(given[side.field])
        if found is None:
            shown = given[side.field]
            raise RequestError(f"{layout.name}.{keys.pattern.name}: {shown!r} is no {side.field} of this entity", code=2007)
        composites.update({name: value for name, value in found.items() if name not in composites})
    return composites


class FromCursor:
    def __init__(self, conversions: Conversions) -> None:
        self.of = conversions

    def to_keys(self, cursor: str) -> dict[str, Any]:
        return read_cursor(cursor)

    def to_composite(self, cursor: str) -> dict[str, Any]:
        return FromKeys(self.of).to_composite(read_cursor(cursor))


