"""Random calls of a design, each answer compared with the application over dictionaries."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, NoReturn

from tests.trust.comparison import Differs, compare_batch, compare_items, compare_listed, compare_number
from tests.trust.inputs import InputSource
from tests.trust.oracle import Application, Item, State
from tests.trust.running import Outcome, RunningDesign

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import Design, PatternDesign

ACCEPTED, TRIES = 0.7, 20
RACES = 0.15
"""The share of writes that are made by two writers at once."""


class Driver:
    """Calls the same patterns of a design and of the application.

    `possible` are the states that the application may be in: after two writers at once there can be two, until an
    answer tells them apart.
    """

    def __init__(self, design: Design, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.running = RunningDesign(design)
        self.application = Application(design.spec, self.running.patterns)
        self.source = InputSource(self.application, self.random)
        self.possible: list[State] = [self.application.state]
        self.history: list[str] = []
        self.outcomes: Counter[tuple[str, bool]] = Counter()

    def run(self, writes: int) -> None:
        patterns = [each for each in self.running.patterns.values() if each.kind == "write"]
        for _ in range(writes):
            is_race = self.random.random() < RACES
            chosen = [self.random.choice(self._rare(patterns) or patterns) for _ in range(2)]
            inputs = self.race(chosen) if is_race else self.write(chosen[0])
            for near in (inputs, {}):
                for each in self.running.patterns.values():
                    if each.kind != "write":
                        self.read(each, near)

    def _rare(self, patterns: list[PatternDesign]) -> list[PatternDesign]:
        """Sometimes those that were never written, so that their turn comes."""
        never = [each for each in patterns if not self.outcomes[each.id, True]]
        return never if self.random.random() < 0.3 else []

    def narrow(self, pattern: PatternDesign, judge: Callable[[], None]) -> None:
        """Keeps the states in which what was seen is right; there must be one."""
        left: list[State] = []
        faults: list[Differs] = []
        for state in self.possible:
            self.application.state = state
            try:
                judge()
            except Differs as fault:
                faults.append(fault)
            else:
                left += [] if self.application.state in left else [self.application.state]
        if not left:
            self.fail(pattern, str(faults[0]))
        self.possible, self.application.state = left, left[0]

    def fail(self, pattern: PatternDesign, what: str) -> NoReturn:
        last = "\n  ".join(self.history[-12:])
        raise Differs(f"{pattern.id}: {what}\nafter {len(self.history)} writes:\n  {last}")

    # ---- writes -----------------------------------------------------------------------------------------------------

    def write(self, pattern: PatternDesign) -> Item:
        inputs = self._inputs(pattern)
        result = self.running.do(pattern.id, **inputs)
        self.history.append(f"{pattern.id} {inputs} -> {result}")
        self.outcomes[pattern.id, result == "written"] += 1
        self.narrow(pattern, lambda: self._judge(pattern, inputs, result))
        if pattern.idempotent and result == "written" and self.running.do(pattern.id, **inputs) != "written":
            self.fail(pattern, "the same request again was refused")
        return inputs

    def _judge(self, pattern: PatternDesign, inputs: Item, result: Outcome) -> None:
        if result == "unfit":  # then nothing is written, whatever the spec says
            return
        before = self.application.state
        is_written = self.application.write(pattern.id, inputs)
        was_nothing = pattern.op == "delete" and self.application.state == before  # then any word is right
        if is_written != (result == "written") and not was_nothing:
            raise Differs(f"{result}, and must be {'written' if is_written else 'refused'}")

    def race(self, patterns: list[PatternDesign]) -> Item:
        """Two writers at once: as if one came after the other, or one is refused and has changed nothing."""
        calls = [(each.id, self._inputs(each)) for each in patterns]
        results = self.running.do_at_once(calls, self.random.choice)
        told = [f"{name} {inputs} -> {result}" for (name, inputs), result in zip(calls, results, strict=True)]
        self.history.append(" | ".join(told))
        happened = [call for call, result in zip(calls, results, strict=True) if result == "written"]
        self.outcomes.update((name, result == "written") for (name, _), result in zip(calls, results, strict=True))
        found: list[State] = []
        for state in self.possible:
            for order in permutations(happened):
                self.application.state = state
                is_right = all(
                    self.application.write(*call) or self.running.patterns[call[0]].op == "delete" for call in order
                )
                found += [self.application.state] if is_right and self.application.state not in found else []
        if not found:
            self.fail(patterns[0], "both were written, in no order of which both are")
        self.possible, self.application.state = found, found[0]
        return calls[-1][1]

    def _inputs(self, pattern: PatternDesign) -> Item:
        """Mostly inputs that are accepted, as far as they are found soon."""
        inputs = self._some_inputs(pattern)
        for _ in range(TRIES if self.random.random() < ACCEPTED else 0):
            before = self.application.state
            is_accepted = self.application.write(pattern.id, inputs)
            self.application.state = before
            if is_accepted:
                break
            inputs = self._some_inputs(pattern)
        return inputs

    def _some_inputs(self, pattern: PatternDesign) -> Item:
        """Most callers have read the item first, and know its version."""
        inputs = self.source.inputs(pattern)
        for entity in pattern.entities if self.random.random() < 0.7 else ():
            spec = self.application.spec.entities[entity]
            if spec.version and spec.version in inputs:
                key = tuple(inputs.get(name) for name in spec.id)
                inputs[spec.version] = self.application.state[entity].get(key, {}).get(spec.version, 0)
        return inputs

    # ---- reads ------------------------------------------------------------------------------------------------------

    def read(self, pattern: PatternDesign, near: Item) -> None:
        """`near`: inputs that were written with, so that what was written is looked at."""
        inputs, asked = self.source.inputs(pattern), self.application.patterns[pattern.id]
        inputs |= {name: near[name] for name in inputs if name in near and name in asked.by}
        if asked.aggregate is not None:
            number = self.running.number(pattern.id, **inputs)
            self.narrow(pattern, lambda: compare_number(self.application, asked, inputs, number))
        elif asked.kind == "batch":
            items = self.running.items(pattern.id, **inputs)
            self.narrow(pattern, lambda: compare_batch(self.application, asked, inputs, items))
        elif asked.through is not None:
            page = self.random.choice((None, 1, 2)) if asked.limit is None else None
            listed = [item for _, item in self.running.ask(pattern.id, page=page, **inputs)]
            self.narrow(pattern, lambda: compare_listed(self.application, asked, inputs, listed))
        else:
            is_paged = asked.kind == "query" and asked.limit is None and not asked.limits and len(asked.entities) == 1
            page = self.random.choice((None, 1, 2)) if is_paged else None
            found = self.running.ask(pattern.id, page=page, **inputs)
            self.narrow(pattern, lambda: compare_items(self.application, asked, inputs, found))
