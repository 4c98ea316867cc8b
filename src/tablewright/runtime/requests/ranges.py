"""Comparisons on a sort composite that mean what they say (`compare="exact"`, the typed style's own).

DynamoDB's range has no open ends and knows nothing of composites: `status > "open"` as a mere key comparison would
find the open ones too, whose keys go on behind "open", and everything that happens to sort behind the group. So both
ends are bounded by the composites in front, and laid before or behind all keys of a value. Only where a free text may
go on below the separator ("open house" sorts before "open#") the attribute itself is compared besides.

Keys that fold letter case have lost the order of "B" and "a". There the range ends where the bound's first letter
stands, which is as far as the keys are in the order of the values, and the attribute is compared besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.items.spelling import is_held
from tablewright.schema.keys import piece_text
from tablewright.schema.ordered import disorder, is_text
from tablewright.schema.types import STRING, Enum

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.expr.nodes import Comparator, Condition
    from tablewright.schema.keys import ComposedKey, PatternKeys, Piece
    from tablewright.schema.types import Type


Operator: TypeAlias = Literal["begins", "between", "gt", "gte", "lt", "lte"]


class Sort(msgspec.Struct, frozen=True):
    """A comparison on the sort key: the operator and the composites it compares with (for between: both ends)."""

    operator: Operator
    low: Values
    high: Values = msgspec.field(default_factory=dict[str, Any])


class Range(msgspec.Struct, frozen=True):
    """The ends of a group of keys, the values to compare with as keys, and what comes behind a value."""

    floor: str
    ceiling: str
    low: str
    high: str
    behind: str  # what stands in a key behind the value, if anything does
    filtered: bool  # whether the attribute is compared as well
    can_be_absent: bool = False  # items without the attribute have the floor itself for a key, and are not meant

    @property
    def start(self) -> str:
        """The first key of any value."""
        return self.floor + "\0" if self.can_be_absent else self.floor

    def after(self, key: str) -> str:
        """An end that includes all keys of this value, and of those before it."""
        return raised(self.last_before(key) + self.behind) if self.behind else key

    def last_before(self, key: str) -> str:
        """Of this value and those before it the one whose keys sort last.

        That is the value itself, unless it goes on below the separator: "a!" is behind "a", but "a#" behind "a!#".
        """
        below = (at for at in range(len(self.floor), len(key)) if key[at] < self.behind[0])
        return key[: next(below, len(key))]

    def all_of(self, key: str) -> str:
        """An end that includes all keys that begin so, and those of values before them."""
        end: str = raised(self.last_before(key) if self.behind else key)
        return end

    def past(self, key: str) -> str:
        """A start that excludes all keys of this value, or leaves that to the filter."""
        if not self.behind:
            return key + "\0"
        return key if self.filtered else raised(key + self.behind)

    def before(self, key: str) -> str:
        """An end that excludes all keys of this value, or leaves that to the filter."""
        if not self.behind:
            return just_below(key)
        return raised(self.last_before(key) + self.behind) if self.filtered else key


BOUNDS: dict[Operator, Callable[[Range], tuple[str, str]]] = {
    "gt": lambda group: (group.past(group.low), group.ceiling),
    "gte": lambda group: (group.low, group.ceiling),
    "lt": lambda group: (group.start, group.before(group.low)),
    "lte": lambda group: (group.start, group.after(group.low)),
    "between": lambda group: (group.low, group.after(group.high)),
}
FOLDED: dict[Operator, Callable[[Range], tuple[str, str]]] = {
    "gt": lambda group: (group.low, group.ceiling),
    "gte": lambda group: (group.low, group.ceiling),
    "lt": lambda group: (group.start, group.all_of(group.low)),
    "lte": lambda group: (group.start, group.all_of(group.low)),
    "between": lambda group: (group.low, group.all_of(group.high)),
}
"""The same for bounds that were cut: all that goes on behind them is in, and the filter decides."""

FILTERS: dict[Operator, tuple[tuple[Comparator, str], ...]] = {
    "gt": ((">", "low"),),
    "gte": ((">=", "low"),),
    "lt": (("<", "low"),),
    "lte": (("<=", "low"),),
    "between": ((">=", "low"), ("<=", "high")),
}
USUAL: frozenset[Comparator] = frozenset({">", "<="})
"""What keys cannot tell of free text; the others they can, unless the bound itself goes on below the separator."""


def exact_range(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, sort: Sort, *, goes_on: bool
) -> tuple[str, str, tuple[Condition, ...]]:
    """Both ends of the range and the filters it needs; `goes_on`: there is more in the keys than these composites."""
    at = sk.given(given)
    name = sk.pieces[at].name
    refuse_disorder(layout, keys, sk.pieces[at])
    behind = continuation(sk, at, goes_on=goes_on)
    folded = is_folded(layout, sk, name) and any(
        has_letters(bound) for bound in (*sort.low.values(), *sort.high.values())
    )
    filters = filters_for(layout, keys, name, sort, behind, folded=folded) if behind or folded else ()
    group = group_of(
        layout, keys, sk, given, cut_at_letters(sk, sort) if folded else sort, behind, filtered=bool(filters)
    )
    start, end = (FOLDED if folded else BOUNDS)[sort.operator](group)
    return start, end, filters


def group_of(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, sort: Sort, behind: str, *, filtered: bool
) -> Range:
    open_key = msgspec.structs.replace(sk, postfix="")
    floor = open_key.compose(given) or ""
    low = open_key.compose({**given, **sort.low}, tail=False) or ""
    high = open_key.compose({**given, **sort.high}, tail=False) or ""
    absent = can_be_absent(layout, keys, sk.pieces[sk.given(given)].name)
    return Range(floor, raised(floor), low, high, behind, filtered, absent)


def refuse_disorder(layout: Layout, keys: PatternKeys, piece: Piece) -> None:
    """A comparison of what the keys do not hold in order would answer anything; access patterns say so earlier."""
    reason = disorder(piece.type, piece.padding)
    if reason is not None:
        where = f"{layout.name}.{keys.pattern.name}"
        raise RequestError(f"{where}: {layout.called(piece.name)} {reason}", code=2002)


# ---- keys that fold letter case -------------------------------------------------------------------------------------


def is_folded(layout: Layout, sk: ComposedKey, name: str) -> bool:
    """Whether values differ by letter case that the keys do not hold; an attribute that is the key is stored folded."""
    kind = layout.attributes[name].type
    if sk.casing == "none" or sk.attribute == name or name in layout.widths or not is_text(kind):
        return False
    return not isinstance(kind, Enum) or any(sk.cased(str(each)) != each for each in kind.choices)


def first_letter(text: str) -> int:
    """Where a text may begin to sort otherwise than folded: at what is not below all letters."""
    return next((at for at, character in enumerate(text) if character >= "A"), len(text))


def has_letters(text: str) -> bool:
    return first_letter(text) < len(text)


def cut_at_letters(sk: ComposedKey, sort: Sort) -> Sort:
    """The comparison with as much of its bounds as the order of the keys agrees with.

    Letters only rise when they are put in lower case, so what is above a bound of such letters has a key above it: a
    range that begins there stays whole (and one that ends there, in upper case). The Kelvin sign falls, to k.
    """
    starts_at_low = sort.operator in ("gt", "gte", "between")
    return Sort(sort.operator, agreed(sk, sort.low, is_start=starts_at_low), agreed(sk, sort.high, is_start=False))


def agreed(sk: ComposedKey, bounds: Values, *, is_start: bool) -> Values:
    keeps = is_start == (sk.casing != "upper")
    return {
        name: text if keeps and sk.cased(text) == text else text[: first_letter(text)] for name, text in bounds.items()
    }


def begin(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, sort: Sort, *, goes_on: bool
) -> tuple[str, tuple[Condition, ...]]:
    """What keys begin with whose value begins with this, and the filter that needs.

    A beginning that runs into what stands behind the value ("x#" where "#b_" follows) would find shorter values too,
    and folded keys begin alike where values do not.
    """
    at = sk.given(given)
    piece = sk.pieces[at]
    text = piece_text(sort.low[piece.name], piece.padding)
    start = (msgspec.structs.replace(sk, postfix="").compose(given) or "") + sk.cased(text)
    folded = is_folded(layout, sk, piece.name) and text.lower() != text.upper()
    if not folded and not runs_into(sk.cased(text), continuation(sk, at, goes_on=goes_on)):
        return start, ()
    if not is_held(keys, piece.name):
        raise not_held(layout, keys, piece.name)
    path = nodes.Name((layout.attributes[piece.name].field,))
    return start, (nodes.Function("begins_with", (path, nodes.Value(text))),)


def runs_into(text: str, behind: str) -> bool:
    if not behind:
        return False
    return behind in text or any(text.endswith(behind[:end]) for end in range(1, len(behind)))


def can_be_absent(layout: Layout, keys: PatternKeys, name: str) -> bool:
    """Whether a key may end where this composite would begin: never in the table, whose keys are whole."""
    attribute = layout.attributes[name]
    return keys.pattern.index is not None and not attribute.required and attribute.default is None


def continuation(sk: ComposedKey, at: int, *, goes_on: bool) -> str:
    """What stands in the key behind the value of the composite at this position, if anything does."""
    if at < len(sk.pieces) - 1:
        return sk.cased(sk.pieces[at + 1].lead)
    return "#" if goes_on else sk.cased(sk.postfix)


def filters_for(
    layout: Layout, keys: PatternKeys, name: str, sort: Sort, behind: str, *, folded: bool = False
) -> tuple[Condition, ...]:
    """The comparison of the attribute itself, where keys cannot tell: of free text in front of more, or folded."""
    attribute = layout.attributes[name]
    if sort.operator not in FILTERS or not (folded or can_go_below(attribute.type, behind)):
        return ()
    field = nodes.Name((attribute.field,))
    filters: list[Condition] = []
    for operator, side in FILTERS[sort.operator]:
        value = (sort.low if side == "low" else sort.high)[name]
        if folded or operator in USUAL or any(character < behind[0] for character in value):
            filters.append(nodes.Compare(operator, field, nodes.Value(value)))
    if filters and not is_held(keys, name):
        raise not_held(layout, keys, name)
    return tuple(filters)


def can_go_below(kind: Type, behind: str) -> bool:
    """Whether a text may go on with what sorts before the separator; of constants one sees it."""
    if isinstance(kind, Enum):
        return is_text(kind) and any(character < behind[0] for each in kind.choices for character in str(each))
    return kind == STRING


def not_held(layout: Layout, keys: PatternKeys, name: str) -> RequestError:
    remedy = "add it to projection, or make it the last sort composite of an index with casing='none'"
    problem = f"keys alone cannot compare {layout.called(name)}, and {keys.pattern.index} does not hold it"
    return RequestError(f"{layout.name}.{keys.pattern.name}: {problem}; {remedy}", code=2002)


def raised(key: Any) -> Any:
    """The key with its last UTF-16 unit raised by one: the first text behind all that begin with it."""
    if not isinstance(key, str) or not key:
        return key
    units = key.encode("utf-16-le", "surrogatepass")
    last = (int.from_bytes(units[-2:], "little") + 1) & 0xFFFF
    return (units[:-2] + last.to_bytes(2, "little")).decode("utf-16-le", "surrogatepass")


def just_below(key: str) -> str:
    """A text below this one with nothing worth mentioning in between."""
    last = ord(key[-1]) - 1
    if last < 0:
        return key[:-1]
    return key[:-1] + chr(0xD7FF if 0xD800 <= last <= 0xDFFF else last) + "\U0010ffff"
