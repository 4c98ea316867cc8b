"""The callbacks of the loaded style: `where(lambda a, op: op.eq(a.status, "open"))`.

Operations give text that can be glued together as in ElectroDB, and that also knows the node it stands for, so that
conditions can be joined with `&`, `|` and `~`. Glued text is parsed, so a mistake in it is found here.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.parse import parse_condition
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.requests.changes import PathParts, Target, find_target, path_text
from tablewright.runtime.types.values import ABSENT
from tablewright.schema.functions import call
from tablewright.schema.keys import ComposedKey, key_text
from tablewright.schema.types import STRING, Attribute, Enum, Scalar
from tablewright.wire.limits import MAX_IN_CHOICES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from tablewright.runtime.items.layout import Layout

Form: TypeAlias = "Callable[[ComposedKey, Any], Any]"
COMPARISONS: dict[str, nodes.Comparator] = {"eq": "=", "ne": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


class Text(str):
    """A piece of expression: its text with placeholders, and the node behind it."""

    __slots__ = ("context", "node")

    node: Any
    context: Context

    def __and__(self, other: Text) -> Text:
        return self.context.text(nodes.And((self.node, other.node)))

    def __or__(self, other: Text) -> Text:
        return self.context.text(nodes.Or((self.node, other.node)))

    def __invert__(self) -> Text:
        return self.context.text(nodes.Not(self.node))


class Context:
    """One callback in progress: who it asks about and the placeholders handed out so far."""

    def __init__(self, attributes: Mapping[str, Attribute], layouts: tuple[Layout, ...]) -> None:
        self.attributes = attributes
        self.layouts = layouts
        self.placeholders = Placeholders()

    def text(self, node: Any) -> Text:
        """The node as text that means the same wherever it is glued in."""
        rendered = _render_any(node, self.placeholders)
        made = Text(f"({rendered})" if isinstance(node, nodes.And | nodes.Or) else rendered)
        made.node, made.context = node, self
        return made


def _render_any(node: Any, placeholders: Placeholders) -> str:
    if isinstance(node, nodes.Name):
        return placeholders.name(node.parts)
    if isinstance(node, nodes.Value):
        return placeholders.value(node.value, node.hint)
    if isinstance(node, nodes.Size):
        return f"size({placeholders.name(node.path.parts)})"
    return render_condition(node, placeholders)


class Ref:
    """An attribute or a place inside it: `a.dims.port.side`, `a.log[0]`, `a["odd-name"]`."""

    __slots__ = ("_context", "_path")

    def __init__(self, context: Context, path: PathParts) -> None:
        self._context = context
        self._path = path
        if find_target(context.attributes, path) is None:
            near = ", ".join(context.attributes)
            raise RequestError(f"{path_text(path)} is no attribute; there are {near}", code=1012)

    def __getattr__(self, name: str) -> Ref:
        return Ref(self._context, (*self._path, name))

    def __getitem__(self, part: str | int) -> Ref:
        return Ref(self._context, (*self._path, part))


class Attributes:
    """The first argument of a callback: the entity's attributes by name."""

    __slots__ = ("_context",)

    def __init__(self, context: Context) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Ref:
        return Ref(self._context, (name,))

    __getitem__ = __getattr__


def path_of(ref: Any) -> PathParts:
    if not isinstance(ref, Ref):
        raise RequestError(f"operations take an attribute of the callback's first argument, not {ref!r:.40}", code=1012)
    return object.__getattribute__(ref, "_path")  # type: ignore[no-any-return]


class Operations:
    """The second argument of a where callback: everything that can be said about attributes."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def _name(self, ref: Any) -> nodes.Name:
        return self._target(ref).name

    def _target(self, ref: Any) -> Target:
        target = find_target(self._context.attributes, path_of(ref))
        assert target is not None
        return target

    def _operand(self, ref: Any, value: Any, form: Form = ComposedKey.wrap) -> nodes.Operand:
        if isinstance(value, Text):
            return value.node  # type: ignore[no-any-return]
        if value is ABSENT:
            raise RequestError(f"{path_text(path_of(ref))} is compared with an absent value", code=1012)
        value = as_text(self._target(ref).attribute, value)
        key = self._own_key(path_of(ref))
        return nodes.Value(value if key is None else form(key, value))

    def _own_key(self, path: PathParts) -> ComposedKey | None:
        """The key that an attribute is, if it is one: its values are compared in the form in which they are stored."""
        keys = (layout.attribute_keys.get(str(path[0])) for layout in self._context.layouts if len(path) == 1)
        return next((key for key in keys if key is not None), None)

    def _compare(self, kind: str, ref: Any, value: Any) -> Text:
        return self._context.text(nodes.Compare(COMPARISONS[kind], self._name(ref), self._operand(ref, value)))

    def eq(self, ref: Any, value: Any) -> Text:
        return self._compare("eq", ref, value)

    def ne(self, ref: Any, value: Any) -> Text:
        return self._compare("ne", ref, value)

    def gt(self, ref: Any, value: Any) -> Text:
        return self._compare("gt", ref, value)

    def gte(self, ref: Any, value: Any) -> Text:
        return self._compare("gte", ref, value)

    def lt(self, ref: Any, value: Any) -> Text:
        return self._compare("lt", ref, value)

    def lte(self, ref: Any, value: Any) -> Text:
        return self._compare("lte", ref, value)

    def between(self, ref: Any, low: Any, high: Any) -> Text:
        ends = (self._operand(ref, low), self._operand(ref, high))
        return self._context.text(nodes.Between(self._name(ref), *ends))

    def in_(self, ref: Any, values: Any) -> Text:
        """Equal to one of these; ElectroDB has no such operation."""
        if (
            not isinstance(values, list | tuple | set | frozenset)
            or not 1 <= len(cast("Collection[Any]", values)) <= MAX_IN_CHOICES
        ):
            reason = f"takes a list of 1 to {MAX_IN_CHOICES} values, not {values!r:.40}"
            raise RequestError(f"in_ of {path_text(path_of(ref))} {reason}", code=1012)
        given = cast("Collection[Any]", values)
        ordered = sorted(given, key=repr) if isinstance(values, set | frozenset) else given
        return self._context.text(nodes.In(self._name(ref), tuple(self._operand(ref, each) for each in ordered)))

    def _contains(self, ref: Any, value: Any) -> nodes.Function:
        return nodes.Function("contains", (self._name(ref), self._operand(ref, value, ComposedKey.wrap_part)))

    def begins(self, ref: Any, value: Any) -> Text:
        start = self._operand(ref, value, ComposedKey.wrap_start)
        return self._context.text(nodes.Function("begins_with", (self._name(ref), start)))

    def contains(self, ref: Any, value: Any) -> Text:
        return self._context.text(self._contains(ref, value))

    def not_contains(self, ref: Any, value: Any) -> Text:
        return self._context.text(nodes.Not(self._contains(ref, value)))

    def exists(self, ref: Any) -> Text:
        return self._context.text(nodes.Function("attribute_exists", (self._name(ref),)))

    def not_exists(self, ref: Any) -> Text:
        return self._context.text(nodes.Function("attribute_not_exists", (self._name(ref),)))

    def type(self, ref: Any, code: str) -> Text:
        return self._context.text(nodes.Function("attribute_type", (self._name(ref), nodes.Value(code))))

    def eq_or_not_exists(self, ref: Any, value: Any) -> Text:
        equal = nodes.Compare("=", self._name(ref), self._operand(ref, value))
        return self._context.text(nodes.Or((equal, nodes.Function("attribute_not_exists", (self._name(ref),)))))

    def size(self, ref: Any) -> Text:
        return self._context.text(nodes.Size(self._name(ref)))

    def name(self, ref: Any) -> Text:
        return self._context.text(self._name(ref))

    def value(self, ref: Any, value: Any) -> Text:
        return self._context.text(self._operand(ref, value))

    def escape(self, value: Any) -> Text:
        if value is None or value is ABSENT:
            raise RequestError("escape has no value to write; use exists, not_exists or type", code=1012)
        return self._context.text(nodes.Value(value, "v"))

    def field(self, name: str) -> Text:
        return self._context.text(nodes.Name((name,)))


def as_text(attribute: Attribute, value: Any, kinds: tuple[type, ...] = (Scalar, Enum)) -> Any:
    """Numbers and booleans said of a string or enum attribute are meant as text; nothing else is."""
    is_textual = attribute.type == STRING or isinstance(attribute.type, Enum)
    if is_textual and isinstance(attribute.type, kinds) and isinstance(value, bool | int | float | Decimal):
        return key_text(value)
    return value


def read_where(layouts: tuple[Layout, ...], callback: Callable[..., Any]) -> nodes.Condition | None:
    """The condition a where callback describes; None when it describes nothing."""
    attributes = {name: each for layout in reversed(layouts) for name, each in layout.attributes.items()}
    context = Context(attributes, layouts)
    if not callable(callback):
        raise RequestError(f"where takes a function of (attributes, operations), not {callback!r:.40}", code=1012)
    return to_condition(context, call(callback, Attributes(context), Operations(context)))


def to_condition(context: Context, result: Any) -> nodes.Condition | None:
    if isinstance(result, Text):
        return result.node  # type: ignore[no-any-return]
    if not isinstance(result, str):
        raise RequestError(f"a where callback gives a condition, not {type(result).__name__}", code=1012)
    if not result.strip():
        return None
    try:
        return parse_condition(result, context.placeholders.names, context.placeholders.values)
    except ValueError as error:
        raise RequestError(f"the where callback's text is no condition: {error}", code=1012) from error
