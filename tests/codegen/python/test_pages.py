"""Pages of generated reads: put together they are the whole answer, whatever steps it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tablewright as tw
from tablewright.codegen.python.model import name_design
from tablewright.codegen.python.project import python
from tests.codegen.python.generated import arguments, filled, imported, write_to
from tests.codegen.replay import record
from tests.codegen.specials import special

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["shards", "fan_out", "keys_only", "embedded", "apart"])
def test_pages_are_the_whole_answer(name: str, tmp_path: Path) -> None:
    application = special(name, "plain")
    known = name_design(application)
    recording = record(application, seed=2, rounds=3)
    write_to(python(application), tmp_path)
    paged = {each.id: each for each in application.patterns if each.kind == "query" and not each.aggregate}
    with imported(tmp_path / "python", known.package) as module, filled(application, recording) as engine:
        db = tw.Database.embedded(engine=engine)
        for call in recording.calls:
            if call.pattern not in paged:
                continue
            function = getattr(module("patterns"), known.functions[call.pattern])
            given = arguments(known, paged[call.pattern], call, module("entities"))
            whole = [str(each) for each in function(db, **given, limit=1000).items]
            found: list[str] = []
            cursor: Any = None
            while True:
                page = function(db, **given, limit=2, after=cursor)
                found += [str(each) for each in page.items]
                cursor = page.cursor
                if cursor is None:
                    break
            assert found == whole


def test_a_cursor_of_another_question_is_refused(tmp_path: Path) -> None:
    application = special("fan_out", "plain")
    known = name_design(application)
    recording = record(application, seed=2, rounds=1)
    write_to(python(application), tmp_path)
    with imported(tmp_path / "python", known.package) as module, filled(application, recording) as engine:
        db = tw.Database.embedded(engine=engine)
        call = next(each for each in recording.calls if each.pattern == "of-team" and each.answer and each.answer.items)
        function = getattr(module("patterns"), known.functions["of-team"])
        team = call.inputs["team"]["S"]
        cursor = function(db, team, limit=1).cursor
        with pytest.raises(module("errors").WrongCursor):
            function(db, f"{team}x", after=cursor)
        with pytest.raises(module("errors").WrongCursor):
            function(db, team, after="nonsense")
