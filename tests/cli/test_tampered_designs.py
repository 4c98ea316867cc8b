"""A design that was tampered with is refused by every command that reads one, and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright.cli.main import main
from tablewright.design.read import design_json
from tests.architect.designs import case_design

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOSTILE = '`); require("child_process").execSync("touch hacked"); (`'
COMMANDS = [
    ["design", "bad.json", "-o", "out"],
    ["design", "good.json", "--keep", "bad.json", "-o", "out"],
    ["prove", "bad.json"],
    ["cost", "bad.json"],
    ["heat", "bad.json"],
    ["explain", "bad.json", "gsi1"],
    ["compare", "bad.json", "good.json"],
    ["compare", "good.json", "bad.json"],
    ["ask", "bad.json"],
    *(
        ["generate", "bad.json", "--to", target, "-o", "out"]
        for target in ("all", "cdk-ts", "cdk-python", "terraform", "cloudformation", "python", "document", "partiql")
    ),
]


def index_name(content: dict[str, Any]) -> None:
    old = content["tables"][0]["gsis"][0]["name"]
    content["tables"][0]["gsis"][0]["name"] = HOSTILE
    for item in content["items"]:
        for keys in item["keys"]:
            keys["index"] = HOSTILE if keys["index"] == old else keys["index"]
    for pattern in content["patterns"]:
        for step in pattern["reads"]:
            step["index"] = HOSTILE if step["index"] == old else step["index"]


def condition(content: dict[str, Any]) -> None:
    written = next(each for each in content["patterns"] if each["writes"])
    written["writes"][0]["condition"] = "attribute_exists(pk)\ntouch hacked"


def step_kind(content: dict[str, Any]) -> None:
    content["patterns"][0]["reads"] = [{"operation": "Scan", "table": content["tables"][0]["name"], "pk": []}]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("tamper", "place"),
    [
        (index_name, "tables[0].gsis[0].name: "),
        (condition, ".writes[0].condition`"),
        (step_kind, "$.patterns[0].reads[0]"),
    ],
)
def test_a_tampered_design_is_refused(
    command: list[str],
    tamper: Callable[[dict[str, Any]], None],
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    content = msgspec.json.decode(design_json(case_design("online-shop")), type=dict[str, Any])
    (tmp_path / "good.json").write_bytes(msgspec.json.encode(content))
    tamper(content)
    (tmp_path / "bad.json").write_bytes(msgspec.json.encode(content))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(command))
    said = " ".join("".join(capsys.readouterr()).split())
    assert ended.value.code not in (0, None)
    assert "bad.json" in said
    assert place in said
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bad.json", "good.json"]
