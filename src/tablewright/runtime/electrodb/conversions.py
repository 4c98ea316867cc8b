"""Between composites, keys and cursors, without asking the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from tablewright.errors import RequestError
from tablewright.runtime.items.cursor import read_cursor, write_cursor
from tablewright.runtime.items.layout import Layout, Values, incomplete
from tablewright.runtime.types.values import is_map

if TYPE_CHECKING:
    from tablewright.schema.keys import PatternKeys

Strict = Literal["all", "pk", "none"]


class Conversions:
    """`entity.conversions.from_composite.to_keys({...})`; `by_access_pattern["byVessel"]` for one index."""

    def __init__(self, layout: Layout, keys: PatternKeys | None = None) -> None:
        self.layout = layout
        self.keys = keys

    @property
    def from_composite(self) -> _FromComposite:
        return _FromComposite(self)

    @property
    def from_keys(self) -> _FromKeys:
        return _FromKeys(self)

    @property
    def from_cursor(self) -> _FromCursor:
        return _FromCursor(self)

    @property
    def by_access_pattern(self) -> dict[str, Conversions]:
        return {name: Conversions(self.layout, keys) for name, keys in self.layout.keys.items()}

    def patterns(self) -> list[PatternKeys]:
        """The access patterns whose keys count: all, or the chosen one and the table."""
        if self.keys is None:
            return list(self.layout.keys.values())
        return [self.keys] if self.keys is self.layout.primary else [self.keys, self.layout.primary]


class _FromComposite:
    def __init__(self, conversions: Conversions) -> None:
        self.of = conversions

    def to_keys(self, composite: Values, *, strict: Strict = "none") -> dict[str, Any]:
        layout = self.of.layout
        if not is_map(composite) or (not composite and self.of.keys is None):
            raise RequestError(f"there are no composites to make keys of in {composite!r:.40}", code=2009)
        if not composite and strict == "none":
            return {}
        keys: dict[str, Any] = {}
        for pattern in self.of.patterns():
            _check_strict(layout, pattern, composite, strict, is_chosen=self.of.keys is not None)
            keys.update({field: key for field, key in _key_fields(layout, pattern, composite) if field not in keys})
        return keys

    def to_cursor(self, composite: Values) -> str:
        if not composite:
            raise RequestError("there are no composites to make a cursor of", code=2009)
        return write_cursor(self.to_keys(composite, strict="all"))


def _check_strict(layout: Layout, keys: PatternKeys, composite: Values, strict: Strict, *, is_chosen: bool) -> None:
    """`all` wants the table key entirely and of other indexes the pk; `pk` wants every pk."""
    missing = keys.pk.missing(composite) if strict in ("all", "pk") else []
    if strict == "all" and keys.sk is not None and (keys is layout.primary or is_chosen):
        missing += keys.sk.missing(composite)
    if missing:
        raise incomplete(layout, keys.pattern, missing)


def _key_fields(layout: Layout, keys: PatternKeys, composite: Values) -> list[tuple[str, Any]]:
    if keys.pattern.kind == "composite":
        names = [name for name in keys.pattern.composites if name in composite]
        return [(layout.attributes[name].field, composite[name]) for name in names]
    sides = [side for side in (keys.pk, keys.sk) if side is not None]
    composed = [(side.field, side.compose(composite), side.numeric) for side in sides]
    return [(field, "" if key is None else key) for field, key, numeric in composed if key is not None or not numeric]


class _FromKeys:
    def __init__(self, conversions: Conversions) -> None:
        self.of = conversions

    def to_cursor(self, keys: Values) -> str:
        self.refuse_nothing(keys)
        if self.of.keys is not None:
            self.wanted(keys, [field for each in self.of.patterns() for field in _cursor_fields(self.of.layout, each)])
        return write_cursor(dict(keys))

    def to_composite(self, keys: Values) -> dict[str, Any]:
        """All indexes must be there, or the chosen one, whose items need not tell their table key."""
        self.refuse_nothing(keys)
        layout = self.of.layout
        chosen = self.of.patterns() if self.of.keys is None else [self.of.keys]
        self.wanted(keys, [field for each in chosen for field in _fields_of(each)])
        composites = _table_composites(layout, keys)  # keys differ in letter case, and the table's says how it is
        for pattern in chosen:
            for name, value in _split_keys(layout, pattern, keys).items():
                composites.setdefault(name, value)
        return composites

    def refuse_nothing(self, keys: Any) -> None:
        if not is_map(keys) or not keys:
            raise RequestError(f"there are no keys to work with in {keys!r:.40}", code=2007)

    def wanted(self, keys: Values, fields: list[str]) -> None:
        """Refuse keys that lack one of the fields."""
        missing = [field for field in dict.fromkeys(fields) if field not in keys]
        if missing:
            raise RequestError(f"{self.of.layout.name}: the keys lack {', '.join(missing)}", code=2007)


def _fields_of(keys: PatternKeys) -> list[str]:
    """The composed key fields of an index; one of several attributes has none, and its attributes are optional."""
    if keys.pattern.kind == "composite":
        return []
    return [side.field for side in (keys.pk, keys.sk) if side is not None]


def _cursor_fields(layout: Layout, keys: PatternKeys) -> list[str]:
    """The key fields that a cursor cannot do without."""
    if keys.pattern.kind == "composite":
        return [layout.attributes[piece.name].field for piece in keys.pk.pieces]
    return _fields_of(keys)


def _table_composites(layout: Layout, given: Values) -> dict[str, Any]:
    """What the table key tells, where it is there and of this entity."""
    found: dict[str, Any] = {}
    for side in (layout.primary.pk, layout.primary.sk):
        told = {} if side is None else side.split(given.get(side.field))
        if told is None:
            return {}
        found.update(told)
    return found


def _split_keys(layout: Layout, keys: PatternKeys, given: Values) -> dict[str, Any]:
    if keys.pattern.kind == "composite":
        named = ((name, layout.attributes[name].field) for name in keys.pattern.composites)
        return {name: given[field] for name, field in named if field in given}
    composites: dict[str, Any] = {}
    for side in (keys.pk, keys.sk):
        if side is None:
            continue
        found = side.split(given[side.field])
        if found is None:
            shown = given[side.field]
            raise RequestError(
                f"{layout.name}.{keys.pattern.name}: {shown!r} is no {side.field} of this entity", code=2007
            )
        composites.update(found)
    return composites


class _FromCursor:
    def __init__(self, conversions: Conversions) -> None:
        self.of = conversions

    def to_keys(self, cursor: str) -> dict[str, Any]:
        return read_cursor(cursor)

    def to_composite(self, cursor: str) -> dict[str, Any]:
        keys = read_cursor(cursor)
        if not keys and self.of.keys is not None:
            raise RequestError("the cursor holds no key", code=2008)
        return _FromKeys(self.of).to_composite(keys)
