"""Usage: python -m benchmarks [--show | calls | engine [--large] | design | keys].

Measures the building of requests and the import; --show prints what each library builds instead. `calls` measures whole
calls, by every client, against a server with canned answers, and the first call of a fresh process. `engine` measures
the embedded engine against moto and dynalite, with --large on tables of up to a million items. `design` measures how
long designs take, of published applications and of generated ones. `keys` compares both key styles by their bills.
"""

from __future__ import annotations

import sys

from benchmarks.report import goals_table


def main(arguments: list[str]) -> None:
    """Each is imported where it is measured: not everybody has all the libraries to compare with."""
    if arguments == ["--show"]:
        from benchmarks import params

        params.show()
    elif arguments == ["calls"]:
        from benchmarks.calls import run as calls

        print(goals_table(calls.main()))
    elif arguments[:1] == ["engine"]:
        from benchmarks.engine import run as engine

        print(goals_table(engine.main(arguments[1:])))
    elif arguments == ["design"]:
        from benchmarks.design import run as designs

        print(goals_table(designs.main()))
    elif arguments == ["keys"]:
        from benchmarks import keys

        print(keys.main())
    elif arguments:
        sys.exit(__doc__)
    else:
        _measure_requests()


def _measure_requests() -> None:
    from benchmarks import imports, params

    # Imports first: by then this process has no children whose time could be counted as theirs.
    import_times = imports.measure()
    times = params.measure()
    print(params.times_table(times))
    print(imports.times_table(import_times))
    print(goals_table([*params.goals(times), *imports.goals(import_times)]))


if __name__ == "__main__":
    main(sys.argv[1:])
