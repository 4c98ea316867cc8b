"""Documents with a history, written, deleted and made anew by several: every version is kept, and none is skipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.invariants import made_once
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "archive"
CLIENTS, DEEDS = 3, 3

archive = tw.Service("archive", table=TABLE)


class Doc(tw.Entity, service=archive, name="doc", history=tw.History(by="editor")):
    """A text and its past; the editor's name is the deed's own."""

    doc: Attr[str]
    editor: Attr[str] = attr(default="")
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, doc: str) -> None:
        """One document."""


D = Doc.key("d")


def begin(_: Story) -> Script:
    yield Deed("begin", Doc(doc="d", editor="begin").create())


def written(how: str, name: str) -> Any:
    match how:
        case "create":
            return Doc(doc="d", editor=name).create()
        case "change":
            return D.patch(Doc.editor.set(name))
        case "upsert":
            return D.update(Doc.editor.set(name))
        case _:
            return D.delete()


def editor(number: int, story: Story) -> Script:
    for each in range(DEEDS):
        how, name = story.rng.choice(("create", "change", "change", "upsert", "delete")), f"{number}.{each}"
        yield Deed(how, written(how, name), {"name": name})


def scripts(_: Story) -> Sequence[Play]:
    return [partial(editor, number) for number in range(CLIENTS)]


# ---- what must hold --------------------------------------------------------------------------------------------------


def kept(story: Story) -> list[dict[str, Any]]:
    return sorted(story.stored(TABLE, "tablewright:history"), key=lambda item: int(item["number"]))


def marks(story: Story) -> Mapping[Deed, int]:
    """A deletion leaves no name, and one of nothing leaves no version; the others do."""
    names = [item["item"]["editor"] for item in kept(story) if "item" in item]
    return {deed: names.count(deed.facts["name"]) for deed in story.named("create", "change", "upsert")}


def versions_never_skip(story: Story) -> Iterator[str]:
    numbers = [int(item["number"]) for item in kept(story)]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"versions {numbers}"


def the_last_version_is_the_item(story: Story) -> Iterator[str]:
    """What is stored is what was kept last; after a deletion there is nothing."""
    last, items = kept(story)[-1], story.stored(TABLE, "doc")
    found = items[0] if items else None
    if last.get("item") != found:
        yield f"{found} is not {last}"


SCENARIO = Scenario(
    "remembering",
    [archive],
    scripts,
    (*made_once(marks), versions_never_skip, the_last_version_is_the_item),
    begin=begin,
)
