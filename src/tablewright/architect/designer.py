"""The door of the architect: a design for a spec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.pipeline import DesignDraft, DesignOptions, run
from tablewright.architect.plans.forms import rewrite
from tablewright.design.derive import asked_in, facts_in, rewrites_in
from tablewright.design.layout.forms import StoredForm

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tablewright.architect.pipeline import Progress
    from tablewright.architect.search.stages import Aim
    from tablewright.design.model import Design
    from tablewright.spec.model import KeyStyle, Spec, Tables


def design(
    given: str | Path | Mapping[str, Any] | Spec,
    *,
    aim: Aim | None = None,
    max_gsis: int | None = None,
    tables: Tables | None = None,
    key_style: KeyStyle | None = None,
    keep: Design | None = None,
    explain: bool = False,
    progress: Progress | None = None,
) -> Design:
    """The best design for a spec, complete but for its proof.

    `tables` and `key_style` stand before what the spec says of them. `keep` is a design that is in use: its keys,
    names, tables and key style stay where they can, and `change` tells what that costs. `explain` adds what is found
    by solving again (prices of decisions, alternatives, questions, evolution), which takes many times as long.
    `progress` is told what is being done.
    """
    options = DesignOptions(
        aim=aim,
        max_gsis=max_gsis,
        tables=tables,
        key_style=key_style,
        keep=keep,
        explain=explain,
        progress=progress,
    )
    return run(DesignDraft(given=given, options=options))


def complete_form(made: Design) -> Design:
    """A design of an earlier version says what was rewritten, and not what came of it: that is made again."""
    if not made.rewrites or made.stored or not made.spec:
        return made
    facts, stored = facts_in(made), dict[str, StoredForm]()
    for table in made.tables:
        asked = asked_in(made, facts, table.name)
        own = rewrites_in(made, asked)
        if own:
            stored[table.name] = StoredForm.of(rewrite(asked, own))
    return msgspec.structs.replace(made, stored=stored)
