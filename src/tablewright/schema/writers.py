"""Key functions written out: what `ComposedKey` does, as straight code for one key.

Every request composes keys, so for each of them two functions are made once: `whole` for values that are all there (a
KeyError otherwise) and `cut` for as many as there are. They say exactly what `ComposedKey.whole` and `.cut` say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.schema.guards import Stop
from tablewright.schema.keys import MISSING, ComposedKey, piece_text
from tablewright.schema.script import Script, literal

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
    script = Script()
    whole = script.define("whole", "values", _whole_lines(key, script))
    cut = script.define("cut", "values", _cut_lines(key, script))
    made = script.run()
    return Writer(made[whole], made[cut])


def _whole_lines(key: ComposedKey, script: Script) -> list[str]:
    lines: list[str] = []
    for at, piece in enumerate(key.pieces):
        lines += [f"value_{at} = values[{literal(piece.name)}]", *_as_text(at, piece, script)]
    return [*lines, f"return {_cased(key, len(key.pieces), key.postfix)}"]


def _cut_lines(key: ComposedKey, script: Script) -> list[str]:
    lines: list[str] = []
    missing = script.refer(MISSING, "missing")
    for at, piece in enumerate(key.pieces):
        lines.append(f"value_{at} = values.get({literal(piece.name)}, {missing})")
        lines.append(f"if value_{at} is {missing}: return {_cased(key, at, piece.lead)} or None, False")
        lines += _as_text(at, piece, script)
    return [*lines, f"return {_cased(key, len(key.pieces), key.postfix)} or None, True"]


def _as_text(at: int, piece: Piece, script: Script) -> list[str]:
    """Text stays as it is; everything else, and what is padded, goes through `piece_text`. Guards see both."""
    text, padding = script.refer(piece_text, "text"), script.refer(piece.padding, "padding")
    convert = f"value_{at} = {text}(value_{at}, {padding})"
    if piece.padding is None:
        convert = f"if value_{at}.__class__ is not {script.refer(str, 'kind')}: {convert}"
    if piece.guard is None:
        return [convert]
    check = script.refer(piece.guard.check, "check")
    if isinstance(piece.guard, Stop):  # most are, and asking here is cheaper than calling
        return [convert, f"if {literal(piece.guard.text)} in value_{at}: {check}(value_{at}, value_{at})"]
    return [f"raw_{at} = value_{at}", convert, f"{check}(raw_{at}, value_{at})"]


def _cased(key: ComposedKey, count: int, end: str) -> str:
    """The expression for the first `count` pieces and a literal end, in the key's letter case."""
    texts = [literal(key.prefix)]
    for at, piece in enumerate(key.pieces[:count]):
        texts += [literal(piece.lead), f"value_{at}"]
    return CASED.get(key.casing, "({}).lower()").format(" + ".join([*texts, literal(end)]))
