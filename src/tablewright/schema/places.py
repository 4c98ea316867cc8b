"""Where in a schema something stands, and what its writer may have meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable


class Place(msgspec.Struct, frozen=True):
    """A path such as `entities.task.attributes.status.type`, grown with `/` for names and `[]` for positions."""

    text: str = ""

    def __truediv__(self, name: str) -> Place:
        return Place(f"{self.text}.{name}" if self.text else name)

    def __getitem__(self, index: int) -> Place:
        return Place(f"{self.text}[{index}]")

    def __str__(self) -> str:
        return self.text or "the schema"


TOP = Place()


def nearest(word: Any, known: Iterable[str]) -> str:
    """` Did you mean "status"?`, or nothing when no known word is close. What begins with the word is closest."""
    import difflib  # needed for faults only, and slow to import

    said, words = str(word), list(known)
    longer = [each for each in words if said and each.startswith(f"{said}_")]
    close = longer or difflib.get_close_matches(said, words, n=1)
    return f' Did you mean "{close[0]}"?' if close else ""
