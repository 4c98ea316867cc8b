"""Designs from specs, and what can be asked of them. Wherever a spec is taken, a design (or its file) does as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.architect import designer
from tablewright.design.model import FORMAT, Design
from tablewright.design.read import fingerprint, read_design
from tablewright.design.reports import cost_report, heat_report
from tablewright.design.verdicts import failed_verdicts
from tablewright.errors import DesignError
from tablewright.report.comparison import Comparison, compare_designs
from tablewright.report.explanation import Explanation, explain_subject
from tablewright.schema.documents import Unreadable, read_text
from tablewright.spec.model import Spec
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from tablewright.architect.search.stages import Aim
    from tablewright.design.advice import Question
    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.report import HeatReport
    from tablewright.spec.model import KeyStyle, Tables

Given: TypeAlias = str | Path | Mapping[str, Any] | Spec | Design


def design(
    given: Given,
    *,
    minimise: Aim | None = None,
    max_gsis: int | None = None,
    tables: Tables | None = None,
    key_style: KeyStyle | None = None,
    keep: str | Path | Mapping[str, Any] | Design | None = None,
    prices: str | Path | None = None,
    prove: bool = False,
    quick: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Design:
    """The best design for a spec. Options win over what the spec's constraints say.

    `keep`: a design whose keys stay where they can. `prove`: one that fails its proof is not given out. `quick` leaves
    out what is found by solving again: what decisions cost, alternatives, questions, evolution.
    `progress` is told, in a few words, what is being done.
    """
    spec = _set_options(_spec_of(given), max_gsis=max_gsis, tables=tables, key_style=key_style, prices=prices)
    kept = None if keep is None else _read_kept(keep)
    found = designer.design(spec, aim=minimise, keep=kept, explain=not quick, progress=progress)
    if not prove:
        return found
    if progress is not None:
        progress("proving")
    return _prove_design(found)


def prove(given: Given) -> Design:
    """The design with the report of its proof, whether it passed or not."""
    return add_proof(design_of(given))


def cost(given: Given, *, traffic: float = 1.0) -> CostReport:
    """The bill; at another `traffic` requests are so many times as many, the keys and the data as they are."""
    found = design_of(given)
    return found.cost if traffic == 1.0 else cost_report(found, traffic=traffic)


def heat(given: Given, *, traffic: float = 1.0) -> HeatReport:
    """Hot partitions, headroom and sizes; at another `traffic` the keys stay as designed."""
    found = design_of(given)
    return found.heat if traffic == 1.0 else heat_report(found, traffic=traffic)


def explain(given: Given, subject: str) -> Explanation:
    """All that a design says about one pattern, entity or index."""
    return explain_subject(design_of(given, quick=False), subject)


def compare(one: Given, other: Given) -> Comparison:
    """What differs between two designs: keys, indexes, patterns, cost and heat."""
    return compare_designs(design_of(one), design_of(other))


def questions(given: Given) -> tuple[Question, ...]:
    """What to ask the user, because the answer would change the design; the most valuable comes first."""
    return design_of(given, quick=False).advice.questions


# ---- proof ----------------------------------------------------------------------------------------------------------


def add_proof(found: Design) -> Design:
    """Estimates are held against runs where the design does what it should: the bill of a wrong one says nothing."""
    from tablewright.proof import run
    from tablewright.proof.checks.estimates import check_estimates

    report = run.prove(found)
    estimates = check_estimates(found) if report.passed else None
    report = msgspec.structs.replace(report, fingerprint=fingerprint(found), estimates=estimates)
    proven = msgspec.structs.replace(found, proof=report)
    return msgspec.structs.replace(proven, verdicts=failed_verdicts(proven))


def _prove_design(found: Design) -> Design:
    """A design that fails its proof is a bug, and is not shown as a design."""
    shown = add_proof(found)
    if shown.proof is not None and not shown.proof.passed:
        raise DesignError(f"the design of {found.name} failed its proof, so it is not shown: {shown.proof.failure}")
    return shown


# ---- what was given -------------------------------------------------------------------------------------------------


def _spec_of(given: Given) -> Spec:
    if isinstance(given, Design) or is_design(given):
        return read_spec(design_of(given).spec)
    return read_spec(given)


def design_of(given: Given, *, quick: bool = True) -> Design:
    if isinstance(given, Design):
        return designer.complete_form(given)
    if is_design(given) and not isinstance(given, Spec):
        return designer.complete_form(read_design(given))
    return design(given, quick=quick)


def _read_kept(given: str | Path | Mapping[str, Any] | Design) -> Design:
    """Only a design has keys that could be kept."""
    return given if isinstance(given, Design) else read_design(given)


def is_design(given: str | Path | Mapping[str, Any] | Spec) -> bool:
    """Whether it is a design that was written; then its `format` says so at the beginning."""
    if isinstance(given, Spec):
        return False
    if isinstance(given, Mapping):
        return given.get("format") == FORMAT
    text = str(given) if isinstance(given, str) and given.lstrip().startswith("{") else _first_characters(Path(given))
    return text.lstrip().startswith("{") and f'"{FORMAT}"' in text[:LOOKED_AT]


LOOKED_AT = 1000


def _first_characters(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig") as opened:
            return opened.read(LOOKED_AT)
    except (OSError, ValueError):  # then it is for the reader of specs to say what is wrong with it
        return ""


def spec_in(folder: Path) -> Path:
    """The design or the spec that a folder holds."""
    if (folder / "design.json").exists():
        return folder / "design.json"
    found = [path for path in sorted(folder.glob("*.y*ml")) if "\naccess_patterns:" in _read_spec_text(path)]
    if len(found) == 1:
        return found[0]
    why = f"several specs are here ({', '.join(map(str, found))})" if found else "no design.json and no spec is here"
    raise DesignError(f"{why}; name one")


def _read_spec_text(path: Path) -> str:
    """What cannot be read is no spec."""
    try:
        return read_text(path)
    except (OSError, Unreadable):
        return ""


def _set_options(
    spec: Spec,
    *,
    max_gsis: int | None,
    tables: Tables | None,
    key_style: KeyStyle | None,
    prices: str | Path | None,
) -> Spec:
    """The spec with options in the place of its constraints, so that the design's own spec says how it came about."""
    options = {"max_gsis": max_gsis, "tables": tables, "key_style": key_style}
    said = {name: value for name, value in options.items() if value is not None}
    billing = spec.billing if prices is None else msgspec.structs.replace(spec.billing, prices=str(prices))
    return msgspec.structs.replace(spec, constraints=msgspec.structs.replace(spec.constraints, **said), billing=billing)
