"""The layout of what was chosen: cheap, so that the search can weigh many choices by their bills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.assembly.views import view_read, views_together
from tablewright.design.layout.layout import Layout, Located, StoredRead

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.assembly.naming import KeyNames
    from tablewright.architect.assembly.requests import ReadRequest
    from tablewright.architect.plans.values import Choice
    from tablewright.design.forms import Rewritten
    from tablewright.design.layout.views import View
    from tablewright.design.serving.serving import Serving
    from tablewright.spec.facts import Facts


def chosen_layout(
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
