"""Names that AWS and languages accept: tables, logical ids, GraphQL names, identifiers of code and of Terraform."""

from __future__ import annotations

import re

from tablewright.errors import DesignError

_LONGEST_TABLE_NAME = 255
_SHORTEST_TABLE_NAME = 3
_GRAPHQL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def physical_name(name: str) -> str:
    """A name of a table, alarm or policy: letters, digits, `_`, `-` and `.`."""
    text = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-")
    if not text:
        raise DesignError(f'"{name}" has no character that AWS accepts in a name; give the spec another `name`')
    return text.ljust(_SHORTEST_TABLE_NAME, "-")[:_LONGEST_TABLE_NAME]


def check_graphql_name(name: str, what: str) -> str:
    if _GRAPHQL_NAME.fullmatch(name) is None:
        raise DesignError(f'{what} "{name}" is no name in GraphQL: letters, digits and _ are; rename it for AppSync')
    return name


def words_of(name: str) -> list[str]:
    spread = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.findall(r"[A-Za-z0-9]+", spread)


def pascal(name: str) -> str:
    """`online-shop` as `OnlineShop`: a logical id, a class."""
    text = "".join(word[:1].upper() + word[1:] for word in words_of(name))
    return text if text[:1].isalpha() else f"X{text}"


def camel(name: str) -> str:
    text = pascal(name)
    return text[:1].lower() + text[1:]


def snake(name: str) -> str:
    """`OnlineShop` as `online_shop`: a variable of Python, a resource of Terraform."""
    text = "_".join(word.lower() for word in words_of(name))
    return text if text[:1].isalpha() else f"x_{text}"
