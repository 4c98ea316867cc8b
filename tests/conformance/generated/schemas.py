"""Random schemas around keys that are attributes, templates, watchers, setters, sets and nested defaults."""

from __future__ import annotations

from random import Random
from typing import Any


def fn(name: str, *args: Any) -> dict[str, Any]:
    return {"$fn": name, "args": list(args)}


TEXTS = ("AbC", "x", "xY z", "a@b", "7", "#Q_r")
CASINGS = (None, None, None, "upper", "none", "lower", "default")
TEXT_SETTERS = (
    {"$fn": "upper", "args": []},
    {"$fn": "lower", "args": []},
    {"$fn": "prefix", "args": ["k:"]},
    {"$fn": "ifMissing", "args": ["Gone"]},
)
VALIDATORS = (fn("minLength", 2), fn("never"), fn("raise", "no"), {"$regex": "^[a-zA-Z]"})
NUMBER_SETTERS = ({"$fn": "times", "args": [10]}, {"$fn": "ifMissing", "args": [3]})
STRINGS = ("s1", "s2", "s3")
WATCHERS = ("w1", "w2")
COMPOSITES = ("s1", "s2", "s3", "n1", "n2", "e", "flag", "id", "w1")


def schema(random: Random) -> dict[str, Any]:
    """A schema that ElectroDB may still refuse; then both must."""
    attributes = attributes_of(random)
    indexes = {"main": table_index(random, attributes)}
    for number in range(random.randint(0, 3)):
        indexes[f"by{number}"] = secondary(random, attributes, number, indexes)
    return {"model": {"service": "Svc", "entity": "Ent", "version": "1"}, "attributes": attributes, "indexes": indexes}


# ---- attributes ------------------------------------------------------------------------------------------------------


def attributes_of(random: Random) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        "id": {"type": "string"},
        "no": {"type": random.choice(["string", "string", "number"])},
    }
    for name in STRINGS:
        attributes[name] = text_attribute(random, name)
    attributes["n1"] = number_attribute(random)
    attributes["n2"] = number_attribute(random)
    attributes["e"] = {"type": ["red", "Blue"], **maybe(random, "default", "Blue", 0.3)}
    attributes["flag"] = {"type": "boolean"}
    attributes["tags"] = {"type": "set", "items": "string"}
    attributes["nums"] = {"type": "set", "items": "number", **maybe(random, "field", "nu", 0.3)}
    attributes["l"] = {"type": "list", "items": list_items(random)}
    attributes["m"] = map_attribute(random)
    attributes["any"] = {"type": "any", **maybe(random, "set", fn("ifMissing", "A"), 0.1)}
    for name in WATCHERS:
        if random.random() < 0.5:
            attributes[name] = watcher(random, name)
    names = list(attributes)
    random.shuffle(names)
    return {name: attributes[name] for name in names}


def maybe(random: Random, option: str, value: Any, chance: float) -> dict[str, Any]:
    return {option: value} if random.random() < chance else {}


def text_attribute(random: Random, name: str) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "string"}
    made |= maybe(random, "field", f"{name}f", 0.25)
    made |= maybe(random, "set", random.choice(TEXT_SETTERS), 0.35)
    made |= maybe(random, "default", random.choice(TEXTS), 0.2)
    made |= maybe(random, "readOnly", True, 0.15)
    made |= maybe(random, "required", True, 0.1)
    made |= maybe(random, "label", "L", 0.1)
    made |= maybe(random, "validate", random.choice(VALIDATORS), 0.1)
    return made


def number_attribute(random: Random) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "number"}
    made |= maybe(random, "set", random.choice(NUMBER_SETTERS), 0.35)
    made |= maybe(random, "default", random.choice([0, 5, 1.5]), 0.2)
    made |= maybe(random, "readOnly", True, 0.15)
    made |= maybe(random, "padding", {"length": 4, "char": "0"}, 0.1)
    return made


def map_attribute(random: Random) -> dict[str, Any]:
    properties = {
        "a": {"type": "string", **maybe(random, "set", fn("upper"), 0.3), **maybe(random, "field", "af", 0.3)},
        "k": {"type": ["one", "Two"], **maybe(random, "default", "Two", 0.7), **maybe(random, "required", True, 0.3)},
        "c": {"type": "number", **maybe(random, "default", 9, 0.4)},
        "t": {"type": "set", "items": "string"},
        "ro": {"type": "string", **maybe(random, "readOnly", True, 0.5)},
    }
    return {"type": "map", "properties": properties}


def list_items(random: Random) -> dict[str, Any]:
    if random.random() < 0.5:
        return {"type": "string", **maybe(random, "set", fn("upper"), 0.3)}
    inner = {"a": {"type": "string"}, "k": {"type": ["one", "Two"], "default": "one"}}
    return {"type": "map", "properties": inner}


def watcher(random: Random, name: str) -> dict[str, Any]:
    watched = random.sample([*STRINGS, "n1", "tags", "m"], random.randint(1, 2))
    texts = [name for name in watched if name in STRINGS]  # JavaScript has its own way to join the others
    setters = [fn("const", "Said"), fn("ifMissing", "Lack")]
    if (
        name not in COMPOSITES
    ):  # an index follows what is stored, also where a setter answers nothing: a chosen difference
        setters += [fn("copy", watched[0]), fn("join", "@", *texts), fn("drop")]
    setter = random.choice(setters)
    kind = "any" if setter["$fn"] == "copy" else random.choice(["string", "any"])  # a copy may be no text
    made: dict[str, Any] = {"type": kind, "watch": random.choice([watched, watched, "*"])}
    made["set"] = setter
    made |= maybe(random, "readOnly", True, 0.4)
    made |= maybe(random, "field", f"w{random.randint(5, 7)}f", 0.2)
    return made


# ---- indexes ---------------------------------------------------------------------------------------------------------


def table_index(random: Random, attributes: dict[str, Any]) -> dict[str, Any]:
    pk = own_key(random, attributes, "id") if random.random() < 0.3 else side(random, "pk", ["id"])
    if random.random() < 0.2:
        return {"pk": pk}
    names = random.choice([["no"], ["no"], []])
    sk = own_key(random, attributes, "no") if names and random.random() < 0.4 else side(random, "sk", names)
    return {"pk": pk, "sk": sk}


def own_keys(attributes: dict[str, Any], indexes: dict[str, Any]) -> list[str]:
    """The attributes that are key fields themselves. ElectroDB makes other keys of them as no reader would expect."""
    sides = [side for index in indexes.values() for side in (index["pk"], index.get("sk")) if side]
    fields = {attribute.get("field", name): name for name, attribute in attributes.items()}
    return [fields[side["field"]] for side in sides if side["field"] in fields]


def secondary(random: Random, attributes: dict[str, Any], number: int, others: dict[str, Any]) -> dict[str, Any]:
    taken = own_keys(attributes, others)
    pool = [name for name in COMPOSITES if name in attributes and name not in taken]
    random.shuffle(pool)
    made: dict[str, Any] = {"index": f"g{number}"}
    made["pk"] = side_of(random, attributes, f"g{number}pk", pool, str(others), least=1)
    if random.random() < 0.8:
        made["sk"] = side_of(random, attributes, f"g{number}sk", pool, str(others), least=0)
        made |= maybe(random, "type", "clustered", 0.1)
    return made


def side_of(
    random: Random, attributes: dict[str, Any], field: str, pool: list[str], others: str, *, least: int
) -> dict[str, Any]:
    names = [pool.pop() for _ in range(min(len(pool), random.randint(least, 2)))]
    if len(names) == 1 and random.random() < 0.5:
        return own_key(random, attributes, names[0], others)
    return side(random, field, names)


def own_key(random: Random, attributes: dict[str, Any], name: str, others: str = "") -> dict[str, Any]:
    """A key field that is an attribute itself, with text around it unless setters, watchers or other keys see it."""
    attributes[name].pop("padding", None)
    key = {"field": attributes[name].get("field", name), "composite": [name]}
    seen_by = (others, *(str(attributes.get(watcher)) for watcher in WATCHERS))
    is_enum = isinstance(attributes[name]["type"], list)  # data() refuses those that have another form as keys
    if is_enum or "set" in attributes[name] or any(f"'{name}'" in each for each in seen_by):
        return {**key, "casing": "none"}
    made = cased(random, key)
    if random.random() < 0.5 and attributes[name]["type"] == "string":
        made["template"] = random.choice(["p#{}", "{}#End", "P_{}_q", "{}"]).format(placeholder(name))
    return made


def side(random: Random, field: str, names: list[str]) -> dict[str, Any]:
    made = cased(random, {"field": field, "composite": names})
    if names and random.random() < 0.3:
        made["template"] = "T#" + "#".join(placeholder(name) for name in names) + random.choice(["", "#Z"])
    return made


def placeholder(name: str) -> str:
    return "${" + name + "}"


def cased(random: Random, key: dict[str, Any]) -> dict[str, Any]:
    casing = random.choice(CASINGS)
    return key if casing is None else {**key, "casing": casing}
