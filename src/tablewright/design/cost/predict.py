"""Units that one run of a pattern consumes: DynamoDB's arithmetic over volumes, place by place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.cost.units.reading import predict_read
from tablewright.design.cost.units.volumes import Volumes, estimate
from tablewright.design.cost.units.writing import predict_write
from tablewright.errors import DesignError
from tablewright.schema.places import nearest

if TYPE_CHECKING:
    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.design.layout.layout import Layout


def predict(layout: Layout, pattern: str, volumes: Volumes | None = None) -> Prediction:
    """What one run of a pattern consumes; `volumes` are the spec's own estimate, or measured."""
    found = next((each for each in (*layout.spec.patterns, *layout.facts.implied) if each.id == pattern), None)
    if found is None:
        known = ", ".join(each.id for each in layout.spec.patterns)
        hint = nearest(pattern, [each.id for each in layout.spec.patterns])
        raise DesignError(f'there is no access pattern "{pattern}".{hint} There are: {known}.')
    taken = estimate(layout) if volumes is None else volumes
    return predict_read(layout, found, taken) if found.is_read else predict_write(layout, found, taken)
