"""Usage: python -m benchmarks [--show]. Measures; with --show prints what each library builds instead."""

from __future__ import annotations

import sys

from benchmarks import imports, params
from benchmarks.report import goals_table


def main(arguments: list[str]) -> None:
    if arguments == ["--show"]:
        params.show()
        return
    if arguments:
        sys.exit(__doc__)
    # Imports first: by then this process has no children whose time could be counted as theirs.
    import_times = imports.measure()
    times = params.measure()
    print(params.times_table(times))
    print(imports.times_table(import_times))
    print(goals_table([*params.goals(times), *imports.goals(import_times)]))


if __name__ == "__main__":
    main(sys.argv[1:])
