"""Files of YAML and JSON as plain values, within bounds: the one place where a file that somebody gave us is read.

A file cannot make us take more memory than it is worth: bytes are counted before anything is parsed, depth and values
while it is, and what an alias of YAML stands for counts each time it is used, before it is written out. References
that lead back into themselves are refused. Every fault names the file and, where there is one, the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import msgspec

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

MOST_BYTES = 32 * 1024 * 1024
MOST_DEPTH = 100
MOST_VALUES = 300_000
MOST_JSON_VALUES = 2_000_000  # they take a tenth of the memory; descriptions of large public APIs have some 500,000
MOST_DIGITS = 300  # a float has no more before its point
TEXTS = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
BRACKETS = re.compile(r"[\[\]{}]")
SURROGATES = re.compile("[\ud800-\udfff]")
BYTE_ORDER_MARK = "\ufeff"


class Unreadable(Exception):
    """What is wrong with a file, with its name, its line and the remedy."""


class TooLarge(Unreadable):
    """It may be what it should be, but nobody will find out here."""


class Unfit(Unreadable):
    """It is what it should be, with a value in it that no program could store or reckon with."""


class NoYaml(Unreadable):
    """PyYAML is not installed."""


class _Document(msgspec.Struct, frozen=True):
    """The content, and the line of every place in it (`entities.Task.id` -> 12), which only YAML tells."""

    content: Any
    lines: Mapping[str, int]


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, without the mark that some editors begin it with.

    OSError is left to the caller, who knows what the file should have been.
    """
    with path.open("rb") as opened:
        content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise TooLarge(f"{path} has more than {MOST_BYTES:,} bytes; give the part of it that is needed")
    try:
        return content.decode("utf-8").removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path} is no text in UTF-8: {error.reason} at byte {error.start}") from None


def _check_size(text: str, name: str) -> None:
    if len(text) > MOST_BYTES:
        raise TooLarge(f"{name} has more than {MOST_BYTES:,} characters; give the part of it that is needed")


# ---- JSON -----------------------------------------------------------------------------------------------------------


def parse_json(text: str, name: str) -> Any:
    _check_size(text, name)
    _check_json_bounds(text, name)
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise TooLarge(_too_deep(name)) from None
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        where = _line_of(text, str(error))
        raise Unreadable(f"{name}{where} is not valid JSON: {error}; correct it there") from None


def _line_of(text: str, problem: str) -> str:
    """A decoder tells the byte, an editor wants the line."""
    found = re.search(r"\(byte (\d+)\)", problem)
    return "" if found is None else f":{text.encode().count(10, 0, int(found.group(1))) + 1}"


def _check_json_bounds(text: str, name: str) -> None:
    """Counted in the text, so that nothing too large is ever made of it."""
    bare = TEXTS.sub("", text)
    depth = 0
    for found in BRACKETS.finditer(bare):
        depth += 1 if found.group() in "[{" else -1
        if depth > MOST_DEPTH:
            raise TooLarge(_too_deep(name))
    if bare.count(",") + bare.count("[") + bare.count("{") >= MOST_JSON_VALUES:
        raise TooLarge(_too_many(name, MOST_JSON_VALUES))


# ---- YAML -----------------------------------------------------------------------------------------------------------


def parse_yaml(text: str, name: str) -> _Document:
    """JSON is YAML as well. Dates stay the text they were written as."""
    lines: dict[str, int] = {}
    with _loading(text, name) as loader:
        node = loader.get_single_node()
        return _Document(None if node is None else _converted(loader, node, "", lines), lines)


def compose_yaml(text: str, name: str) -> Any:
    """The tree with its marks, for those who change a text in place; within the same bounds."""
    with _loading(text, name) as loader:
        return loader.get_single_node()


@contextmanager
def _loading(text: str, name: str) -> Generator[Any]:
    _check_size(text, name)
    yaml = import_yaml()
    try:
        loader = _bounded(yaml)(text, name)
        try:
            yield loader
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise Unreadable(f"{_at(name, error.problem_mark)}: this is no YAML: {error.problem or error}") from None
    except (yaml.YAMLError, ValueError) as error:  # such as a character or a number that is none
        raise Unreadable(f"{name}: this is no YAML: {' '.join(str(error).split())}") from None


def import_yaml() -> Any:
    """PyYAML, which only extras install."""
    try:
        import yaml
    except ImportError:
        raise NoYaml('YAML needs PyYAML. Install it with `pip install "tablewright[yaml]"`, or use JSON.') from None
    return yaml


def _bounded(yaml: Any) -> Any:
    """A loader that counts nodes where they are composed; an alias counts as all that it stands for."""
    safe: Any = yaml.SafeLoader

    class Bounded(safe):  # type: ignore[misc]
        def __init__(self, text: str, title: str) -> None:
            safe.__init__(self, text)
            self.title = title
            self.depth = self.values = 0
            self.extents: dict[int, tuple[int, int]] = {}  # by node: values and depth, once it is complete
            self.own: dict[int, frozenset[int]] = {}  # by mapping: its keys that no other was merged in for

        def compose_node(self, parent: Any, index: Any) -> Any:
            line = self.peek_event().start_mark
            is_alias = self.check_event(yaml.AliasEvent)
            before, self.depth = self.values, self.depth + 1
            self.values += 1
            self.check_bounds(line, 0)
            node = safe.compose_node(self, parent, index)
            if is_alias:
                self.count_alias(node, line)
            else:
                inner = max((self.extents[id(each)][1] for each in _children(node)), default=0)
                self.extents[id(node)] = (self.values - before, inner + 1)
            self.depth -= 1
            return node

        def count_alias(self, node: Any, mark: Any) -> None:
            if id(node) not in self.extents:
                raise Unreadable(f"{_at(self.title, mark)}: an alias stands inside of what it names; write it out")
            values, depth = self.extents[id(node)]
            self.values += values - 1
            self.check_bounds(mark, depth - 1)

        def check_bounds(self, mark: Any, below: int) -> None:
            if self.values > MOST_VALUES:
                raise TooLarge(_too_many(_at(self.title, mark), MOST_VALUES))
            if self.depth + below > MOST_DEPTH:
                raise TooLarge(_too_deep(_at(self.title, mark)))

    return Bounded


def _children(node: Any) -> list[Any]:
    if node.id == "mapping":
        return [each for pair in node.value for each in pair]
    return list(node.value) if node.id == "sequence" else []


def _at(name: str, mark: Any) -> str:
    return f"{name}:{mark.line + 1}" if mark else name


def _too_many(name: str, most: int) -> str:
    return f"{name}: more than {most:,} values, aliases written out; give the part of it that is needed"


def _too_deep(name: str) -> str:
    return f"{name}: nested more than {MOST_DEPTH} levels deep; nothing that is read here is"


def _converted(loader: Any, node: Any, place: str, lines: dict[str, int]) -> Any:
    """A node as plain values, noting lines on the way."""
    lines[place] = node.start_mark.line + 1
    if node.id == "mapping":
        return _converted_mapping(loader, node, place, lines)
    if node.id == "sequence":
        elements = cast("list[Any]", node.value)
        return [_converted(loader, each, f"{place}[{at}]", lines) for at, each in enumerate(elements)]
    if node.tag == "tag:yaml.org,2002:timestamp":
        return node.value
    return _scalar(loader, node)


def _scalar(loader: Any, node: Any) -> Any:
    """A text, a number, a truth or nothing, as JSON could say it as well."""
    if node.tag == "tag:yaml.org,2002:int" and len(node.value) > MOST_DIGITS:
        found = f"the number {node.value[:5]}... has more than {MOST_DIGITS} digits"
        raise Unfit(f"{_at(loader.title, node.start_mark)}: {found}; write a smaller one")
    value = loader.construct_object(node)
    if isinstance(value, float) and not math.isfinite(value):
        raise Unfit(f"{_at(loader.title, node.start_mark)}: {node.value} is no number to reckon with; write digits")
    return _whole(loader, node, value) if isinstance(value, str) else value


def _whole(loader: Any, node: Any, text: str) -> str:
    """With the halves joined that JSON writes a character in; a half alone is no text."""
    if SURROGATES.search(text) is None:
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    alone = SURROGATES.search(joined)
    if alone is not None:
        half = f"half a character (\\u{ord(alone.group()):04x})"
        raise Unfit(f"{_at(loader.title, node.start_mark)}: {half}; take it out or write all of it")
    return joined


def _converted_mapping(loader: Any, node: Any, place: str, lines: dict[str, int]) -> dict[str, Any]:
    """What a mapping says itself wins over what `<<` merges into it; it says nothing twice."""
    own = loader.own.setdefault(id(node), frozenset(id(key) for key, _ in node.value))
    loader.flatten_mapping(node)
    found: dict[str, Any] = {}
    said: set[str] = set()
    for key_node, value_node in node.value:
        name = _field_name(loader, key_node)
        inside = f"{place}.{name}" if place else name
        if name in said:
            raise Unreadable(f"{_at(loader.title, key_node.start_mark)}: {inside} is there twice; keep one of them")
        said |= {name} if id(key_node) in own else set()
        found[name] = _converted(loader, value_node, inside, lines)
        lines[inside] = key_node.start_mark.line + 1
    return found


def _field_name(loader: Any, node: Any) -> str:
    if node.id != "scalar":
        raise Unreadable(f"{_at(loader.title, node.start_mark)}: the name of a field is a list or a mapping; name it")
    key = _scalar(loader, node)
    return key if isinstance(key, str) else str(node.value)
