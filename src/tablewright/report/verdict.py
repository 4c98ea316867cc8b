"""What a design fails at, and what may be said of its proof in a line: proven, except for some patterns, or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.read import fingerprint
from tablewright.design.verdicts import cost_verdicts, failed_verdicts, heat_verdicts, proof_verdicts
from tablewright.report.blocks import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.advice import Verdict, VerdictKind
    from tablewright.design.model import Design
    from tablewright.report.blocks import Block

__all__ = [  # with those of the design: what fails, and how it is told
    "cost_verdicts",
    "doubt",
    "failed_verdicts",
    "heat_verdicts",
    "is_changed",
    "proof_verdicts",
    "unproven_patterns",
    "verdict",
    "verdict_blocks",
    "verdict_text",
]

FAILED: dict[VerdictKind, str] = {
    "budget": "OVER BUDGET",
    "heat": "TOO HOT",
    "size": "TOO LARGE",
    "latency": "TOO SLOW",
    "unproven": "UNPROVEN",
    "estimates": "WRONG ESTIMATE",
}


def verdict_blocks(found: Iterable[Verdict]) -> Iterator[Block]:
    """For the top of a document."""
    yield from (Text(verdict_text(each), "bad") for each in found)


def verdict_text(each: Verdict) -> str:
    helps = " What helps is under Heat." if each.kind in ("heat", "size") else ""
    return f"{FAILED[each.kind]}: {each.text}.{helps}"


def verdict(design: Design) -> str:
    """For the head line. "Proven" is said of nothing that the proof says nothing of."""
    unproven = unproven_patterns(design)
    if design.proof is None:
        return f"not proven yet, and cannot be in {unproven}" if unproven else "not proven yet"
    if not design.proof.passed:
        return "its proof FAILED"
    if is_changed(design):
        return "CHANGED after it was proven"
    if any(each.kind == "estimates" for each in proof_verdicts(design)):
        return "its estimates FAILED when it was run"
    return f"proven by running it, except {unproven}" if unproven else "proven by running it"


def is_changed(design: Design) -> bool:
    """Whether the proof in a file is of another design than the one that stands there now."""
    return design.proof is not None and design.proof.fingerprint not in ("", fingerprint(design))


def unproven_patterns(design: Design) -> str:
    """The patterns that a proof says nothing of, each with the reason."""
    return "; ".join(f"{each.id}: {each.unproven.rstrip('.')}" for each in design.patterns if each.unproven)


def doubt(design: Design) -> str:
    """Why not all of a design counts as proven; nothing where it does."""
    if design.proof is None:
        return "unproven: no proof of this design was run"
    if not design.proof.passed:
        return f"unproven: the proof of this design failed: {design.proof.failure}"
    if is_changed(design):
        return "unproven: this design was changed after its proof"
    wrong = [each.text for each in proof_verdicts(design) if each.kind == "estimates"]
    if wrong:
        return f"its estimates failed: {wrong[0]}"
    unproven = unproven_patterns(design)
    return f"unproven: {unproven}" if unproven else ""
