"""A solved spec: what was assumed, what was chosen, and what that is called. Everything else is derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.naming import KeyNames, name_keys
from tablewright.architect.assembly.requests import ReadRequest, read_requests
from tablewright.architect.assembly.views import view_read, views_together
from tablewright.architect.plans.pointer import with_pointers
from tablewright.architect.plans.registry import VARIANTS
from tablewright.architect.plans.values import Choice
from tablewright.design.heat.load import hottest_partitions
from tablewright.design.heat.shards import more_shards
from tablewright.design.layout.forms import Rewritten
from tablewright.design.layout.layout import Layout, Located, StoredRead
from tablewright.design.wording import money
from tablewright.spec.facts import Facts

if TYPE_CHECKING:
    from tablewright.architect.assembly.views import KeptKeys
    from tablewright.architect.plans.plan import IndexKeys
    from tablewright.design.layout.forms import Rewrite
    from tablewright.design.layout.views import View
    from tablewright.design.serving.serving import Serving
    from tablewright.spec.model import KeyStyle, Spec


MOST_SPREADS = 6
"""Whatever lies in the partitions of others may make these spread further, which ends soon."""


class RuleCost(msgspec.Struct, frozen=True):
    """A smaller bill that was not taken, and why."""

    usd_per_month: float
    why: tuple[str, ...]

    def __str__(self) -> str:
        less = f"A design that costs {money(self.usd_per_month)} a month less is not taken"
        return f"{less}, by rule: {'; '.join(self.why)}."


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """The inner form of a design: values that the search, the proof and the explanations work with.

    `facts` and `spec` are of the spec as it is stored; `asked` and `origin` of the spec as it was written, which is the
    same unless it was rewritten.
    """

    facts: Facts
    choice: Choice
    names: KeyNames
    requests: Mapping[str, ReadRequest]  # by pattern
    rewritten: Rewritten
    too_hot: int = 0  # keys that are asked for more than a partition serves at peak
    remarks: tuple[str, ...] = ()  # on what was thought of besides
    reconsidered: Mapping[str, str] = {}  # by rule of the review: why the design has what it warns of
    rule: RuleCost | None = None  # what was held to be worth more than a smaller bill

    @property
    def spec(self) -> Spec:
        return self.facts.spec

    @property
    def asked(self) -> Facts:
        return self.rewritten.asked

    @property
    def origin(self) -> Spec:
        return self.rewritten.origin

    @property
    def layout(self) -> Layout:
        """What cost, heat and review are made from."""
        return _chosen_layout(self.facts, self.rewritten, self.choice, self.names, self.requests)

    def index_keys(self, index: str | None) -> IndexKeys | None:
        """The keys of an index that does without composed texts, where the spec allows that and a plan has them."""
        if index is None or not self.spec.constraints.multi_attribute_keys:
            return None
        layout = self.layout
        return next((found[index] for plan in VARIANTS if index in (found := plan.index_keys(layout))), None)

    @property
    def rewrites(self) -> tuple[Rewrite, ...]:
        return self.rewritten.rewrites

    def asked_ids(self, stored: tuple[str, ...]) -> tuple[str, ...]:
        """The patterns as they were asked for, of which these are parts."""
        owners = {part.pattern: id_ for id_, parts in self.rewritten.reads.items() for part in parts}
        return tuple(dict.fromkeys(owners.get(each, each) for each in stored))

    def stored_ids(self, pattern: str) -> tuple[str, ...]:
        """What stands for a pattern in the spec as it is stored."""
        parts = self.rewritten.reads.get(pattern)
        return (pattern,) if parts is None else tuple(each.pattern for each in parts)


def name_choice(
    form: Rewritten,
    facts: Facts,
    choice: Choice,
    style: KeyStyle | None = None,
    kept: Mapping[View, KeptKeys] | None = None,
) -> Solution:
    """A choice with names for its keys, by default in the spec's own key style, and the requests of its reads.

    Shards follow from all that lies together, so that keys are named before it is known how far they are spread.
    """
    form, facts, choice = with_pointers(form, facts, choice)
    before = {view: each.shards for view, each in (kept or {}).items()}

    def named(shards: Mapping[View, int]) -> Solution:
        names = name_keys(facts, choice, style, kept, shards)
        requests = read_requests(facts, choice, names)
        return Solution(facts=facts, choice=choice, names=names, requests=requests, rewritten=form)

    shards: dict[View, int] = {}
    found = named(shards)
    layout = found.layout
    heats = hottest_partitions(layout)
    for _ in range(MOST_SPREADS):
        more = more_shards(layout, heats, before)
        if not more:
            break
        shards |= more
        found = named(shards)
        layout = found.layout
        heats = hottest_partitions(layout)
    return msgspec.structs.replace(found, too_hot=sum(each.verdict == "hot" for each in heats))


# ---- the layout of what was chosen ----------------------------------------------------------------------------------
# Cheap, so that the search can weigh many choices by their bills.


def _chosen_layout(
    facts: Facts, form: Rewritten, choice: Choice, names: KeyNames, requests: Mapping[str, ReadRequest]
) -> Layout:
    return Layout(
        facts=facts,
        form=form,
        style=names.style,
        keys=names.keys,
        groups=names.groups,
        shards=names.shards,
        tags=names.tags,
        projections={
            f"gsi{slot + 1}": lean.attributes
            for slot in range(len(choice.slots))
            if (lean := choice.projection(slot)).kind != "ALL"
        },
        reads={id_: _stored_read(choice, id_, request) for id_, request in requests.items()},
        located={key: Located(view_read(choice, plan), plan.serving) for key, plan in choice.located.items()},
    )


def _stored_read(choice: Choice, pattern: str, request: ReadRequest) -> StoredRead:
    views, servings = _read_views(choice, pattern, request.entities)
    return StoredRead(
        operation=request.operation,
        index=request.index,
        filters=request.filters,
        backwards=request.backwards,
        limit=request.limit,
        consistent=request.consistent,
        entities=request.entities,
        shards=request.shards,
        for_each=request.for_each,
        fetches=request.then is not None,
        views=views,
        servings=servings,
    )


def _read_views(choice: Choice, pattern: str, entities: tuple[str, ...]) -> tuple[dict[str, View], dict[str, Serving]]:
    """By entity: what is read, and how it answers."""
    if pattern in choice.plans:
        plan = choice.plans[pattern]
        return {entities[0]: view_read(choice, plan)}, {entities[0]: plan.serving}
    gathering, _ = choice.collections[pattern]
    found = {view.entity: view for view in views_together(choice, pattern)}
    views = {name: found[name] for name in entities}
    return views, {name: gathering.parts[name][view.shape] for name, view in views.items()}
