"""One recorded case, replayed on the loaded style."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any

from tablewright.errors import ServiceError, TablewrightError, ValidationError, service_error
from tablewright.runtime.electrodb.entity import LoadedEntity
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.runtime.transports.recorded import Recorded
from tablewright.runtime.types.values import ABSENT
from tablewright.schema.electro import load_entity, load_service
from tablewright.schema.model import Identifiers
from tablewright.wire.values import marshal_item
from tests.conformance.electrodb.compare import canonical, meaning
from tests.conformance.electrodb.functions import FUNCTIONS

COMMANDS = {
    "GetItem": "Get",
    "PutItem": "Put",
    "UpdateItem": "Update",
    "DeleteItem": "Delete",
    "Query": "Query",
    "Scan": "Scan",
    "BatchGetItem": "BatchGet",
    "BatchWriteItem": "BatchWrite",
    "TransactWriteItems": "TransactWrite",
    "TransactGetItems": "TransactGet",
}


class ClientFailure(Exception):
    """What a recorded client raised."""


def snake(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def plain(value: Any) -> Any:
    """A recorded value in Python."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "$set" in value:
        return set(value["$set"])
    if "$undefined" in value:
        return ABSENT
    if "$repeat" in value:
        return [numbered(value["item"], at) for at in range(value["$repeat"])]
    return {name: plain(each) for name, each in value.items()}


def numbered(value: Any, at: int) -> Any:
    if isinstance(value, str):
        return value.replace("{i}", str(at))
    if isinstance(value, list):
        return [numbered(each, at) for each in value]
    return {name: numbered(each, at) for name, each in value.items()} if isinstance(value, dict) else value


def options_of(given: Any) -> dict[str, Any]:
    return {snake(name): plain(each) for name, each in (given or {}).items()}


# ---- building ------------------------------------------------------------------------------------------------------


def table_of(config: dict[str, Any]) -> str | None:
    return config.get("table", "vec-table")


def entity_of(models: Any, case: Any, client: Any = None) -> LoadedEntity:
    config = case.get("config") or {}
    identifiers = identifiers_of(config)
    loaded = load_entity(models[case["model"]], table=table_of(config), identifiers=identifiers, functions=FUNCTIONS)
    return LoadedEntity(loaded, client=client, **settings(config))


def service_of(models: Any, case: Any, client: Any = None) -> LoadedService:
    config = case.get("config") or {}
    identifiers = identifiers_of(config)
    members = {
        alias: load_entity(models[name], identifiers=identifiers, functions=FUNCTIONS)
        for alias, name in case["service"].items()
    }
    schema = load_service(members, table=table_of(config))
    return LoadedService(schema, table=table_of(config), client=client, **settings(config))


def settings(config: dict[str, Any]) -> dict[str, Any]:
    """What a recorded configuration says besides table, client and identifiers."""
    return {snake(name): value for name, value in config.items() if name in ("ignoreOwnership", "listeners", "logger")}


def identifiers_of(config: dict[str, Any]) -> Identifiers | None:
    given = config.get("identifiers") or {}
    return Identifiers(**{name: given[name] for name in ("entity", "version") if name in given}) if given else None


# ---- chains --------------------------------------------------------------------------------------------------------


def follow(start: Any, chain: list[Any]) -> Any:
    step, *rest = chain
    name, *args = step
    args = [plain(each) for each in args]
    if name == "query":
        current = getattr(start.query, args[0])(*args[1:])
    elif name == "collections":
        current = getattr(start.collections, args[0])(*args[1:])
    elif name == "scan":
        current = getattr(start.scan, args[0]) if args else start.scan
    else:
        current = getattr(start, name)(*args)
    for name, *args in rest:
        current = further(current, name, args)
    return current


def further(current: Any, name: str, args: list[Any]) -> Any:
    if name == "where":
        return current.where(lambda a, op: expression(a, op, args[0]))
    if name == "filter":
        return current.filter(lambda a: filtered(a, args[0]))
    if name == "data":
        return current.data(lambda a, op: [data_call(a, op, each) for each in args[0]])
    return getattr(current, snake(name))(*(plain(each) for each in args))


def ref(attributes: Any, path: Any) -> Any:
    parts = path
    if isinstance(path, str):
        parts = [int(index) if index else name for index, name in re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)]
    current = attributes
    for part in parts:
        current = current[part]
    return current


def expression(a: Any, op: Any, node: Any, *, nested: bool = False) -> Any:
    if isinstance(node, str):
        return node
    ((name, args),) = node.items()
    if name in ("and", "or"):
        text = f" {name.upper()} ".join(str(expression(a, op, each, nested=True)) for each in args)
        return f"({text})" if nested else text
    if name == "not":
        return f"NOT {expression(a, op, args, nested=True)}"
    if name == "concat":
        return "".join(str(expression(a, op, each, nested=True)) for each in args)
    return leaf(a, op, name, args)


def leaf(a: Any, op: Any, name: str, args: list[Any]) -> Any:
    values = [argument(a, op, each) for each in args[0 if name in ("escape", "field") else 1 :]]
    operation = getattr(op, {"del": "delete"}.get(name, snake(name)))
    return operation(*values) if name in ("escape", "field") else operation(ref(a, args[0]), *values)


def argument(a: Any, op: Any, value: Any) -> Any:
    if isinstance(value, dict) and "$op" in value:
        ((name, args),) = value["$op"].items()
        return leaf(a, op, name, args)
    return plain(value)


def filtered(a: Any, node: Any) -> Any:
    ((name, args),) = node.items()
    return getattr(getattr(a, args[0]), snake(name))(*(plain(each) for each in args[1:]))


def data_call(a: Any, op: Any, node: Any) -> Any:
    ((name, args),) = node.items()
    return leaf(a, op, name, args)


# ---- outcomes ------------------------------------------------------------------------------------------------------


def reply_of(recorded: Any) -> Any:
    if isinstance(recorded, dict) and "$throw" in recorded:
        thrown = dict(recorded["$throw"])
        name, message = thrown.pop("name", "Error"), thrown.pop("message", "")
        error = service_error(name, message, typed_items(thrown))
        error.__cause__ = ClientFailure(name)
        return error
    return plain(recorded)


def typed_items(thrown: Any) -> Any:
    """Items inside an error in DynamoDB's typed JSON; some are recorded as a document client would show them."""
    if isinstance(thrown, list):
        return [typed_items(each) for each in thrown]
    if not isinstance(thrown, dict):
        return thrown
    return {name: typed_item(each) if name == "Item" else typed_items(each) for name, each in thrown.items()}


def typed_item(item: dict[str, Any]) -> dict[str, Any]:
    is_typed = all(isinstance(each, dict) and len(each) == 1 for each in item.values())
    return item if is_typed else marshal_item(plain(item))


def outcome_of(models: Any, case: Any) -> dict[str, Any]:
    """What happened, in the form of a recorded expectation."""
    client = None if has_no_client(case) else Recorded([reply_of(each) for each in case.get("responses", ())])
    events: list[dict[str, Any]] = []
    try:
        outcome = OUTCOMES[case["kind"]](models, case, client, events)
    except Exception as error:  # noqa: BLE001  # whatever is raised is the outcome
        outcome = {"error": error}
    if case["kind"] == "go" or "responses" in case:
        sent = [
            {"command": COMMANDS[action], "input": params} for action, params in (client.requests if client else ())
        ]
        outcome["requests"] = sent
    if case.get("recordEvents"):
        outcome["events"] = events
    return outcome


def has_no_client(case: Any) -> bool:
    return "client" in (case.get("config") or {}) and case["config"]["client"] is None


def define(models: Any, case: Any, client: Any, events: Any) -> dict[str, Any]:
    start_of(models, case, (case.get("config") or {}).get("client"))
    return {"ok": True}


def start_of(models: Any, case: Any, client: Any) -> Any:
    return service_of(models, case, client) if "service" in case else entity_of(models, case, client)


def params(models: Any, case: Any, client: Any, events: Any) -> dict[str, Any]:
    start = start_of(models, case, client)
    return {"params": follow(start, case["chain"]).params(**options_of(case.get("options")))}


def go(models: Any, case: Any, client: Any, events: Any) -> dict[str, Any]:
    start = start_of(models, case, client)
    options = options_of(case.get("options"))
    if case.get("recordEvents"):
        options["listeners"] = [events.append]
    return {"result": follow(start, case["chain"]).go(**options)}


def transaction(models: Any, case: Any, client: Any, events: Any) -> dict[str, Any]:
    service = service_of(models, case, client)

    def members(**entities: Any) -> list[Any]:
        return [
            follow(entities[item["entity"]], item["chain"]).commit(**options_of(item.get("options")))
            for item in case["items"]
        ]

    chain = getattr(service.transaction, case["method"])(members)
    options = options_of(case.get("options"))
    if case.get("recordEvents"):
        options["listeners"] = [events.append]
    return {"result": chain.go(**options)} if "responses" in case else {"params": chain.params(**options)}


def conversion(models: Any, case: Any, client: Any, events: Any) -> dict[str, Any]:
    current: Any = entity_of(models, case).conversions
    path = list(case["path"])
    while path:
        name = path.pop(0)
        current = getattr(current, snake(name))
        if name == "byAccessPattern":
            current = current[path.pop(0)]
    first, *rest = [plain(each) for each in case["args"]]
    return {"value": current(first, **options_of(rest[0] if rest else None))}


def parse(models: Any, case: Any, client: Any, events: Any) -> dict[str, Any]:
    item = plain(case["item"])
    if isinstance(item, dict):
        item = {name: each for name, each in item.items() if each is not ABSENT}
    return {"value": entity_of(models, case).parse(item, **options_of(case.get("options")))}


OUTCOMES = {
    "define": define,
    "params": params,
    "go": go,
    "transaction": transaction,
    "conversion": conversion,
    "parse": parse,
}


# ---- judging -------------------------------------------------------------------------------------------------------


def differences(expected: dict[str, Any], actual: dict[str, Any], sets: frozenset[str] = frozenset()) -> list[str]:
    """What is not as expected, in words; empty when all is well. `sets` names attributes whose lists have no order."""
    if "error" in actual and "error" not in expected:
        error = actual["error"]
        return [f"raised {type(error).__name__}: {error}"]
    found: list[str] = []
    if "requests" not in expected and actual.get("requests"):
        found.append(f"sent {actual['requests']}, where nothing is sent")
    for name, wanted in expected.items():
        if name == "error":
            found += error_differences(wanted, actual.get("error"))
        elif name == "requests":
            found += differ(name, [request(each) for each in wanted], [request(each) for each in actual[name]])
        elif name == "params":
            found += differ(name, meaning(wanted), meaning(actual.get(name)))
        elif name == "events":
            keys = [set(each) for each in wanted]
            shown = [{key: each.get(key) for key in wants} for each, wants in zip(actual[name], keys, strict=False)]
            found += differ(name, [wanted, len(wanted)], [shown, len(actual[name])])
        else:
            found += differ(name, canonical(wanted, sets), canonical(actual.get(name), sets))
    return found


def differ(name: str, wanted: Any, got: Any) -> list[str]:
    return [] if wanted == got else [f"{name}\n      expected {wanted}\n      actual   {got}"]


def request(recorded: dict[str, Any]) -> Any:
    return {"command": recorded["command"], "input": meaning(recorded["input"])}


def error_differences(wanted: dict[str, Any], error: Exception | None) -> list[str]:
    if error is None:
        return [f"expected {wanted}, but nothing was raised"]
    if "name" in wanted and not wanted["isElectroError"]:  # what the client raised, handed on as it is
        raised = error.name if isinstance(error, ServiceError) else str(error)
        return [] if raised == wanted["name"] else [f"expected {wanted['name']}, but {error!r} was raised"]
    if not (isinstance(error, TablewrightError) or is_no_such_method(error)):
        return [f"expected {wanted}, but {type(error).__name__} was raised: {error}"]
    if not wanted["isElectroError"]:  # an ordinary exception there is one of ours here, whatever its code
        return []
    shown: dict[str, Any] = {"code": getattr(error, "code", None)}
    if wanted["name"] == "ElectroValidationError" and not isinstance(error, ValidationError):
        return [f"expected {wanted}, but {error!r} was raised, which names no fields"]
    if "cause" in wanted:
        shown["cause"] = error.name if isinstance(error, ServiceError) else None
    if "field" in wanted:
        faults = error.fields if isinstance(error, ValidationError) else ()
        shown["field"] = ", ".join(starred(fault.path) for fault in faults)
    if "fields" in wanted:
        faults = error.fields if isinstance(error, ValidationError) else ()
        shown["fields"] = [fault_of(fault.path) for fault in faults]
    expected = {name: wanted[name] for name in shown}
    if "fields" in expected:
        expected["fields"] = [
            {name: each[name] for name in ("field", "index") if name in each} for each in wanted["fields"]
        ]
        shown["fields"] = [
            each if "index" in like else {"field": each["field"]} for each, like in pairs(shown, expected)
        ]
    return [] if shown == expected else [f"expected error {expected}, but {shown} was raised: {error}"]


def is_no_such_method(error: Exception) -> bool:
    """Whether this is what a chain, a scan or a service says of a name it does not have; no other kind will do."""
    return (
        isinstance(error, AttributeError)
        and re.search(r"has no '\w+', and|has no collection '", str(error)) is not None
    )


def pairs(shown: dict[str, Any], expected: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Faults with their recorded counterparts: an index in the caller's own path is not recorded."""
    return list(zip_longest(shown["fields"], expected["fields"][: len(shown["fields"])], fillvalue={}))


def names_of_sets(models: Any, case: Any) -> frozenset[str]:
    """The attributes of type set in a case's schemas; they are read as lists, in no order."""
    used = [case["model"]] if "model" in case else list(case.get("service", {}).values())
    attributes = (each.items() for name in used for each in [models[name].get("attributes") or {}])
    return frozenset(
        name for pairs in attributes for name, each in pairs if isinstance(each, dict) and each.get("type") == "set"
    )


def starred(path: str) -> str:
    return re.sub(r"\[\d+\]", "[*]", path)


def fault_of(path: str) -> dict[str, Any]:
    indexes = re.findall(r"\[(\d+)\]", path)
    fault: dict[str, Any] = {"field": starred(path)}
    if indexes:
        fault["index"] = int(indexes[-1])
    return fault
