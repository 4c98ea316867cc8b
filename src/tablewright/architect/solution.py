"""A solved spec: what was assumed, what was chosen, and what that is called. Everything else is derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.design.naming import Names, name_keys
from tablewright.architect.design.requests import Request, read_requests
from tablewright.architect.search.choose import Aim, Choice
from tablewright.architect.search.search import search
from tablewright.architect.spec.assume import Facts, assume
from tablewright.architect.spec.read import read_spec

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.architect.spec.model import Spec


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """The inner form of a design: values that the search, the proof and the explanations work with."""

    facts: Facts
    choice: Choice
    names: Names
    requests: Mapping[str, Request]  # by pattern

    @property
    def spec(self) -> Spec:
        return self.facts.spec


def solve(
    given: str | Path | Mapping[str, Any] | Spec, *, aim: Aim | None = None, max_gsis: int | None = None
) -> Solution:
    """The best design for a spec; `aim` is cost when the spec has rates, else the number of indexes."""
    spec = read_spec(given)
    facts = assume(spec)
    choice = search(facts, aim=aim, max_gsis=max_gsis)
    names = name_keys(facts, choice)
    return Solution(facts=facts, choice=choice, names=names, requests=read_requests(spec, choice, names))
