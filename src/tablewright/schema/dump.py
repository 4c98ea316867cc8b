"""Writing a service in our own form: whatever is at its default or can be derived is left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tablewright.errors import SchemaError
from tablewright.schema.documents import NoYaml, import_yaml
from tablewright.schema.form.fields import SERVICE, CollectionNotes, WrittenService
from tablewright.schema.form.kinds import Writing

if TYPE_CHECKING:
    from tablewright.schema.functions import Functions
    from tablewright.schema.model import Service

EXOTIC_BREAKS = frozenset("\x85\u2028\u2029")


def dump(service: Service, *, functions: Functions | None = None) -> dict[str, Any]:
    """The service as data that JSON and YAML can hold; `load` reads it back.

    Functions are written by the name they have in `functions`, else by their qualified name.
    """
    written = WrittenService(
        service=service.name,
        entities=service.entities,
        table=service.table.name,
        doc=service.doc,
        collections={each.name: CollectionNotes(each.doc) for each in service.collections if each.doc},
    )
    return SERVICE.write(written, Writing(functions, {"service": service.name, "table": service.table.name}))


def dumps_json(service: Service, *, functions: Functions | None = None) -> str:
    return json.dumps(dump(service, functions=functions), indent=2, ensure_ascii=False) + "\n"


def dumps_yaml(service: Service, *, functions: Functions | None = None) -> str:
    """As YAML; needs the extra `yaml`."""
    data = dump(service, functions=functions)
    # PyYAML reads its own unescaped output wrongly where text holds one of Unicode's other line breaks.
    readable = not EXOTIC_BREAKS.intersection(json.dumps(data, ensure_ascii=False))
    try:
        yaml = import_yaml()
    except NoYaml as error:
        raise SchemaError(str(error), code=1009) from None
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=readable, width=120))
