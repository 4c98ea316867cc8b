"""Numbers that may be behind (`stale`): a function that follows the table's stream adds to them, and writes do not.

A write pays for no transaction, several items of a group may be written together, and many changes of one group are one
write of its item, which therefore stays cooler than a total. What a record adds is written in one transaction with a
mark of that record, so that one that comes again adds nothing. The marks cost as much as a total for every change:
whether this is cheaper depends on the size of the items and on how many changes of a group come together.

It is not offered where the item itself is divided or lies in another one: its records would not tell what to add.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.kept_numbers import add_number, may_keep
from tablewright.architect.plans.plan import FormPlan
from tablewright.design.serving.trailing import LEAST_STALE_SECONDS, window_seconds

if TYPE_CHECKING:
    from tablewright.design.layout.forms import Rewrite, Rewritten
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def can_trail(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether a number may be behind for as long as a stream takes. Of tenants only the one who reads counts."""
    return (
        pattern.stale is not None
        and pattern.stale >= LEAST_STALE_SECONDS
        and pattern.consistency != "strong"
        and "total" in facts.spec.constraints.rewrites
        and (pattern.tenant is None or pattern.tenant in pattern.by)
        and not facts.spec.is_global  # every region's function would add the changes of all of them
        and may_keep(facts, pattern)
    )


def _add_trailing(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    (id_,) = rewrite.attributes
    pattern = form.asked.spec.pattern(id_)
    assert pattern is not None
    assert pattern.stale is not None
    return add_number(form, id_, "trailing", window_seconds(pattern.stale))


def _exclude(trailing: Rewrite, other: Rewrite) -> bool:
    return other.kind in ("embed", "split") and other.subject == trailing.subject


TRAILING = FormPlan(
    kind="trailing",
    text="{subject} with a total by {attributes}, kept by a function that follows the stream",
    reason="the number may be behind, so that a function adds what the stream tells to it, many changes at once",
    without="{} counted while reading, or with a total that writes keep",
    apply=_add_trailing,
    excludes=_exclude,
)
