"""The shared cases, each solved once for a test session, as all second solutions start from them."""

from __future__ import annotations

from functools import cache
from typing import Any

from tablewright.architect.designer import design
from tablewright.architect.explain.decisions import decisions
from tablewright.architect.explain.evolution import evolution
from tablewright.architect.explain.resolve import Baseline, ground
from tablewright.architect.solution import solve
from tablewright.design.advice import Decision, NewPattern, Question
from tablewright.design.model import Design
from tablewright.spec.read import open_source
from tests.architect.designs import CASE_FILES


@cache
def start(case: str) -> Baseline:
    return ground(solve(CASE_FILES[case]))


@cache
def decided(case: str) -> tuple[Decision, ...]:
    return decisions(start(case).solution, start=start(case))


@cache
def explained(case: str) -> Design:
    return design(CASE_FILES[case], explain=True)


def asked(case: str) -> tuple[Question, ...]:
    """As they are shown: settled by designing."""
    return explained(case).advice.questions


@cache
def grown(case: str) -> tuple[NewPattern, ...]:
    return evolution(start(case))


def content(case: str) -> dict[str, Any]:
    """As it is written, short forms and all."""
    return dict(open_source(CASE_FILES[case]).content)


def begun(**spec: Any) -> Baseline:
    return ground(solve({"name": "app", **spec}))
