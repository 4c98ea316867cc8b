"""Files within bounds: what is refused, where the message points, and that ordinary files are none the worse."""

from __future__ import annotations

import json
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.schema.documents import MOST_DEPTH, MOST_JSON_VALUES, Unreadable, parse_json, parse_yaml, read_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LAUGHS = "a0: &a0 [x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 10)
)
MERGES = "a0: &a0 {x: 1}\n" + "".join(
    f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 9)}]}}\n" for level in range(1, 10)
)
MOST_MEMORY = 200 * 1024 * 1024


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (LAUGHS, r"x\.yaml:7: more than 300,000 values"),
        (MERGES, r"x\.yaml:7: more than 300,000 values"),
        pytest.param(
            "a: 1\nb:\n  " + "[" * 5000, r"x\.yaml:3: nested more than 100 levels deep", marks=pytest.mark.slow
        ),
        ("\n".join("  " * at + "a:" for at in range(3000)), r"x\.yaml:100: nested more than 100 levels deep"),
        ("a: &a [1]\n" + "b: " + "[" * 99 + "*a" + "]" * 99, r"x\.yaml:2: nested more than 100 levels deep"),
        ("a: &a\n  b: *a\n", r"x\.yaml:2: an alias stands inside of what it names"),
        ("a: &a [*a]\n", r"x\.yaml:1: an alias stands inside of what it names"),
        ("a: *b\n", r"x\.yaml:1: this is no YAML: found undefined alias"),
        ("a: 1\nb: 2\na: 3\n", r"x\.yaml:3: a is there twice"),
        ("? [1, 2]\n: 3\n", r"x\.yaml:1: the name of a field is a list or a mapping"),
        (
            f"a: 1\nb: {'9' * 5001}\n",
            r"x\.yaml:2: the number 99999\.\.\. has more than 300 digits; write a smaller one$",
        ),
        (f"a: -0x{'f' * 5001}\n", r"x\.yaml:1: the number -0xff\.\.\. has more than 300 digits"),
        ("a:\n  b: .nan\n", r"x\.yaml:2: \.nan is no number to reckon with; write digits"),
        ("a:\n- -.INF\n", r"x\.yaml:2: -\.INF is no number"),
        ("a: 1.0e+999\n", r"x\.yaml:1: 1\.0e\+999 is no number"),
        (".nan: 1\n", r"x\.yaml:1: \.nan is no number"),
        ('a: 1\nb: "\\ud800"\n', r"x\.yaml:2: half a character \(\\ud800\); take it out"),
        ('a: 1\n"x\\udfff": 2\n', r"x\.yaml:2: half a character \(\\udfff\)"),
        ('a: "\\ude00\\ud83d"\n', r"x\.yaml:1: half a character \(\\ude00\)"),
        ("a: \x00\n", r"x\.yaml: this is no YAML"),
    ],
)
def test_yaml_is_refused_with_file_and_line(text: str, fault: str) -> None:
    check_refused(lambda: parse_yaml(text, "x.yaml"), fault)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[" * 1_000_000, r"x\.json: nested more than 100 levels deep"),
        ('{"a":' * 1_000_000, r"x\.json: (nested more|more than)"),
        pytest.param(
            "[" + "[]," * MOST_JSON_VALUES + "1]", r"x\.json: more than 2,000,000 values", marks=pytest.mark.slow
        ),
        ("[" + "1," * MOST_JSON_VALUES + "1]", r"x\.json: more than 2,000,000 values"),
        ('{"a": 1,\n "b": }', r"x\.json:2 is not valid JSON"),
        ('"\ud800"', r"x\.json is not valid JSON"),
        ('{"a":\n "\\ud800 and more"}', r"x\.json:2 is not valid JSON"),
        ("[NaN]", r"x\.json:1 is not valid JSON"),
        ("[Infinity]", r"x\.json:1 is not valid JSON"),
        ("[1e999]", r"x\.json is not valid JSON: Number out of range"),
        (f"[{'9' * 5001}]", r"x\.json is not valid JSON: Integer value out of range"),
    ],
)
def test_json_is_refused_with_file_and_line(text: str, fault: str) -> None:
    check_refused(lambda: parse_json(text, "x.json"), fault)


def check_refused(read: Callable[[], Any], fault: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(Unreadable, match=fault):
            read()
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()


def test_a_file_is_read_no_further_than_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.schema.documents.MOST_BYTES", 1000)
    path = tmp_path / "large.yaml"
    path.write_bytes(b"a" * 1001)
    with pytest.raises(Unreadable, match=r"large\.yaml has more than 1,000 bytes"):
        read_text(path)
    path.write_bytes(b"a" * 1000)
    assert read_text(path) == "a" * 1000
    path.write_bytes(b"a\xff")
    with pytest.raises(Unreadable, match=r"large\.yaml is no text in UTF-8: invalid start byte at byte 1"):
        read_text(path)


def test_aliases_and_merges_that_are_worth_it_are_read() -> None:
    text = "base: &base {type: string, required: true}\nname: *base\nother: {<<: *base, required: false}\nboth:\n"
    found = parse_yaml(text + "  - *base\n  - {<<: [*base, {more: 1}]}\n", "x.yaml")
    base = {"type": "string", "required": True}
    assert found.content == {
        "base": base,
        "name": base,
        "other": {**base, "required": False},
        "both": [base, {**base, "more": 1}],
    }
    assert found.lines["other.required"] == 3


def test_what_a_merge_overrides_is_overridden_wherever_it_is_used() -> None:
    text = "a: &a {x: 1, y: 2}\nb: &b {<<: *a, x: 3}\nc: *b\nd: *b\n"
    assert parse_yaml(text, "x.yaml").content["d"] == {"x": 3, "y": 2}


def test_commas_and_brackets_in_texts_are_no_values() -> None:
    text = json.dumps({"a": ",[{" * MOST_JSON_VALUES, "b": '\\",\\\\' * 1000})
    assert parse_json(text, "x.json") == json.loads(text)


def test_depth_up_to_the_bound_is_read() -> None:
    text = "[" * (MOST_DEPTH - 1) + "1" + "]" * (MOST_DEPTH - 1)
    assert parse_json(text, "x.json") == parse_yaml(text, "x.yaml").content


def test_characters_that_json_writes_as_two_are_one() -> None:
    text = json.dumps({"\N{GRINNING FACE}": "a\N{GRINNING FACE}b"})
    assert "\\ud83d\\ude00" in text
    assert parse_yaml(text, "x.json").content == parse_json(text, "x.json")


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\xef\xbb\xbf{}")
    assert read_text(path) == "{}"
