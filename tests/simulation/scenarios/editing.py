"""Several edit the same documents: with versions, read-decide-write, and writes that insist on what was read.

Every edit appends its own name, so that the text tells which were made; the table's stream tells every version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.invariants import made_once
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story
from tests.simulation.stream import changes

TABLE = "editing"
DOCS = ("d1", "d2")
CLIENTS, EDITS = 3, 3

editing = tw.Service("editing", table=TABLE)


class Doc(tw.Entity, service=editing, name="doc"):
    """Whose edits are counted."""

    doc: Attr[str]
    names: Attr[list[str]] = attr(default_factory=list)
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, doc: str) -> None:
        """One document."""


class Note(tw.Entity, service=editing, name="note"):
    """The same without a version: an edit insists on everything that was read."""

    doc: Attr[str]
    names: Attr[list[str]] = attr(default_factory=list)

    @tw.primary
    def key(self, doc: str) -> None:
        """One note."""


def begin(_: Story) -> Script:
    for name in DOCS:
        yield Deed("create", Doc(doc=name).create())
        yield Deed("create", Note(doc=name).create())


def adding(kind: Any, name: str, item: Any) -> tw.Change:
    """Written as a whole, so that what another has added meanwhile would be lost."""
    return kind.names.set([*item.names, name])  # type: ignore[no-any-return]


def editor(number: int, story: Story) -> Script:
    for each in range(EDITS):
        doc, name = story.rng.choice(DOCS), f"{number}.{each}"
        how = story.rng.choice(("edit a doc", "edit a note", "save a doc", "append", "put a doc"))
        facts = {"doc": doc, "name": name}
        if how in ("save a doc", "put a doc"):
            read = yield Deed("read", Doc.key(doc).get())
            if read.value is None:  # a read that failed, or one that lags behind the creation
                continue
            names = [*read.value.names, name]
            value = read.value.patch(Doc.names.set(names)) if how == "save a doc" else put_over(read.value, names)
            yield Deed(how, value, facts)
        elif how == "append":
            yield Deed(how, Doc.key(doc).patch(Doc.names.append(name)), facts)
        else:
            kind: Any = Doc if how == "edit a doc" else Note
            yield Deed(how, tw.edit(kind.key(doc), partial(adding, kind, name)), facts)


def put_over(doc: Doc, names: list[str]) -> Any:
    doc.names = names
    return doc.put()


def scripts(_: Story) -> Sequence[Play]:
    return [partial(editor, number) for number in range(CLIENTS)]


EDITS_BY_NAME = ("edit a doc", "edit a note", "save a doc", "put a doc", "append")


def marks(story: Story) -> Mapping[Deed, int]:
    found = Counter(name for item in story.stored(TABLE) for name in item["names"])
    return {deed: found[deed.facts["name"]] for deed in story.named(*EDITS_BY_NAME)}


def versions_never_skip(story: Story) -> Iterator[str]:
    """Every write counts up by one, in the order in which they were made."""
    for change in changes(story, TABLE):
        old, new = change.old, change.new
        if new and new["__edb_e__"] == "doc" and new["version"] != (old["version"] if old else 0) + 1:
            yield f"{new['doc']} went from {old} to {new}"


def versions_count_edits(story: Story) -> Iterator[str]:
    """Creation is version 1, and every name is an edit."""
    for item in story.stored(TABLE, "doc"):
        if item["version"] != 1 + len(item["names"]):
            yield f"{item} has another version than its edits"


SCENARIO = Scenario(
    "editing",
    [editing],
    scripts,
    (*made_once(marks), versions_never_skip, versions_count_edits),
    begin=begin,
    table_settings={"stream": "new_and_old_images"},
)
