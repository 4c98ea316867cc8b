"""One table of a design with its layout, its bill, its heat and its predictions: what rules and advice are made from.

All of it follows from the design alone, so that one that is read from a file is reviewed as when it was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.lines import PatternCost
from tablewright.design.cost.predict import predict
from tablewright.design.cost.report import CostReport, table_cost
from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.cost.units.volumes import Volumes, estimate
from tablewright.design.derive import layouts_of
from tablewright.design.heat.report import HeatReport, table_heat
from tablewright.design.layout.forms import ReadPart
from tablewright.design.layout.layout import Layout
from tablewright.design.layout.views import View
from tablewright.design.model import ReadStep, TableDesign
from tablewright.design.serving.cascades import read_id
from tablewright.design.values.templates import KeyTemplate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tablewright.design.cost.units.entries import Entry
    from tablewright.design.model import Design, PatternDesign
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, Spec


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One table of a design, under review."""

    table: TableDesign
    layout: Layout
    cost: CostReport
    heat: HeatReport
    volumes: Volumes
    predictions: Mapping[str, Prediction]  # by pattern as it is stored
    lines: Mapping[str, PatternCost]  # of the bill, by pattern as it was written
    steps: Mapping[str, ReadStep]  # the request of every read as it is stored

    @property
    def facts(self) -> Facts:
        """Of the spec as it is stored."""
        return self.layout.facts

    @property
    def spec(self) -> Spec:
        return self.layout.spec

    @property
    def asked(self) -> Facts:
        """Of the spec as it was written."""
        return self.layout.asked

    @property
    def origin(self) -> Spec:
        return self.layout.origin

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.volumes.entries

    @property
    def patterns(self) -> tuple[PatternSpec, ...]:
        """As they were written, and what is implied: all that the bill counts."""
        return (*self.origin.patterns, *self.asked.implied)

    def views_in(self, place: str, partition_key: str) -> tuple[View, ...]:
        """What lies in the partitions of a key."""
        return tuple(
            view
            for view, keys in self.layout.keys.items()
            if keys.pk.text == partition_key and place_of_view(view) == place
        )

    def name(self, stored: str) -> str:
        """The pattern of the spec that a stored one is part of."""
        reads = self.layout.form.reads
        return next((id_ for id_, parts in reads.items() if any(part.pattern == stored for part in parts)), stored)


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule finds wrong in one place, and the choices behind it where another design could do without."""

    text: str
    views: tuple[View, ...] = ()  # keys to do without
    reads: tuple[str, ...] = ()  # patterns to answer from elsewhere
    look_ups: tuple[tuple[str, str], ...] = ()  # writes and entities whose key is to be found elsewhere
    local_indexes: bool = False  # to do without any


def cases_of(design: Design) -> dict[str, Case]:
    """By table; where there is one, the bill and the heat are those that the design says."""
    layouts, tables = layouts_of(design), {each.name: each for each in design.tables}
    alone = len(tables) == 1
    return {
        name: case_of(
            tables[name],
            layout,
            design.cost if alone else table_cost(layout, prices=design.cost.prices),
            design.heat if alone else table_heat(layout),
            design.patterns,
        )
        for name, layout in layouts.items()
    }


def case_of(
    table: TableDesign, layout: Layout, cost: CostReport, heat: HeatReport, patterns: Iterable[PatternDesign]
) -> Case:
    volumes = estimate(layout)
    stored = (*layout.spec.patterns, *layout.facts.implied)
    return Case(
        table=table,
        layout=layout,
        cost=cost,
        heat=heat,
        volumes=volumes,
        predictions={each.id: predict(layout, each.id, volumes) for each in stored},
        lines={each.pattern: each for each in cost.patterns},
        steps=dict(_stored_steps(layout, patterns)),
    )


def _stored_steps(layout: Layout, patterns: Iterable[PatternDesign]) -> Iterator[tuple[str, ReadStep]]:
    """Without those that fetch from the table what an index of keys found."""
    own = {each.id for each in layout.origin.reads}
    for pattern in patterns:
        steps = list(pattern.reads)
        parts = layout.form.parts(pattern.id)
        for at, part in enumerate(parts if pattern.id in own else (), 1):
            first, width = steps[0], 2 if layout.reads[part.pattern].fetches else 1
            yield part.pattern, _as_stored(part, first)
            steps = steps[width:]
            while steps and (_goes_on(steps[0], parts[at:]) or (first.joins and steps[0].takes == first.takes)):
                steps = steps[width:]  # the same for another list
        for part in parts[1:] if pattern.id not in own else ():
            found = (each for each in pattern.reads if part.takes and each.takes == part.takes)
            yield from ((part.pattern, _as_stored(part, each)) for each in found)
        for cascade in pattern.cascade:
            stored = read_id(pattern.id, cascade.of, cascade.entity, cascade.by)
            if stored in layout.reads:
                names = {here: there for here, there in cascade.by.items() if here != there}
                yield stored, _as_stored(ReadPart(pattern=stored, given=names), cascade.reads[0])
        for refresh in (*pattern.refreshes, *pattern.followed):
            stored = read_id(pattern.id, pattern.entities[0], refresh.entity, refresh.by)
            names = {here: there for here, there in refresh.by.items() if here != there}
            yield stored, _as_stored(ReadPart(pattern=stored, given=names), refresh.reads[0])


def _goes_on(step: ReadStep, following: Sequence[ReadPart]) -> bool:
    """Whether it is the rest of the list before it, and no part of its own."""
    return step.continues and not (following and following[0].continues)


def _as_stored(part: ReadPart, step: ReadStep) -> ReadStep:
    """With the parameters of the stored pattern, whatever an earlier step calls them."""
    names = {there: here for here, there in part.given.items()}
    if not names:
        return step
    return msgspec.structs.replace(
        step,
        pk=tuple(KeyTemplate(each.field, each.template.rename(names)) for each in step.pk),
        sk=tuple(
            msgspec.structs.replace(
                each, low=each.low.rename(names), high=None if each.high is None else each.high.rename(names)
            )
            for each in step.sk
        ),
    )
