"""Key functions written out: what `ComposedKey` does, as straight code for one key.

Every request composes keys, so for each of them two functions are made once: `whole` for values that are all there (a
KeyError otherwise) and `cut` for as many as there are. They say exactly what `ComposedKey.whole` and `.cut` say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.schema.guards import Stop
from tablewright.schema.keys import MISSING, ComposedKey, piece_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.schema.keys import Piece

Whole: TypeAlias = "Callable[[Mapping[str, Any]], Any]"
Cut: TypeAlias = "Callable[[Mapping[str, Any]], tuple[Any, bool]]"

CASED = {"none": "{}", "upper": "({}).upper()"}


class Writer(msgspec.Struct, frozen=True):
    """The functions of one key."""

    whole: Whole
    cut: Cut


def writer_of(key: ComposedKey) -> Writer:
    if key.numeric:
        return Writer(key.whole, key.cut)
    scope: dict[str, Any] = {"MISSING": MISSING, "text": piece_text}
    for at, piece in enumerate(key.pieces):
        scope[f"padding_{at}"] = piece.padding
        scope[f"check_{at}"] = None if piece.guard is None else piece.guard.check
    exec(whole_source(key) + cut_source(key), scope)  # noqa: S102 - reprs of texts and names, nothing else
    return Writer(scope["whole"], scope["cut"])


def whole_source(key: ComposedKey) -> str:
    lines = ["def whole(values):"]
    for at, piece in enumerate(key.pieces):
        lines += [f"    value_{at} = values[{piece.name!r}]", *as_text(at, piece)]
    return "\n".join([*lines, f"    return {cased(key, len(key.pieces), key.postfix)}", ""])


def cut_source(key: ComposedKey) -> str:
    lines = ["def cut(values):"]
    for at, piece in enumerate(key.pieces):
        lines.append(f"    value_{at} = values.get({piece.name!r}, MISSING)")
        lines.append(f"    if value_{at} is MISSING: return {cased(key, at, piece.lead)} or None, False")
        lines += as_text(at, piece)
    return "\n".join([*lines, f"    return {cased(key, len(key.pieces), key.postfix)} or None, True", ""])


def as_text(at: int, piece: Piece) -> list[str]:
    """Text stays as it is; everything else, and what is padded, goes through `piece_text`. Guards see both."""
    convert = f"value_{at} = text(value_{at}, padding_{at})"
    lines = [f"    {convert}"] if piece.padding is not None else [f"    if value_{at}.__class__ is not str: {convert}"]
    if piece.guard is None:
        return lines
    if isinstance(piece.guard, Stop):  # most are, and asking here is cheaper than calling
        return [*lines, f"    if {piece.guard.text!r} in value_{at}: check_{at}(value_{at}, value_{at})"]
    return [f"    raw_{at} = value_{at}", *lines, f"    check_{at}(raw_{at}, value_{at})"]


def cased(key: ComposedKey, count: int, end: str) -> str:
    """The expression for the first `count` pieces and a literal end, in the key's letter case."""
    texts = [repr(key.prefix)]
    for at, piece in enumerate(key.pieces[:count]):
        texts += [repr(piece.lead), f"value_{at}"]
    return CASED.get(key.casing, "({}).lower()").format(" + ".join([*texts, repr(end)]))
