"""A list, then its items: the entries by one Query, then what they name by BatchGetItem.

The list is planned like any other, from the table or from an index. What the entries name is fetched by whole keys of
the table, which must follow from the id. An item that is gone counts for the limit all the same, since that is of
entries; it is priced like one that is there, so that a bill is never too low for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan, Ways
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, step_id, with_patterns
from tablewright.spec.listing import item_pattern, list_pattern, listing_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts


def _demand(facts: Facts) -> Iterator[Ways]:
    for pattern in facts.spec.reads:
        listing = listing_of(facts.spec, pattern)
        if listing is not None:
            yield (Rewrite("fetch", pattern.id, (listing.entity, *pattern.entities)),)


def _list_first(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, pattern = form.asked, form.spec.pattern(rewrite.subject)
    assert pattern is not None
    listing = listing_of(facts.spec, pattern)
    assert listing is not None
    asked = msgspec.structs.replace(pattern, rate=facts.rates[pattern.id])
    entries = list_pattern(asked, listing)
    items = item_pattern(form.spec, asked, listing, step_id(form.spec, pattern.id))
    given = {theirs: ours for theirs, ours in listing.names.items() if theirs != ours}
    parts = (
        ReadPart(pattern=entries.id),
        ReadPart(pattern=items.id, keys_from=0, given=given, counts_gone=True),
    )
    return msgspec.structs.replace(
        form,
        spec=with_patterns(form.spec, pattern.id, entries, items),
        reads={**form.reads, pattern.id: parts},
    )


LIST_THEN_ITEMS = FormPlan(
    kind="fetch",
    text="{subject} as a list first, then its items ({attributes})",
    reason="the list says which items are meant, so it is read first and they are fetched by their keys",
    demands=_demand,
    apply=_list_first,
)
