"""Integer programs as data: named 0/1 variables, sparse rows, and a solver call that is exact and repeatable.

A solve is bounded by nodes of the search tree, never by a clock, so that a slow machine finds the same design. Where
the bound is reached the best point so far comes back with its proven gap.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import wraps
from hashlib import blake2b
from threading import Thread
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import msgspec

from tablewright.architect.plans.values import Variable
from tablewright.architect.search.parts import LESS_THAN_ONE, Numbers, Row, bounded, each_best, parts_of
from tablewright.errors import DesignError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

INFINITY = float("inf")
TOLERANCE = 1e-6
MARGIN = 1e-8
"""The share of a sum that a relaxation, solved with floating numbers, may be wrong by."""
OPTIONS: Mapping[str, Any] = {
    "output_flag": False,
    "threads": 1,
    "random_seed": 0,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.5,  # costs are whole numbers
    "mip_feasibility_tolerance": 1e-9,  # sums of micro-dollars are large, and a row that holds one must be exact
    "primal_feasibility_tolerance": 1e-9,
    "mip_heuristic_run_zi_round": True,  # finds good points of these programs early
    "mip_heuristic_run_root_reduced_cost": False,  # takes long and finds none
    "mip_heuristic_run_feasibility_jump": False,  # takes a sixth of the time and finds what others find
}
WORK = 200_000
"""Variables times nodes of one solve. Most designs need a single node; one that needs all stops after some seconds."""
FEWEST_NODES = 50


LARGE = 1e6
"""Coefficients above this, beside small ones, make the solver call feasible programs infeasible."""
EXACT = 1e-10
"""The same for sums so large that ones do not count."""


class Optimum(msgspec.Struct, frozen=True):
    """The variables that are 1, and by what share of its value the objective might still be better."""

    chosen: frozenset[Variable]
    gap: float = 0.0


class Program:
    """0/1 variables in order of their making, and rows over them; what is minimised is said when it is solved.

    `shared` are kinds of variables (how their names begin) that all parts of the program may have in common.
    """

    def __init__(self, shared: tuple[str, ...] = ()) -> None:
        self.shared_kinds = shared
        self.columns: dict[Variable, int] = {}
        self.rows: list[Row] = []
        self.settled: dict[int, int] = {}  # columns that are 0 or 1 beforehand

    def variable(self, name: Variable) -> int:
        return self.columns.setdefault(name, len(self.columns))

    def row(self, coefficients: Mapping[Variable, float], lower: float = -INFINITY, upper: float = INFINITY) -> None:
        self.rows.append(({self.columns[name]: value for name, value in coefficients.items()}, lower, upper))

    def settle(self, names: Iterable[Variable], value: int) -> None:
        """Take some variables out of the choice."""
        self.settled.update((self.columns[name], value) for name in names)

    def forbid(self, names: frozenset[Variable]) -> None:
        """Take out the variables that are named in full, or by the beginning of their names."""
        if names:
            lengths = {len(name) for name in names}
            self.settle([each for each in self.columns if any(each[:size] in names for size in lengths)], 0)

    def minimise(
        self, costs: Mapping[Variable, float], *, start: Collection[Variable] = (), nodes: int | None = None
    ) -> Optimum | None:
        """An optimal point, or the best that was found; None when there is none.

        `start` is a point to begin at; `nodes` limits the search, left out by the size of the program.
        """
        found = _solve(self.numbers(costs, start, self.most_nodes if nodes is None else nodes))
        if found is None:
            return None
        chosen, gap = found
        return Optimum(frozenset(name for name, column in self.columns.items() if column in chosen), gap)

    def minimise_parts(
        self, costs: Mapping[Variable, float], *, start: Collection[Variable], nodes: int
    ) -> frozenset[Variable] | None:
        """What every part chooses that costs least in it, without the variables they share; None where that is open.

        Together they need not be a point of the program. Where they are one, none costs less.
        """
        chosen = each_best(self.numbers(costs, start, nodes), self.shared, _proven)
        return None if chosen is None else frozenset(name for name, column in self.columns.items() if column in chosen)

    def parts(self, costs: Mapping[Variable, float]) -> Iterator[Program]:
        """Each as a program of its own, with the variables that all share as far as it has to do with them."""
        names = tuple(self.columns)
        for part in parts_of(self.numbers(costs), self.shared):
            other = Program(self.shared_kinds)
            other.columns = {names[column]: at for at, column in enumerate(part.columns)}
            other.rows, other.settled = part.numbers.rows, dict(part.numbers.settled)
            yield other

    def proven(self, costs: Mapping[Variable, float]) -> frozenset[Variable] | None:
        """A point that is certainly the best; None where there is none, or where none is known to be."""
        chosen = _proven(self.numbers(costs, (), self.most_nodes))
        return None if chosen is None else frozenset(name for name, at in self.columns.items() if at in chosen)

    def holds(self, chosen: frozenset[Variable]) -> bool:
        """Whether these variables are a point of the program."""
        return _holds(frozenset(self.columns[name] for name in chosen), self.numbers({}))

    @property
    def shared(self) -> frozenset[int]:
        return frozenset(column for name, column in self.columns.items() if name[0] in self.shared_kinds)

    def copy(self) -> Program:
        other = Program(self.shared_kinds)
        other.columns, other.rows, other.settled = dict(self.columns), list(self.rows), dict(self.settled)
        return other

    @property
    def open_columns(self) -> int:
        return len(self.columns) - len(self.settled)

    @property
    def most_nodes(self) -> int:
        return max(FEWEST_NODES, WORK // max(1, len(self.columns)))

    def numbers(self, costs: Mapping[Variable, float], start: Collection[Variable] = (), nodes: int = 0) -> Numbers:
        return Numbers(
            columns=len(self.columns),
            rows=self.rows,
            costs={self.columns[name]: value for name, value in costs.items()},
            settled=self.settled,
            start=frozenset(self.columns[name] for name in start),
            nodes=nodes,
        )

    def value(self, costs: Mapping[Variable, float], chosen: frozenset[Variable]) -> float:
        return sum(value for name, value in costs.items() if name in chosen)

    def limited(self, costs: Mapping[Variable, float], at_most: float) -> Program:
        """The same with no point that costs more."""
        other = self.copy()
        other.rows.append(_limit({other.columns[name]: value for name, value in costs.items()}, at_most))
        return other

    def fix(self, costs: Mapping[Variable, float], at_most: float, *, best_parts: Collection[Variable] = ()) -> None:
        """Let nothing that follows be worse than this; what could only be worse is out of the choice from now on.

        What follows for each part of the program is said as well: it is much more than the whole says of it.
        `best_parts` is a point that is the best in every part; left out, each part is solved to see what it costs.
        """
        wanted = {name: value for name, value in costs.items() if value}
        whole = self.numbers(wanted, best_parts, self.most_nodes)
        self.settled.update(settled_by(whole, at_most))
        whole = msgspec.structs.replace(whole, settled=dict(self.settled))
        parts = bounded(whole, self.shared, at_most, _started_with if best_parts else _least)
        for each in parts:
            settled = settled_by(each.part.numbers, each.at_most)
            self.settled.update({each.part.columns[column]: value for column, value in settled.items()})
            self.rows.append(_limit(each.part.costs, each.at_most))
        if not all(each.is_all for each in parts) or not parts:
            self.rows.append(_limit(whole.costs, at_most))


def _limit(costs: Mapping[int, float], at_most: float) -> Row:
    scale = max(1.0, *(abs(value) / LARGE for value in costs.values())) if costs else 1.0
    slack = max(LESS_THAN_ONE, EXACT * abs(at_most))
    return {column: value / scale for column, value in costs.items()}, -INFINITY, (at_most + slack) / scale


P = ParamSpec("P")
T = TypeVar("T")
KEPT = 1_024
"""Answers that are kept of every question: some hundred numbers each."""


def _kept(function: Callable[Concatenate[Numbers, P], T]) -> Callable[Concatenate[Numbers, P], T]:
    """For what follows from numbers alone: searches of one spec, and of specs that differ little, share most parts."""
    answers: OrderedDict[bytes, T] = OrderedDict()

    @wraps(function)
    def answer(model: Numbers, /, *args: P.args, **kwargs: P.kwargs) -> T:
        costs, settled = sorted(model.costs.items()), sorted(model.settled.items())
        told = (model.columns, model.rows, costs, settled, sorted(model.start), model.nodes)
        key = blake2b(repr((told, args, kwargs)).encode(), digest_size=16).digest()
        if key not in answers:
            answers[key] = function(model, *args, **kwargs)
            while len(answers) > KEPT:
                answers.popitem(last=False)
        return answers[key]

    return answer


@_kept
def _least(model: Numbers) -> float | None:
    """What every point costs at least, as far as that can be told."""
    found = _run_highs(model, "choose")
    if found is None:
        return None
    value = sum(value for column, value in model.costs.items() if column in found[0])
    return value - found[1] * abs(value)


def _started_with(model: Numbers) -> float:
    """What the point that is known costs."""
    return sum(value for column, value in model.costs.items() if column in model.start)


@_kept
def _proven(model: Numbers) -> frozenset[int] | None:
    """A point that is certainly the best."""
    found = _run_highs(model, "choose")
    return found[0] if found is not None and found[1] == 0.0 and _holds(found[0], model) else None


def _solve(model: Numbers) -> tuple[frozenset[int], float] | None:
    """HiGHS calls a few feasible models infeasible in its presolve, so a no is asked for a second time without it."""
    for presolve in ("choose", "off"):
        found = _run_highs(model, presolve)
        if found is not None and _holds(found[0], model):
            return found
        if found is not None:  # a little outside of a row, as floating numbers go: what is known is exact
            assert model.start, "the solver gave a point outside of its own model"
            return model.start, 1.0
    return None


def _run_highs(model: Numbers, presolve: str) -> tuple[frozenset[int], float] | None:
    """The best point with its gap; None only when it is certain that there is none."""
    highspy, highs = _solver(presolve=presolve, mip_max_nodes=model.nodes)
    highs.passModel(_model_of(highspy, model))
    if model.start:
        _begin(highspy, highs, model)
    _run(highs)
    info, status = highs.getInfo(), highs.getModelStatus()
    if info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
        chosen = frozenset(column for column, value in enumerate(highs.getSolution().col_value) if value > 0.5)
        return chosen, 0.0 if status == highspy.HighsModelStatus.kOptimal else min(1.0, float(info.mip_gap))
    if status == highspy.HighsModelStatus.kSolutionLimit:  # stopped before the first point was found
        return _run_highs(msgspec.structs.replace(model, nodes=max(1, model.nodes) * 10), presolve)
    return None


def _run(highs: Any) -> None:
    """In a thread of its own: the solver is not Python, and Ctrl-C ends the wait for it at once."""
    running = Thread(target=highs.run, daemon=True)
    running.start()
    running.join()


def _solver(**options: Any) -> tuple[Any, Any]:
    try:
        import highspy
    except ImportError:
        raise DesignError("designing needs the solver HiGHS; install tablewright[architect]") from None
    highs: Any = highspy.Highs()
    for name, value in {**OPTIONS, **options}.items():
        highs.setOptionValue(name, value)
    return highspy, highs


@_kept
def settled_by(model: Numbers, at_most: float) -> dict[int, int]:
    """Variables that every point with at most this cost has alike.

    In the relaxation a reduced cost says what a variable adds at least when it leaves its bound. Where that is more
    than lies between the relaxation and the best design, the variable cannot leave it.
    """
    highspy, highs = _solver()
    relaxed = _model_of(highspy, model)
    relaxed.integrality_ = []
    highs.passModel(relaxed)
    _run(highs)
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return {}
    room = at_most - highs.getInfo().objective_function_value + max(1.0, MARGIN * abs(at_most))
    solution = highs.getSolution()
    return {
        column: round(solution.col_value[column])
        for column, reduced in enumerate(solution.col_dual)
        if abs(reduced) > room and column not in model.settled
    }


def _begin(highspy: Any, highs: Any, model: Numbers) -> None:
    solution = highspy.HighsSolution()
    solution.col_value = [1.0 if column in model.start else 0.0 for column in range(model.columns)]
    highs.setSolution(solution)


def _model_of(highspy: Any, model: Numbers) -> Any:
    """The whole model in one piece: row by row it takes a third of the time of a design."""
    import numpy as np  # comes with highspy

    columns, rows = range(model.columns), model.rows
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(columns), len(rows)
    lp.col_cost_ = np.array([model.costs.get(column, 0.0) for column in columns])
    lp.col_lower_ = np.array([float(model.settled.get(column, 0)) for column in columns])
    lp.col_upper_ = np.array([float(model.settled.get(column, 1)) for column in columns])
    lp.row_lower_ = np.array([max(lower, -highspy.kHighsInf) for _, lower, _ in rows])
    lp.row_upper_ = np.array([min(upper, highspy.kHighsInf) for _, _, upper in rows])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(coefficients) for coefficients, _, _ in rows)])
    lp.a_matrix_.index_ = np.array([column for coefficients, _, _ in rows for column in coefficients])
    lp.a_matrix_.value_ = np.array(
        [value for coefficients, _, _ in rows for value in coefficients.values()], dtype=float
    )
    lp.integrality_ = [highspy.HighsVarType.kInteger] * len(columns)
    return lp


def _holds(chosen: frozenset[int], model: Numbers) -> bool:
    """A solver is trusted and checked."""
    if any((column in chosen) != bool(value) for column, value in model.settled.items()):
        return False
    return all(
        lower - TOLERANCE <= sum(value for column, value in terms.items() if column in chosen) <= upper + TOLERANCE
        for terms, lower, upper in model.rows
    )
