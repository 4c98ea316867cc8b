"""One write of a design, with its expressions rendered."""

from __future__ import annotations

from tablewright.design import model as designed
from tablewright.design.steps.compiling.changes import (
    compile_changes,
    compile_replacement,
    compile_requirement,
)
from tablewright.design.steps.compiling.expressions import (
    Marks,
    compile_template,
    compile_templates,
)
from tablewright.design.steps.model import Unchanged, Value, Write


def compile_write(design: designed.Design, step: designed.WriteStep) -> Write:
    marks = Marks()
    item = next(each for each in design.items if each.name == step.item)
    is_update = step.operation == "UpdateItem"
    attributes: dict[str, Value] = {
        path.name: compile_template(template) for path, template in step.set.items()
    }
    attributes |= step.constants
    compiling = compile_replacement if step.all_attributes else compile_changes
    changes = tuple(compiling(design, item, step, marks)) if is_update else ()
    return Write(
        operation=step.operation,
        item=step.item,
        table=step.table,
        key=compile_templates(step.key),
        all_attributes=step.all_attributes,
        attributes={} if is_update else attributes,
        changes=changes,
        condition=compile_requirement(step, marks),
        unchanged=(
            *(
                Unchanged(name, marks.mark(name), marks.reserve())
                for name in step.unchanged
            ),
            *(
                Unchanged(name, marks.mark(name), marks.reserve(), taken)
                for name, taken in step.seen.items()
            ),
        ),
        unless_same=step.unless_same,
        if_same=step.if_same,
        if_newer=step.if_newer,
        each=step.each,
        names_of=step.names_of,
    )
