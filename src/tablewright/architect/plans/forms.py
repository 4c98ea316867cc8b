"""Forms of a spec: rewrites made in the order of their plans, which of them there are, and which go together."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tablewright.architect.plans.registry import FORM_OF, FORMS
from tablewright.design.layout.forms import Rewrite, Rewritten
from tablewright.spec.model import REWRITES
from tablewright.spec.remember import recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.architect.plans.plan import Ways
    from tablewright.spec.facts import Facts

_ORDER = list(FORM_OF)


def rewrite(facts: Facts, rewrites: Iterable[Rewrite] = ()) -> Rewritten:
    return _rewritten(facts, tuple(sorted(set(rewrites), key=lambda each: (_ORDER.index(each.kind), each))))


@recent(64)
def _rewritten(facts: Facts, chosen: tuple[Rewrite, ...]) -> Rewritten:
    form = Rewritten(asked=facts, spec=facts.spec, rewrites=chosen)
    for each in chosen:
        form = FORM_OF[each.kind].apply(form, each)
    return form


# ---- what there is to decide ----------------------------------------------------------------------------------------

Option: TypeAlias = tuple[Rewrite, ...]
Options: TypeAlias = tuple[Option, ...]
"""Ways of which one is taken; the first is the plainest."""


def form_options(facts: Facts) -> list[Options]:
    """In canonical order: what must be decided, then what may be done or left."""
    allowed = facts.spec.constraints.rewrites
    demanded = sorted(ways for plan in FORMS for ways in plan.demands(facts))
    offered = sorted(each for plan in FORMS for each in plan.offers(facts))
    return [
        *(_allowed_ways(ways, allowed) for ways in demanded),
        *(((), (each,)) for each in offered if each.kind not in REWRITES or each.kind in allowed),
    ]


def last_resorts(facts: Facts) -> list[Options]:
    """What is tried only for a spec that nothing else serves."""
    return [((), (each,)) for plan in FORMS for each in plan.resorts(facts)]


def _allowed_ways(ways: Ways, allowed: tuple[str, ...]) -> Options:
    """Those that the spec does not forbid; where it forbids all, the plainest."""
    found = [each for each in ways if each.kind not in REWRITES or each.kind in allowed] or ways[:1]
    return tuple((each,) for each in found)


def go_together(rewrites: Iterable[Rewrite]) -> bool:
    """Whether no two of them change the same entity or the same read in ways that do not add up."""
    return not any(FORM_OF[one.kind].excludes(one, other) for one, other in _pairs(list(rewrites)))


def _pairs(rewrites: list[Rewrite]) -> Iterator[tuple[Rewrite, Rewrite]]:
    return ((one, other) for one in rewrites for other in rewrites if other is not one)
