"""The typed style differs from ElectroDB in these requests, for these reasons, and in nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tablewright as tw
from tests.conftest import Node
from tests.side_by_side import boxoffice_cases as box
from tests.side_by_side import taskapp_cases as tasks
from tests.side_by_side.boxoffice import Genre, Show, Ticket, Wallet
from tests.side_by_side.columns import Case, Recorded, next_to_each_other, record
from tests.side_by_side.differences import Difference, facts
from tests.side_by_side.taskapp import Employee, Task

OPEN_TASKS = "$workload#task_1#status_open#createdat_"
IN_PROGRESS = "$workload#task_1#status_in-progress"
ALL_TASKS = "$workload#task_1#status_"
NEW_YEAR = "2026-01-01t00:00:00.000z"
COMPOSITE = '.composite({status: "open", createdAt: "2026-01-01T00:00:00.000Z"})'
IDLE_ITEM = (
    '{project: "web", taskId: "t2", status: "open", createdAt: "2026-01-01T00:00:00.000Z", title: "", points: 0}'
)


def idle() -> Task:
    return Task(project="web", taskId="t2", createdAt=tasks.NEW_YEAR)


def difference(reason: str, case: Case, *, ours: tuple[str, ...] = (), theirs: tuple[str, ...] = ()) -> Difference:
    return Difference(case, reason, frozenset(ours), frozenset(theirs))


def compared(case: Case, low: str, high: str, theirs: str) -> Difference:
    return difference(
        "a comparison stays inside the group of keys that share the composites in front, and means what it says",
        case,
        ours=(f"KeyConditionExpression: gsi1sk BETWEEN {low!r} AND {high!r}",),
        theirs=(f"KeyConditionExpression: gsi1sk {theirs}",),
    )


def by_age(operator: str) -> Case:
    electro, bound = tasks.AGES[operator]
    line = f'tasks.query.by_employee({{employee: "e1", status: "open"}}){electro}.params()'
    return Case(
        f"query {operator} on the last composite", line, lambda: Task.by_employee("e1", status="open", created_at=bound)
    )


def by_status(operator: str) -> Case:
    electro, bound = tasks.STATES[operator]
    line = f'tasks.query.by_employee({{employee: "e1"}}){electro}.params()'
    return Case(f"query {operator} on the first composite", line, lambda: Task.by_employee("e1", status=bound))


AGE, OLDEST, YOUNGEST = OPEN_TASKS + NEW_YEAR, OPEN_TASKS, OPEN_TASKS[:-1] + "`"
BEHIND_ALL = "#createdat`"  # behind all keys that go on with a time
LAST_STATUS = ALL_TASKS[:-1] + "`"

COMPARISONS = [
    compared(by_age("gt"), AGE + "\0", YOUNGEST, f"> {AGE!r}"),
    compared(by_age("gte"), AGE, YOUNGEST, f">= {AGE!r}"),
    compared(by_age("lt"), OLDEST, AGE[:-1] + "y\U0010ffff", f"< {AGE!r}"),
    compared(by_age("lte"), OLDEST, AGE, f"<= {AGE!r}"),
    difference("both ends are bounded already", by_age("between")),
    difference("both ends are bounded already", by_age("begins")),
    compared(by_status("gt"), IN_PROGRESS + BEHIND_ALL, LAST_STATUS, f"> {IN_PROGRESS!r}"),
    compared(by_status("gte"), IN_PROGRESS, LAST_STATUS, f">= {IN_PROGRESS!r}"),
    compared(by_status("lt"), ALL_TASKS, IN_PROGRESS, f"< {IN_PROGRESS!r}"),
    compared(by_status("lte"), ALL_TASKS, IN_PROGRESS + BEHIND_ALL, f"<= {IN_PROGRESS!r}"),
    compared(
        by_status("between"),
        IN_PROGRESS,
        ALL_TASKS + "open" + BEHIND_ALL,
        f"BETWEEN {IN_PROGRESS!r} AND {ALL_TASKS + 'open'!r}",
    ),
    difference("both ends are bounded already", by_status("begins")),
]

TASKAPP = [
    *COMPARISONS,
    difference(
        "an item without partition composite is not in the index",
        Case("put without partition composite", f"tasks.put({IDLE_ITEM}).params()", lambda: idle().put()),
        theirs=("Item: gsi1pk = '$taskapp#employee_'", f"Item: gsi1sk = {AGE!r}"),
    ),
    difference(
        "an item without partition composite leaves the index, and nothing stored contradicts that",
        Case("upsert without partition composite", f"tasks.upsert({IDLE_ITEM}).params()", lambda: idle().upsert()),
        ours=("REMOVE gsi1pk", "REMOVE gsi1sk", "REMOVE employee"),
        theirs=("SET gsi1pk = '$taskapp#employee_'", f"SET gsi1sk = {AGE!r}"),
    ),
    difference(
        "an update may create the item, which then is in every index that its key decides",
        Case(
            "update of an entity whose index keys follow from its table key",
            'employees.update({employee: "e1"}).set({team: "web"}).params()',
            lambda: Employee.key("e1").update(Employee.team.set("web")),
        ),
        ours=("SET gsi1pk = '$taskapp#employee_e1'", "SET gsi1sk = '$workload#employee_1'"),
    ),
    difference(
        "who changes the partition composite of an index may find the sort key missing, so both are written",
        Case(
            "update of a partition composite, completed by composite",
            f'tasks.update({tasks.KEY}).set({{employee: "e2"}}){COMPOSITE}.params()',
            lambda: tasks.key().update(Task.employee.set("e2")).composite(status="open", created_at=tasks.NEW_YEAR),
        ),
        ours=(f"SET gsi1sk = {AGE!r}",),
    ),
    difference(
        "who changes the partition composite of an index may find the sort key missing, so both are written",
        Case(
            "update of a partition composite, completed by the item",
            f'tasks.update({tasks.KEY}).set({{employee: "e2"}}){COMPOSITE}.params()',
            lambda: tasks.task().update(Task.employee.set("e2")),
        ),
        ours=(f"SET gsi1sk = {AGE!r}",),
    ),
    difference(
        "conditions that are joined stay whole; ElectroDB glues texts, and AND binds closer than OR",
        Case(
            "an OR in a second where",
            """tasks.query.by_employee({employee: "e1"}).where((a, op) => op.eq(a.title, "X"))
                .where((a, op) => `${op.gt(a.points, 3)} OR ${op.lt(a.points, 1)}`).params()""",
            lambda: Task.by_employee("e1").where(Task.title == "X").where((Task.points > 3) | (Task.points < 1)),
        ),
        ours=("FilterExpression: title = 'X'", "FilterExpression: (points < 1 OR points > 3)"),
        theirs=("FilterExpression: ((points > 3 AND title = 'X') OR points < 1)",),
    ),
    difference(
        "DynamoDB refuses parameters that an operation does not have",
        Case(
            "options of another operation",
            f'tasks.get({tasks.KEY}).params({{limit: 3, order: "desc"}})',
            lambda: tasks.key().get().with_options(limit=3, order="desc"),
        ),
        theirs=("Limit: 3", "ScanIndexForward: False"),
    ),
]

OWNER = ("FilterExpression: __edb_e__ = 'ticket'", "FilterExpression: __edb_v__ = '1'")

BOX_OFFICE = [
    difference(
        "a sort composite of a clustered collection is equal to what was asked for, and no beginning of it",
        Case(
            "collection: clustered, with a shared sort composite",
            'collections.wallet({customerId: "C-1", showId: "Cats-7"}).params()',
            lambda: Wallet.of("C-1", show_id="Cats-7"),
        ),
        ours=(
            "FilterExpression: showId = 'Cats-7'",
            "KeyConditionExpression: begins_with ( GSI3SK , '$wallet#showid_cats-7#' )",
        ),
        theirs=("KeyConditionExpression: begins_with ( GSI3SK , '$wallet#showid_cats-7' )",),
    ),
    difference(
        "who changes the partition composite of an index may find the sort key missing, so both are written",
        Case(
            "update of a partition composite, completed by the table key",
            f'tickets.update({box.TICKET_KEY}).set({{customerId: "C-2"}}).params()',
            lambda: box.ticket_key().update(Ticket.customer_id.set("C-2")),
        ),
        ours=("SET GSI3SK = '$wallet#showid_cats-7#s_balcony#rownumber_004#ticket_1'",),
    ),
    difference(
        "the condition of a sparse index sees all it depends on; ElectroDB's sees no status, and drops the item",
        Case(
            "update of a sparse key, completed by the item",
            f"tickets.patch({box.TICKET_KEY}).set({{askingPrice: 81}}).params()",
            lambda: box.for_resale().patch(Ticket.asking_price.set(81)),
        ),
        ours=(
            "ConditionExpression: status = 'resale'",
            "SET GSI2PK = '$boxoffice_resale#showid_cats-7'",
            "SET GSI2SK = '$ticket_1#askingprice_000081'",
        ),
        theirs=("REMOVE GSI2PK", "REMOVE GSI2SK"),
    ),
    difference(
        "a clustered index mixes entities, whoever chose it",
        Case(
            "find on a clustered index",
            'tickets.find({customerId: "C-1"}).params()',
            lambda: Ticket.find(customer_id="C-1"),
        ),
        ours=OWNER,
    ),
    difference(
        "a clustered index mixes entities, whoever chose it",
        Case(
            "match on a clustered index",
            'tickets.match({customerId: "C-1"}).params()',
            lambda: Ticket.match(customer_id="C-1"),
        ),
        ours=OWNER,
    ),
    difference(
        "keys that fold letter case begin alike where values do not, so the attribute is asked too",
        Case(
            "begins on a key in lower case",
            'tickets.query.in_wallet({customerId: "C-1"}).begins({showId: "Cats"}).params()',
            lambda: Ticket.in_wallet("C-1", show_id=tw.begins_with("Cats")),
        ),
        ours=("FilterExpression: begins_with ( showId , 'Cats' )",),
    ),
    difference(
        "a multi-attribute index has no composed keys; ElectroDB asks for fields that do not exist",
        Case(
            "match on a multi-attribute index",
            'shows.match({venueCode: "ROYAL", genre: "drama"}).params()',
            lambda: Show.match(venue_code="ROYAL", genre=Genre.DRAMA),
        ),
        ours=(
            "KeyConditionExpression: genre = 'drama'",
            "KeyConditionExpression: venueCode = 'ROYAL'",
            "FilterExpression: __edb_e__ = 'liveShow'",
            "FilterExpression: __edb_v__ = '1'",
        ),
        theirs=(
            "KeyConditionExpression: pk = '$boxoffice#genre_drama#v_royal'",
            "KeyConditionExpression: begins_with ( sk1 , '$liveshow_1#startsat_' )",
            "FilterExpression: genre = 'drama'",
            "FilterExpression: venueCode = 'ROYAL'",
        ),
    ),
]

REFUSED = {
    "find by nothing of use": (lambda: Task.find(title="X"), "no index serves title"),
    "find by more than its index uses": (lambda: Task.find(project="web", title="X"), "has no use for title"),
    "a gap in the sort key": (lambda: Task.by_employee("e1", created_at=tasks.NEW_YEAR), "without status"),
    "a partition composite, sort key unknown": (
        lambda: tasks.key().update(Task.employee.set("e2")),
        "status, created_at",
    ),
    "a sparse key, condition unknown": (lambda: box.ticket_key().patch(Ticket.status.set("resale")), "asking_price"),
    "a sparse key, what the condition reads unknown": (
        lambda: box.ticket_key().patch(Ticket.asking_price.set(81)),
        "status",
    ),
}


@pytest.fixture(scope="module")
def recorded(node: Node) -> Callable[[str], Recorded]:
    found = {
        "taskapp": record(node, "taskapp", [each.case for each in TASKAPP]),
        "boxoffice": record(node, "boxoffice", [each.case for each in BOX_OFFICE]),
    }
    return found.__getitem__


@pytest.mark.parametrize(
    ("service", "expected"),
    [*(("taskapp", each) for each in TASKAPP), *(("boxoffice", each) for each in BOX_OFFICE)],
    ids=lambda each: each.case.name if isinstance(each, Difference) else each,
)
def test_requests_differ_in_this_alone(recorded: Callable[[str], Recorded], service: str, expected: Difference) -> None:
    case = expected.case
    ours, theirs = case.typed().params(), recorded(service).request(case)
    found = (facts(ours) - facts(theirs), facts(theirs) - facts(ours))
    both = next_to_each_other("Tablewright", ours, f"ElectroDB: {case.electro}", theirs)
    assert found == (expected.ours, expected.theirs), f"{expected.reason}\n{both}"


@pytest.mark.parametrize("name", REFUSED)
def test_what_electrodb_lets_pass_is_refused_with_what_is_missing(name: str) -> None:
    make, missing = REFUSED[name]
    with pytest.raises(tw.RequestError, match=missing):
        make().params()


def test_facts_of_a_request_are_sentences() -> None:
    request = {
        "TableName": "app",
        "Key": {"pk": "a"},
        "UpdateExpression": "SET #a = :a REMOVE #b",
        "ConditionExpression": "(#a = :a OR NOT attribute_exists(#b)) AND #b > :n",
        "ExpressionAttributeNames": {"#a": "x", "#b": "y"},
        "ExpressionAttributeValues": {":a": "one", ":n": 2},
    }
    assert facts(request) == {
        "TableName: 'app'",
        "Key: pk = 'a'",
        "SET x = 'one'",
        "REMOVE y",
        "ConditionExpression: (NOT attribute_exists ( y ) OR x = 'one')",
        "ConditionExpression: y > 2",
    }
