"""The runner itself: what passes, what is refused, and where the message points."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.markdown import anchors, blocks, links, sections
from tests.docs.page import PageError, run_page
from tests.docs.refresh import refreshed


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def run_text(text: str) -> int:
        page = tmp_path / "page.md"
        page.write_text(text)
        monkeypatch.chdir(tmp_path)
        return run_page(page, tmp_path)

    return run_text


def test_blocks_share_one_namespace(run) -> None:
    assert run("```python\nx = 1\n```\ntext\n```python\nassert x == 1\n```\n") == 2


def test_annotations_resolve_through_the_module(run) -> None:
    lines = [
        "from __future__ import annotations",
        "import typing",
        "class A: ...",
        "class B:",
        "    a: A",
        "assert typing.get_type_hints(B) == {'a': A}",
    ]
    run("```python\n" + "\n".join(lines) + "\n```\n")


def test_output_is_compared(run) -> None:
    run("```python\nprint('a ')\nprint('b')\n```\n```text output\na\nb\n```\n")
    with pytest.raises(PageError, match=r"page\.md:5"):
        run("```python\nprint('a')\n```\n```text output\nb\n```\n")


def test_json_output_ignores_layout(run) -> None:
    run('```python\nprint(\'{"a": [1]}\')\n```\n```json output\n{\n  "a": [\n    1\n  ]\n}\n```\n')
    with pytest.raises(PageError, match="the page shows"):
        run("```python\nprint('1')\n```\n```json output\n2\n```\n")


def test_output_needs_a_block_before_it(run) -> None:
    with pytest.raises(PageError, match="without a Python block"):
        run("```text output\na\n```\n")


def test_file_blocks_are_written(run) -> None:
    code = "import pathlib\nassert pathlib.Path('data.json').read_text() == '[1]\\n'"
    assert run(f"```json file: data.json\n[1]\n```\n```python\n{code}\n```\n") == 1


def test_skipping_needs_a_reason(run) -> None:
    assert run("```python skip: needs a table on AWS\n1 / 0\n```\n") == 0
    with pytest.raises(PageError, match="needs its reason"):
        run("```python skip\n1 / 0\n```\n")


@pytest.mark.parametrize("info", ["py", "pycon", "python3", "python no-run"])
def test_no_other_way_around_execution(run, info: str) -> None:
    with pytest.raises(PageError, match=r"page\.md:2"):
        run(f"```{info}\n1 / 0\n```\n")


def test_errors_point_at_the_page(run) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        run("# Title\n\n```python\n1 / 0\n```\n")
    frame = caught.traceback[-1]
    assert (Path(str(frame.path)).name, frame.lineno + 1) == ("page.md", 4)


def test_indented_and_long_fences() -> None:
    found = list(blocks("- item\n  ````python\n  a = '''\n  ```\n  '''\n  ````\n"))
    assert [block.source for block in found] == ["a = '''\n```\n'''\n"]


def test_an_open_fence_is_an_error() -> None:
    with pytest.raises(ValueError, match="line 1 is never closed"):
        list(blocks("```python\n1\n"))


def test_links_outside_code_only() -> None:
    text = '[a](b.md) and `[c](d.md)` and [e](f.md#g "title")\n```\n[h](i.md)\n```\n![j](k.png)'
    assert links(text) == ["b.md", "f.md#g", "k.png"]


def test_anchors_as_github_spells_them() -> None:
    text = '# Hello, World!\n## `where` and more\n## Again\n## Again\n<a id="1009"></a>\n'
    assert anchors(text) == {"hello-world", "where-and-more", "again", "again-1", "1009"}


def test_outputs_can_be_refreshed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint('a')\nprint('b')\n```\n\n```text output\nold\n```\nend\n")
    assert refreshed(page, tmp_path) == "```python\nprint('a')\nprint('b')\n```\n\n```text output\na\nb\n```\nend\n"


def test_commands_are_run_and_must_succeed(run) -> None:
    run("```sh run\ntablewright schema service\n```\n")
    with pytest.raises(PageError, match=r"page\.md:2: the status is 1"):
        run("```sh run\ntablewright design nothing.yaml\n```\n")
    run("```sh fails\ntablewright design nothing.yaml\n```\n")
    with pytest.raises(PageError, match="cannot be run"):
        run("```sh run\nrm x\n```\n")


PRINTED = "A\n=\n\na\n\nB b\n---\n\nb\n\nC\n-\nc\n"


def test_sections_of_an_output(run) -> None:
    assert sections(PRINTED, "A | B b") == "A\n=\n\na\n\nB b\n---\n\nb\n\n…\n"
    assert sections(PRINTED, "C") == "…\n\nC\n-\nc\n"
    assert sections(PRINTED, "A[:3] | C") == "A\n=\n\n…\n\nC\n-\nc\n"
    with pytest.raises(ValueError, match='no section "D"'):
        sections(PRINTED, "D")
    with pytest.raises(PageError, match=r"page\.md:5"):
        run(f"```python\nprint({PRINTED!r})\n```\n```text output: C\nwrong\n```\n")


WRITES = "```markdown file: d.md\n# T\nx\n## H\n\ny\n```\n"


def test_what_is_taken_from_a_file(run) -> None:
    run(f"{WRITES}<!-- from d.md: H -->\n\ny\n\n<!-- end -->\n")
    with pytest.raises(PageError, match="says under H"):
        run(f"{WRITES}<!-- from d.md: H -->\n\nz\n\n<!-- end -->\n")
    with pytest.raises(ValueError, match='no heading "I"'):
        run(f"{WRITES}<!-- from d.md: I -->\n<!-- end -->\n")


def test_what_is_taken_from_a_file_can_be_refreshed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(f"{WRITES}<!-- from d.md: H -->\nold\n<!-- end -->\nend\n")
    assert refreshed(page, tmp_path) == f"{WRITES}<!-- from d.md: H -->\n\ny\n\n<!-- end -->\nend\n"
