"""What typed code knows of patterns and steps.

Typed entities say a pattern only where they have the same effect as its steps. Each kind of step has a list of the
fields that the code for it looks at; a step with anything else, such as a field that did not exist when the list was
written, is run by the interpreter. So nothing that a design says is left out silently.
"""

from __future__ import annotations

from typing import Any

import msgspec
import msgspec.structs

_DESCRIPTION = frozenset(("id", "description", "implied", "predicted", "why", "paging", "retries", "unproven"))
"""Of a pattern, for people."""
_PATTERN = _DESCRIPTION | {"kind", "op", "entities", "parameters"}
READING = _PATTERN | {"reads", "aggregate", "sorted_by", "returns", "consistency"}
"""`sorted_by`, `returns` and `consistency` are what the steps do; they say it themselves."""
WRITING = _PATTERN | {"reads", "writes", "transaction", "consistency"}

_ASKED = frozenset(("operation", "table", "index", "pk", "sk", "entities", "items", "consistent"))
GET = _ASKED
QUERY = _ASKED | {"filters", "backwards", "limit", "shards", "shard_of"}

_CHANGED = frozenset(("operation", "item", "table", "key", "condition", "why"))
PUT = _CHANGED | {"all_attributes", "each"}
UPDATE = _CHANGED | {"set", "unchanged"}
DELETE = _CHANGED


def says_only(value: msgspec.Struct, known: frozenset[str]) -> bool:
    """Whether a pattern or step has nothing but these fields; the others are as if nobody had mentioned them."""
    fields = msgspec.structs.fields(value)
    return all(each.name in known or getattr(value, each.name) == _default_of(each) for each in fields)


def _default_of(field: msgspec.structs.FieldInfo) -> Any:
    factory = field.default_factory
    return factory() if callable(factory) else field.default
