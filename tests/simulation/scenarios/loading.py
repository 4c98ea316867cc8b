"""Batches: written while members are handed back, answers are lost and clients crash; what is left is sent again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.scenario import CALM, Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "load"
CLIENTS, ITEMS, OLD = 2, 32, 6
REPEATS = 3

load = tw.Service("load", table=TABLE)


class Row(tw.Entity, service=load, name="row"):
    """One of many."""

    row: Attr[str]
    by: Attr[str] = attr(default="")

    @tw.primary
    def key(self, row: str) -> None:
        """One row."""


def begin(_: Story) -> Script:
    yield Deed("fill", tw.batch_write(*(Row(row=f"old{at}").put() for at in range(OLD))))


def name_of(write: Any) -> str:
    return str((write.values if hasattr(write, "values") else write.composites)["row"])


def loaded(writes: Sequence[Any]) -> Deed:
    return Deed(
        "load", tw.batch_write(*writes).with_options(concurrent=2), {"names": [name_of(each) for each in writes]}
    )


def loader(number: int, story: Story) -> Script:
    """Writes rows of its own and deletes old ones; repeats what it was told is not done."""
    puts: list[Any] = [Row(row=f"{number}.{at}", by=str(number)).put() for at in range(ITEMS)]
    deletes: list[Any] = [Row.key(f"old{at}").delete() for at in range(number, OLD - 2, CLIENTS)]
    left = [*puts, *deletes]
    story.notes[f"loader {number}"] = left
    for _ in range(REPEATS):
        deed = yield loaded(left)
        if deed.is_done:
            return
        if isinstance(deed.error, tw.Incomplete):
            left = [*deed.error.undone, *deed.error.unknown]


def reader(_: Story) -> Script:
    names = [f"old{at}" for at in (OLD - 1, 0, OLD - 2)]
    yield Deed(
        "read", tw.batch_get(*(Row.key(name).get() for name in names)).with_options(consistent=True), {"names": names}
    )


def heal(story: Story) -> Script:
    """Whoever loads everything again has everything."""
    for number in range(CLIENTS):
        yield loaded(story.notes[f"loader {number}"])


def scripts(_: Story) -> Sequence[Play]:
    return [*(partial(loader, number) for number in range(CLIENTS)), reader]


# ---- what must hold --------------------------------------------------------------------------------------------------


def watched(story: Story) -> Script:
    """Before things are put right: what is stored then."""
    story.notes["stored"] = {item["row"] for item in story.stored(TABLE)}
    yield from heal(story)


def sure_of(deed: Deed) -> tuple[set[str], set[str]]:
    """The members that were surely done, and those that surely were not."""
    names = set(deed.facts["names"])
    if isinstance(deed.error, tw.Incomplete):
        undone, unknown = ({name_of(each) for each in group} for group in (deed.error.undone, deed.error.unknown))
        return names - undone - unknown, undone
    return (names, set[str]()) if deed.is_done else (set[str](), names if deed.is_refused else set[str]())


def what_is_done_is_there(story: Story) -> Iterator[str]:
    """Rows that were written are there, rows that were deleted are not."""
    stored = story.notes["stored"]
    for deed in story.named("load"):
        if deed.client == CALM:
            continue
        for name in sure_of(deed)[0]:
            if name.startswith("old") == (name in stored):
                yield f"{name} of {deed.client} is done, and {'still' if name in stored else 'not'} there"


def what_is_undone_is_not_there(story: Story) -> Iterator[str]:
    """Of a member that nobody else may have written since."""
    stored = story.notes["stored"]
    loads = [deed for deed in story.named("load") if deed.client != CALM]
    perhaps = {name for deed in loads for name in set(deed.facts["names"]) - sure_of(deed)[1]}
    for deed in loads:
        for name in sure_of(deed)[1] - perhaps:
            if name.startswith("old") != (name in stored):
                yield f"{name} of {deed.client} is told to be undone, and {'' if name in stored else 'not '}there"


def batches_end_complete(story: Story) -> Iterator[str]:
    """In the end every row is there, and what was to go is gone."""
    stored = {item["row"] for item in story.stored(TABLE)}
    wanted = {f"{number}.{at}" for number in range(CLIENTS) for at in range(ITEMS)} | {f"old{OLD - 1}", f"old{OLD - 2}"}
    if stored != wanted:
        yield f"missing: {sorted(wanted - stored)}; too much: {sorted(stored - wanted)}"


def reads_are_in_order(story: Story) -> Iterator[str]:
    """Every item is in its place; one that may be deleted meanwhile may be missing."""
    for deed in story.named("read"):
        found = [each and each.row for each in deed.value or ()]
        first, gone, last = deed.facts["names"]
        if deed.is_done and found not in ([first, gone, last], [first, None, last]):
            yield f"{deed} found {found}"


SCENARIO = Scenario(
    "loading",
    [load],
    scripts,
    (what_is_done_is_there, what_is_undone_is_not_there, batches_end_complete, reads_are_in_order),
    begin=begin,
    heal=watched,
)
