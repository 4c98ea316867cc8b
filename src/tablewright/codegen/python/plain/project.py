"""The package on boto3: dataclasses, key builders, one function for every access pattern, and what these share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.entities import entity_attributes, main_item
from tablewright.codegen.names import snake
from tablewright.codegen.python.entities import aliases, strip_texts
from tablewright.codegen.python.literals import INDENT, Code, docstring, invoke, print_code
from tablewright.codegen.python.model import name_design
from tablewright.codegen.python.names import KEEPING, RUNNING, make_unique
from tablewright.codegen.python.packaging import example, example_pattern, init_file, settings, table
from tablewright.codegen.python.parts import excerpt_classes, id_classes, plain_class
from tablewright.codegen.python.patterns import function_code, import_line, known_types, step_call
from tablewright.codegen.python.project import static
from tablewright.codegen.python.requests import interpreter, requests_file, stored_file
from tablewright.codegen.python.signatures import PLAIN
from tablewright.report.markdown import inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import Design, ItemType, PatternDesign

FOLDER = "python-boto3"
STATIC = ("database", "errors", "keeping", "refusals", "values")


def python_boto3(design: Design) -> dict[str, str]:
    found = name_design(design, plain=True)
    files = {
        "__init__.py": init_file(found),
        "py.typed": "",
        "entities.py": _entities_file(found),
        "keys.py": _keys_file(found),
        "patterns.py": _patterns_file(found),
        "requests.py": requests_file(found, design.patterns),
        "stored.py": stored_file(found),
        **{f"{name}.py": static(f"{name}.py") for name in STATIC},
        **interpreter(),
        "tests/__init__.py": "",
        "tests/test_keys.py": _test_file(found),
    }
    placed = {f"{found.package}/{name}": text for name, text in files.items()}
    placed |= {"pyproject.toml": settings(found, placed, "boto3"), "README.md": _readme(found)}
    return {f"{FOLDER}/{name}": text for name, text in placed.items()}


# ---- entities -------------------------------------------------------------------------------------------------------


def _entities_file(found: NamedDesign) -> str:
    classes = [*_entities(found), *id_classes(found)]
    said = [line for line in aliases(found, classes) if not line.startswith("Number")]
    code = strip_texts("\n".join([*classes, *said]))
    standard = [
        import_line("collections.abc", ["Mapping"], code),
        import_line("dataclasses", ["dataclass"], code),
        import_line("typing", ["Any", "Literal", "Self", "TypeAlias"], code),
    ]
    own = import_line(".values", ["Number"], code)
    design = found.design
    head = docstring([f"Entities of {design.title or design.name}: what they hold."])
    imports = "\n".join(each for each in standard if each) + (f"\n\n{own}" if own else "")
    start = [head, "from __future__ import annotations", imports, *(["\n".join(said)] if said else [])]
    return "\n\n\n".join(["\n\n".join(start), *classes]) + "\n"


def _entities(found: NamedDesign) -> Iterator[str]:
    for entity in dict.fromkeys(each.entity for each in found.design.items):
        item = main_item(found.design, entity)
        about = item.notes or f"{entity}: identified by {' and '.join(item.id)}."
        yield plain_class(found, entity, found.classes[item.name], about, entity_attributes(found.design, entity))
    yield from excerpt_classes(found)


# ---- keys -----------------------------------------------------------------------------------------------------------


def _keyed_items(found: NamedDesign) -> Iterator[tuple[ItemType, str]]:
    """Item types with a key of their own, and what its builder is called."""
    taken: set[str] = set()
    for item in found.design.items:
        if item.kind != "embedded" and item.keys and not item.keys[0].native:
            name = make_unique(f"{snake(item.name)}_key", taken)
            taken.add(name)
            yield item, name


def _keys_file(found: NamedDesign) -> str:
    builders = [_key_builder(found, item, name) for item, name in _keyed_items(found)]
    code = strip_texts("\n".join(builders))
    own = [
        import_line(".entities", found.choices.values(), code),
        "from .steps.model import Item",
        "from .steps.values import keys_in",
        "from .stored import STORED",
        import_line(".values", ["Number"], code),
    ]
    head = docstring(["Keys of the table, by kind of item."])
    standard = import_line("typing", ["Any"], code)
    lines = [
        head,
        "from __future__ import annotations",
        *([standard] if standard else []),
        "\n".join(filter(None, own)),
    ]
    return "\n\n\n".join(["\n\n".join(lines), *builders]) + "\n"


def _key_builder(found: NamedDesign, item: ItemType, name: str) -> str:
    attributes = {each.name: each for each in item.attributes}
    needed = [each for each in _key_attributes(item) if each in attributes]
    names = found.attributes[item.name]
    given = [Code(f"{names[each]}: {found.type_of(attributes[each])}") for each in needed]
    head = print_code(invoke(f"def {name}", *given), 0, 0, 9)
    values = {each: Code(names[each]) for each in needed}
    kind = make_unique("kind", names.values())  # which an attribute may be called as well
    made = invoke("keys_in", Code("STORED"), Code(f"{kind}.table_keys"), Code(kind), values)
    return "\n".join(
        [
            f"{head} -> Item:",
            docstring(
                [f"Of {item.name}: {' and '.join(each.text for each in (*item.keys[0].pk, *item.keys[0].sk))}."],
                INDENT,
            ),
            f"{INDENT}{kind} = STORED.types[{print_code(item.name)}]",
            f"{INDENT}return {print_code(made, 1, 7)}",
        ]
    )


def _key_attributes(item: ItemType) -> list[str]:
    """What the table's key follows from; a shard follows from the id."""
    keys = item.keys[0]
    bucket = [keys.bucket.attribute] if keys.bucket else []
    also = item.id if keys.shards > 1 else ()
    return list(dict.fromkeys((*keys.partition, *keys.lead, *keys.rest, *bucket, *also)))


# ---- around it ------------------------------------------------------------------------------------------------------


def _test_file(found: NamedDesign) -> str:
    """Keys of the samples."""
    tests: list[str] = []
    used: list[str] = []
    for item, name in _keyed_items(found):
        if item.sample and all(each in item.sample for each in _key_attributes(item)):
            used.append(name)
            tests.append(_key_test(found, item, name))
    head = docstring(["Keys of sample items, as the design says them."])
    imports = import_line("..keys", used, "\n".join(used))
    return "\n\n\n".join([f"{head}\n\nfrom __future__ import annotations\n\n{imports}", *tests]) + "\n"


def _key_test(found: NamedDesign, item: ItemType, name: str) -> str:
    fields = [each.field for each in (*item.keys[0].pk, *item.keys[0].sk)]
    names = found.attributes[item.name]
    call = invoke(name, **{names[each]: item.sample[each] for each in _key_attributes(item)})
    wanted = {field: item.sample[field] for field in fields}
    return "\n".join(
        [
            f"def test_{name}() -> None:",
            f"{INDENT}key = {print_code(call, 1, 6)}",
            f"{INDENT}assert key == {print_code(wanted, 1, 14)}",
        ]
    )


def _readme(found: NamedDesign) -> str:
    design = found.design
    first = example_pattern(found)
    return "\n".join(
        [
            f"# {inline(design.title or design.name)}",
            "",
            "Access patterns of a DynamoDB design on boto3, one function each.",
            "",
            "```python",
            "import boto3",
            f"from {found.package} import patterns",
            f"from {found.package}.database import Database",
            "",
            'db = Database(boto3.client("dynamodb"))',
            f"answer = {example(found, first, 'patterns', 'db')}",
            "```",
            "",
            *table(found),
        ]
    )


# ---- patterns -------------------------------------------------------------------------------------------------------
# One function for every access pattern, on the requests that the design says.


def _patterns_file(named: NamedDesign) -> str:
    design = named.design
    head = docstring([f"Access patterns of {design.title or design.name}, one function each."])
    functions = [function_code(named, each, PLAIN, _body(named, each)) for each in design.patterns]
    start = "\n\n".join([head, "from __future__ import annotations", _imports(named, functions)])
    return "\n\n\n".join([start, *functions]) + "\n"


def _body(named: NamedDesign, pattern: PatternDesign) -> list[str]:
    head = "" if pattern.writes else "return "
    found = step_call(named, pattern, 2)
    sent = invoke(found.name, Code("db"), *found.arguments)
    return [f"{INDENT}{head}{print_code(sent, 1, len(head))}"]


def _imports(named: NamedDesign, functions: Iterable[str]) -> str:
    code = strip_texts("\n".join(functions))
    standard = [import_line("collections.abc", ["Sequence"], code), import_line("typing", ["Any"], code)]
    own = [
        import_line(".", ["requests"], code),
        import_line(".database", ["Database", "Page", *RUNNING], code),
        import_line(".entities", known_types(named), code),
        import_line(".keeping", KEEPING, code),
        import_line(".stored", ["STORED"], code),
        import_line(".values", ["Number"], code),
    ]
    sections = [[each for each in lines if each] for lines in (standard, own)]
    return "\n\n".join("\n".join(each) for each in sections if each)
