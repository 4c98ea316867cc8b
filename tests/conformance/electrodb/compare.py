"""Requests as what they mean: placeholders replaced, AND and OR flattened, parts that have no order sorted.

Sorted, and nothing more: what is said twice counts twice, because DynamoDB refuses most of that (a place changed twice,
a section that comes again). Projections are lists. A placeholder that no expression mentions is part of the meaning,
because DynamoDB refuses it.

This reads expressions with a small parser of its own, so that a fault in the package's parser cannot hide here.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

TOKEN = re.compile(r"\s*(<>|<=|>=|[=<>(),+-]|[#:][A-Za-z0-9_]+|\[\d+\]|\.|[A-Za-z_][A-Za-z0-9_]*)")
SECTIONS = ("SET", "REMOVE", "ADD", "DELETE")
CONDITIONS = ("KeyConditionExpression", "FilterExpression", "ConditionExpression")


def canonical(value: Any, sets: frozenset[str] = frozenset()) -> Any:
    """Any document value as nested tuples that compare by meaning; lists under the names in `sets` have no order."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float | Decimal):
        return ("n", (Decimal(repr(value)) if isinstance(value, float) else Decimal(value)).normalize())
    if isinstance(value, set | frozenset):
        return ("set", *sorted((canonical(each) for each in value), key=repr))
    if isinstance(value, dict) and set(value) == {"$set"}:
        return canonical({json.dumps(each): each for each in value["$set"]}.values())
    if isinstance(value, type({}.values())):
        return ("set", *sorted((canonical(each) for each in value), key=repr))
    if isinstance(value, dict):
        members = {name: canonical(each, sets) for name, each in value.items()}
        ordered = {name: sorted_list(each) if name in sets else each for name, each in members.items()}
        return ("map", *sorted(ordered.items(), key=lambda pair: pair[0]))
    return ("list", *(canonical(each, sets) for each in value))


def sorted_list(value: Any) -> Any:
    return ("list", *sorted(value[1:], key=repr)) if isinstance(value, tuple) and value[:1] == ("list",) else value


def meaning(params: Any) -> Any:
    """A request with its expressions resolved."""
    if isinstance(params, list):
        return [meaning(each) for each in params]
    if not isinstance(params, dict):
        return canonical(params)
    if "RequestItems" in params:
        tables = params["RequestItems"].items()
        items = {
            table: meaning(each) if isinstance(each, dict) else [meaning(one) for one in each] for table, each in tables
        }
        return {
            **meaning({name: each for name, each in params.items() if name != "RequestItems"}),
            "RequestItems": items,
        }
    if "TransactItems" in params:
        rest = {name: each for name, each in params.items() if name != "TransactItems"}
        members = [{verb: meaning(body) for verb, body in each.items()} for each in params["TransactItems"]]
        return {**meaning(rest), "TransactItems": members}
    names, values = params.get("ExpressionAttributeNames", {}), params.get("ExpressionAttributeValues", {})
    resolved = {name: each for name, each in (("unused", unused(params, names, values)),) if each}
    for name, value in params.items():
        if name in ("ExpressionAttributeNames", "ExpressionAttributeValues") or value is None:
            continue  # a parameter of null is none
        if name in CONDITIONS:
            resolved[name] = condition(tokens(value, names, values))
        elif name == "UpdateExpression":
            resolved[name] = update(tokens(value, names, values))
        elif name == "ProjectionExpression":
            resolved[name] = [names.get(each.strip(), each.strip()) for each in value.split(",")]
        else:
            resolved[name] = canonical(value)
    return resolved


def unused(params: dict[str, Any], names: dict[str, str], values: dict[str, Any]) -> list[Any]:
    """What is defined for expressions and not mentioned by any."""
    texts = [params.get(name) or "" for name in (*CONDITIONS, "UpdateExpression", "ProjectionExpression")]
    mentioned = {token for text in texts for token in re.findall(r"[#:][A-Za-z0-9_]+", text)}
    return [
        *sorted(name for placeholder, name in names.items() if placeholder not in mentioned),
        *sorted((canonical(value) for placeholder, value in values.items() if placeholder not in mentioned), key=repr),
    ]


def tokens(text: str, names: dict[str, str], values: dict[str, Any]) -> list[Any]:
    found: list[Any] = []
    at = 0
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"cannot read {text[at:]!r}")
        token = match[1]
        if token[0] == "#":
            found.append(("name", names[token]))
        elif token[0] == ":":
            found.append(("value", canonical(values[token])))
        else:
            found.append(token.upper() if token.upper() in ("AND", "OR", "NOT", "BETWEEN", "IN", *SECTIONS) else token)
        at = match.end()
    return found


def condition(found: list[Any]) -> Any:
    node, rest = _or(found)
    if rest:
        raise ValueError(f"left over: {rest}")
    return node


def _joined(word: str, below: Any, found: list[Any]) -> tuple[Any, list[Any]]:
    node, rest = below(found)
    parts = [node]
    while rest and rest[0] == word:
        node, rest = below(rest[1:])
        parts.append(node)
    if len(parts) == 1:
        return parts[0], rest
    flat = [inner for part in parts for inner in (part[1] if part[0] == word else [part])]
    return (word, sorted(flat, key=repr)), rest


def _or(found: list[Any]) -> tuple[Any, list[Any]]:
    return _joined("OR", _and, found)


def _and(found: list[Any]) -> tuple[Any, list[Any]]:
    return _joined("AND", _not, found)


def _not(found: list[Any]) -> tuple[Any, list[Any]]:
    if found[0] == "NOT":
        node, rest = _not(found[1:])
        return ("NOT", node), rest
    if found[0] == "(":
        node, rest = _or(found[1:])
        return node, rest[1:]
    return _leaf(found)


def _leaf(found: list[Any]) -> tuple[Any, list[Any]]:
    """A comparison or function up to the next AND, OR or closing parenthesis of ours."""
    depth, between, at = 0, False, 0
    while at < len(found):
        token = found[at]
        if token == "BETWEEN":
            between = True
        elif token == "(":
            depth += 1
        elif token == ")":
            if depth == 0:
                break
            depth -= 1
        elif token in ("AND", "OR") and depth == 0:
            if not (between and token == "AND"):
                break
            between = False
        at += 1
    return ("leaf", tuple(found[:at])), found[at:]


def update(found: list[Any]) -> Any:
    sections: dict[str, list[Any]] = {}
    section = ""
    depth = 0
    for token in found:
        if token in SECTIONS:
            section = token
            if section in sections:
                raise ValueError(f"two {section} sections")
            sections[section] = [[]]
            continue
        depth += {"(": 1, ")": -1}.get(token, 0) if isinstance(token, str) else 0
        if token == "," and depth == 0:
            sections[section].append([])
        else:
            sections[section][-1].append(token)
    return {name: sorted((_plain(each) for each in actions), key=repr) for name, actions in sections.items()}


def _plain(action: list[Any]) -> tuple[Any, ...]:
    """An action without the parentheses that ElectroDB puts around sums."""
    if "=" in action:
        at = action.index("=")
        left, right = action[: at + 1], action[at + 1 :]
        if right[0] == "(" and right[-1] == ")":
            right = right[1:-1]
        return (*left, *right)
    return tuple(action)
