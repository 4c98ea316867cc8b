"""Random calls on a schema: writes with clauses, reads with projections, parsing and conversions."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from random import Random
from typing import Any

from tests.conformance.generated.schemas import TEXTS, placeholder

Call = dict[str, Any]


def value_of(random: Random, attribute: dict[str, Any], *, whole: bool = True) -> Any:
    kind = attribute["type"]
    if isinstance(kind, list):
        return random.choice(kind)
    if kind == "string":
        return random.choice(TEXTS)
    if kind == "number":
        return random.choice([0, 1, 7, -3, 1.5])
    if kind == "boolean":
        return random.random() < 0.5
    if kind == "any":
        return random.choice([*TEXTS, 4, {"q": 1}])
    if kind == "set":
        members = random.sample(TEXTS if attribute["items"] == "string" else [1, 2, 3.5], random.randint(1, 2))
        return random.choice([members, {"$set": members}])
    if kind == "list":
        return [value_of(random, attribute["items"]) for _ in range(random.randint(0, 2))]
    properties = attribute["properties"].items()
    return {name: value_of(random, each) for name, each in properties if whole and random.random() < 0.6}


def item(random: Random, schema: dict[str, Any], chance: float) -> dict[str, Any]:
    """The table's composites and some of the rest."""
    attributes = schema["attributes"]
    needed = table_composites(schema)
    return {
        name: value_of(random, each) for name, each in attributes.items() if name in needed or random.random() < chance
    }


def table_composites(schema: dict[str, Any]) -> list[str]:
    main = schema["indexes"]["main"]
    return [*main["pk"]["composite"], *(main["sk"]["composite"] if "sk" in main else ())]


def key(random: Random, schema: dict[str, Any]) -> dict[str, Any]:
    return {name: value_of(random, schema["attributes"][name]) for name in table_composites(schema)}


def some(random: Random, schema: dict[str, Any], most: int, kinds: tuple[Any, ...] = ()) -> dict[str, Any]:
    names = [
        name
        for name, each in schema["attributes"].items()
        if name not in table_composites(schema) and (not kinds or each["type"] in kinds)
    ]
    chosen = random.sample(names, min(len(names), random.randint(1, most)))
    return {name: odd_or(random, value_of(random, schema["attributes"][name])) for name in chosen}


def odd_or(random: Random, value: Any) -> Any:
    """Now and then something that does not belong there."""
    return random.choice([5, "text", {"$undefined": True}, [], {}]) if random.random() < ODD else value


ODD = 0.04


# ---- writes ----------------------------------------------------------------------------------------------------------


def put(random: Random, schema: dict[str, Any]) -> Call:
    return params([[random.choice(["put", "create"]), item(random, schema, 0.5)]])


def upsert(random: Random, schema: dict[str, Any]) -> Call:
    chain: list[Any] = [["upsert", item(random, schema, 0.4)]]
    for _ in range(random.randint(0, 2)):
        verb = random.choice(["set", "add", "subtract", "append", "ifNotExists", "add"])
        chain.append([verb, some(random, schema, 2, KINDS[verb])])
    if random.random() < 0.05:
        chain.append(nested_set(random, schema))
    return params(chain)


KINDS: dict[str, tuple[Any, ...]] = {
    "set": (),
    "ifNotExists": (),
    "add": ("number", "set"),
    "subtract": ("number",),
    "append": ("list",),
    "delete": ("set",),
}


def update(random: Random, schema: dict[str, Any]) -> Call:
    chain: list[Any] = [[random.choice(["update", "patch"]), key(random, schema)]]
    for _ in range(random.randint(1, 2)):
        chain.append(nested_set(random, schema) if random.random() < 0.1 else update_clause(random, schema))
    if random.random() < 0.3:
        names = sorted({name for index in schema["indexes"].values() for name in composites(index)})
        known = {name: value_of(random, schema["attributes"][name]) for name in names if random.random() < 0.6}
        chain.append(["composite", known])
    if random.random() < 0.2:
        chain.append(["where", condition(random, schema)])
    return params(chain)


def composites(index: dict[str, Any]) -> list[str]:
    return [*index["pk"]["composite"], *(index["sk"]["composite"] if "sk" in index else ())]


def update_clause(random: Random, schema: dict[str, Any]) -> list[Any]:
    verb = random.choice(
        ["set", "set", "set", "add", "subtract", "append", "delete", "ifNotExists", "remove", "data", "data"]
    )
    if verb == "remove":
        return [verb, list(some(random, schema, 2))]
    if verb == "data":
        return [verb, [data_call(random, schema) for _ in range(random.randint(1, 2))]]
    return [verb, some(random, schema, 2, KINDS[verb])]


def data_call(random: Random, schema: dict[str, Any]) -> dict[str, Any]:
    verb = random.choice(["set", "add", "add", "subtract", "append", "delete", "ifNotExists", "remove"])
    ((name, value),) = some(random, schema, 1, KINDS.get(verb, ())).items()
    if value in ([], {}) and schema["attributes"][name]["type"] == "string":
        value = {"$undefined": True}  # ElectroDB would write "[object Object]": a chosen difference
    if verb == "remove":
        return {verb: [name]}
    attribute = schema["attributes"][name]
    if verb == "set" and attribute["type"] == "map" and random.random() < 0.5:
        inner = random.choice(list(attribute["properties"]))
        return {verb: [f"{name}.{inner}", value_of(random, attribute["properties"][inner])]}
    args = [name, value_as(random, name, value, schema)]
    is_amount = isinstance(
        value, int | float
    )  # another kind beside a default is not checked there: a chosen difference
    if verb in ("add", "subtract") and attribute["type"] == "number" and is_amount and random.random() < 0.5:
        args.append(random.choice([0, 10]))
    return {verb: args}


def value_as(random: Random, name: str, value: Any, schema: dict[str, Any]) -> Any:
    """A value as it is, as what `value` answers for it, or another attribute."""
    chance = random.random()
    if chance < 0.15 and value != {"$undefined": True}:
        return {"$op": {"value": [name, value]}}
    kind = schema["attributes"][name]["type"]
    alike = [other for other, each in schema["attributes"].items() if each["type"] == kind]
    return {"$op": {"name": [random.choice(alike)]}} if chance < 0.25 and kind in ("string", "number") else value


def nested_set(random: Random, schema: dict[str, Any]) -> list[Any]:
    """A change inside of a map or list."""
    inner = random.choice(list(schema["attributes"]["m"]["properties"]))
    value = value_of(random, schema["attributes"]["m"]["properties"][inner])
    if random.random() < 0.6:
        return ["set", {f"m.{inner}": value}]
    return ["set", {"l[0]": value_of(random, schema["attributes"]["l"]["items"])}]


# ---- reads -----------------------------------------------------------------------------------------------------------

TEXTUAL = ("begins", "contains", "notContains")
COMPARISONS = ("eq", "ne", "gt", "gte", "lt", "lte", *TEXTUAL)


def condition(random: Random, schema: dict[str, Any]) -> dict[str, Any]:
    def one() -> dict[str, Any]:
        name = random.choice(
            [name for name, each in schema["attributes"].items() if each["type"] not in ("map", "list")]
        )
        attribute = schema["attributes"][name]
        operation = random.choice([*COMPARISONS, "between", "exists", "notExists"])
        if operation in ("exists", "notExists"):
            return {operation: [name]}
        if attribute["type"] == "set":
            return {"contains": [name, random.choice(TEXTS) if attribute["items"] == "string" else 2]}
        if attribute["type"] in ("boolean", "any") or (attribute["type"] != "string" and operation in TEXTUAL):
            operation = "eq"
        value = value_of(random, attribute)
        return {operation: [name, value, value] if operation == "between" else [name, value]}

    return one() if random.random() < 0.7 else {"and": [one(), one()]}


def read(random: Random, schema: dict[str, Any]) -> Call:
    chain = [reading(random, schema)]
    if chain[0][0] != "get" and random.random() < 0.4:
        chain.append(["where", condition(random, schema)])
    options: dict[str, Any] = {}
    if random.random() < 0.7:
        options["attributes"] = random.sample(list(schema["attributes"]), random.randint(1, 3))
    if random.random() < 0.2:
        options["ignoreOwnership"] = True
    if random.random() < 0.15:
        options["compare"] = random.choice(["attributes", "v2"])
    if random.random() < 0.5:
        return {**params(chain), "options": options}
    return {"kind": "go", "chain": chain, "options": options, "responses": [reply(random, schema, chain[0][0])]}


def reading(random: Random, schema: dict[str, Any]) -> list[Any]:
    kind = random.choice(["query", "query", "query", "get", "scan", "match", "find"])
    if kind == "get":
        return ["get", key(random, schema)]
    if kind == "scan":
        return ["scan", random.choice(list(schema["indexes"]))] if random.random() < 0.4 else ["scan"]
    if kind in ("match", "find"):
        return [kind, some(random, schema, 3) | (key(random, schema) if random.random() < 0.4 else {})]
    name = random.choice(list(schema["indexes"]))
    index = schema["indexes"][name]
    given = {each: value_of(random, schema["attributes"][each]) for each in index["pk"]["composite"]}
    for each in index["sk"]["composite"] if "sk" in index else ():
        if random.random() < 0.6:
            given[each] = value_of(random, schema["attributes"][each])
    return ["query", name, given]


def reply(random: Random, schema: dict[str, Any], method: str) -> dict[str, Any]:
    stored = stored_item(random, schema)
    return {"Item": stored} if method == "get" else {"Items": [stored]}


def stored_item(random: Random, schema: dict[str, Any]) -> dict[str, Any]:
    """An item as it might stand in the table; keys that are attributes with and without the text around them."""
    stored: dict[str, Any] = {"pk": "$svc#id_x", "sk": "$ent_1#no_7", "__edb_e__": "Ent", "__edb_v__": "1"}
    for name, attribute in schema["attributes"].items():
        if random.random() < 0.7 and attribute["type"] not in ("map", "list", "set"):
            stored[attribute.get("field", name)] = value_of(random, attribute)
    for index in schema["indexes"].values():
        for each in (index["pk"], index.get("sk")):
            if each and len(each["composite"]) == 1 and "template" in each and random.random() < 0.7:
                text = each["template"].replace(placeholder(each["composite"][0]), random.choice(TEXTS))
                stored[each["field"]] = random.choice([text, text.lower(), text.upper()])
    return stored


def parse(random: Random, schema: dict[str, Any]) -> Call:
    made: Call = {"kind": "parse", "item": {"Item": stored_item(random, schema)}}
    if random.random() < 0.3:
        made["options"] = {"attributes": random.sample(list(schema["attributes"]), 2)}
    return made


def conversion(random: Random, schema: dict[str, Any]) -> Call:
    """Keys made from composites, and taken apart again, in all letter cases."""
    stem = ["byAccessPattern", random.choice(list(schema["indexes"]))] if random.random() < 0.5 else []
    if random.random() < 0.4:
        return {"kind": "conversion", "path": [*stem, "fromComposite", "toKeys"], "args": [item(random, schema, 0.9)]}
    keys = {field: text for field, text in key_texts(random, schema).items() if random.random() < 0.95}
    if random.random() < 0.4:
        return {"kind": "conversion", "path": [*stem, "fromKeys", "toComposite"], "args": [keys]}
    cursor = urlsafe_b64encode(json_text(keys).encode()).rstrip(b"=").decode()
    return {
        "kind": "conversion",
        "path": [*stem, "fromCursor", random.choice(["toComposite", "toKeys"])],
        "args": [cursor],
    }


def json_text(keys: dict[str, Any]) -> str:
    return json.dumps(keys, separators=(",", ":"), ensure_ascii=False)


def key_texts(random: Random, schema: dict[str, Any]) -> dict[str, Any]:
    """Keys of all indexes as they might be written, some in another letter case."""
    texts: dict[str, Any] = {}
    for index in schema["indexes"].values():
        for which in ("pk", "sk"):
            each = index.get(which)
            if each:
                texts.setdefault(each["field"], key_text(random, schema, index, which))
    return texts


def key_text(random: Random, schema: dict[str, Any], index: dict[str, Any], which: str) -> Any:
    each = index[which]
    own = [name for name, one in schema["attributes"].items() if one.get("field", name) == each["field"]]
    template = each.get("template") or (placeholder(own[0]) if own else None)
    values = {name: value_of(random, schema["attributes"][name]) for name in each["composite"]}
    if template is None:
        prefix = "$Svc" if which == "pk" and "sk" in index else ("$Svc$Ent_1" if which == "pk" else "$Ent_1")
        text = prefix + "".join(f"#{name}_{text_of(value)}" for name, value in values.items())
    elif template == placeholder(next(iter(values))) and schema["attributes"][next(iter(values))]["type"] == "number":
        return next(iter(values.values()))
    else:
        text = template
        for name, value in values.items():
            text = text.replace(placeholder(name), text_of(value))
    return random.choice([text, text.lower(), text.lower(), text.upper()])


def text_of(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def params(chain: list[Any]) -> Call:
    return {"kind": "params", "chain": chain}


MAKERS = (put, upsert, upsert, update, update, update, update, read, read, read, parse, conversion)


def call(random: Random, schema: dict[str, Any]) -> Call:
    return random.choice(MAKERS)(random, schema)
