"""Rewrites applied to a spec, always in the same order, and which of them go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from tablewright.architect.plans import embed, split, through, total, unique
from tablewright.design.forms import Kind, Rewrite, Rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.facts import Facts

Apply: TypeAlias = Callable[[Rewritten, Rewrite], Rewritten]

APPLY: Mapping[Kind, Apply] = {
    "embed": embed.embed,
    "split": split.divide,
    "unique": unique.add_sentinel,
    "exact": unique.keep_exact,
    "lookup": unique.read_sentinel,
    "total": total.add_total,
    "reading": total.add_while_reading,
    "through": through.go_through,
    "apart": through.read_apart,
}
ORDER: tuple[Kind, ...] = tuple(APPLY)


def rewritten(facts: Facts, rewrites: Iterable[Rewrite] = ()) -> Rewritten:
    chosen = tuple(sorted(set(rewrites), key=lambda each: (ORDER.index(each.kind), each)))
    form = Rewritten(asked=facts, spec=facts.spec, rewrites=chosen)
    for each in chosen:
        form = APPLY[each.kind](form, each)
    return form


# ---- what there is to decide ----------------------------------------------------------------------------------------

Option: TypeAlias = tuple[Rewrite, ...]
Decision: TypeAlias = tuple[Option, ...]
"""Ways of which one is taken; the first is the plainest."""


def decisions(facts: Facts) -> list[Decision]:
    """In canonical order: what must be decided, then what may be done or left."""
    found = [tuple((each,) for each in ways) for ways in sorted(must(facts))]
    allowed = facts.spec.constraints.rewrites
    found = [tuple(way for way in ways if may(way, allowed)) or ways[:1] for ways in found]
    return found + [((), (each,)) for each in sorted(may_be(facts)) if each.kind in allowed]


def must(facts: Facts) -> Iterator[tuple[Rewrite, ...]]:
    yield from unique.demanded(facts)
    yield from through.demanded(facts)
    yield from total.demanded(facts)


def may(option: Option, allowed: tuple[str, ...]) -> bool:
    return all(each.kind != "total" or "total" in allowed for each in option)


def may_be(facts: Facts) -> Iterator[Rewrite]:
    yield from unique.lookups(facts)
    yield from embed.offered(facts)
    yield from split.offered(facts)


def go_together(rewrites: Iterable[Rewrite]) -> bool:
    """Whether no two of them change the same entity or the same read in ways that do not add up."""
    chosen = list(rewrites)
    for each in chosen:
        others = [other for other in chosen if other is not each]
        if each.kind == "embed" and any(spoils(each, other) for other in others):
            return False
        if each.kind == "split" and any(other.kind == "lookup" and other.subject == each.subject for other in others):
            return False
    return True


def spoils(embedded: Rewrite, other: Rewrite) -> bool:
    """A child is nothing but embedded, and its parent is neither embedded nor divided."""
    parent = embedded.attributes[0]
    named = {other.subject, *other.attributes}
    return embedded.subject in named or (other.kind in ("embed", "split") and other.subject == parent)
