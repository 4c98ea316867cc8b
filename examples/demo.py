"""Task management from a description to a table in use: designed, proven and priced, then written to and asked."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import tablewright as tw
from tablewright import ANY, Attr, Range, attr, tasks
from tablewright.cli.terminal import show_blocks
from tablewright.report.document import overview

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import Design

Status = Literal["open", "in-progress", "completed"]
taskapp = tw.Service("taskapp", table=tw.Table("app"))


class Employee(tw.Entity, service=taskapp, name="employee", version="1"):
    """Someone who works here."""

    employee: Attr[str]
    name: Attr[str]
    team: Attr[str | None] = attr(default=None)
    open_tasks: Attr[int] = attr(default=0, field="openTasks")

    @tw.primary
    def key(self, employee: str) -> None:
        """One employee."""

    @tw.index("gsi1", collection="workload")
    def workload(self, employee: str) -> None:
        """The employee's own row beside the tasks."""


class Task(tw.Entity, service=taskapp, name="task", version="1"):
    """Something to be done in a project."""

    project: Attr[str]
    task_id: Attr[str] = attr(default_factory=tw.new_id, name="taskId")
    employee: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="open")
    created_at: Attr[datetime] = attr(default_factory=tw.now, read_only=True, name="createdAt")
    tags: Attr[set[str]] = attr(default_factory=set)

    @tw.primary
    def key(self, project: str, *, task_id: str) -> None:
        """One task."""

    @tw.index("table")
    def of_project(self, project: str, *, task_id: Range[str] = ANY) -> None:
        """The tasks of a project."""

    @tw.index("gsi1", collection="workload")
    def by_employee(self, employee: str, *, status: Status = ANY, created_at: Range[datetime] = ANY) -> None:
        """What an employee has to do, by status and age."""


class Workload(tw.Collection, service=taskapp, name="workload"):
    """An employee with all tasks, in one query."""

    employees: list[Employee]
    tasks: list[Task]

    @tw.index("gsi1")
    def of(self, employee: str) -> None: ...


SPEC = Path(__file__).parent / "specs" / "task-management.yaml"
OUTPUT = Path("build") / "demo"


def main() -> None:
    found = design()
    with tw.Database.embedded() as db:  # or tw.Database.aws(region_name="eu-west-1")
        db.create(taskapp)
        write(db)
        ask(db)
        change(db)
    generate(found)


def design() -> Design:
    """What `tablewright design examples/specs/task-management.yaml --prove` shows."""
    found = tasks.design(SPEC, prove=True)
    show_blocks(overview(found))
    return found


def generate(found: Design) -> None:
    """What `tablewright generate design.json --to all -o build/demo` writes."""
    heading("From the design to production")
    written = tasks.write_generated(found, ["all"], OUTPUT, force=True)
    folders = sorted({path.relative_to(OUTPUT).parts[0] for path in written})
    step(
        f"tablewright generate --to all -o {OUTPUT}",
        f"{len(written)} files; {', '.join(folders[:6])},\n    {', '.join(folders[6:])}",
    )
    step("the design document, one page without network", str(OUTPUT / "document" / "design.html"))


def write(db: tw.Database) -> None:
    heading("The runtime: typed classes on the embedded DynamoDB")
    ada = Employee(employee="e1", name="Ada", open_tasks=4)
    told = db.run(ada.create(), explain=True)
    step('Employee(employee="e1", name="Ada", ...).create()', f"written for {told.wcu:g} write units, index included")
    try:
        db.run(ada.create())
    except tw.ConditionFailed as error:
        step("the same once more", f"{type(error).__name__}: she is there already")
    tasks = [
        Task(project="web", task_id=f"t{day}", employee="e1", created_at=datetime(2026, 1, day, tzinfo=UTC), tags=tags)
        for day, tags in ((1, {"fence"}), (2, {"urgent"}), (3, {"urgent", "fence"}), (4, set[str]()))
    ]
    db.run(tw.batch_write(*(task.put() for task in tasks)))
    step("tw.batch_write(*(task.put() for task in tasks))", f"{len(tasks)} tasks in one request")


def ask(db: tw.Database) -> None:
    found = db.run(Task.key("web", task_id="t1").get())
    step('Task.key("web", task_id="t1").get()', f"{found and found.task_id}, {found and found.status}")
    later = Task.by_employee("e1", status="open", created_at=tw.gte(datetime(2026, 1, 3, tzinfo=UTC)))
    step('Task.by_employee("e1", status="open", created_at=tw.gte(third))', ids(db.iter(later)))
    page = db.run(Task.of_project("web").descending().limit(2))
    step('Task.of_project("web").descending().limit(2)', f"{ids(page)}, and a cursor")
    workload = db.run(Workload.of("e1"))
    step('Workload.of("e1"), one query', f"{workload.employees[0].name} and {ids(workload.tasks)}")


def change(db: tw.Database) -> None:
    task = db.run(Task.key("web", task_id="t1").get())
    assert task is not None
    finish = tw.transact(
        task.patch(Task.status.set("completed")).where(Task.status != "completed"),
        Employee.key("e1").patch(Employee.open_tasks.add(-1)),
    )
    db.run(finish)
    ada = db.run(Employee.key("e1").get())
    left = ids(db.iter(Task.by_employee("e1", status="open")))
    step("finish the task and count it", f"open_tasks is {ada and ada.open_tasks}; open are {left}")
    try:
        db.run(finish)
    except tw.TransactionCancelled as error:
        step(
            "the same once more", f"refused: {', '.join(reason.code for reason in error.reasons)}; nothing was written"
        )


def heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


def step(code: str, answer: str) -> None:
    print(f"> {code}\n    {answer}")


def ids(tasks: Iterable[Task]) -> str:
    return ", ".join(task.task_id for task in tasks)


if __name__ == "__main__":
    main()
