"""Usage: python -m benchmarks [--show | calls | engine [--large] | design].

Measures the building of requests and the import; --show prints what each library builds instead. `calls` measures whole
calls, by every client, against a server with canned answers, and the first call of a fresh process. `engine` measures
the embedded engine against moto and dynalite, with --large on tables of up to a million items. `design` measures how
long designs take, of published applications and of generated ones.
"""

from __future__ import annotations

import sys

from benchmarks import imports, params
from benchmarks.calls import run as calls
from benchmarks.design import run as designs
from benchmarks.engine import run as engine
from benchmarks.report import goals_table


def main(arguments: list[str]) -> None:
    if arguments == ["--show"]:
        params.show()
        return
    if arguments == ["calls"]:
        print(goals_table(calls.main()))
        return
    if arguments[:1] == ["engine"]:
        print(goals_table(engine.main(arguments[1:])))
        return
    if arguments == ["design"]:
        print(goals_table(designs.main()))
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
