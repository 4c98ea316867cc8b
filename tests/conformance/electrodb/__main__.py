"""`python -m tests.conformance.electrodb DIR ...` replays every file and ends with `N passed, N failed`."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

from tests.conformance.electrodb.run import differences, names_of_sets, outcome_of

VECTORS = Path(__file__).parent.parent / "vectors"


def replay(folder: Path) -> tuple[int, list[str], list[str]]:
    """How many cases of a folder pass, which fail, and which quirks differ by choice."""
    passed, failed, chosen = 0, list[str](), list[str]()
    for path in sorted(folder.glob("*.json")):
        recorded = json.loads(path.read_text(encoding="utf-8"))
        for case in recorded["cases"]:
            found = judge(recorded["models"], case)
            if not found:
                passed += 1
            elif "quirk" in case:
                chosen.append(f"{path.name} {case['id']} {case['title']}: {case['quirk']}")
            else:
                failed.append("\n    ".join([f"{path.name} {case['id']} {case['title']}", *found]))
    return passed, failed, chosen


def judge(models: Any, case: Any) -> list[str]:
    try:
        return differences(case["expected"], outcome_of(models, case), names_of_sets(models, case))
    except Exception as error:  # noqa: BLE001  # a case that cannot even be judged has failed
        return [f"cannot be judged: {type(error).__name__}: {error}"]


def main(folders: list[str]) -> int:
    logging.getLogger("tablewright").setLevel(logging.ERROR)  # recorded chains do what one is warned of
    totals = [replay(Path(folder)) for folder in folders or [str(VECTORS)]]
    for _, failed, _ in totals:
        for each in failed:
            print(f"FAILED {each}")
    for _, _, chosen in totals:
        for each in chosen:
            print(f"differs by choice: {each}")
    count = sum(len(failed) for _, failed, _ in totals)
    print(f"{sum(len(chosen) for _, _, chosen in totals)} differ by choice")
    print(f"{sum(passed for passed, _, _ in totals)} passed, {count} failed")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
