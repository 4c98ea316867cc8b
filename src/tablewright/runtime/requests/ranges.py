"""Comparisons on a sort composite that mean what they say (`compare="exact"`, the typed style's own).

DynamoDB's range has no open ends and knows nothing of composites: `status > "open"` as a mere key comparison would
find the open ones too, whose keys go on behind "open", and everything that happens to sort behind the group. So both
ends are bounded by the composites in front, and laid before or behind all keys of a value. Only where a free text may
go on below the separator ("open house" sorts before "open#") the attribute itself is compared besides.

Keys that fold letter case have lost the order of "B" and "a". There the range ends where the bound's first letter
stands, which is as far as the keys are in the order of the values, and the attribute is compared besides. That reads
more than a closer look at the letters would, but misses none: beyond ASCII they fold both up and down (the Kelvin sign
to k, "İ" to i with a dot), and nobody knows which of them are stored.

Where no text stands in front of the value the group is the whole partition: the range is open on that side, since
there is no key before the first or behind the last. An open end is written as an empty text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.nodes import Condition
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.items.letter_case import is_held
from tablewright.schema.escaped import ESCAPE
from tablewright.schema.keys import key_text, piece_text
from tablewright.schema.ordered import disorder, is_text
from tablewright.schema.types import STRING, Enum

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.expr.nodes import Comparator
    from tablewright.schema.keys import ComposedKey, PatternKeys, Piece
    from tablewright.schema.types import Attribute


UNKNOWN = "\U0010fffe"
"""What stands behind a value where that differs from key to key, or is nothing: taken to sort behind all else."""

Operator: TypeAlias = Literal["begins", "between", "gt", "gte", "lt", "lte"]


class Sort(msgspec.Struct, frozen=True):
    """A comparison on the sort key: the operator and the composites it compares with (for between: both ends)."""

    operator: Operator
    low: Values
    high: Values = msgspec.field(default_factory=dict[str, Any])


class Range(msgspec.Struct, frozen=True):
    """The ends of a group of keys, the values to compare with as keys, and what comes behind a value."""

    floor: str
    low: str
    high: str
    behind: str  # what stands in a key behind the value, if anything does
    filtered: bool  # whether the attribute is compared as well
    can_be_absent: bool = False  # items without the attribute have the floor itself for a key, and are not meant

    @property
    def ceiling(self) -> str:
        """The first text behind all keys of the group; open where the group is all there is."""
        end: str = raised(self.floor)
        return end

    @property
    def start(self) -> str:
        """The first key of any value; what lacks the value and has no text in front of it is in no index."""
        return self.floor + "\0" if self.can_be_absent and self.floor else self.floor

    def since(self, key: str) -> str:
        """A start that includes all keys of this value."""
        return max(key, self.start)

    def after(self, key: str) -> str:
        """An end that includes all keys of this value, and of those before it."""
        if not self.behind:
            return key
        at = self.turn(key)
        if key[at : at + 1] == self.behind[0]:  # values before this one go on with all that may follow there
            return self.all_of(key[: at + 1])
        end: str = raised(key[:at] + self.behind)
        return end

    def turn(self, key: str) -> int:
        """Where the value goes on with what does not sort behind the separator, else its end.

        What is cut there has later keys than the value itself: "a!" is behind "a", but "a#" behind "a!#". Values that
        need no filter never do: they are of one width, or begin no other.
        """
        if not self.filtered:
            return len(key)
        low = (at for at in range(len(self.floor), len(key)) if key[at] <= self.behind[0])
        return next(low, len(key))

    def all_of(self, key: str) -> str:
        """An end that includes all keys that begin so."""
        end: str = raised(key)
        return end

    def all_to(self, key: str) -> str:
        """An end that includes all keys that begin so, and those of values before them."""
        return self.all_of(key[: self.turn(key)] if self.behind else key)

    def past(self, key: str) -> str:
        """A start that excludes all keys of this value, or leaves that to the filter."""
        if not self.behind:
            return key + "\0"
        return key if self.filtered else self.all_of(key + self.behind)

    def before(self, key: str) -> str:
        """An end that excludes all keys of this value, or leaves that to the filter."""
        if self.behind and self.filtered:
            return self.after(key)
        return _just_below(key) if self.behind in ("", UNKNOWN) else key


BOUNDS: dict[Operator, Callable[[Range], tuple[str, str]]] = {
    "gt": lambda group: (group.past(group.low), group.ceiling),
    "gte": lambda group: (group.since(group.low), group.ceiling),
    "lt": lambda group: (group.start, group.before(group.low)),
    "lte": lambda group: (group.start, group.after(group.low)),
    "between": lambda group: (group.since(group.low), group.after(group.high)),
}
FOLDED: dict[Operator, Callable[[Range], tuple[str, str]]] = {
    "gt": lambda group: (group.low, group.ceiling),
    "gte": lambda group: (group.low, group.ceiling),
    "lt": lambda group: (group.start, group.all_to(group.low)),
    "lte": lambda group: (group.start, group.all_to(group.low)),
    "between": lambda group: (group.low, group.all_to(group.high)),
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
"""What keys cannot tell of free text; the others they can, unless the bound has the separator or what is below it."""


class Ends(msgspec.Struct, frozen=True):
    """The range of keys that holds an answer, empty texts for open ends, and the filters it needs besides."""

    start: str
    end: str
    filters: tuple[Condition, ...] = ()
    is_whole: bool = False  # the value is the whole key: keys compare as values do, and the ends are the bounds


def exact_range(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, sort: Sort, *, goes_on: bool
) -> Ends:
    """Both ends of the range and the filters it needs; `goes_on`: there is more in the keys than these composites."""
    at = sk.given(given)
    name = sk.pieces[at].name
    refuse_disorder(layout, keys, sk.pieces[at])
    behind = _continuation(sk, at, goes_on=goes_on)
    folded = _is_folded(layout, sk, name) and any(
        _has_letters(bound) for bound in (*sort.low.values(), *sort.high.values())
    )
    filters = _filters_for(layout, keys, name, sort, behind, folded=folded) if behind or folded else ()
    group = _group_of(layout, keys, sk, given, sort, behind, filtered=bool(filters))
    if folded:
        group = _cut_at_letters(group, sk, sort.low.get(name, ""), sort.high.get(name, ""))
    elif not group.floor and not behind:
        return Ends(group.low, group.high, is_whole=True)
    start, end = (FOLDED if folded else BOUNDS)[sort.operator](group)
    return Ends(start, end, filters)


def _group_of(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, sort: Sort, behind: str, *, filtered: bool
) -> Range:
    open_key = msgspec.structs.replace(sk, postfix="")
    floor = open_key.compose(given) or ""
    low = open_key.compose({**given, **sort.low}, tail=False) or ""
    high = open_key.compose({**given, **sort.high}, tail=False) or ""
    absent = _can_be_absent(layout, keys, sk.pieces[sk.given(given)].name)
    return Range(floor, low, high, behind, filtered, absent)


def finds_nothing(sk: ComposedKey, given: Values, sort: Sort) -> bool:
    """Whether no value can be meant: none is below an empty text, or between two ends in the wrong order."""
    return is_empty(sort, sk.pieces[sk.given(given)].name)


def is_empty(sort: Sort, name: str) -> bool:
    if sort.operator == "lt":
        return bool(sort.low.get(name) == "")
    if sort.operator != "between" or name not in sort.low or name not in sort.high:
        return False
    return bool(sort.low[name] > sort.high[name])


def refuse_disorder(layout: Layout, keys: PatternKeys, piece: Piece) -> None:
    """A comparison of what the keys do not hold in order would answer anything; access patterns say so earlier."""
    reason = disorder(piece.type, piece.padding)
    if reason is not None:
        where = f"{layout.name}.{keys.pattern.name}"
        raise RequestError(f"{where}: {layout.called(piece.name)} {reason}", code=2002)


# ---- keys that fold letter case -------------------------------------------------------------------------------------


def _is_folded(layout: Layout, sk: ComposedKey, name: str) -> bool:
    """Whether values differ by letter case that the keys do not hold; an attribute that is the key is stored folded."""
    kind = layout.attributes[name].type
    if sk.casing == "none" or sk.attribute == name or name in layout.widths or not is_text(kind):
        return False
    return not isinstance(kind, Enum) or any(sk.cased(str(each)) != each for each in kind.choices)


def _first_letter(text: str) -> int:
    """Where a text may begin to sort otherwise than folded: at what is not below all letters."""
    return next((at for at, character in enumerate(text) if character >= "A"), len(text))


def _has_letters(text: str) -> bool:
    return _first_letter(text) < len(text)


def _cut_at_letters(group: Range, sk: ComposedKey, low: str, high: str) -> Range:
    """The group with as much of its bounds as the order of the keys agrees with: nothing folds to less than a letter.

    A longer bound would lose items, even one of lower-case letters where keys are in lower case: "İzmir" is behind
    "m", and its key before it.
    """
    low, high = (group.floor + sk.cased(text[: _first_letter(text)]) for text in (low, high))
    return msgspec.structs.replace(group, low=low, high=high)


def begin(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, sort: Sort, *, goes_on: bool
) -> tuple[str, tuple[Condition, ...]]:
    """What keys begin with whose value begins with this, and the filter that needs.

    A beginning that runs into what stands behind the value ("x#" where "#b_" follows) would find shorter values too,
    and folded keys begin alike where values do not.
    """
    at = sk.given(given)
    piece = sk.pieces[at]
    asked = sort.low[piece.name]
    text = piece_text(asked, piece.padding)
    folded = _is_folded(layout, sk, piece.name) and (text.lower() != text.upper() or not text.isascii())
    known = text.partition("Σ")[0] if folded else text  # which in lower case depends on what follows
    start = (msgspec.structs.replace(sk, postfix="").compose(given) or "") + sk.cased(known)
    if not folded and not _runs_into(sk.cased(text), _continuation(sk, at, goes_on=goes_on)):
        return start, ()
    if not is_held(keys, piece.name):
        raise _not_held(layout, keys, piece.name)
    path = nodes.Name((layout.attributes[piece.name].field,))
    return start, (nodes.Function("begins_with", (path, nodes.Value(key_text(asked)))),)


def _runs_into(text: str, behind: str) -> bool:
    if not behind or behind == UNKNOWN:
        return bool(text and behind)
    return behind in text or any(text.endswith(behind[:end]) for end in range(1, len(behind)))


def _can_be_absent(layout: Layout, keys: PatternKeys, name: str) -> bool:
    """Whether a key may end where this composite would begin: never in the table, whose keys are whole."""
    attribute = layout.attributes[name]
    return keys.pattern.index is not None and not attribute.required and attribute.default is None


def _continuation(sk: ComposedKey, at: int, *, goes_on: bool) -> str:
    """What stands in the key behind the value of the composite at this position, if anything does."""
    if at < len(sk.pieces) - 1:
        return sk.cased(sk.pieces[at + 1].lead)
    return "#" if goes_on and not sk.templated else sk.cased(sk.postfix)


def _filters_for(
    layout: Layout, keys: PatternKeys, name: str, sort: Sort, behind: str, *, folded: bool = False
) -> tuple[Condition, ...]:
    """The comparison of the attribute itself, where keys cannot tell: of free text in front of more, or folded."""
    attribute = layout.attributes[name]
    if sort.operator not in FILTERS or not (folded or _can_go_below(attribute, behind)):
        return ()
    field = nodes.Name((attribute.field,))
    filters: list[Condition] = []
    for operator, side in FILTERS[sort.operator]:
        value = (sort.low if side == "low" else sort.high)[name]
        if folded or operator in USUAL or not isinstance(value, str) or any(each <= behind[0] for each in value):
            filters.append(nodes.Compare(operator, field, nodes.Value(value)))
    if filters and not is_held(keys, name):
        raise _not_held(layout, keys, name)
    return tuple(filters)


def _can_go_below(attribute: Attribute, behind: str) -> bool:
    """Whether a text may go on with the separator or what sorts before it; of constants one sees it."""
    kind = attribute.type
    if attribute.escaped and behind[0] < ESCAPE:
        return False
    if attribute.signed:
        return behind == UNKNOWN
    if isinstance(kind, Enum):
        return is_text(kind) and any(character <= behind[0] for each in kind.choices for character in str(each))
    return kind == STRING


def _not_held(layout: Layout, keys: PatternKeys, name: str) -> RequestError:
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


def _just_below(key: str) -> str:
    """A text below this one with nothing worth mentioning in between."""
    last = ord(key[-1]) - 1
    if last < 0:
        return key[:-1]
    return key[:-1] + chr(0xD7FF if 0xD800 <= last <= 0xDFFF else last) + "\U0010ffff"
