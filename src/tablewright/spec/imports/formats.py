"""Detects the format of a file and drafts a spec from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from tablewright.errors import DesignError, SchemaError
from tablewright.schema.documents import TooLarge, Unfit
from tablewright.schema.functions import stand_ins
from tablewright.schema.load import load
from tablewright.spec.imports.ddl import draft_from_ddl
from tablewright.spec.imports.models.mcp_model import draft_from_mcp_model
from tablewright.spec.imports.models.mcp_schema import draft_from_mcp_schema
from tablewright.spec.imports.models.workbench import draft_from_workbench
from tablewright.spec.imports.openapi import draft_from_openapi
from tablewright.spec.imports.service import draft_from_service
from tablewright.spec.read import parse_source

if TYPE_CHECKING:
    from tablewright.spec.imports.draft import Draft

TAKEN = (
    "a SQL schema (CREATE TABLE ...), an OpenAPI 3 file, an ElectroDB schema as JSON, a NoSQL Workbench model,"
    " dynamodb_data_model.json or schema.json of the AWS DynamoDB MCP server, or entity classes"
    " (a .py file, or module:service)"
)


def draft_from_text(text: str, name: str) -> Draft:
    """`name` is the file's; its extension matters only where the content does not decide."""
    if name.lower().endswith(".sql") or re.search(
        r"^[ \t]*CREATE\s+(TEMPORARY\s+)?TABLE\b", text, re.IGNORECASE | re.MULTILINE
    ):
        return draft_from_ddl(text, name)
    try:
        content = parse_source(text, name).content
    except DesignError as error:
        if isinstance(error.__cause__, TooLarge | Unfit):
            raise
        raise DesignError(f"{name} is neither YAML nor JSON nor SQL; --from takes {TAKEN}") from error
    if not isinstance(content, Mapping):
        raise DesignError(f"{name} is a text or a list; --from takes {TAKEN}")
    return draft_from_mapping(cast("Mapping[str, Any]", content), name)


def draft_from_mapping(content: Mapping[str, Any], name: str) -> Draft:
    if "openapi" in content or "swagger" in content:
        return draft_from_openapi(content, name)
    if "DataModel" in content:
        return draft_from_workbench(content, name)
    if isinstance(content.get("tables"), list) and "format" not in content:
        return _draft_from_tables(content, name)
    if "access_patterns" in content:
        raise DesignError(f"{name} is a spec already; `tablewright design {name}` designs it")
    if content.get("format") == "tablewright-design":
        raise DesignError(f"{name} is a design, which has its spec inside; `tablewright design {name}` takes it")
    try:
        service = load(content, functions=stand_ins(content))
    except SchemaError as error:
        known = (
            "entities" in content or "indexes" in content or any("indexes" in each for each in _inner_mappings(content))
        )
        why = error.message if known else "it is none that is known"
        raise DesignError(f"{name}: {why}; --from takes {TAKEN}") from None
    return draft_from_service(service, f"the schema {name}")


def _draft_from_tables(content: Mapping[str, Any], name: str) -> Draft:
    """Both files of the MCP server list tables; the one says how its entities are keyed, the other creates tables."""
    tables = cast("list[Any]", content["tables"])
    if any(isinstance(each, Mapping) and ("entities" in each or "table_config" in each) for each in tables):
        return draft_from_mcp_schema(content, name)
    return draft_from_mcp_model(content, name)


def _inner_mappings(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [cast("Mapping[str, Any]", each) for each in content.values() if isinstance(each, Mapping)]
