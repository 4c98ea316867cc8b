"""Faults of small items that name the newest of a group, or the one that is active."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.spec.conditions import Predicate, absent
from tests.proof.mutations.editing import in_key, item, left_out, of, one_after_the_other, one_by_one, read, write
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from tablewright.design.model import ReadStep
    from tablewright.design.values.templates import KeyTemplate

NEWEST = "not the newest"
ACTIVE = "not the active one"
NAMED = of("latest")
MARK = of("sentinel")


def of_another_state(step: ReadStep) -> tuple[KeyTemplate, ...]:
    return in_key(step, lambda text: text.replace("driving", "waiting"))


LATEST: tuple[Fault, ...] = (
    Fault(NEWEST, "drafts", "what comes is not named", left_out("save", NAMED)),
    Fault(NEWEST, "drafts", "what comes with others is not named", left_out("begin", NAMED)),
    Fault(NEWEST, "drafts", "what comes last is named", write("save", NAMED, if_newer=(), condition=None)),
    Fault(NEWEST, "drafts", "what is older is refused", write("save", NAMED, if_newer=())),
    Fault(NEWEST, "drafts", "the first is named for ever", write("save", NAMED, condition=absent("pk"))),
    Fault(NEWEST, "drafts", "the slower of two writers is named", write("save", NAMED, condition=None)),
    Fault(NEWEST, "drafts", "the slower of two transactions is named", write("begin", NAMED, condition=None)),
    Fault(
        NEWEST,
        "drafts",
        "of two at the same time either",
        write("save", NAMED, if_newer=("savedAt",), condition=Predicate.parse("savedAt <= {savedAt}")),
    ),
    Fault(NEWEST, "drafts", "the greatest id is named", write("save", NAMED, if_newer=("draftId", "savedAt"))),
    Fault(NEWEST, "drafts", "named one by one", one_by_one("save")),
    Fault(NEWEST, "drafts", "compared with what was the newest before", read("save", consistent=False)),
    Fault(
        NEWEST,
        "drafts",
        "compared with nothing",
        one_after_the_other(read("save", takes={}), write("save", NAMED, condition=None)),
    ),
    Fault(NEWEST, "drafts", "the newest is named before it is seen", read("newest", 1, consistent=False)),
    Fault(NEWEST, "drafts", "the newest is seen too late", read("newest", 0, consistent=False)),
    Fault(
        NEWEST,
        "drafts",
        "the newest of every kind",
        read("newest-story", 0, pk=lambda step: in_key(step, lambda text: text.replace("story", "note"))),
    ),
    Fault(NEWEST, "drafts", "the greatest of another attribute", item("Draft latest", newest_by="draftId")),
    Fault(ACTIVE, "shifts", "nothing names it", left_out("start", MARK)),
    Fault(ACTIVE, "shifts", "it is named when it has ended", left_out("end", of("sentinel", "DeleteItem"))),
    Fault(ACTIVE, "shifts", "a second one takes its place", write("start", MARK, condition=None)),
    Fault(ACTIVE, "shifts", "one in another state", read("current", 0, pk=of_another_state)),
    Fault(ACTIVE, "shifts", "it is seen too late", read("current", 0, consistent=False)),
)
