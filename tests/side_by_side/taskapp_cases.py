"""Every operation on the task-management service: what one writes for ElectroDB, and what one writes for us."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import tablewright as tw
from tests.side_by_side.columns import Case
from tests.side_by_side.taskapp import Comment, Effort, Employee, Task, Workload

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
EASTER = datetime(2026, 4, 5, 8, 30, tzinfo=UTC)

KEY = '{project: "web", taskId: "t1"}'
OTHER_KEY = '{project: "web", taskId: "t2"}'
NAMED_ITEM = """{
    project: "web", taskId: "t1", employee: "e1", status: "open", createdAt: "2026-01-01T00:00:00.000Z",
    tags: ["ui", "urgent"], title: "Paint it", points: 3, spent: 1.5,
    effort: {bestCase: 1, worstCase: 5, unit: "d"},
    comments: [{author: "e2", body: "Why?"}], checklist: ["colour", "brush"],
}"""
BUSY_ITEM = (
    '{project: "web", taskId: "t2", employee: "e1", status: "open", createdAt: "2026-01-01T00:00:00.000Z", '
    'title: "", points: 0}'
)
EMPLOYEE_ITEM = '{employee: "e1", name: "Ada", team: "core", open_tasks: 2}'


def task() -> Task:
    return Task(
        project="web",
        taskId="t1",
        employee="e1",
        status="open",
        createdAt=NEW_YEAR,
        tags={"ui", "urgent"},
        title="Paint it",
        points=3,
        spent=1.5,
        effort=Effort(best_case=1, worst_case=5, unit="d"),
        comments=[Comment(author="e2", body="Why?")],
        checklist=["colour", "brush"],
    )


def busy() -> Task:
    return Task(project="web", taskId="t2", employee="e1", createdAt=NEW_YEAR)


def ada() -> Employee:
    return Employee(employee="e1", name="Ada", team="core", open_tasks=2)


def key(task_id: str = "t1") -> tw.Key[Task]:
    return Task.key("web", task_id=task_id)


READING = [
    Case("get", f"tasks.get({KEY}).params()", lambda: key().get()),
    Case(
        "get an entity without sort composites",
        'employees.get({employee: "e1"}).params()',
        lambda: Employee.key("e1").get(),
    ),
    Case("get consistent", f"tasks.get({KEY}).params({{consistent: true}})", lambda: key().get().consistent()),
    Case(
        "get some attributes",
        f'tasks.get({KEY}).go({{attributes: ["title", "createdAt", "effort", "project", "taskId"]}})',
        lambda: key().get().only(Task.title, Task.created_at, Task.effort),
    ),
    Case(
        "get from another table",
        f'tasks.get({KEY}).params({{table: "old"}})',
        lambda: key().get().with_options(table="old"),
    ),
    Case(
        "get with parameters of its own",
        f'tasks.get({KEY}).params({{params: {{ReturnConsumedCapacity: "TOTAL"}}}})',
        lambda: key().get().with_options(params={"ReturnConsumedCapacity": "TOTAL"}),
    ),
    Case("batch get", f"tasks.get([{KEY}, {OTHER_KEY}]).params()", lambda: tw.batch_get(key().get(), key("t2").get())),
    Case(
        "batch get consistent",
        f"tasks.get([{KEY}]).params({{consistent: true}})",
        lambda: tw.batch_get(key().get()).with_options(consistent=True),
    ),
    Case(
        "batch get some attributes",
        f'tasks.get([{KEY}, {OTHER_KEY}]).go({{attributes: ["title", "project", "taskId"]}})',
        lambda: tw.batch_get(key().get(), key("t2").get()).with_options(attributes=("title",)),
    ),
    Case(
        "batch get in two requests",
        "employees.get(Array.from({length: 101}, (_, at) => ({employee: `e${at}`}))).params()",
        lambda: tw.batch_get(*(Employee.key(f"e{at}").get() for at in range(101))),
    ),
]

WRITING = [
    Case("put", f"tasks.put({NAMED_ITEM}).params()", lambda: task().put()),
    Case("put with defaults", f"tasks.put({BUSY_ITEM}).params()", lambda: busy().put()),
    Case("put an entity without sort composites", f"employees.put({EMPLOYEE_ITEM}).params()", lambda: ada().put()),
    Case(
        "put on a condition",
        f'tasks.put({NAMED_ITEM}).where((a, op) => op.ne(a.status, "completed")).params()',
        lambda: task().put().where(Task.status != "completed"),
    ),
    Case(
        "put returning",
        f'tasks.put({NAMED_ITEM}).params({{response: "all_old"}})',
        lambda: task().put().returning("all_old"),
    ),
    Case("create", f"tasks.create({NAMED_ITEM}).params()", lambda: task().create()),
    Case(
        "create on a condition",
        f"tasks.create({NAMED_ITEM}).where((a, op) => op.notExists(a.title)).params()",
        lambda: task().create().where(Task.title.not_exists()),
    ),
    Case("upsert", f"tasks.upsert({NAMED_ITEM}).params()", lambda: task().upsert()),
    Case("upsert with defaults", f"tasks.upsert({BUSY_ITEM}).params()", lambda: busy().upsert()),
    Case(
        "upsert an entity without sort composites",
        f"employees.upsert({EMPLOYEE_ITEM}).params()",
        lambda: ada().upsert(),
    ),
    Case(
        "upsert that counts",
        f"""tasks.upsert({BUSY_ITEM.replace(", points: 0", "")}).add({{points: 2}}).params()""",
        lambda: busy().upsert(Task.points.add(2)),
    ),
    Case(
        "upsert on a condition",
        f'tasks.upsert({BUSY_ITEM}).where((a, op) => op.eq(a.title, "")).params()',
        lambda: busy().upsert().where(Task.title == ""),
    ),
    Case("delete", f"tasks.delete({KEY}).params()", lambda: key().delete()),
    Case("delete an item", f"tasks.delete({KEY}).params()", lambda: task().delete()),
    Case(
        "delete on a condition",
        f'tasks.delete({KEY}).where((a, op) => op.eq(a.status, "completed")).params()',
        lambda: key().delete().where(Task.status == "completed"),
    ),
    Case(
        "delete returning",
        f'tasks.delete({KEY}).params({{response: "all_old"}})',
        lambda: key().delete().returning("all_old"),
    ),
    Case("remove", f"tasks.remove({KEY}).params()", lambda: key().remove()),
    Case("remove an item", f"tasks.remove({KEY}).params()", lambda: task().remove()),
    Case(
        "remove on a condition",
        f"tasks.remove({KEY}).where((a, op) => op.lt(a.points, 5)).params()",
        lambda: key().remove().where(Task.points < 5),
    ),
    Case(
        "batch put",
        f"tasks.put([{NAMED_ITEM}, {BUSY_ITEM}]).params()",
        lambda: tw.batch_write(task().put(), busy().put()),
    ),
    Case(
        "batch delete",
        f"tasks.delete([{KEY}, {OTHER_KEY}]).params()",
        lambda: tw.batch_write(key().delete(), key("t2").delete()),
    ),
    Case(
        "batch delete in two requests",
        "employees.delete(Array.from({length: 26}, (_, at) => ({employee: `e${at}`}))).params()",
        lambda: tw.batch_write(*(Employee.key(f"e{at}").delete() for at in range(26))),
    ),
]


def changed(name: str, electro: str, *changes: Any) -> Case:
    """An update of one task by its key."""
    return Case(name, f"tasks.update({KEY}){electro}.params()", lambda: key().update(*changes))


UPDATING = [
    changed("update: set", '.set({title: "Paint it", points: 8})', Task.title.set("Paint it"), Task.points.set(8)),
    changed(
        "update: set a set, a list and a map",
        '.set({tags: ["ui"], checklist: ["brush"], effort: {bestCase: 1, worstCase: 2}})',
        Task.tags.set({"ui"}),
        Task.checklist.set(["brush"]),
        Task.effort.set(Effort(best_case=1, worst_case=2)),
    ),
    changed("update: set an empty text", '.set({title: ""})', Task.title.set("")),
    changed("update: set nested", '.set({"effort.bestCase": 2})', Task.effort.inside.best_case.set(2)),
    changed(
        "update: set nested with another field", '.set({"effort.worstCase": 9})', Task.effort.inside.worst_case.set(9)
    ),
    changed("update: set a list element", '.set({"checklist[1]": "roller"})', Task.checklist[1].set("roller")),
    changed("update: set inside a list element", '.set({"comments[0].body": "Oh."})', Task.comments[0].body.set("Oh.")),
    changed("update: add a number", ".add({points: 2})", Task.points.add(2)),
    changed("update: add a negative number", ".add({points: -2})", Task.points.add(-2)),
    changed("update: add a fraction", ".add({spent: 0.25})", Task.spent.add(0.25)),
    changed("update: add nested", '.add({"effort.bestCase": 1})', Task.effort.inside.best_case.add(1)),
    changed("update: add to a set", '.add({tags: ["ui"]})', Task.tags.add({"ui"})),
    changed("update: add with a start", ".data((a, op) => op.add(a.points, 2, 10))", Task.points.add(2, default=10)),
    changed("update: subtract", ".subtract({points: 1})", Task.points.subtract(1)),
    changed(
        "update: subtract with a start",
        ".data((a, op) => op.subtract(a.points, 1, 5))",
        Task.points.subtract(1, default=5),
    ),
    changed("update: append", '.append({checklist: ["clean up"]})', Task.checklist.append("clean up")),
    changed(
        "update: append maps",
        '.append({comments: [{author: "e1", body: "Done."}, {author: "e2", body: "Thanks."}]})',
        Task.comments.append(Comment(author="e1", body="Done."), Comment(author="e2", body="Thanks.")),
    ),
    changed("update: delete from a set", '.delete({tags: ["ui", "urgent"]})', Task.tags.delete({"ui", "urgent"})),
    changed("update: remove", '.remove(["spent", "effort"])', Task.spent.remove(), Task.effort.remove()),
    changed("update: remove nested", '.remove(["effort.worstCase"])', Task.effort.inside.worst_case.remove()),
    changed("update: remove a list element", '.remove(["checklist[0]"])', Task.checklist[0].remove()),
    changed(
        "update: if_not_exists",
        '.data((a, op) => op.ifNotExists(a.title, "Untitled"))',
        Task.title.if_not_exists("Untitled"),
    ),
    changed(
        "update: if_not_exists nested",
        '.data((a, op) => op.ifNotExists(a.effort.unit, "d"))',
        Task.effort.inside.unit.if_not_exists("d"),
    ),
    changed(
        "update: everything at once",
        '.set({title: "X"}).add({points: 1, tags: ["b"]}).subtract({spent: 1}).append({checklist: ["c"]})'
        '.remove(["effort"]).set({"comments[0].body": "e"})',
        Task.title.set("X"),
        Task.points.add(1),
        Task.tags.add({"b"}),
        Task.spent.subtract(1),
        Task.checklist.append("c"),
        Task.effort.remove(),
        Task.comments[0].body.set("e"),
    ),
    Case(
        "patch: an entity without sort composites, with another field",
        'employees.patch({employee: "e1"}).add({open_tasks: 1}).set({team: "web"}).params()',
        lambda: Employee.key("e1").patch(Employee.open_tasks.add(1), Employee.team.set("web")),
    ),
    Case(
        "update: on a condition",
        f'tasks.update({KEY}).set({{title: "X"}}).where((a, op) => op.eq(a.title, "Y")).params()',
        lambda: key().update(Task.title.set("X")).where(Task.title == "Y"),
    ),
    Case(
        "update: returning",
        f'tasks.update({KEY}).set({{title: "X"}}).params({{response: "updated_new"}})',
        lambda: key().update(Task.title.set("X")).returning("updated_new"),
    ),
    Case(
        "update: an index key, completed by composite",
        f"""tasks.update({KEY}).set({{status: "completed"}})
            .composite({{createdAt: "2026-01-01T00:00:00.000Z"}}).params()""",
        lambda: key().update(Task.status.set("completed")).composite(created_at=NEW_YEAR),
    ),
    Case(
        "update: an index key, completed by the item",
        f"""tasks.update({KEY}).set({{status: "completed"}})
            .composite({{createdAt: "2026-01-01T00:00:00.000Z"}}).params()""",
        lambda: task().update(Task.status.set("completed")),
    ),
    Case("patch", f'tasks.patch({KEY}).set({{title: "X"}}).params()', lambda: key().patch(Task.title.set("X"))),
    Case(
        "patch on conditions",
        f"""tasks.patch({KEY}).set({{title: "X"}})
            .where((a, op) => op.gt(a.points, 1)).where((a, op) => op.exists(a.tags)).params()""",
        lambda: key().patch(Task.title.set("X")).where(Task.points > 1).where(Task.tags.exists()),
    ),
    Case(
        "patch: an index key, completed by composite",
        f"""tasks.patch({KEY}).set({{status: "in-progress"}})
            .composite({{createdAt: "2026-04-05T08:30:00.000Z"}}).params()""",
        lambda: key().patch(Task.status.set("in-progress")).composite(created_at=EASTER),
    ),
    Case(
        "patch: an index key, completed by the item",
        f"""tasks.patch({KEY}).set({{status: "completed"}}).composite({{createdAt: "2026-01-01T00:00:00.000Z"}})
            .where((a, op) => op.ne(a.status, "completed")).params()""",
        lambda: task().patch(Task.status.set("completed")).where(Task.status != "completed"),
    ),
]


def filtered(name: str, electro: str, condition: Any) -> Case:
    """A query with a filter."""
    return Case(
        f"filter: {name}",
        f'tasks.query.by_employee({{employee: "e1"}}).where((a, op) => {electro}).params()',
        lambda: Task.by_employee("e1").where(condition),
    )


FILTERING = [
    filtered("eq", 'op.eq(a.title, "X")', Task.title == "X"),
    filtered("ne", 'op.ne(a.title, "X")', Task.title != "X"),
    filtered("lt", "op.lt(a.points, 3)", Task.points < 3),
    filtered("lte", "op.lte(a.points, 3)", Task.points <= 3),
    filtered("gt", "op.gt(a.points, 3)", Task.points > 3),
    filtered("gte", "op.gte(a.points, 3)", Task.points >= 3),
    filtered("between", "op.between(a.points, 3, 5)", Task.points.between(3, 5)),
    filtered("begins", 'op.begins(a.title, "P")', Task.title.begins_with("P")),
    filtered("contains a text", 'op.contains(a.title, "aint")', Task.title.contains("aint")),
    filtered("contains an element", 'op.contains(a.tags, "ui")', Task.tags.contains("ui")),
    filtered("not contains", 'op.notContains(a.tags, "ui")', ~Task.tags.contains("ui")),
    filtered("exists", "op.exists(a.spent)", Task.spent.exists()),
    filtered("not exists", "op.notExists(a.spent)", Task.spent.not_exists()),
    filtered("type", 'op.type(a.spent, "N")', Task.spent.is_type("N")),
    filtered("size", "`${op.size(a.tags)} > ${op.escape(3)}`", Task.tags.size() > 3),
    filtered(
        "in",
        '`${op.name(a.status)} IN (${op.value(a.status, "open")}, ${op.value(a.status, "completed")})`',
        Task.status.is_in("open", "completed"),
    ),
    filtered("eq or not exists", "op.eqOrNotExists(a.spent, 0)", (Task.spent == 0) | Task.spent.not_exists()),
    filtered("a date", 'op.gte(a.createdAt, "2026-01-01T00:00:00.000Z")', Task.created_at >= NEW_YEAR),
    filtered("nested", "op.lt(a.effort.bestCase, 3)", Task.effort.inside.best_case < 3),
    filtered("nested with another field", "op.exists(a.effort.worstCase)", Task.effort.inside.worst_case.exists()),
    filtered("a list element", 'op.eq(a.checklist[0], "brush")', Task.checklist[0] == "brush"),
    filtered("inside a list element", 'op.ne(a.comments[1].author, "e2")', Task.comments[1].author != "e2"),
    filtered("one attribute with another", "op.eq(a.points, op.name(a.spent))", Task.points == Task.spent),
    filtered(
        "and",
        '`${op.eq(a.title, "X")} AND ${op.gt(a.points, 3)}`',
        (Task.title == "X") & (Task.points > 3),
    ),
    filtered(
        "or inside and",
        '`(${op.eq(a.title, "X")} OR ${op.eq(a.title, "Y")}) AND ${op.gt(a.points, 3)}`',
        ((Task.title == "X") | (Task.title == "Y")) & (Task.points > 3),
    ),
    filtered(
        "not",
        '`NOT (${op.eq(a.title, "X")} OR ${op.exists(a.spent)})`',
        ~((Task.title == "X") | Task.spent.exists()),
    ),
    Case(
        "filter: twice",
        """tasks.query.by_employee({employee: "e1"}).where((a, op) => op.eq(a.title, "X"))
            .where((a, op) => `(${op.gt(a.points, 3)} OR ${op.lt(a.points, 1)})`).params()""",
        lambda: Task.by_employee("e1").where(Task.title == "X").where((Task.points > 3) | (Task.points < 1)),
    ),
]

AGES: dict[str, tuple[str, Any]] = {
    "gt": ('.gt({createdAt: "2026-01-01T00:00:00.000Z"})', tw.gt(NEW_YEAR)),
    "gte": ('.gte({createdAt: "2026-01-01T00:00:00.000Z"})', tw.gte(NEW_YEAR)),
    "lt": ('.lt({createdAt: "2026-01-01T00:00:00.000Z"})', tw.lt(NEW_YEAR)),
    "lte": ('.lte({createdAt: "2026-01-01T00:00:00.000Z"})', tw.lte(NEW_YEAR)),
    "between": (
        '.between({createdAt: "2026-01-01T00:00:00.000Z"}, {createdAt: "2026-04-05T08:30:00.000Z"})',
        tw.between(NEW_YEAR, EASTER),
    ),
    "begins": ('.begins({createdAt: "2026-0"})', tw.begins_with("2026-0")),
}
STATES: dict[str, tuple[str, Any]] = {
    "gt": ('.gt({status: "in-progress"})', tw.gt("in-progress")),
    "gte": ('.gte({status: "in-progress"})', tw.gte("in-progress")),
    "lt": ('.lt({status: "in-progress"})', tw.lt("in-progress")),
    "lte": ('.lte({status: "in-progress"})', tw.lte("in-progress")),
    "between": ('.between({status: "in-progress"}, {status: "open"})', tw.between("in-progress", "open")),
    "begins": ('.begins({status: "in"})', tw.begins_with("in")),
}


def compared(operator: str, how: Any) -> list[Case]:
    """A comparison on the last sort composite, and one on a composite in front of it."""
    age, state = AGES[operator], STATES[operator]
    option = f'.params({{compare: "{how}"}})'
    return [
        Case(
            f"query {operator} on the last composite, compare {how}",
            f'tasks.query.by_employee({{employee: "e1", status: "open"}}){age[0]}{option}',
            lambda: Task.by_employee("e1", status="open", created_at=age[1]).compare(how),
        ),
        Case(
            f"query {operator} on the first composite, compare {how}",
            f'tasks.query.by_employee({{employee: "e1"}}){state[0]}{option}',
            lambda: Task.by_employee("e1", status=state[1]).compare(how),
        ),
    ]


COMPARING = [case for how in ("keys", "attributes", "v2") for operator in AGES for case in compared(operator, how)]

QUERYING = [
    Case(
        "query eq",
        """tasks.query.by_employee({employee: "e1", status: "open",
        createdAt: "2026-01-01T00:00:00.000Z"}).params()""",
        lambda: Task.by_employee("e1", status="open", created_at=NEW_YEAR),
    ),
    Case(
        "query with half a sort key",
        'tasks.query.by_employee({employee: "e1", status: "open"}).params()',
        lambda: Task.by_employee("e1", status="open"),
    ),
    Case(
        "query without a sort key", 'tasks.query.by_employee({employee: "e1"}).params()', lambda: Task.by_employee("e1")
    ),
    Case(
        "query without sort composites",
        'employees.query.workload({employee: "e1"}).params()',
        lambda: Employee.workload("e1"),
    ),
    Case(
        "query begins without compare",
        'tasks.query.by_employee({employee: "e1"}).begins({status: "in"}).params()',
        lambda: Task.by_employee("e1", status=tw.begins_with("in")),
    ),
    *(
        Case(
            f"query eq, compare {how}",
            f'tasks.query.by_employee({{employee: "e1", status: "open"}}).params({{compare: "{how}"}})',
            lambda how=how: Task.by_employee("e1", status="open").compare(how),
        )
        for how in ("keys", "attributes", "v2")
    ),
    Case(
        "query descending",
        'tasks.query.by_employee({employee: "e1"}).params({order: "desc"})',
        lambda: Task.by_employee("e1").descending(),
    ),
    Case(
        "query ascending",
        'tasks.query.by_employee({employee: "e1"}).params({order: "asc"})',
        lambda: Task.by_employee("e1").ascending(),
    ),
    Case(
        "query limited",
        'tasks.query.by_employee({employee: "e1"}).params({limit: 10})',
        lambda: Task.by_employee("e1").limit(10),
    ),
    Case(
        "query consistent",
        'tasks.query.by_employee({employee: "e1"}).params({consistent: true})',
        lambda: Task.by_employee("e1").consistent(),
    ),
    Case(
        "query with all options",
        """tasks.query.by_employee({employee: "e1"}).params({
        order: "desc", limit: 5, consistent: true, table: "old", params: {ReturnConsumedCapacity: "INDEXES"}})""",
        lambda: (
            Task.by_employee("e1")
            .descending()
            .limit(5)
            .consistent()
            .with_options(table="old", params={"ReturnConsumedCapacity": "INDEXES"})
        ),
    ),
    Case(
        "query some attributes",
        'tasks.query.by_employee({employee: "e1"}).go({attributes: ["title", "createdAt", "employee"]})',
        lambda: Task.by_employee("e1").only(Task.title, Task.created_at),
    ),
    Case(
        "query some attributes, filtered",
        """tasks.query.by_employee({employee: "e1"}).where((a, op) => op.gt(a.points, 1))
        .go({attributes: ["title", "employee"]})""",
        lambda: Task.by_employee("e1").where(Task.points > 1).only(Task.title),
    ),
    Case("scan", "tasks.scan.params()", Task.scan),
    Case(
        "scan filtered and limited",
        "tasks.scan.where((a, op) => op.gt(a.points, 1)).params({limit: 3})",
        lambda: Task.scan().where(Task.points > 1).limit(3),
    ),
    Case("scan an entity without sort composites", "employees.scan.params()", Employee.scan),
    Case("find by the table key", f"tasks.find({KEY}).params()", lambda: Task.find(project="web", task_id="t1")),
    Case("find by half the table key", 'tasks.find({project: "web"}).params()', lambda: Task.find(project="web")),
    Case(
        "find by an index",
        'tasks.find({employee: "e1", status: "open"}).params()',
        lambda: Task.find(employee="e1", status="open"),
    ),
    Case("find by nothing of use", 'tasks.find({title: "X"}).params()', Task.scan),  # typed: refused
    Case("match by the table key", f"tasks.match({KEY}).params()", lambda: Task.match(project="web", task_id="t1")),
    Case(
        "match by half the table key",
        'tasks.match({project: "web", title: "X"}).params()',
        lambda: Task.match(project="web", title="X"),
    ),
    Case(
        "match by an index",
        'tasks.match({employee: "e1", status: "open"}).params()',
        lambda: Task.match(employee="e1", status="open"),
    ),
    Case(
        "match with a gap",
        'tasks.match({employee: "e1", createdAt: "2026-01-01T00:00:00.000Z"}).params()',
        lambda: Task.match(employee="e1", created_at=NEW_YEAR),
    ),
    Case(
        "match by nothing of use",
        'tasks.match({title: "X", points: 3}).params()',
        lambda: Task.match(title="X", points=3),
    ),
]

TOGETHER = [
    Case("collection", 'collections.workload({employee: "e1"}).params()', lambda: Workload.of("e1")),
    Case(
        "collection filtered",
        'collections.workload({employee: "e1"}).where((a, op) => op.gt(a.points, 1)).params()',
        lambda: Workload.of("e1").where(Task.points > 1),
    ),
    Case(
        "collection with options",
        'collections.workload({employee: "e1"}).params({order: "desc", limit: 7, consistent: true})',
        lambda: Workload.of("e1").descending().limit(7).consistent(),
    ),
    Case(
        "transaction of all writes",
        f"""transaction.write(({{tasks, employees}}) => [
            tasks.put({NAMED_ITEM}).commit(),
            tasks.create({BUSY_ITEM}).commit(),
            employees.upsert({EMPLOYEE_ITEM}).commit(),
            tasks.update({{project: "web", taskId: "t3"}}).set({{title: "X"}}).commit(),
            tasks.patch({{project: "web", taskId: "t4"}}).add({{points: 1}}).commit(),
            tasks.delete({{project: "web", taskId: "t5"}}).commit(),
            tasks.remove({{project: "web", taskId: "t6"}}).commit(),
            employees.check({{employee: "e2"}}).where((a, op) => op.exists(a.name)).commit(),
        ]).params()""",
        lambda: tw.transact(
            task().put(),
            busy().create(),
            ada().upsert(),
            key("t3").update(Task.title.set("X")),
            key("t4").patch(Task.points.add(1)),
            key("t5").delete(),
            key("t6").remove(),
            Employee.key("e2").check(Employee.name.exists()),
        ),
    ),
    Case(
        "transaction with conditions and a token",
        f"""transaction.write(({{tasks, employees}}) => [
            tasks.patch({KEY}).set({{status: "completed"}}).composite({{createdAt: "2026-01-01T00:00:00.000Z"}})
                .where((a, op) => op.ne(a.status, "completed")).commit({{response: "all_old"}}),
            employees.patch({{employee: "e1"}}).add({{open_tasks: -1}})
                .where((a, op) => op.gt(a.open_tasks, 0)).commit(),
        ]).params({{token: "finish-t1"}})""",
        lambda: tw.transact(
            task().patch(Task.status.set("completed")).where(Task.status != "completed").returning("all_old"),
            Employee.key("e1").patch(Employee.open_tasks.add(-1)).where(Employee.open_tasks > 0),
        ).token("finish-t1"),
    ),
    Case(
        "transaction of gets",
        f"""transaction.get(({{tasks, employees}}) => [
            tasks.get({KEY}).commit(),
            employees.get({{employee: "e1"}}).commit(),
        ]).params()""",
        lambda: tw.transact_get(key().get(), Employee.key("e1").get()),
    ),
]

CASES = [*READING, *WRITING, *UPDATING, *FILTERING, *COMPARING, *QUERYING, *TOGETHER]
