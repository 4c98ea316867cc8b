"""Faults of what is packed into the items of periods: in the design, or in whoever packs it and takes it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from msgspec.structs import replace

from tablewright.design.steps import actions, queries, sources
from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import Path, Template, slot
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import compare
from tests.proof.mutations.editing import flipped, item, keys, one_less, one_more, read, sort_key, unset, write
from tests.proof.mutations.fault import Fault
from tests.proof.mutations.paging import UNFOLDED, as_it_is, placed

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

PACK = "wrong pack"


# ---- what single faults need ----------------------------------------------------------------------------------------


def unpacked(edit: Callable[[list[Any]], list[Any]]) -> Callable[[], AbstractContextManager[object]]:
    """What is taken out of an item, changed in this way."""
    right = UNFOLDED.unpacked

    def careless(self: Any, holder: Any, packed: Any) -> list[Any]:
        return edit(right(self, holder, packed))

    return lambda: patch.object(UNFOLDED, "unpacked", careless)


def whatever_the_range() -> AbstractContextManager[object]:
    """All of every item that a range touches."""
    return patch.object(sources, "answers", lambda _step, _item, _inputs: True)


def one_request() -> AbstractContextManager[object]:
    """What the first request finds is taken for all there is."""
    right = vars(queries)["_Partition"].feed

    def careless(self: Any, reply: dict[str, Any]) -> None:
        right(self, {name: each for name, each in reply.items() if name != "LastEvaluatedKey"})

    return patch.object(vars(queries)["_Partition"], "feed", careless)


def ends_as_they_are() -> AbstractContextManager[object]:
    """Keys are compared with whole times, before which the period of a range's end begins."""

    def careless(_: Any, inputs: Any) -> Any:
        ends = {cut: inputs[name] for name, cut in queries.CUT.items() if name in inputs}
        return {**inputs, **ends}

    return patch.object(queries, "_with_ends", careless)


def with_its_id() -> AbstractContextManager[object]:
    """A sample has once more what its item and its name say."""
    right = actions.action_of

    def careless(stored: Any, pattern: Any, step: Any, given: Any, old: Any, now: int) -> Any:
        found = right(stored, pattern, step, given, old, now)
        for value in [] if found is None else found.params.get("ExpressionAttributeValues", {}).values():
            if isinstance(value, dict):
                value.update(given.own)
        return found

    return patch("tablewright.design.steps.writes.action_of", careless)


def item_begun_anew(_: Any, place: list[Any]) -> list[Any]:
    return [place[0], 0]


def rest_of_the_item_passed(self: Any, _: list[Any]) -> list[Any]:
    return [self.behind, 0]


def by_another_name(step: Any) -> Any:
    return {**unset("{at}")(step), Path(Slot("heat")): slot("*")}


def end_included(_: Any) -> Any:
    return (compare("at", ">=", Slot("value")),)


def whole_time(step: Any) -> Any:
    return tuple(replace(each, low=each.low.rename({"_bucket": "at"})) for each in step.sk)


def only_heat(step: Any) -> Any:
    return {path: slot("heat") if str(path) == "{at}" else value for path, value in step.set.items()}


# ---- the catalogue --------------------------------------------------------------------------------------------------

PACKING: tuple[Fault, ...] = (
    Fault(PACK, "samples", "the oldest for the newest", read("newest", backwards=flipped)),
    Fault(PACK, "samples", "one more", read("newest", limit=one_more)),
    Fault(PACK, "samples", "one less", read("before", limit=one_less)),
    Fault(PACK, "samples", "all of the item for one", read("one", filters=())),
    Fault(PACK, "samples", "all of the periods that a range touches", read("between", filters=())),
    Fault(PACK, "samples", "the end of a range is part of it", read("behind", filters=end_included)),
    Fault(PACK, "samples", "hours written, days asked", read("between", bucket=Bucket("at", 10))),
    Fault(PACK, "samples", "days written, hours asked", keys("Sample packed", "take", bucket=Bucket("at", 10))),
    Fault(PACK, "samples", "the whole time in the key", read("one", sk=whole_time)),
    Fault(PACK, "samples", "from the end of the first period", sort_key("between", low=Template.parse("SAMPLE#{_to}"))),
    Fault(PACK, "samples", "a list without its beginning", sort_key("before", low=Template.parse("SAMPLE#{_value}"))),
    Fault(PACK, "samples", "a sample does not say whose it is", write("take", set=unset("probeId"))),
    Fault(PACK, "samples", "an item does not say what it is", write("take", constants={})),
    Fault(PACK, "samples", "nothing is packed", write("take", set=unset("{at}"))),
    Fault(PACK, "samples", "under another name", write("take", set=by_another_name)),
    Fault(PACK, "samples", "one value is as good as all", write("take", set=only_heat)),
    Fault(PACK, "samples", "named by something else", item("Sample packed", entry="heat")),
    Fault(PACK, "samples", "taken out in another order", as_it_is, unpacked(lambda found: found[::-1])),
    Fault(PACK, "samples", "the last is left in", as_it_is, unpacked(lambda found: found[:-1])),
    Fault(PACK, "samples", "the first alone is taken out", as_it_is, unpacked(lambda found: found[:1])),
    Fault(PACK, "samples", "whatever the range", as_it_is, whatever_the_range),
    Fault(PACK, "samples", "one request is enough", as_it_is, one_request),
    Fault(PACK, "samples", "the ends of a range as they are", as_it_is, ends_as_they_are),
    Fault(PACK, "samples", "its id is packed with it", as_it_is, with_its_id),
    Fault(PACK, "samples", "a page begins its item anew", as_it_is, placed(UNFOLDED, item_begun_anew)),
    Fault(PACK, "samples", "a page passes the rest of its item", as_it_is, placed(UNFOLDED, rest_of_the_item_passed)),
)
