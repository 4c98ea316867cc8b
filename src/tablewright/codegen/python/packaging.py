"""What stands around the code of a package: its front, its settings, a page for people, and a small test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tablewright.codegen.entities import detail_item, main_item, own_attributes, put_entity
from tablewright.codegen.functions import returns
from tablewright.codegen.names import words_of
from tablewright.codegen.python.literals import INDENT, Code, docstring, invoke, print_code
from tablewright.codegen.python.names import parameter_names
from tablewright.codegen.python.parts import entity_class
from tablewright.codegen.python.patterns import import_line
from tablewright.report.markdown import in_cell, inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import ItemType, PatternDesign


def init_file(found: NamedDesign) -> str:
    design = found.design
    return docstring([f"{design.title or design.name} on DynamoDB: entities and access patterns."]) + "\n"


def settings(found: NamedDesign, modules: Iterable[str], needs: str = "tablewright") -> str:
    """`modules`: paths of all files of the package, whose folders are what an installation copies."""
    folders = sorted({each.rpartition("/")[0] for each in modules if each.endswith("/__init__.py")})
    packages = [each.replace("/", ".") for each in folders if not each.endswith("/tests")]
    return "\n".join(
        [
            "[build-system]",
            'requires = ["setuptools>=61"]',
            'build-backend = "setuptools.build_meta"',
            "",
            "[project]",
            f"name = {json.dumps(_distribution_name(found))}",
            'version = "0.1.0"',
            'requires-python = ">=3.11"',
            f"dependencies = {json.dumps([needs])}",
            "",
            "[tool.setuptools]",
            f"packages = {json.dumps(packages)}",
            "",
            "[tool.setuptools.package-data]",
            f'{found.package} = ["py.typed"]',
            "",
            "[tool.pytest.ini_options]",
            f"testpaths = {json.dumps([found.package])}",
            "",
            "[tool.pyright]",
            'typeCheckingMode = "strict"',
            "",
        ]
    )


def _distribution_name(found: NamedDesign) -> str:
    """As installers take it: words of letters and digits, with one hyphen between two."""
    return "-".join(each.lower() for each in words_of(found.design.name)) or found.package.strip("_")


# ---- README ---------------------------------------------------------------------------------------------------------


def readme(found: NamedDesign) -> str:
    design = found.design
    first = example_pattern(found)
    return "\n".join(
        [
            f"# {inline(design.title or design.name)}",
            "",
            "Typed entities and access patterns of a DynamoDB design, one function each, blocking and awaited.",
            "",
            "```python",
            "import tablewright as tw",
            f"from {found.package} import patterns, patterns_async",
            "",
            "db = tw.Database.aws()  # tw.Database.embedded() needs no DynamoDB",
            f"answer = {example(found, first, 'patterns', 'db')}",
            "",
            "adb = tw.AsyncDatabase.aws()",
            f"answer = {example(found, first, 'await patterns_async', 'adb')}",
            "```",
            "",
            *table(found),
        ]
    )


def table(found: NamedDesign) -> Iterator[str]:
    yield from ("| pattern | what | function | gives |", "| --- | --- | --- | --- |")
    for each in found.design.patterns:
        said = f"| {in_cell(each.id)} | {in_cell(each.description)} |"
        yield f"{said} `{found.functions[each.id]}` | {GIVES[returns(each)]} |"
    yield ""


GIVES = {"item": "one, or None", "items": "a page", "number": "a number", "nothing": ""}


def example_pattern(found: NamedDesign) -> PatternDesign:
    reads = [each for each in found.design.patterns if each.kind != "write"]
    return reads[0] if reads else found.design.patterns[0]


def example(found: NamedDesign, pattern: PatternDesign, module: str, database: str) -> str:
    names = parameter_names(pattern)
    given = {names[each.name]: Code(EXAMPLES.get(each.type, "...")) for each in pattern.parameters if each.required}
    return print_code(invoke(f"{module}.{found.functions[pattern.id]}", Code(database), **given), 0, 9)


EXAMPLES = {"string": '"..."', "timestamp": '"2026-01-01T00:00:00.000Z"', "number": "1", "boolean": "True"}


# ---- a test ---------------------------------------------------------------------------------------------------------


def test_file(found: NamedDesign) -> str:
    """Every put of a whole entity with a sample, which is found then."""
    puts = list(_sample_puts(found))
    names = sorted({*found.services.values(), *(entity_class(found, each.entities[0]) for each, _ in puts)})
    imports = ["from .. import patterns"] if puts else []
    imports += [import_line("..entities", names, "\n".join(names))]
    head = docstring(["Sample items, put on a database in memory."])
    start = f"{head}\n\nfrom __future__ import annotations\n\nimport tablewright as tw\n\n" + "\n".join(imports)
    tests = [_sample_test(found, each, item) for each, item in puts] or [_empty_test()]
    return "\n\n\n".join([start, _create_tables(found), *tests]) + "\n"


def _sample_puts(found: NamedDesign) -> Iterator[tuple[PatternDesign, ItemType]]:
    """Of samples that can be written down as JSON has them, and that need nothing to be there before."""
    for each in found.design.patterns:
        if any(step.operation == "ConditionCheck" for step in each.writes):
            continue
        whole = put_entity(found.design, each)
        item = None if whole is None else main_item(found.design, whole)
        if (
            item is None
            or item.kind != "entity"
            or not item.sample
            or detail_item(found.design, item.entity) is not None
        ):
            continue
        if each.reads or any(own.type in ("binary", "set") for own in item.attributes):
            continue
        yield each, item


def _create_tables(found: NamedDesign) -> str:
    lines = ["def database() -> tw.Database:", f"{INDENT}db = tw.Database.embedded()"]
    lines += [f"{INDENT}db.create({each})" for each in found.services.values()]
    return "\n".join([*lines, f"{INDENT}return db"])


def _empty_test() -> str:
    return f"def test_tables_are_made() -> None:\n{INDENT}database().close()"


def _sample_test(found: NamedDesign, pattern: PatternDesign, item: ItemType) -> str:
    names = found.attributes[item.name]
    own = [each.name for each in own_attributes(found.design, item) if each.name in item.sample]
    values = {names[name]: item.sample[name] for name in own}
    kind, name, first = entity_class(found, item.entity), found.functions[pattern.id], item.id[0]
    lines = [
        f"def test_{name}() -> None:",
        f"{INDENT}db = database()",
        f"{INDENT}sample = {print_code(invoke(kind, **values), 1, 9)}",
        f"{INDENT}patterns.{name}(db, sample)",
        f"{INDENT}found = list(db.iter({kind}.scan()))",
        f"{INDENT}assert [each.{names[first]} for each in found] == [sample.{names[first]}]",
    ]
    return "\n".join(lines)
