"""Times are moved to the proof's own, in the spec and in the steps by the same span."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec.structs import replace

from tablewright.design.model import Design
from tablewright.proof.past import with_near_past, with_whole_past
from tablewright.proof.values import WRITTEN_AT
from tests.proof.mutations.designs import right_design
from tests.proof.mutations.editing import pattern_of, read

NOW = datetime.fromtimestamp(WRITTEN_AT, UTC)


def since_in(made: Design, id_: str, entity: str, attr: str) -> tuple[datetime, datetime]:
    step = pattern_of(made, id_).reads[0]
    said = made.spec["entities"][entity]["attributes"][attr]["since"]
    return datetime.fromisoformat(step.since or ""), datetime.fromisoformat(said)


def test_a_few_buckets_lie_between_the_oldest_time_and_now() -> None:
    moved = with_near_past(right_design("newest"))
    step, said = since_in(moved, "newest", "Reading", "takenAt")
    assert step == said
    assert 270 < (NOW - said).days < 290  # months
    step, said = since_in(moved, "events", "Event", "at")
    assert step == said
    assert (NOW - said).days == 9


def test_what_is_wrong_stays_wrong_by_as_much() -> None:
    wrong = read("newest", since="2024-02-20T00:00:00Z")(right_design("newest"))
    step, said = since_in(with_near_past(wrong), "newest", "Reading", "takenAt")
    assert (step - said).days == 50
    right, _ = since_in(with_near_past(wrong), "oldest", "Reading", "takenAt")
    assert right == said


def test_what_was_moved_stays_where_it_is() -> None:
    once = with_near_past(right_design("newest"))
    assert with_near_past(once) == once


def test_estimates_look_back_as_far_as_items_are_old() -> None:
    _, said = since_in(with_whole_past(right_design("newest")), "newest", "Reading", "takenAt")
    assert (NOW - said).days == 365  # nobody says how many are added


def test_a_design_without_walks_is_the_same() -> None:
    made = right_design("readings")
    assert with_near_past(made) is made
    assert with_whole_past(made) is made
    assert with_near_past(replace(made, spec={})).spec == {}
