"""The best point of a program, put together from the best of each of its parts.

Entities that no read joins share nothing but the numbers of indexes and what these project. So each part is solved by
itself, in indexes of its own, and the indexes of all parts that project the same are laid upon each other. Where they
fit into those that there are, nothing is better: no part can cost less.

Two forms of a spec differ in few of their parts, and so do two designs of which one must do without something: what a
part came to is kept, by all that the solver is told of it, so that nothing depends on what was asked before.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

from tablewright.architect.plans.registry import SHARED
from tablewright.architect.search.program import Optimum, Program
from tablewright.architect.search.slots import in_low_slots, in_slot, slot_of, slotless

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.architect.plans.values import Variable

KEPT = 4_096
"""Parts that are remembered; what is kept of one is a few numbers."""
_FOUND: OrderedDict[bytes, frozenset[int] | None] = OrderedDict()
_Piece: TypeAlias = "frozenset[Variable]"
TURNS = 2
"""How far from a column its surroundings are looked at, to say which comes first."""
LOCAL = ("local", "lsi")
"""Numbered as well, but not by indexes of all entities: local indexes stay where a part has them."""


def best_by_parts(program: Program, costs: Mapping[Variable, float]) -> Optimum | None:
    """None where the best of the parts is not known, or does not fit together."""
    if any(name[0] in SHARED for name in costs):
        return None
    pieces: list[_Piece] = []
    for part in program.parts(costs):
        piece = _best_of_part(part, costs)
        if piece is None:
            return None
        pieces.append(piece)
    known = frozenset(name for name, column in program.columns.items() if program.settled.get(column) == 1)
    chosen = _laid_together(program, pieces, known)
    least = program.value(costs, known.union(*pieces))
    if chosen is None or program.value(costs, chosen) > least:  # which number an index has may count as well
        return None
    return Optimum(chosen)


# ---- a part ---------------------------------------------------------------------------------------------------------


def _best_of_part(part: Program, costs: Mapping[Variable, float]) -> _Piece | None:
    """A point of a part that is certainly the best of it, in its lowest slots."""
    own = {name: value for name, value in costs.items() if name in part.columns}
    part = _in_own_order(part, own)
    key = _content_of(part, own)
    if key not in _FOUND:
        _FOUND[key] = _solved(part, own)
        while len(_FOUND) > KEPT:
            _FOUND.popitem(last=False)
    found = _FOUND[key]
    return None if found is None else frozenset(name for name, column in part.columns.items() if column in found)


def _solved(part: Program, costs: Mapping[Variable, float]) -> frozenset[int] | None:
    point = part.proven(costs)
    if point is None:
        return None
    if _has_fewest_slots(point):
        return frozenset(part.columns[name] for name in point)
    limited = part.limited(costs, part.value(costs, point))
    low = in_low_slots(limited, frozenset(name for name in point if name[0] not in SHARED), {})
    return frozenset(part.columns[name] for name in (point if low is None else low))


def _has_fewest_slots(point: _Piece) -> bool:
    """Whether some entity has another key in each of the indexes that project the same: fewer would not do."""
    if any(name[0] in LOCAL for name in point):
        return False
    for slots in _slots_by_kind(point).values():
        shapes = {name[1] for name in point if name[0] == "gsi" and name[2] in slots}
        entities = [shape.entity for shape in shapes]
        if all(entities.count(each) < len(slots) for each in entities):
            return False
    return True


def _in_own_order(part: Program, costs: Mapping[Variable, float]) -> Program:
    """The same with columns and rows in an order that follows from its numbers alone.

    Elsewhere in a spec something else may decide which comes first, and the part is still the same.
    """
    names = list(part.columns)
    marks = _marks(part, names, costs)
    order = sorted(range(len(names)), key=lambda at: (marks[at], repr(names[at])))
    place = {at: new for new, at in enumerate(order)}
    other = Program(part.shared_kinds)
    other.columns = {names[at]: new for new, at in enumerate(order)}
    other.settled = {place[at]: value for at, value in part.settled.items()}
    rows = sorted(
        (sorted((place[at], value) for at, value in terms.items()), lower, upper) for terms, lower, upper in part.rows
    )
    other.rows = [(dict(terms), lower, upper) for terms, lower, upper in rows]
    return other


def _marks(part: Program, names: list[Variable], costs: Mapping[Variable, float]) -> list[int]:
    """A number for each column, of what is said of it and, turn by turn, of the columns that rows join it with."""
    marks = [
        hash((crc32(name[0].encode()), _slot_number(name), costs.get(name, 0.0), part.settled.get(at, 2)))
        for at, name in enumerate(names)
    ]
    for _ in range(TURNS):
        joined: list[list[tuple[float, int]]] = [[] for _ in names]
        for terms, lower, upper in part.rows:
            row = hash((lower, upper, *sorted((value, marks[at]) for at, value in terms.items())))
            for at, value in terms.items():
                joined[at].append((value, row))
        marks = [hash((mark, *sorted(each))) for mark, each in zip(marks, joined, strict=True)]
    return marks


def _slot_number(name: Variable) -> int:
    slot = slot_of(name)
    return -1 if slot is None else slot


def _content_of(part: Program, costs: Mapping[Variable, float]) -> bytes:
    """All that an answer follows from: numbers, and which columns are the same in another index."""
    groups: dict[Variable, int] = {}
    named = [(name[0], groups.setdefault(slotless(name), len(groups)), slot_of(name)) for name in part.columns]
    numbers = part.numbers(costs)
    told = (named, numbers.rows, sorted(numbers.costs.items()), sorted(numbers.settled.items()))
    return blake2b(repr(told).encode(), digest_size=16).digest()


# ---- together -------------------------------------------------------------------------------------------------------


def _laid_together(program: Program, pieces: Iterable[_Piece], known: frozenset[Variable]) -> _Piece | None:
    """All pieces in the same indexes; None where there are too few of them, or where something does not go together."""
    ordered = [_slots_by_kind(piece) for piece in pieces]
    kinds = sorted({kind for slots in ordered for kind in slots})
    first, slots = dict[str, int](), 0
    for kind in kinds:
        first[kind] = slots
        slots += max(len(each.get(kind, ())) for each in ordered)
    names = {*known, *(("used", slot) for slot in range(slots))}
    for piece, held in zip(pieces, ordered, strict=True):
        moved = {slot: first[kind] + at for kind, found in held.items() for at, slot in enumerate(found)}
        names.update(_renumbered(piece, moved))
    chosen = frozenset(names)
    return chosen if chosen <= program.columns.keys() and program.holds(chosen) else None


def _slots_by_kind(piece: _Piece) -> dict[str, list[int]]:
    """The indexes that a piece has something in, by what they project."""
    held = sorted({name[2] for name in piece if name[0] == "gsi"})
    projected = {name[1]: name[2] for name in piece if name[0] == "projection"}
    found: dict[str, list[int]] = {}
    for slot in held:
        found.setdefault(projected.get(slot, ""), []).append(slot)
    return found


def _renumbered(piece: _Piece, moved: Mapping[int, int]) -> Iterator[Variable]:
    for name in piece:
        slot = None if name[0] in LOCAL else slot_of(name)
        if slot is None:
            yield name
        elif slot in moved and name[0] != "used":
            yield in_slot(name, moved[slot])
