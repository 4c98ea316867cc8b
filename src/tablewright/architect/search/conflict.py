"""Why there is no design: the patterns that get in each other's way, and the smallest change that helps.

Nothing here is a rule of thumb. Patterns are left out until none can be spared without the conflict being gone, and
every change that is offered was tried by solving again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.architect.plans.values import Candidates, Variable
from tablewright.architect.search.model import Model
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.serving.absent import may_lack
from tablewright.spec.facts import Facts
from tablewright.spec.model import PatternSpec
from tablewright.wire.limits import MAX_GSIS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

Enumerate: TypeAlias = "Callable[[Facts], Candidates]"
MOST_REMEDIES = 6


class _Remedy(msgspec.Struct, frozen=True):
    """A change of the spec that helps: the field to change, and what that means."""

    place: str
    change: str


class PatternConflict(msgspec.Struct, frozen=True, kw_only=True):
    """Patterns that cannot be served together, or one that cannot be served at all, and what helps."""

    max_gsis: int
    patterns: tuple[PatternSpec, ...]
    alone: bool  # whatever else is asked
    remedies: tuple[_Remedy, ...]


class UnsolvedSearch(msgspec.Struct, frozen=True):
    """What has no solution; `enumerated` makes candidates of facts."""

    facts: Facts
    max_gsis: int
    enumerated: Enumerate
    forbid: frozenset[Variable] = frozenset()

    def solvable(self, facts: Facts) -> bool:
        return self.feasible(self.enumerated(facts))

    def feasible(self, candidates: Candidates, max_gsis: int | None = None) -> bool:
        return feasible(candidates, self.max_gsis if max_gsis is None else max_gsis, self.forbid)


class _Relaxation(msgspec.Struct, frozen=True):
    """What a pattern could do without."""

    field: str
    fields: dict[str, Any]
    change: str
    unless: str = ""  # a field that would make no sense without it


RELAXATIONS = (
    _Relaxation("consistency", {"consistency": "eventual"}, "eventual: an index can answer, a moment behind the table"),
    _Relaxation("filter_must_be_key", {"filter_must_be_key": False}, "false: more is read than is returned"),
    _Relaxation("sort", {"sort": ()}, "left out: the application sorts the answer", unless="limit"),
    _Relaxation("absent", {"absent": "omit"}, "omit: items without what is sorted by are left out of the answer"),
    _Relaxation("limit", {"limit": None}, "left out: the whole answer is read, and what is not wanted filtered out"),
    _Relaxation("sort and limit", {"sort": (), "limit": None}, "left out: the application reads all, sorts and cuts"),
    _Relaxation("range", {"range": None}, "left out: the application picks what lies in the range"),
    _Relaxation("tenant", {"tenant": None}, "left out: partitions then hold items of several tenants"),
)


# ---- finding it ----------------------------------------------------------------------------------------------------


def conflicts(problem: UnsolvedSearch) -> list[PatternConflict]:
    """What stands between the facts and a design."""
    facts, candidates = problem.facts, problem.enumerated(problem.facts)
    served = (*candidates.plans.items(), *candidates.collections.items())
    hopeless = sorted(id_ for id_, found in served if not found)
    if hopeless:
        return [_hopeless_conflict(problem, id_) for id_ in hopeless]
    together = irreducible(candidates, problem.max_gsis, problem.forbid)
    remedies = [*_constraint_remedies(problem), *_pattern_remedies(problem, together)]
    remedies += [
        _Remedy(f"access_patterns.{id_}", "left out")
        for id_ in together
        if problem.feasible(_restricted(candidates, [each.id for each in facts.spec.patterns if each.id != id_]))
    ]
    return [_conflict(problem, together, remedies, alone=False)]


def _hopeless_conflict(problem: UnsolvedSearch, id_: str) -> PatternConflict:
    only = msgspec.structs.replace(problem, facts=with_patterns(problem.facts, [id_]))
    return _conflict(problem, [id_], _pattern_remedies(only, [id_]), alone=True)


def _conflict(
    problem: UnsolvedSearch, ids: Sequence[str], remedies: Iterable[_Remedy], *, alone: bool
) -> PatternConflict:
    patterns = tuple(each for each in problem.facts.spec.patterns if each.id in ids)
    return PatternConflict(
        max_gsis=problem.max_gsis, patterns=patterns, alone=alone, remedies=tuple(remedies)[:MOST_REMEDIES]
    )


def feasible(candidates: Candidates, max_gsis: int, forbid: Collection[Variable] = ()) -> bool:
    program = Model(candidates, US_EAST_1, max_gsis).program
    program.forbid(frozenset(forbid))
    return program.minimise({}) is not None


def irreducible(candidates: Candidates, max_gsis: int, forbid: Collection[Variable] = ()) -> list[str]:
    """Patterns in conflict, none of which can be spared: looked for in large pieces first, then one by one."""
    left = [each.id for each in candidates.facts.spec.patterns]
    size = max(1, len(left) // 2)
    while True:
        at = 0
        while at < len(left):
            fewer = left[:at] + left[at + size :]
            if feasible(_restricted(candidates, fewer), max_gsis, forbid):
                at += size
            else:
                left = fewer
        if size == 1:
            return left
        size = max(1, size // 2)


def _restricted(candidates: Candidates, ids: Sequence[str]) -> Candidates:
    """The same candidates with fewer patterns to be served."""
    return msgspec.structs.replace(
        candidates,
        facts=with_patterns(candidates.facts, ids),
        plans={id_: found for id_, found in candidates.plans.items() if id_ in ids},
        collections={id_: found for id_, found in candidates.collections.items() if id_ in ids},
    )


def with_patterns(facts: Facts, ids: Sequence[str]) -> Facts:
    kept = tuple(each for each in facts.spec.patterns if each.id in ids)
    return msgspec.structs.replace(facts, spec=msgspec.structs.replace(facts.spec, patterns=kept))


# ---- what helps ----------------------------------------------------------------------------------------------------


def _constraint_remedies(problem: UnsolvedSearch) -> Iterator[_Remedy]:
    facts, candidates = problem.facts, problem.enumerated(problem.facts)
    for more in range(problem.max_gsis + 1, MAX_GSIS + 1):
        if problem.feasible(candidates, more):
            yield _Remedy("constraints.max_gsis", f"{more} instead of {problem.max_gsis}")
            break
    for field, value, change in CONSTRAINTS:
        if getattr(facts.spec.constraints, field) != value and problem.solvable(_with_constraint(facts, field, value)):
            yield _Remedy(f"constraints.{field}", change)


CONSTRAINTS: tuple[tuple[str, Any, str], ...] = (
    ("lsis", True, "true: a local index, which limits every item collection of the table to 10 GB"),
    ("copies", "any", "any: second items, which are written in transactions"),
)


def _with_constraint(facts: Facts, field: str, value: Any) -> Facts:
    constraints = msgspec.structs.replace(facts.spec.constraints, **{field: value})
    return msgspec.structs.replace(facts, spec=msgspec.structs.replace(facts.spec, constraints=constraints))


def _pattern_remedies(problem: UnsolvedSearch, ids: Sequence[str]) -> Iterator[_Remedy]:
    """What one of the patterns could do without; two things at once only where neither helps alone."""
    for id_ in ids:
        found: set[str] = set()
        for each in RELAXATIONS:
            relaxed = _relaxed_facts(problem.facts, id_, each)
            if relaxed is None or any(field in found for field in each.fields):
                continue
            if problem.solvable(relaxed):
                found.update(each.fields)
                yield _Remedy(f"access_patterns.{id_}.{each.field}", each.change)
        yield from _presence_remedies(problem, id_)


def _presence_remedies(problem: UnsolvedSearch, id_: str) -> Iterator[_Remedy]:
    """Attributes of an order that items may lack: a key has no place for these but before all others."""
    facts, pattern = problem.facts, problem.facts.spec.pattern(id_)
    assert pattern is not None
    lacking = {name: may_lack(facts, pattern, name) for name in pattern.entities} if pattern.is_read else {}
    places = [f"entities.{name}.attributes.{attr}.required" for name in lacking for attr in sorted(lacking[name])]
    present = {**facts.present, **{name: facts.present[name] | attrs for name, attrs in lacking.items()}}
    if places and problem.solvable(msgspec.structs.replace(facts, present=present)):
        yield _Remedy(" and ".join(places), "true: every item has a place in the order")


def _relaxed_facts(facts: Facts, id_: str, relaxation: _Relaxation) -> Facts | None:
    """None where the pattern does not ask for all of it in the first place."""
    patterns = {each.id: each for each in facts.spec.patterns}
    now = patterns[id_]
    asked = not relaxation.unless or getattr(now, relaxation.unless) is None
    if not asked or any(getattr(now, name) == value for name, value in relaxation.fields.items()):
        return None
    patterns[id_] = msgspec.structs.replace(now, **relaxation.fields)
    return msgspec.structs.replace(facts, spec=msgspec.structs.replace(facts.spec, patterns=tuple(patterns.values())))


# ---- saying it -----------------------------------------------------------------------------------------------------

SEARCH = (
    "words are not found by keys. It belongs to a search engine that follows the table's stream (OpenSearch, for"
    " example); ask that, and take the pattern out of the spec"
)
AT_MOST = {0: "without an index", 1: "with at most one index"}


def describe_conflicts(found: Sequence[PatternConflict]) -> str:
    return "\n".join(line for each in found for line in _lines_of(each))


def _lines_of(found: PatternConflict) -> Iterator[str]:
    if found.alone:
        yield f"no key can serve {_title_of(found.patterns[0])}{_reason(found.patterns[0])}"
    else:
        indexes = AT_MOST.get(found.max_gsis, f"with at most {found.max_gsis} indexes")
        together = "this access pattern" if len(found.patterns) == 1 else "these access patterns together"
        yield f"no design {indexes} serves {together}:"
        yield from (f"  {_title_of(each)}" for each in found.patterns)
    if found.remedies:
        yield "  any one of these would help:"
        yield from (f"    {each.place}: {each.change}" for each in found.remedies)


def _title_of(pattern: PatternSpec) -> str:
    return f"{pattern.id}: {pattern.description}" if pattern.description else pattern.id


def _reason(pattern: PatternSpec) -> str:
    if pattern.search is not None:
        return f"; it searches {pattern.search} for words, and {SEARCH}"
    if pattern.tenant is not None and pattern.tenant not in pattern.by:
        return f"; tenants are kept apart by {pattern.tenant}, which must then be among its inputs (by)"
    if pattern.kind == "batch":
        return "; many items are fetched at once by whole keys of the table, which must follow from the ids given (by)"
    if len({each.order for each in pattern.sort}) > 1:
        return "; a key is read in one direction, and its order goes both up and down"
    if pattern.range and pattern.sort and pattern.sort[0].attr != pattern.range.attr:
        return f"; a key is either in order of {pattern.sort[0].attr} or compared by {pattern.range.attr}"
    return ""
