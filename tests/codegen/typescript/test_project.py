"""What a generated package consists of, without running it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from tablewright.codegen.electrodb.patterns import ELECTRO
from tablewright.codegen.electrodb.project import electrodb, refuses
from tablewright.codegen.typescript.literals import Code, comment, key, literal, text
from tablewright.codegen.typescript.names import function_names, interface_names
from tablewright.codegen.typescript.patterns import READS
from tablewright.codegen.typescript.project import typescript
from tablewright.errors import DesignError
from tests.codegen.designs import NAMES, styled_case
from tests.codegen.nasty import nasty
from tests.codegen.specials import SPECIALS, special

if TYPE_CHECKING:
    from tablewright.design.model import Design

FUNCTION = re.compile(r"^export (?:async )?function (\w+)\(", re.MULTILINE)
LONGEST_LINE = 120
STYLES = ("electrodb", "plain")


def functions_in(files: dict[str, str]) -> list[str]:
    return [name for path, code in files.items() if "/patterns" in path for name in FUNCTION.findall(code)]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", [*NAMES, *SPECIALS])
def test_every_access_pattern_has_its_function(name: str, style: str) -> None:
    design = styled_case(name, style) if name in NAMES else special(name, style)
    packages = [typescript(design), *([electrodb(design)] if refuses(design) is None else [])]
    for files in packages:
        found = functions_in(files)
        assert sorted(found) == sorted(function_names(design).values())
        assert len(found) == len(design.patterns)
        whole = "\n".join(files.values())
        assert not re.search(r"\bTODO\b|not implemented|unimplemented", whole, re.IGNORECASE)


@pytest.mark.parametrize("design", [styled_case("online-shop", "electrodb"), nasty("electrodb")], ids=["shop", "nasty"])
def test_lines_are_of_a_readable_length_and_the_same_every_time(design: Design) -> None:
    for made in (typescript, electrodb):
        files = made(design)
        assert files == made(design)
        for path, code in files.items():
            long = [line for line in code.splitlines() if len(line) > LONGEST_LINE]
            assert path.endswith((".json", ".md")) or not long, (path, long)


def test_the_package_says_what_it_needs() -> None:
    files = electrodb(styled_case("online-shop", "electrodb"))
    described = json.loads(files["electrodb/package.json"])
    assert described["name"] == "online-shop-electrodb"
    assert set(described["dependencies"]) == {"@aws-sdk/client-dynamodb", "@aws-sdk/lib-dynamodb", "electrodb"}
    assert json.loads(files["electrodb/tsconfig.json"])["compilerOptions"]["strict"] is True


def test_names_do_not_collide() -> None:
    names = interface_names(nasty("plain"))
    assert (names["Page"], names["order line"], names["OrderLine"]) == ("PageItem", "OrderLine", "OrderLine2")
    functions = list(function_names(nasty("plain")).values())
    assert len(functions) == len({each.lower() for each in functions})


def test_a_pattern_may_be_called_like_what_its_module_imports() -> None:
    design = styled_case("chat-system", "electrodb")
    first, *others = design.patterns
    for name in (*ELECTRO, *READS, "write", "bound"):
        if not name.startswith("type "):
            called = msgspec.structs.replace(first, id=name, description="")
            named = function_names(msgspec.structs.replace(design, patterns=(called, *others)))
            assert named[name] == f"{name}2"


def test_literals() -> None:
    assert key("a") == "a"
    assert key("a-b") == '"a-b"'
    assert key("__proto__") == '["__proto__"]'
    assert text('a"\n\u2028') == '"a\\"\\n\\u{2028}"'
    assert comment(["ends */ here"]) == "/** ends * / here */"
    assert literal({"a": [1, "b", True, None], "c": Code("x.y")}) == '{ a: [1, "b", true, null], c: x.y }'
    assert literal({"s": {"b", "a"}, "b": b"\x01"}) == '{ s: new Set(["a", "b"]), b: Uint8Array.from([1]) }'


# ---- what is refused ------------------------------------------------------------------------------------------------


def test_plain_keys_are_written_by_electrodb_of_one_version() -> None:
    """They rest on how ElectroDB formats values, which each entity tries out; its own keys on nothing of that kind."""
    plain, own = (electrodb(styled_case("chat-system", style)) for style in ("plain", "electrodb"))
    assert '"electrodb": "3.9.3"' in plain["electrodb/package.json"]
    assert '"electrodb": "^3.9.3"' in own["electrodb/package.json"]
    assert "withKeys(new Entity(" in plain["electrodb/src/service.ts"]
    assert "electrodb/src/keys.ts" not in own
    assert "withKeys" not in own["electrodb/src/service.ts"]


def with_attribute(design: Design, name: str) -> Design:
    first, *others = design.items
    more = msgspec.structs.replace(first.attributes[-1], name=name)
    changed = msgspec.structs.replace(first, attributes=(*first.attributes, more))
    return msgspec.structs.replace(design, items=(changed, *others))


def test_attributes_that_javascript_cannot_hold() -> None:
    design = styled_case("chat-system", "electrodb")
    with pytest.raises(DesignError, match="__proto__"):
        typescript(with_attribute(design, "__proto__"))
    with pytest.raises(DesignError, match="toString"):
        electrodb(with_attribute(design, "toString"))
