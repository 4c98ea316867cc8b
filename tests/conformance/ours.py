"""What we do where we differ from ElectroDB by choice: a difference is no licence to do anything at all.

`python -m tests.conformance.ours` writes `ours.json` anew; read the difference before you keep it.
"""

from __future__ import annotations

import json
import logging
from decimal import Decimal
from pathlib import Path
from typing import Any

from tablewright.errors import TablewrightError
from tests.conformance.electrodb.run import outcome_of

HERE = Path(__file__).parent
OURS = HERE / "ours.json"
CHOSEN = [line.split() for line in (HERE / "chosen.txt").read_text(encoding="utf-8").splitlines()]


def ours() -> dict[str, Any]:
    """By file and case: what comes out here."""
    found: dict[str, Any] = {}
    for name in dict.fromkeys(file for file, _, _ in CHOSEN):
        recorded = json.loads((HERE / name).read_text(encoding="utf-8"))
        cases = {case["id"]: case for case in recorded["cases"]}
        for case in (case for file, case, _ in CHOSEN if file == name):
            found[f"{name} {case}"] = told(outcome_of(recorded["models"], cases[case]))
    return found


def told(value: Any) -> Any:
    """An outcome as JSON."""
    if isinstance(value, TablewrightError):
        return {"code": value.code, "message": value.message}
    if isinstance(value, Exception):
        return {"raised": type(value).__name__, "message": str(value)}
    if isinstance(value, set | frozenset):
        return {"$set": sorted((told(each) for each in value), key=repr)}
    if isinstance(value, dict):
        return {name: told(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [told(each) for each in value]
    return float(value) if isinstance(value, Decimal) else value


def main() -> None:
    logging.getLogger("tablewright").setLevel(logging.ERROR)  # recorded chains do what one is warned of
    lines = [f"{json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}" for name, each in ours().items()]
    OURS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
