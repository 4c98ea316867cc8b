"""The blocks of a document, independent of the output: Markdown, HTML, plain text or a terminal."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Tone: TypeAlias = Literal["", "good", "warning", "bad", "quiet"]


class Heading(msgspec.Struct, frozen=True):
    text: str
    level: int = 2


class Text(msgspec.Struct, frozen=True):
    """A paragraph."""

    text: str
    tone: Tone = ""


class Bullets(msgspec.Struct, frozen=True):
    items: tuple[Text, ...]


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """`code` holds keys; `request` has requests below a first line of words; `number` is aligned right."""

    name: str
    code: bool = False
    request: bool = False
    number: bool = False


class Grid(msgspec.Struct, frozen=True):
    """A table; a cell may have several lines. `tones` colour whole rows."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    tones: tuple[Tone, ...] = ()


class Picture(msgspec.Struct, frozen=True):
    """Lines whose columns stand under each other."""

    lines: tuple[str, ...]


Block: TypeAlias = Heading | Text | Bullets | Grid | Picture


def bullets(*items: str, tone: Tone = "") -> Bullets:
    return Bullets(tuple(Text(each, tone) for each in items))


def column(name: str) -> Column:
    return Column(name=name)


def code(name: str) -> Column:
    return Column(name=name, code=True)


def number(name: str) -> Column:
    return Column(name=name, number=True)
