"""For each language the one place that makes code of a text: what it makes means that text, and nothing else."""

from __future__ import annotations

import ast
import html
import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import graphql
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tablewright.codegen.appsync.project import description
from tablewright.codegen.examples import partiql, shell
from tablewright.codegen.infrastructure import cdk_python, cdk_typescript, cloudformation, hcl
from tablewright.codegen.infrastructure.cdk import JoinedText, Property
from tablewright.codegen.infrastructure.policies import escape_pattern
from tablewright.codegen.infrastructure.resources import prose
from tablewright.codegen.python import literals as python
from tablewright.codegen.stepfunctions import jsonata
from tablewright.codegen.typescript import literals as typescript
from tablewright.report import markdown
from tablewright.report.html.escape import plain
from tests.codegen.hostile import TEXTS

if TYPE_CHECKING:
    from tests.conftest import Node

PIECES = [
    *"'\"`\\$%{}()*/<>&|;#-~!_[]: \n\r\t\x00\x0b\x0c\x1c\x85\u2028\u2029\ue000\U0010ffff",
    *"abé日",
    "*/",
    "${",
    "%{",
]
PIECES += ['"""', "'''", "</script>", "<!--", "-->", "{%", "%}", "$(", "\\u0041", "{{resolve:ssm:x}}"]
ANY = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
FLAT = re.compile(r"[\x00\t\n\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]")


# ---- Python ---------------------------------------------------------------------------------------------------------


@given(ANY)
def test_a_text_in_python(text: str) -> None:
    assert ast.literal_eval(python.text(text)) == text
    assert "\n" not in python.text(text)


@given(ANY, ANY)
def test_an_f_string(first: str, last: str) -> None:
    code = python.interpolate([first, python.Code("x"), last])
    assert eval(code, {"x": "value"}) == f"{first}value{last}"


@given(st.lists(ANY, min_size=1, max_size=3), st.sampled_from(["", "    "]))
def test_a_docstring(paragraphs: list[str], indent: str) -> None:
    code = (
        f"def f():\n{indent or '    '}pass\n" if not indent else f"def f():\n{python.docstring(paragraphs, indent)}\n"
    )
    tree = ast.parse(code if indent else python.docstring(paragraphs))
    assert len(tree.body) == 1
    body = tree.body[0].body if indent else tree.body  # type: ignore[attr-defined]
    assert len(body) == 1
    assert isinstance(body[0].value, ast.Constant)


@pytest.mark.parametrize("text", ['ends in a "quote"', '"quoted"', "a \\", '\\"', '"', '""', '""""', 'x\\"'])
def test_a_docstring_beside_quotes(text: str) -> None:
    (said,) = ast.parse(python.docstring([text])).body
    assert said.value.value.replace("'''", '"""') == text  # type: ignore[attr-defined]


def test_an_index_name_in_the_cdk() -> None:
    """Also where nobody has checked the design."""
    name = '`; require("child_process"); "; import os; {x}'
    joined = JoinedText((Property("shopTable", "tableArn"), f"/index/{name}"))
    assert ast.unparse(ast.parse(cdk_python.print_node(joined, 0))).count("os") == 1
    (said,) = ast.parse(cdk_python.print_node(joined, 0)).body
    parts = said.value.values  # type: ignore[attr-defined]
    assert [type(each) for each in parts] == [ast.FormattedValue, ast.Constant]
    assert parts[1].value == f"/index/{name}"
    assert cdk_typescript.print_node(joined, 0).count("`") - cdk_typescript.print_node(joined, 0).count("\\`") == 2


# ---- JavaScript and JSONata -----------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=5)
@given(st.lists(ANY, min_size=150, max_size=200))
def test_texts_in_javascript_and_jsonata(node: Node, texts: list[str]) -> None:
    texts = [*TEXTS, *texts]
    scripts = [typescript.text(each) for each in texts]
    scripts += [typescript.interpolate([each, typescript.Code("x"), each]) for each in texts]
    scripts += [f"Object.keys({{ {typescript.key(each)}: 1 }})[0]" for each in texts]
    scripts += [f"{typescript.comment([each, each])} 1" for each in texts]
    held = [jsonata.escape(each) for each in texts]
    expressions = [jsonata.text(each) for each in texts] + [jsonata.merge_expression(each) for each in held]
    expressions += [f"$exists({jsonata.input_path(each)})" for each in texts]
    expressions += [f"$exists(${jsonata.variable_name(each)})" for each in texts]
    found = node.run("hostile_texts.cjs", {"scripts": scripts, "expressions": expressions})
    assert found["scripts"] == [*texts, *(f"{each}value{each}" for each in texts), *texts, *([1] * len(texts))]
    assert found["expressions"] == [*texts, *texts, *([False] * 2 * len(texts))]
    assert not any(isinstance(each, str) and each in texts and each.startswith("{%") for each in held)


# ---- shell ----------------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=5)
@given(st.lists(ANY, min_size=50, max_size=80))
def test_texts_in_a_shell(texts: list[str]) -> None:
    texts = [*TEXTS, *texts]
    lines = [f"{shell.comment(each)}\nprintf '%s\\0' {shell.word(each)}" for each in texts]
    done = subprocess.run(["/bin/sh"], input="\n".join(lines).encode(), capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[:-1] == [each.replace("\0", "") for each in texts]


def test_a_line_break_in_a_condition_is_no_command() -> None:
    assert shell.comment("only if a = 1\ntouch hacked\r\nb") == "# only if a = 1 touch hacked b"
    assert partiql.remark("only if a = 1\nDROP\u2028b") == "-- only if a = 1 DROP b"


# ---- configuration --------------------------------------------------------------------------------------------------


@given(ANY)
def test_a_text_in_yaml(text: str) -> None:
    assert yaml.safe_load(cloudformation.yaml_text({"a": text, text: [text]})) == {"a": text, text: [text]}


@given(ANY)
def test_a_text_in_a_substitution(text: str) -> None:
    (said,) = cloudformation.substitute({"Ref": "Table"}, text).values()
    rest = said.removeprefix("${Table}")
    assert not re.search(r"\$\{(?!!)", rest)
    assert rest.replace("${!", "${") == text


@given(ANY)
def test_nothing_is_looked_up_by_cloudformation(text: str) -> None:
    assert "{{resolve:" not in prose(text)
    assert "\n" not in prose(text)


@example("$${{resolve:ssm:x}}")
@example("%%%{x}%${{y}")
@given(ANY)
def test_a_text_in_terraform(text: str) -> None:
    said = hcl.quote(text)
    assert "\n" not in said
    assert not re.search(r"\$\{|%\{", re.sub(r"(?<!\$)\$\$\{|(?<!%)%%\{", " ", said)), said
    escapes = said[1:-1].replace("$${", "${").replace("%%{", "%{")
    assert re.fullmatch(r'"(?:[^"\\]|\\["\\nrt]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8})*"', said, re.DOTALL)
    assert unescaped(escapes) == text


def unescaped(text: str) -> str:
    plain_ones = {"n": "\n", "r": "\r", "t": "\t"}
    return re.sub(
        r"\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(.))",
        lambda found: chr(int(found[1] or found[2], 16)) if not found[3] else plain_ones.get(found[3], found[3]),
        text,
        flags=re.DOTALL,
    )


@pytest.mark.skipif(shutil.which("terraform") is None, reason="there is no terraform here")
def test_texts_as_terraform_itself_reads_them(tmp_path: Any) -> None:
    texts = [each for each in TEXTS if "\0" not in each]
    lines = f"jsonencode([{', '.join(hcl.quote(each) for each in texts)}])\n"
    done = subprocess.run(
        ["terraform", "console"], cwd=tmp_path, input=lines, capture_output=True, text=True, check=True
    )
    assert json.loads(json.loads(done.stdout)) == [*texts]


def test_a_pattern_of_iam_has_no_stars_of_a_text() -> None:
    assert escape_pattern("A*B?C$D#") == "A${*}B${?}C${$}D#"


@given(ANY)
def test_a_description_in_graphql(text: str) -> None:
    tree = graphql.parse(f"{description(text)} scalar X")
    assert tree.definitions[0].description.value == " ".join(  # type: ignore[attr-defined]
        "".join(each if each.isprintable() else " " for each in text).split()
    )


# ---- documents ------------------------------------------------------------------------------------------------------


def shown(text: str) -> str:
    """What somebody reads: one paragraph."""
    made = MarkdownIt("commonmark").enable("table").render(text).removesuffix("\n")
    assert made.startswith("<p>")
    assert made.endswith("</p>")
    inner = made[3:-4]
    assert not re.search(r"<(?!/?code>)", inner), inner
    return html.unescape(re.sub(r"</?code>", "", inner))


def squeezed(text: str) -> str:
    return "".join(FLAT.sub(" ", text).replace("`", "").split())


@given(ANY)
def test_a_paragraph_in_markdown(text: str) -> None:
    said = f"x{markdown.inline(text)}x"
    assert squeezed(shown(said)) == squeezed(f"x{markdown.on_one_line(text)}x")


@given(ANY.filter(lambda each: each.strip()))
def test_the_beginning_of_a_paragraph_in_markdown(text: str) -> None:
    if squeezed(text):
        assert squeezed(shown(f"{markdown.paragraph(text)}x")) == squeezed(f"{markdown.on_one_line(text)}x")


@given(ANY)
def test_code_in_markdown(text: str) -> None:
    flat = markdown.on_one_line(text)
    if flat:
        shown = markdown.escape_bars(markdown.code(text))
        made = MarkdownIt("commonmark").enable("table").parse(f"| a |\n| --- |\n| {shown} |\n")
        cells = [each for each in made if each.type == "inline"]
        assert len(cells) == 2
        (only,) = cells[1].children or []
        assert only.type == "code_inline"
        assert only.content.strip().replace("\\|", "|") == flat.strip().replace("\\|", "|")


@given(st.lists(ANY, max_size=4))
def test_a_fence_in_markdown(lines: list[str]) -> None:
    flat = [each.replace("\r", "").replace("\0", "") for each in lines]
    (only,) = MarkdownIt("commonmark").parse("\n".join(markdown.fenced("sql", flat)))
    assert only.type == "fence"
    assert only.content == "".join(f"{each}\n" for each in flat)


@given(ANY)
def test_a_text_in_html(text: str) -> None:
    assert not re.search(r"[<>\"']", plain(text))
