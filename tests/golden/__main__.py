"""`python -m tests.golden [NAME ...]`: solves the specs and writes their designs anew. Read the difference first."""

from __future__ import annotations

import sys

from tablewright.design.read import design_json
from tests.golden.designs import BY_NAME, FOLDER


def main(names: list[str]) -> None:
    for name in names or BY_NAME:
        BY_NAME[name].path.write_bytes(design_json(BY_NAME[name].solve()))
    for path in FOLDER.glob("*.json"):
        if path.stem not in BY_NAME:
            path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
