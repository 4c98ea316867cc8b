"""What can be wrong with a design that was read: all faults at once, each with its place and the remedy.

A design that the search made has none of these. One from a file may have been edited, cut or forged, and everything
behind it (the proof, every generator, every document) trusts names to be names and references to lead somewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.check.cascades import cascade_faults
from tablewright.design.check.fields import unknown_fields
from tablewright.design.check.items import item_faults
from tablewright.design.check.names import design_name_faults, unknown
from tablewright.design.check.patterns import pattern_faults
from tablewright.design.check.refreshes import refresh_faults
from tablewright.design.check.tables import table_faults
from tablewright.errors import DesignError, SchemaError
from tablewright.schema.load import load
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.check.names import Fault
    from tablewright.design.model import Design
    from tablewright.spec.model import Spec

MOST_SHOWN = 10


def check_design(design: Design, content: Mapping[str, Any], name: str) -> Design:
    """The design itself; `content` is the data it was made of, `name` what to call the file."""
    faults = [*unknown_fields(design, content)]
    faults += design_name_faults(design) if not faults else []
    for find in _FINDERS if not faults else ():
        faults += find(design)
        if faults:
            break
    if faults:
        shown = [f"{name}: {place}: {problem}" for place, problem in faults[:MOST_SHOWN]]
        more = [f"and {len(faults) - MOST_SHOWN} more"] if len(faults) > MOST_SHOWN else []
        raise DesignError("\n".join([*shown, *more, "Correct it there, or make the design again from its spec."]))
    return design


def _region_faults(design: Design, spec: Spec) -> Iterator[Fault]:
    """Replicas are made where the bill has them."""
    priced = tuple(each.region for each in design.cost.regions)
    if priced != (spec.regions if spec.is_global else ()):
        told = ", ".join(spec.regions) or "one region"
        yield "cost.regions", f"are not those of the spec ({told})."


def _held_faults(design: Design) -> Iterator[Fault]:
    """The specs and the service that a design holds are read by those who read such."""
    try:
        if design.spec:
            yield from _region_faults(design, read_spec(design.spec))
    except DesignError as error:
        yield "spec", error.message
    tables = [each.name for each in design.tables]
    for table, form in design.stored.items():
        yield from unknown("stored", "table", table, tables)
        try:
            form.stored_spec()
        except msgspec.ValidationError as error:
            yield f"stored.{table}.spec", str(error)
    try:
        if design.service:
            load(design.service)
    except SchemaError as error:
        yield "service", error.message


_FINDERS = (table_faults, item_faults, pattern_faults, cascade_faults, refresh_faults, _held_faults)
"""In this order: what refers to a broken part would only be said again."""
