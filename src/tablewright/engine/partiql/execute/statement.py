"""ExecuteStatement: one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import validation
from tablewright.engine.partiql.bind.literals import read_parameters
from tablewright.engine.partiql.bind.statements import (
    Select,
    bind_statement,
    check_index,
    check_operand_types,
    parse,
    resolve,
)
from tablewright.engine.partiql.execute.select import run_select
from tablewright.engine.partiql.execute.writes import run_write
from tablewright.errors import ServiceError

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext

Params = dict[str, Any]

ONLY_IN_TRANSACTIONS = "EXISTS can only be used in ExecuteTransaction write requests."


def execute_statement(engine: EngineContext, params: Params) -> Params:
    parsed = parse(params["Statement"], read_parameters(params.get("Parameters")))
    if parsed.exists:
        raise validation(ONLY_IN_TRANSACTIONS)
    try:
        access = resolve(engine, parsed)
    except ServiceError as error:
        if error.name == "ResourceNotFoundException":
            check_operand_types(parsed)
        raise
    check_index(parsed, access)
    statement = bind_statement(parsed, access)
    if isinstance(statement, Select):
        return run_select(engine, statement, params)
    return run_write(engine, statement, params)
