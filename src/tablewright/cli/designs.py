"""`tablewright design`, `prove`, `cost`, `heat`, `explain`, `compare`: designs for people, pipes and programs."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablewright.cli.terminal import show_blocks, show_status

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from tablewright.cli.engine import Commands
    from tablewright.design.advice import Verdict
    from tablewright.report.blocks import Block

VERDICT_FAILED = 3
"""The status of a command that did its work, where what it shows fails a verdict."""
STATUS = f"The status is {VERDICT_FAILED} if"
SPEC = "a spec (YAML or JSON), or a design.json"


def add_designs(commands: Commands) -> None:
    _add_design(commands)
    _add_prove(commands)
    _add_cost(commands)
    _add_heat(commands)
    _add_explain(commands)
    _add_compare(commands)


# ---- design and prove -----------------------------------------------------------------------------------------------


def _add_design(commands: Commands) -> None:
    command = commands.add_parser(
        "design",
        help="the best table for a spec: keys, indexes, requests, cost, heat and reasons",
        description="Designs the table for an application: keys and indexes, the requests of every access pattern,"
        f" what it costs and how hot it gets. {STATUS} it is designed and a verdict failed: the budget, heat, a size, a"
        " latency, or a pattern that no proof can say anything of.",
        allow_abbrev=False,
    )
    command.add_argument("spec", type=Path, help=SPEC)
    command.add_argument(
        "--prove",
        action="store_true",
        help="run every pattern on the embedded engine as well; a design that fails is not shown, and the status is 1",
    )
    command.add_argument(
        "--quick", action="store_true", help="without what takes long: prices of decisions, alternatives, questions"
    )
    _add_allow_hot(command)
    _add_forms(command)
    command.add_argument("-o", "--output", type=Path, metavar="DIR", help="write design.json and design.md there")
    command.add_argument("--force", action="store_true", help="replace files there that were changed by hand")
    command.add_argument(
        "--minimise",
        choices=("cost", "gsis", "latency"),
        help="what counts first; cost if the spec has rates, else the number of indexes",
    )
    command.add_argument("--max-gsis", type=_count, metavar="N", help="at most so many global secondary indexes")
    command.add_argument("--tables", choices=("single", "several", "any"), help="one table, several, or the better")
    command.add_argument("--key-style", choices=("electrodb", "plain"), help="how keys are written")
    command.add_argument("--keep", type=Path, metavar="DESIGN", help="keep the keys of this design.json where they do")
    command.add_argument(
        "--prices", type=Path, metavar="FILE", help="prices of another region or contract (YAML, JSON)"
    )
    command.set_defaults(run=_run_design)


def _add_forms(command: argparse.ArgumentParser, *, is_document: bool = True) -> None:
    forms = command.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="as JSON, and nothing else on stdout")
    if is_document:
        forms.add_argument("--markdown", action="store_true", help="everything the design says, as Markdown")


def _add_allow_hot(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--allow-hot", action="store_true", help="a key that is too hot at peak is shown, and fails nothing"
    )


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return int(text)


def _run_design(options: argparse.Namespace) -> int:
    from tablewright import tasks
    from tablewright.report.verdict import failed_verdicts

    with show_status("designing") as progress:
        found = tasks.design(
            options.spec,
            minimise=options.minimise,
            max_gsis=options.max_gsis,
            tables=options.tables,
            key_style=options.key_style,
            keep=options.keep,
            prices=options.prices,
            prove=options.prove,
            quick=options.quick,
            progress=progress,
        )
    if options.output is not None:
        for path in tasks.write_design(found, options.output, force=options.force):
            sys.stderr.write(f"{path} written\n")
    failed = failed_verdicts(found)
    if options.json or options.markdown or options.output is None:
        _show_design(found, options)
    if options.json or options.output is not None:
        _complain_of(failed)
    return _status_of(failed, options)


def _status_of(failed: Iterable[Verdict], options: argparse.Namespace) -> int:
    accepted = ("heat",) if getattr(options, "allow_hot", False) else ()
    return VERDICT_FAILED if any(each.kind not in accepted for each in failed) else 0


def _complain_of(failed: Iterable[Verdict]) -> None:
    """On stderr, where stdout is for a program or shows nothing."""
    from tablewright.report.verdict import verdict_text

    for each in failed:
        sys.stderr.write(f"{verdict_text(each)}\n")


def _show_design(found: Any, options: argparse.Namespace) -> None:
    from tablewright.report.document import document, overview
    from tablewright.report.markdown import markdown

    if options.json:
        show_value(found)
    elif options.markdown:
        sys.stdout.write(markdown(document(found)))
    else:
        show_blocks(overview(found))


def show_value(value: Any) -> None:
    """JSON of any part of a design."""
    from tablewright.design.read import design_json

    sys.stdout.write(design_json(value).decode())


def _add_prove(commands: Commands) -> None:
    command = commands.add_parser(
        "prove",
        help="run every pattern of a design on the embedded engine beside an application made from the spec alone",
        description="Fills the embedded engine with synthetic data, runs every access pattern many times, and compares"
        " answers and stored items with those of an application made from the spec alone, which knows no keys and no"
        " tables, and capacity units with the prediction. The status is 1 if anything differs."
        f" {STATUS} the proof can say nothing of some pattern, or runs took other units than estimated; both are"
        " named with the reason.",
        allow_abbrev=False,
    )
    command.add_argument("spec", type=Path, help=SPEC)
    _add_forms(command, is_document=False)
    command.set_defaults(run=_run_prove)


def _run_prove(options: argparse.Namespace) -> int:
    from tablewright import tasks
    from tablewright.errors import DesignError
    from tablewright.report.patterns import proof
    from tablewright.report.verdict import proof_verdicts

    with show_status("proving"):
        found = tasks.prove(options.spec)
    assert found.proof is not None
    status = _show_judged(found.proof, proof(found), proof_verdicts(found), options)
    if not found.proof.passed:
        raise DesignError(f"the proof of {options.spec} failed")
    return status


def _show(value: Any, blocks: Iterable[Block], options: argparse.Namespace) -> None:
    if options.json:
        show_value(value)
    else:
        show_blocks(blocks)


def _show_judged(value: Any, blocks: Iterable[Block], failed: tuple[Verdict, ...], options: argparse.Namespace) -> int:
    """The same with what failed before it, and the status that says so."""
    from tablewright.report.verdict import verdict_blocks

    _show(value, (*verdict_blocks(failed), *blocks), options)
    if options.json:
        _complain_of(failed)
    return _status_of(failed, options)


# ---- cost and heat --------------------------------------------------------------------------------------------------


def _add_cost(commands: Commands) -> None:
    command = commands.add_parser(
        "cost",
        help="the bill: by pattern, entity and index, in every way of paying, now and later",
        description="The monthly bill of a design by pattern, entity and index: on demand, provisioned, reserved and"
        " Standard-IA with where each breaks even, at 1, 10 and 100 times the traffic, now and after 12 and 36 months."
        f" {STATUS} the bill is over the spec's budget.",
        allow_abbrev=False,
    )
    command.add_argument("spec", type=Path, help=SPEC)
    _add_traffic(command)
    _add_forms(command, is_document=False)
    command.set_defaults(run=_run_cost)


def _add_traffic(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--traffic", type=_factor, default=1.0, metavar="N", help="with N times the requests, the keys as designed"
    )


def _factor(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < float("inf"):
        raise ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def _run_cost(options: argparse.Namespace) -> int:
    from tablewright import tasks
    from tablewright.report.bill import cost_blocks
    from tablewright.report.verdict import cost_verdicts

    with show_status("pricing"):
        found = tasks.cost(options.spec, traffic=options.traffic)
    return _show_judged(found, cost_blocks(found), cost_verdicts(found), options)


def _add_heat(commands: Commands) -> None:
    command = commands.add_parser(
        "heat",
        help="the hottest partitions at peak, their headroom, and sizes against the limits",
        description="The hottest partition of every place at peak against 3,000 read and 1,000 write units a second,"
        f" collections against 10 GB and items against 400 KB, each with its arithmetic and what helps. {STATUS} a key"
        " is too hot at peak, or something grows too large.",
        allow_abbrev=False,
    )
    command.add_argument("spec", type=Path, help=SPEC)
    _add_traffic(command)
    _add_allow_hot(command)
    _add_forms(command, is_document=False)
    command.set_defaults(run=_run_heat)


def _run_heat(options: argparse.Namespace) -> int:
    from tablewright import tasks
    from tablewright.report.heat import heat_blocks
    from tablewright.report.verdict import heat_verdicts

    with show_status("measuring"):
        found = tasks.heat(options.spec, traffic=options.traffic)
    return _show_judged(found, heat_blocks(found), heat_verdicts(found), options)


# ---- explain and compare --------------------------------------------------------------------------------------------


def _add_explain(commands: Commands) -> None:
    command = commands.add_parser(
        "explain",
        help="why a pattern, entity or index is as it is, what it costs, and what was rejected",
        description="All that a design says about one pattern, entity or index: its requests and keys, why they are so,"
        " what they cost, how hot they get, and what was rejected and by how much.",
        usage="tablewright explain [-h] [--design FILE] [--json] [SPEC] PATTERN|ENTITY|INDEX",
        allow_abbrev=False,
    )
    command.add_argument("spec", nargs="?", type=Path, metavar="SPEC", help=f"{SPEC}; left out, one in this folder")
    command.add_argument("subject", metavar="SUBJECT", help="such as AP3, Task, gsi1 or table")
    command.add_argument("--design", type=Path, metavar="FILE", help="the same as SPEC")
    _add_forms(command, is_document=False)
    command.set_defaults(run=_run_explain)


def _run_explain(options: argparse.Namespace) -> None:
    from tablewright import tasks
    from tablewright.report.explanation import explanation_blocks

    with show_status("explaining"):
        found = tasks.explain(options.spec or options.design or tasks.spec_in(Path()), options.subject)
    _show(found, explanation_blocks(found), options)


def _add_compare(commands: Commands) -> None:
    command = commands.add_parser(
        "compare",
        help="two specs or designs: keys, indexes, requests, cost and heat that differ",
        description="Two specs or designs side by side: numbers of both, and the keys, indexes, requests and findings"
        " that differ.",
        allow_abbrev=False,
    )
    command.add_argument("one", type=Path, metavar="A", help=SPEC)
    command.add_argument("other", type=Path, metavar="B", help=SPEC)
    _add_forms(command, is_document=False)
    command.set_defaults(run=_run_compare)


def _run_compare(options: argparse.Namespace) -> None:
    from tablewright import tasks
    from tablewright.report.comparison import comparison_blocks

    with show_status("comparing"):
        found = tasks.compare(options.one, options.other)
    _show(found, comparison_blocks(found), options)
