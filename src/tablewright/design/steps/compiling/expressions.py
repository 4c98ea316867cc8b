"""Templates as values, and expressions with the placeholders of one step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tablewright.design.steps.model import Expression, Slot, Value
from tablewright.design.values.templates import KeyTemplate, Path, Template
from tablewright.expr import nodes, render
from tablewright.spec.conditions import Predicate

_UNUSABLE = re.compile(r"[^A-Za-z0-9_]")


def compile_template(template: Template) -> Value:
    """A slot, a tuple of texts and slots, or a text that is always the same."""
    parts = tuple(compile_value(part) for part in template.parts)
    if not any(isinstance(part, Slot) for part in parts):
        return "".join(parts)
    return parts[0] if len(parts) == 1 else parts


def compile_value(value: Any) -> Value:
    return Slot(value.name) if isinstance(value, nodes.Slot) else value


def compile_templates(keys: Iterable[KeyTemplate]) -> dict[str, Value]:
    return {each.field: compile_template(each.template) for each in keys}


class Marks(render.Placeholders):
    """Placeholders of one step: `#status` for a name, `:v0`, `:v1`, ... for values."""

    __slots__ = ("_written",)
    is_plain = False

    def __init__(self) -> None:
        super().__init__()
        self._written: list[str] = []  # those in the expression that is being written

    def name(self, parts: Sequence[str | int | nodes.Slot]) -> str:
        text = ""
        for part in parts:
            if isinstance(part, int):
                text += f"[{part}]"
                continue
            self._written.append(self.mark(part))
            text += f".{self._written[-1]}" if text else self._written[-1]
        return text

    def value(self, value: Any, hint: str = "") -> str:
        del hint
        self._written.append(self.reserve(value))
        return self._written[-1]

    def mark(self, part: str | nodes.Slot) -> str:
        """A number is added where two names would look alike."""
        named: Any = compile_value(part)
        plain = "#" + _UNUSABLE.sub("_", part if isinstance(part, str) else part.name)
        found, number = plain, 1
        while self.names.setdefault(found, named) != named:
            number += 1
            found = f"{plain}_{number}"
        return found

    def reserve(self, value: Any = None) -> str:
        found = f":v{len(self.values)}"
        self.values[found] = compile_value(value)
        return found

    def expression(self, text: str) -> Expression:
        """What was written since the last one, with its placeholders."""
        written, self._written = dict.fromkeys(self._written), []
        names: dict[str, Any] = {
            each: self.names[each] for each in written if each in self.names
        }
        values = {each: self.values[each] for each in written if each in self.values}
        return Expression(text, names, values)

    def condition(self, predicate: Predicate | None) -> Expression | None:
        if predicate is None:
            return None
        return self.expression(render.render_condition(predicate.tree, self))


def compile_path(path: Path, marks: Marks) -> Expression:
    return marks.expression(marks.name(path.parts))
