"""Where the typed style differs from ElectroDB on purpose, said fact by fact."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tests.conformance.electrodb.compare import meaning
from tests.side_by_side.columns import Case


@dataclass(frozen=True, slots=True)
class Difference:
    """A case, why it differs, and the facts that only our request or only ElectroDB's states."""

    case: Case
    reason: str
    ours: frozenset[str] = frozenset()
    theirs: frozenset[str] = frozenset()


def facts(request: dict[str, Any]) -> frozenset[str]:
    """A request as sentences: one for each item field, update action, condition joined by AND, and parameter."""
    found: set[str] = set()
    for name, value in meaning(request).items():
        if name == "UpdateExpression":
            found |= {f"{verb} {words(action)}" for verb, actions in value.items() for action in actions}
        elif name.endswith("Expression") and isinstance(value, tuple):
            joined = value[1] if value[0] == "AND" else [value]
            found |= {f"{name}: {sentence(each)}" for each in joined}
        elif name in ("Item", "Key"):
            found |= {f"{name}: {field} = {shown(each)}" for field, each in value[1:]}
        else:
            found.add(f"{name}: {shown(value)}")
    return frozenset(found)


def sentence(node: Any) -> str:
    kind, inside = node
    if kind == "leaf":
        return words(inside)
    if kind == "NOT":
        return f"NOT {sentence(inside)}"
    return "(" + f" {kind} ".join(sentence(each) for each in inside) + ")"


def words(tokens: Any) -> str:
    return " ".join(token if isinstance(token, str) else word(*token) for token in tokens)


def word(kind: str, value: Any) -> str:
    return str(value) if kind == "name" else shown(value)


def shown(value: Any) -> str:
    is_number = isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], Decimal)
    return str(value[1]) if is_number else repr(value)
