"""A fault tried: the design with it, proven. The report of a broken design says that it failed, and why."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from tablewright.proof.run import ROUNDS, prove
from tests.proof.mutations.designs import right_design, right_report
from tests.proof.mutations.editing import NothingToBreakError

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tests.proof.mutations.fault import Fault


SHORT = 8
"""Rounds that show most faults, at half the cost of a whole proof."""


class Trial(NamedTuple):
    """What came of a fault; `said` is why the proof failed, or what kept the fault from being found."""

    caught: bool
    said: str


def try_fault(fault: Fault) -> Trial:
    """A fault that does not apply is not caught: it says nothing about the proof."""
    try:
        right = right_design(fault.spec)
        report = right_report(fault.spec)
    except Exception as unsolved:  # noqa: BLE001 - one design that cannot be made must not hide all other faults
        return Trial(caught=False, said=f"no right design: {type(unsolved).__name__} {unsolved}")
    if not report.passed:
        return Trial(caught=False, said=f"wrong from the start: {report.failure}")
    try:
        wrong = fault.edit(right)
    except NothingToBreakError as missing:
        return Trial(caught=False, said=f"nothing to break: {missing}")
    if wrong == right and fault.meanwhile is nullcontext:
        return Trial(caught=False, said="nothing was broken")
    return _prove(wrong, fault)


def _prove(wrong: Design, fault: Fault) -> Trial:
    """By a short proof; what that does not catch, by a whole one."""
    for rounds in (SHORT, ROUNDS):
        try:
            with fault.meanwhile():
                report = prove(wrong, rounds=rounds)
        except Exception as unreported:  # noqa: BLE001 - a proof must end with a report, whatever the design
            return Trial(caught=False, said=f"no report: {type(unreported).__name__} {unreported}")
        if not report.passed and report.failure:
            return Trial(caught=True, said=report.failure)
    return Trial(caught=False, said="survives")
