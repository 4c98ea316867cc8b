"""The examples as one page to read, and as two files to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.examples.calls import Call, calls_of
from tablewright.codegen.examples.commands import command, in_transaction, javascript, python
from tablewright.codegen.examples.partiql import statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.design.model import Design, PatternDesign

FOLDER = "examples"


def examples(design: Design) -> dict[str, str]:
    return {
        f"{FOLDER}/README.md": page(design),
        f"{FOLDER}/partiql.sql": "\n".join(sql(design)) + "\n",
        f"{FOLDER}/aws-cli.sh": "\n".join(script(design)) + "\n",
    }


def requests_of(design: Design, pattern: PatternDesign) -> list[tuple[str, dict[str, Any], str]]:
    """Operation, parameters and note of every request, several writes as one transaction."""
    calls = calls_of(design, pattern)
    reads = calls[: len(pattern.reads)]
    writes = calls[len(pattern.reads) :]
    found = [(each.operation, each.params, each.note) for each in reads]
    if pattern.transaction and writes:
        notes = "; ".join(dict.fromkeys(each.note for each in writes if each.note))
        return [*found, ("TransactWriteItems", in_transaction(writes), notes)]
    return [*found, *((each.operation, each.params, each.note) for each in writes)]


def statements_of(design: Design, pattern: PatternDesign) -> list[Call]:
    return calls_of(design, pattern)


def title(pattern: PatternDesign) -> str:
    return f"{pattern.id}: {pattern.description or ', '.join(pattern.entities)}"


def sql(design: Design) -> Iterator[str]:
    yield f"-- Access patterns of {design.title or design.name}, with the keys of sample items."
    for pattern in design.patterns:
        yield f"\n-- {title(pattern)}"
        if pattern.transaction and len(pattern.writes) > 1:
            yield "-- all of it in one ExecuteTransaction"
        for call in statements_of(design, pattern):
            if call.note:
                yield f"-- {call.note}"
            yield f"{statement(call)};"


def script(design: Design) -> Iterator[str]:
    yield "#!/bin/sh"
    yield f"# Access patterns of {design.title or design.name}, with the keys of sample items."
    yield "# --endpoint-url http://127.0.0.1:8000 talks to `tablewright engine serve`."
    yield "set -eu"
    for pattern in design.patterns:
        yield f"\n# {title(pattern)}"
        for operation, params, note in requests_of(design, pattern):
            if note:
                yield f"# {note}"
            yield command(operation, params)


def page(design: Design) -> str:
    lines = [
        f"# Requests of {design.title or design.name}",
        "",
        "Every access pattern, with the keys of the design's sample items filled in.",
    ]
    for pattern in design.patterns:
        lines += ["", f"## {title(pattern)}", *pattern_lines(design, pattern)]
    return "\n".join([*lines, ""])


def pattern_lines(design: Design, pattern: PatternDesign) -> Iterator[str]:
    requests = requests_of(design, pattern)
    notes = [note for _, _, note in requests if note]
    if notes:
        yield from ("", *(f"- {note}" for note in dict.fromkeys(notes)))
    fences = {
        "sql": [f"{statement(each)};" for each in statements_of(design, pattern)],
        "sh": [command(operation, params) for operation, params, _ in requests],
        "js": [javascript(operation, params) for operation, params, _ in requests],
        "python": [python(operation, params) for operation, params, _ in requests],
    }
    for language, found in fences.items():
        yield from ("", f"```{language}", *found, "```")
