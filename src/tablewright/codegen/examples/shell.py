"""Texts in a shell script: the only place that makes words and comments of them."""

from __future__ import annotations

import re

PLAIN = re.compile(r"[\w./:-]+", re.ASCII)


def word(text: str) -> str:
    """One word, whatever it holds. Between single quotes nothing means anything; a NUL cannot be passed at all."""
    said = text.replace("\0", "")
    return said if PLAIN.fullmatch(said) else "'" + said.replace("'", "'\\''") + "'"


def comment(text: str) -> str:
    """One line, whatever it holds: what could end a line is a space."""
    return f"# {' '.join(''.join(each if each.isprintable() else ' ' for each in text).split())}"
