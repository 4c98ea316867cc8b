"""The examples as one page to read, and as two files to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.examples.commands import command, in_transaction, javascript, python
from tablewright.codegen.examples.partiql import lines_of, remark, statements
from tablewright.codegen.examples.recording import read_calls, write_groups
from tablewright.codegen.examples.shell import comment
from tablewright.report.markdown import fenced, inline, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.codegen.examples.partiql import Statement
    from tablewright.codegen.examples.recording import Group
    from tablewright.design.model import Design, PatternDesign

FOLDER = "examples"
HERE = "--endpoint-url http://127.0.0.1:8000 talks to `tablewright engine serve`; AWS_ENDPOINT_URL does the same."
SETUP = """\
```js
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as lib from "@aws-sdk/lib-dynamodb";

const documents = lib.DynamoDBDocumentClient.from(new DynamoDBClient());
```

```python
import boto3

client = boto3.client("dynamodb")
```"""


def examples(design: Design) -> dict[str, str]:
    return {
        f"{FOLDER}/README.md": _page(design),
        f"{FOLDER}/partiql.sql": "\n".join(_sql(design)) + "\n",
        f"{FOLDER}/aws-cli.sh": "\n".join(_script(design)) + "\n",
    }


def requests_of(design: Design, pattern: PatternDesign) -> list[tuple[str, dict[str, Any], str]]:
    """Operation, parameters and note of every request, several writes as one transaction."""
    found = [(each.operation, each.params, each.note) for each in read_calls(design, pattern)]
    for group in write_groups(design, pattern):
        found += _requests_in(group)
    return found


def _requests_in(group: Group) -> list[tuple[str, dict[str, Any], str]]:
    if not group.transaction:
        notes = [_joined(group.note if number == 0 else "", each.note) for number, each in enumerate(group.calls)]
        return [(each.operation, each.params, note) for each, note in zip(group.calls, notes, strict=True)]
    note = _joined(group.note, *(each.note for each in group.calls))
    return [("TransactWriteItems", in_transaction(group.calls, group.token), note)]


def _joined(*notes: str) -> str:
    return "; ".join(dict.fromkeys(each for each in notes if each))


def statements_to_read(design: Design, pattern: PatternDesign) -> list[Statement]:
    return [each for call in read_calls(design, pattern) for each in statements(call)]


def statements_to_write(design: Design, pattern: PatternDesign) -> list[Statement]:
    """Of the pattern itself, without what goes along."""
    return [each for group in write_groups(design, pattern)[:1] for each in statements_in(group)]


def statements_in(group: Group) -> list[Statement]:
    return [each for call in group.calls for each in statements(call)]


def _sql_lines(design: Design, pattern: PatternDesign) -> Iterator[str]:
    for each in statements_to_read(design, pattern):
        yield from lines_of(each)
    for group in write_groups(design, pattern):
        yield from _group_lines(group)


def _group_lines(group: Group) -> Iterator[str]:
    found = statements_in(group)
    if group.note:
        yield remark(group.note)
    if group.transaction and len(found) > 1:
        yield f"-- these {len(found)} in one ExecuteTransaction:"
    if group.token:
        yield remark(f"its ClientRequestToken is {group.token}")
    for each in found:
        yield from lines_of(each)


def _title(pattern: PatternDesign) -> str:
    said = pattern.description or ", ".join(pattern.entities)
    return f"{pattern.id}: {said}"


def _sql(design: Design) -> Iterator[str]:
    yield remark(f"Access patterns of {_title_of(design)}, with the keys of sample items.")
    for pattern in design.patterns:
        yield f"\n{remark(_title(pattern))}"
        yield from _sql_lines(design, pattern)


def _title_of(design: Design) -> str:
    return design.title or design.name


def _script(design: Design) -> Iterator[str]:
    yield "#!/bin/sh"
    yield comment(f"Access patterns of {_title_of(design)}, with the keys of sample items.")
    yield comment(HERE)
    yield "set -eu"
    for pattern in design.patterns:
        yield f"\n{comment(_title(pattern))}"
        for operation, params, note in requests_of(design, pattern):
            if note:
                yield comment(note)
            yield command(operation, params)


def _page(design: Design) -> str:
    lines = [
        f"# Requests of {inline(_title_of(design))}",
        "",
        "Every access pattern, with the keys of the design's sample items filled in. A put is shown for an item that",
        "is not there yet, an update with new values. The calls of the SDKs take this for granted:",
        "",
        SETUP,
    ]
    for pattern in design.patterns:
        lines += ["", f"## {inline(_title(pattern))}", *_pattern_lines(design, pattern)]
    return "\n".join([*lines, ""])


def _pattern_lines(design: Design, pattern: PatternDesign) -> Iterator[str]:
    requests = requests_of(design, pattern)
    notes = [note for _, _, note in requests if note]
    if notes:
        yield from ("", *(f"- {paragraph(note)}" for note in dict.fromkeys(notes)))
    fences = {
        "sql": list(_sql_lines(design, pattern)),
        "sh": [command(operation, params) for operation, params, _ in requests],
        "js": [javascript(operation, params) for operation, params, _ in requests],
        "python": [python(operation, params) for operation, params, _ in requests],
    }
    for language, found in fences.items():
        yield from ("", *fenced(language, found))
