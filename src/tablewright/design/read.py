"""Designs as data: written to `design.json` and read from it, with the published JSON Schema (draft 2020-12).

A design that was read is equal to the one that was written: numbers are rounded before anybody sees the design, not
when it is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from tablewright.design.check import check_design
from tablewright.design.check.version_1 import upgrade
from tablewright.design.model import FORMAT, VERSION, Design
from tablewright.errors import DesignError
from tablewright.schema.documents import Unreadable, parse_json, read_text
from tablewright.spec.write import DIALECT
from tablewright.spec.written import decode_written, encode_written, schema_of_written

SIGNIFICANT_DIGITS = 10
"""More would tell machines apart, not designs."""
FINGERPRINT_DIGITS = 16
"""Against edits and mix-ups, not against forgers."""
AS_GIVEN = ("spec", "service", "stored")
R = TypeVar("R", bound=msgspec.Struct)


def design_json(value: Any) -> bytes:
    """The text of `design.json`, or of any part of a design: the same design gives the same bytes."""
    return msgspec.json.format(_encode(value), indent=2) + b"\n"


def design_data(design: Design) -> dict[str, Any]:
    """The plain values of `design.json`."""
    return msgspec.json.decode(_encode(design), type=dict[str, Any])


def fingerprint(design: Design) -> str:
    """The same for designs that do the same: their tables, items, patterns and what they were made from."""
    parts = (design.key_style, design.tables, design.items, design.patterns, design.encoding, design.spec)
    return hashlib.sha256(_encode(parts)).hexdigest()[:FINGERPRINT_DIGITS]


def _encode(value: Any) -> bytes:
    return msgspec.json.encode(value, enc_hook=encode_written)


def _decode(data: Mapping[str, Any]) -> Design:
    return msgspec.json.decode(msgspec.json.encode(data), type=Design, dec_hook=decode_written)


def round_design(design: Design) -> Design:
    """The design as it will be read back: every number rounded."""
    data = design_data(design)
    return _decode({name: value if name in AS_GIVEN else rounded(value) for name, value in data.items()})


def round_report(report: R) -> R:
    """The same for one of its reports."""
    return msgspec.convert(rounded(msgspec.json.decode(msgspec.json.encode(report))), type(report))


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{SIGNIFICANT_DIGITS}g}")
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in cast("Any", value).items()}
    if isinstance(value, list):
        return [rounded(each) for each in cast("Any", value)]
    return value


# ---- reading --------------------------------------------------------------------------------------------------------


def read_design(given: str | Path | Mapping[str, Any]) -> Design:
    """A design from its file, its text or its data."""
    if isinstance(given, Mapping):
        return _converted(given, "the design")
    is_text = isinstance(given, str) and given.lstrip().startswith("{")
    name = "the text" if is_text else str(given)
    try:
        content = parse_json(str(given) if is_text else read_text(Path(given)), name)
    except OSError as error:
        raise DesignError(f"{name} cannot be read ({error.strerror}); give the path of a design.json") from error
    except Unreadable as error:
        raise DesignError(f"{error}; a design is written by `tablewright design -o`") from error
    if not isinstance(content, dict):
        raise DesignError(f"{name} holds no design; a design is written by `tablewright design -o`")
    return _converted(cast("dict[str, Any]", content), name)


def _converted(content: Mapping[str, Any], name: str) -> Design:
    if content.get("format") != FORMAT:
        raise DesignError(f'{name} is no design: its "format" is {content.get("format")!r} and not "{FORMAT}"')
    if content.get("version") == 1:
        content = upgrade(content)
    if content.get("version") != VERSION:
        raise DesignError(
            f"{name} is a design of version {content.get('version')!r}, and this program reads 1 and {VERSION}; "
            "make it again from its spec"
        )
    try:
        found = _decode(content)
    except msgspec.ValidationError as error:
        raise DesignError(f"{name} was changed by hand or cut short: {error}; make it again from its spec") from error
    except UnicodeEncodeError as error:
        raise DesignError(f"{name}: {_unstorable(content)} is no text that can be stored") from error
    return check_design(found, content, name)


def _unstorable(value: Any, place: str = "") -> str:
    """The place of the first text that holds half a character."""
    if isinstance(value, str):
        return place if _is_broken(value) else ""
    inside: dict[str, Any] = {}
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        inside = {f"{place}.{name}".lstrip("."): each for name, each in entries.items()}
        inside |= {f"a name in {place}": name for name in entries if _is_broken(name)}
    elif isinstance(value, list | tuple):
        inside = {f"{place}[{at}]": each for at, each in enumerate(cast("list[Any]", value))}
    return next(filter(None, (_unstorable(each, where) for where, each in inside.items())), "")


def _is_broken(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


# ---- the schema -----------------------------------------------------------------------------------------------------


def design_schema() -> dict[str, Any]:
    """A fresh copy of the schema, ready for `json.dump`."""
    made = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Design, schema_hook=schema_of_written)))
    return {"$schema": DIALECT, "title": "Tablewright design", **made}


def main() -> None:
    """Write the published schemas of specs and designs anew."""
    from tablewright.spec.write import spec_schema

    folder = Path(__file__).parents[3] / "docs" / "reference"
    for name, schema in (("spec", spec_schema()), ("design", design_schema())):
        text = msgspec.json.format(msgspec.json.encode(schema), indent=2)
        (folder / f"{name}.schema.json").write_bytes(text + b"\n")


if __name__ == "__main__":  # python -m tablewright.design.read
    main()
