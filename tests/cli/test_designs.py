"""Designs on the command line, run as people and pipes run them."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablewright.cli.designs import VERDICT_FAILED
from tablewright.cli.main import main

SPEC = """\
name: shop
entities:
  Customer: {id: [customerId], attributes: {customerId: string, email: {type: string, required: true}}, count: 1000}
  Order:
    id: [orderId]
    attributes:
      orderId: string
      customerId: {type: string, required: true}
      status: {type: string, values: [open, done], required: true}
      placedAt: {type: timestamp, required: true}
    count: 5000
relationships:
  - {from: Customer, to: Order, kind: one-to-many, avg: 5}
access_patterns:
  - {id: AP1, description: a customer, kind: get, entity: Customer, by: [customerId], rate: 5}
  - {id: AP2, description: an order, kind: get, entity: Order, by: [orderId], rate: 5}
  - {id: AP3, description: orders of a customer, kind: query, entity: Order, by: [customerId], sort: placedAt desc}
  - {id: AP4, description: place an order, kind: write, op: put, entity: Order, by: [orderId], rate: 0.1}
  - {id: AP5, description: finish an order, kind: write, op: update, entity: Order, by: [orderId], changes: [status]}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.yaml").write_text(SPEC)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command that must succeed prints on stdout."""
    status = main(arguments)
    said = capsys.readouterr()
    assert (status, said.err if "-o" not in arguments else "") == (0, "")
    return said.out


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    try:
        status = main(arguments)
    except SystemExit as usage:
        status = int(str(usage.code))
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    return status, said.err


# ---- design ---------------------------------------------------------------------------------------------------------


def test_the_overview_says_what_matters(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "design", "shop.yaml", "--key-style", "plain")
    for section in ("Table", "Items and their keys", "Access patterns", "Heat", "Cost", "Assumptions", "Proof"):
        assert f"\n{section}\n{'-' * len(section)}\n" in shown
    assert "1 table, 1 GSI, " in shown
    assert "CUSTOMER#{customerId}" in shown
    assert "orders of a customer  " in shown
    assert "not proven yet" in shown
    assert "\x1b" not in shown


def test_json_is_the_design_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "design", "shop.yaml", "--json", "--prove", "--quick"))
    assert found["format"] == "tablewright-design"
    assert len(found["tables"][0]["gsis"]) == 1
    assert found["proof"]["passed"] is True


def test_markdown_has_everything_and_well_formed_tables(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "design", "shop.yaml", "--markdown")
    assert shown.startswith("# shop\n")
    for section in ("Every pattern in detail", "Ways of paying", "Partitions at peak", "Conventions"):
        assert section in shown
    blocks = [block.splitlines() for block in shown.split("\n\n") if block.startswith("| ")]
    assert len(blocks) > 5
    for lines in blocks:
        assert len({line.replace("\\|", "").count("|") for line in lines}) == 1


def test_options_win_over_the_spec(capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.loads(
        run(capsys, "design", "shop.yaml", "--json", "--quick", "--key-style", "plain", "--minimise", "gsis")
    )
    assert (plain["key_style"], plain["aim"]) == ("plain", "gsis")
    assert plain["spec"]["constraints"]["key_style"] == "plain"


def test_a_price_file_changes_the_bill(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "prices.yaml").write_text("region: eu-south-9\nread_per_million: 125\nwrite_per_million: 625\n")
    usual = json.loads(run(capsys, "design", "shop.yaml", "--json", "--quick"))
    dear = json.loads(run(capsys, "design", "shop.yaml", "--json", "--quick", "--prices", "prices.yaml"))
    assert dear["cost"]["prices"]["region"] == "eu-south-9"
    assert dear["cost"]["read_usd_per_month"] == pytest.approx(1000 * usual["cost"]["read_usd_per_month"])


def test_several_regions_have_a_bill_each(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "prices.yaml").write_text("regions:\n  eu-south-9: {read_per_million: 0.2, write_per_million: 1}\n")
    (folder / "wide.yaml").write_text(f"regions: [us-east-1, eu-south-9]\n{(folder / 'shop.yaml').read_text()}")
    _, said = failure(capsys, "design", "wide.yaml", "--quick")
    assert "the prices of eu-south-9 are not known" in said
    run(capsys, "design", "wide.yaml", "--quick", "--prices", "prices.yaml", "-o", "wide")
    assert "By region" in run(capsys, "cost", "wide/design.json")
    made = json.loads((folder / "wide" / "design.json").read_text())
    assert [each["region"] for each in made["cost"]["regions"]] == ["us-east-1", "eu-south-9"]
    assert "replicas in us-east-1, eu-south-9 (home: us-east-1)" in (folder / "wide" / "design.md").read_text()


def test_a_design_is_designed_again_from_its_own_spec(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "design", "shop.yaml", "--quick", "-o", "out")
    again = run(capsys, "design", "out/design.json", "--quick", "--json")
    assert again == Path("out/design.json").read_text()


def test_keep_prices_the_change(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "design", "shop.yaml", "--quick", "-o", "out")
    more = "  - {id: AP6, description: orders by status, kind: query, entity: Order, by: [status], rate: 1}\n"
    (folder / "more.yaml").write_text(SPEC + more)
    kept = json.loads(run(capsys, "design", "more.yaml", "--quick", "--keep", "out/design.json", "--json"))
    assert kept["change"]["moved"] == []
    assert any("Order" in each for each in kept["change"]["added"])


# ---- files ----------------------------------------------------------------------------------------------------------


def test_output_is_written_again_unless_somebody_edited_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "design", "shop.yaml", "--quick", "-o", "out")
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        ".tablewright.json",
        "design.json",
        "design.md",
    ]
    run(capsys, "design", "shop.yaml", "--quick", "-o", "out", "--key-style", "plain")
    assert "CUSTOMER#" in (folder / "out" / "design.md").read_text()
    (folder / "out" / "design.md").write_text("my own words\n")
    before = (folder / "out" / "design.json").read_text()
    status, told = failure(capsys, "design", "shop.yaml", "--quick", "-o", "out")
    assert (status, told.count("\n")) == (1, 1)
    assert "out/design.md: not as Tablewright wrote it; say --force" in told
    assert (folder / "out" / "design.json").read_text() == before
    run(capsys, "design", "shop.yaml", "--quick", "-o", "out", "--force")
    assert (folder / "out" / "design.md").read_text().startswith("# shop\n")


def test_with_output_nothing_is_shown_but_where_it_went(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "shop.yaml", "--quick", "-o", "out"]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "out/design.json written\nout/design.md written\n")


# ---- faults ---------------------------------------------------------------------------------------------------------


def test_all_faults_of_a_spec_at_once_with_their_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = SPEC.replace("entity: Customer, by", "entity: Custmer, by").replace(
        "by: [orderId], rate: 5", "by: [orderIdd]"
    )
    (folder / "bad.yaml").write_text(bad)
    status, told = failure(capsys, "design", "bad.yaml")
    assert status == 1
    lines = told.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["bad.yaml:15", "bad.yaml:16"]
    assert "Customer" in lines[0]
    assert "orderId" in lines[1]


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("design", "none.yaml"), 1, "tablewright init none.yaml"),
        (("design", "shop.yaml", "--max-gsis", "many"), 2, "is not a number"),
        (("design", "shop.yaml", "--json", "--markdown"), 2, "not allowed with"),
        (("design", "shop.yaml", "--prices", "no.yaml"), 1, "no file no.yaml"),
        (("design", "shop.yaml", "--keep", "no.json"), 1, "no.json"),
        (("cost", "shop.yaml", "--traffic", "0"), 2, "is not a number above 0"),
        (("explain", "shop.yaml", "APX"), 1, 'no pattern, entity or index "APX"'),
        (("compare", "shop.yaml"), 2, "required: B"),
        (("schema", "table"), 2, "invalid choice"),
        (("nonsense",), 2, "invalid choice"),
        (("desing", "shop.yaml"), 2, "did you mean design?"),
        (("engine", "serv"), 2, "did you mean serve?"),
        (("nonsense",), 2, "see tablewright --help"),
    ],
)
def test_failures_take_a_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], status: int, told: str
) -> None:
    found, text = failure(capsys, *arguments)
    assert (found, text.count("\n")) == (status, 1)
    assert told in text


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("empty.yaml", b"", "is empty"),
        ("list.yaml", b"[1, 2]", "holds no mapping"),
        ("binary.yaml", b"\xff\xfe", "is no text in UTF-8"),
        ("broken.yaml", b"a: [1\nb: }", "is no YAML"),
    ],
)
def test_what_is_no_spec_is_refused_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, told: str
) -> None:
    (folder / name).write_bytes(content)
    status, said = failure(capsys, "design", name)
    assert (status, said.count("\n")) == (1, 1)
    assert told in said


def test_a_folder_is_no_spec_and_a_file_no_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert failure(capsys, "design", str(folder)) == (1, f"tablewright: {folder} is a folder; name the spec in it\n")
    status, said = failure(capsys, "design", "shop.yaml", "--quick", "-o", "shop.yaml")
    assert (status, said) == (1, "tablewright: shop.yaml is a file; choose a folder to write into\n")


def test_only_a_design_can_be_kept(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = failure(capsys, "design", "shop.yaml", "--quick", "--keep", "shop.yaml")
    assert (status, "a design is written by `tablewright design -o`" in said) == (1, True)


def test_what_is_too_hot_stands_first_and_assumed_writes_are_not_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "hot.yaml").write_text(
        "name: hot\nentities: {Counter: {id: name, attributes: {name: string, clicks: number}, count: 5}}\n"
        "access_patterns:\n"
        "  - {id: AP1, kind: write, op: update, entity: Counter, by: name, changes: [clicks], rate: 50000,"
        " skew: {hottest: 1.0}}\n"
    )
    assert main(("design", "hot.yaml", "--quick")) == VERDICT_FAILED
    heading, alarm, summary, *_ = capsys.readouterr().out.split("\n\n")
    assert heading.startswith("hot")
    assert "1 access pattern (1 write assumed besides) and no Scan" in " ".join(summary.split())
    assert alarm.startswith("TOO HOT: one item of ")
    assert "150,000 units" in " ".join(alarm.split())


def test_help_does_not_load_the_architect() -> None:
    script = (
        "import sys; from tablewright.cli.main import build_parser; build_parser().format_help(); print(*sys.modules)"
    )
    made = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not [name for name in made.stdout.split() if name.startswith("tablewright.architect")]


def test_a_design_of_another_version_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.json").write_text('{"format": "tablewright-design", "version": 0}')
    assert "version 0" in failure(capsys, "heat", "old.json")[1]


# ---- asking about a design ------------------------------------------------------------------------------------------


def test_prove_shows_every_pattern(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "prove", "shop.yaml")
    assert "passed: " in shown
    for pattern in ("AP1", "AP5"):
        assert f"\n{pattern} " in shown
    assert json.loads(run(capsys, "prove", "shop.yaml", "--json"))["passed"] is True


def test_cost_and_heat_at_other_traffic(capsys: pytest.CaptureFixture[str]) -> None:
    once, ten = (json.loads(run(capsys, "cost", "shop.yaml", "--json", *extra)) for extra in ((), ("--traffic", "10")))
    assert ten["read_usd_per_month"] == pytest.approx(10 * once["read_usd_per_month"])
    assert json.loads(run(capsys, "heat", "shop.yaml", "--json"))["findings"] == []
    assert main(("heat", "shop.yaml", "--json", "--traffic", "1000000")) == VERDICT_FAILED
    busy = json.loads(capsys.readouterr().out)
    assert "hot-item-read" in [each["kind"] for each in busy["findings"]]
    assert "By pattern" in run(capsys, "cost", "shop.yaml")
    assert "Partitions at peak" in run(capsys, "heat", "shop.yaml")


@pytest.mark.parametrize(("subject", "kind"), [("AP3", "pattern"), ("order", "entity"), ("gsi1", "index")])
def test_explain_finds_patterns_entities_and_indexes(
    capsys: pytest.CaptureFixture[str], subject: str, kind: str
) -> None:
    found = json.loads(run(capsys, "explain", "shop.yaml", subject, "--json"))
    assert found["kind"] == kind
    assert "AP3" in [each["id"] for each in found["patterns"]]
    assert "Keys\n----" in run(capsys, "explain", "shop.yaml", subject)


def test_explain_finds_the_design_or_spec_of_the_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from_spec = run(capsys, "explain", "AP3")
    assert from_spec.startswith("AP3: orders of a customer\n")
    assert run(capsys, "explain", "--design", "shop.yaml", "AP3") == from_spec
    run(capsys, "design", "shop.yaml", "--quick", "-o", ".", "--key-style", "plain")
    assert "CUSTOMER#" in run(capsys, "explain", "AP3")
    (folder / "design.json").unlink()
    shutil.copy("shop.yaml", "second.yaml")
    assert "several specs are here" in failure(capsys, "explain", "AP3")[1]


def test_compare_tells_what_differs_and_when_nothing_does(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Same keys, same indexes" in run(capsys, "compare", "shop.yaml", "shop.yaml")
    (folder / "less.yaml").write_text("".join(line + "\n" for line in SPEC.splitlines() if "AP3" not in line))
    found: dict[str, Any] = json.loads(run(capsys, "compare", "shop.yaml", "less.yaml", "--json"))
    (gsis,) = [each for each in found["measures"] if each["name"] == "GSIs"]
    assert (gsis["one"], gsis["other"]) == (1, 0)
    assert [each["subject"] for each in found["indexes"]] == ["gsi1"]
    assert {"subject": "Order", "place": "gsi1"}.items() <= found["keys"][0].items()
    assert "AP3" in [each["pattern"] for each in found["patterns"]]
    shown = run(capsys, "compare", "shop.yaml", "less.yaml")
    assert "Keys that differ" in shown
    assert "(none)" in shown


# ---- on a terminal --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 120])
def test_on_a_terminal_it_has_colour_and_fits(width: int) -> None:
    """A real terminal, because that is what decides about colours."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(width), "TERM": "xterm-256color", "NO_COLOR": ""}
    environment.pop("NO_COLOR")
    command = [sys.executable, "-m", "tablewright.cli", "design", "shop.yaml", "--quick"]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=environment) as process:
        os.close(theirs)
        shown = read_all(ours)
        assert process.wait() == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert "\x1b[" in shown
    plain = without_colours(shown)
    assert "Items and their keys" in plain
    assert max(map(len, plain.splitlines())) <= width


def test_on_a_terminal_it_says_what_it_is_doing() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tablewright.cli", "design", "shop.yaml", "--prove"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = without_colours(read_all(ours))
        assert process.wait() == 0
    assert shown.index("searching") < shown.index("explaining") < shown.index("asking") < shown.index("proving")


def read_all(handle: int) -> str:
    found = b""
    while True:
        try:
            chunk = os.read(handle, 65536)
        except OSError:  # Linux tells the end of a terminal so
            chunk = b""
        if not chunk:
            os.close(handle)
            return found.decode()
        found += chunk


def without_colours(text: str) -> str:
    import re

    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")


def test_without_rich_a_terminal_gets_plain_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "rich.console", None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "Items and their keys\n---" in run(capsys, "design", "shop.yaml", "--quick")
