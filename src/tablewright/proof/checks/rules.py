"""Rules of values: every one is broken in every write that gives such a value, which must then change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.proof.calls import make_write_call
from tablewright.proof.checks.stored import compare_tables
from tablewright.proof.lengths import too_long_calls
from tablewright.proof.spoiling import wrong_calls
from tablewright.spec.writes import effects_of

if TYPE_CHECKING:
    from tablewright.proof.application.state import Call
    from tablewright.proof.context import ProofContext, Subject
    from tablewright.spec.writes import Effect

TRIES = 12
"""Calls that are made until one would be written, if it were not for the rule."""


def check_rules(context: ProofContext) -> None:
    for subject in context.writes:
        for effect in effects_of(context.facts, subject.meant):
            attributes = context.facts.spec.entities[effect.entity].attributes.values()
            for name in [each.name for each in attributes if each.validate is not None or each.ends is not None]:
                _break_rule(context, subject, effect, name)


def _break_rule(context: ProofContext, subject: Subject, effect: Effect, attribute: str) -> None:
    tally = context.tallies[subject.meant.id]
    found = _spoilt_calls(context, subject, effect, attribute)
    for call in found:
        tally.runs += 1
        inputs = context.parameters(subject, call)
        context.count_check("what a rule refuses is refused")
        result: str
        try:
            result = context.run_write(subject, call).result
        except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
            result = f"{type(fault).__name__} {fault}"
        if result != "refused":
            tally.fail(f"{inputs}: {result}, although {effect.entity}.{attribute} must not be so")
    if found:
        compare_tables(context, tally, f"with values that {effect.entity}.{attribute} must not have")


def _spoilt_calls(context: ProofContext, subject: Subject, effect: Effect, attribute: str) -> list[Call]:
    """Of a call that the application would do as it is: those that it refuses for the value alone."""
    for _ in range(TRIES):
        call = make_write_call(context.values, subject.meant, context.state, context.next_number())
        spoilt = [*wrong_calls(context.facts, effect, call, attribute)]
        spoilt += too_long_calls(context.facts, effect, call, attribute)
        if spoilt and context.try_write(subject, call) is not None:
            return [each for each in spoilt if context.try_write(subject, each) is None]
    return []
