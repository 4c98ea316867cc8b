"""What contradicts itself is refused by every command that takes a spec, with file and line, all of it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tablewright.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

SPEC = """\
name: app
entities:
  User:
    id: userId
    attributes:
      email: {type: string}
      active: {type: boolean}
      level: {type: number}
      teamId: {type: string}
    count: 1000
  Post:
    id: postId
    attributes:
      userId: {required: true}
      at: timestamp
    count: 10000
relationships:
  - {from: User, to: Post, kind: "1:n", avg: 10, p99: 50, max: 100}
access_patterns:
  - {id: AP1, kind: get, entity: User, by: userId, rate: 10}
  - {id: AP2, kind: query, entity: Post, by: userId, sort: at desc, rate: 10}
  - {id: AP3, kind: write, op: update, entity: User, by: userId, changes: [level], rate: 1}
"""
ID, EMAIL, ACTIVE, LEVEL, TEAM, COUNT, POST_ID = 4, 6, 7, 8, 9, 10, 12
OWNER, AT, POSTS, RELATED, GET, LIST, UPDATE = 14, 15, 16, 18, 20, 21, 22


def told(folder: Path, capsys: pytest.CaptureFixture[str], lines: dict[int, str], *command: str) -> list[str]:
    """The faults of the spec with some lines replaced (at their indentation)."""
    written: list[str] = [*SPEC.splitlines()]
    for number, text in lines.items():
        before = written[number - 1]
        written[number - 1] = before[: len(before) - len(before.lstrip())] + text
    path = folder / "app.yaml"
    path.write_text("\n".join(written))
    assert main((*(command or ("design", "--quick")), str(path))) == 1
    said = capsys.readouterr()
    assert said.out == ""
    return [each.removeprefix("tablewright: ").removeprefix(f"{path}:") for each in said.err.splitlines()]


FAULTS: list[tuple[int, str, str, str]] = [
    # attributes
    (EMAIL, "email: {required: true, presence: 10%}", "email.presence", "10% of the items have it, but it is required"),
    (EMAIL, "email: {presence: 0}", "email.presence", "no User has it"),
    (EMAIL, "userId: {required: false}", "userId.required", "part of the id, which every item has"),
    (EMAIL, "userId: {immutable: false}", "userId.immutable", "part of the id, which never changes"),
    (EMAIL, "email: {values: [a, b], cardinality: 3}", "email.cardinality", "3 different values, but there are only 2"),
    (EMAIL, "email: {values: [a, b, c], cardinality: 2}", "email.cardinality", "2 different values, but there are 3"),
    (EMAIL, "email: {values: [a, b, a]}", "email.values", "a stands there twice"),
    (EMAIL, "email: {cardinality: 0}", "email.cardinality", "0 different values"),
    (EMAIL, "email: {cardinality: 50k}", "email.cardinality", "50,000 different values, but there are 1,000 items"),
    (ACTIVE, "active: {type: boolean, cardinality: 5}", "active.cardinality", "but there are only 2"),
    (ACTIVE, "active: {type: boolean, values: ['yes', 'no']}", "active.values", "active is a boolean, and yes is none"),
    (LEVEL, "level: {type: number, values: [low]}", "level.values", "level is a number, and low is none"),
    (OWNER, "userId: {references: User, cardinality: 9000}", "userId.cardinality", "ids of User, of which there are"),
    # sizes
    (EMAIL, "email: {size_bytes: 0}", "email.size_bytes", "0 bytes"),
    (EMAIL, "email: {max: 0}", "email.max", "0 bytes"),
    (EMAIL, "email: {size_bytes: 2 MB}", "email.size_bytes", "2,097,152 bytes, but an item has at most 400 KB"),
    (EMAIL, "email: {max: 2 MB}", "email.max", "2,097,152 bytes, but an item has at most 400 KB"),
    (EMAIL, "email: {size_bytes: 90, max: 80}", "email.size_bytes", "90 bytes are usual, and 80 the most"),
    (COUNT, "size_bytes: 401 KB", "User.size_bytes", "410,624 bytes, but an item has at most 400 KB"),
    (COUNT, "size_bytes: 0", "User.size_bytes", "0 bytes"),
    # entities
    (COUNT, "count: 0", "User.count", "0 items"),
    (ID, "id: [userId, userId]", "User.id", "userId stands there twice"),
    (COUNT, "unique: active", "User.unique", "active cannot be unique: there could be 2 User items at most"),
    # relationships
    (RELATED, '- {from: User, to: Post, kind: "1:n", avg: 200, max: 100}', "[0].avg", "200 children, but at most 100"),
    (RELATED, '- {from: User, to: Post, kind: "1:n", p99: 200, max: 100}', "[0].p99", "200 children, but at most 100"),
    (RELATED, '- {from: User, to: Post, kind: "1:n", avg: 10, p99: 2}', "[0].p99", "that needs a max"),
    (RELATED, '- {from: User, to: Post, kind: "1:n", avg: 0}', "[0].avg", "0 children"),
    (RELATED, '- {from: User, to: Post, kind: "1:n", max: 0}', "[0].max", "0 children"),
    (RELATED, '- {from: User, to: Post, kind: "1:n", avg: 2}', "[0].avg", "2 for each of 1,000 User items are 2,000"),
    (RELATED, '- {from: User, to: Post, kind: "1:n", max: 5}', "[0].max", "at most 5 for each of 1,000 User items"),
    (RELATED, '- {from: User, to: Post, kind: "1:1"}', "[0].kind", "at most 1 for each of 1,000 User items"),
    (RELATED, '- {from: User, to: Post, kind: "1:1", max: 10}', "[0].max", "one-to-one means one"),
    # rates
    (GET, "- {id: AP1, kind: get, entity: User, by: userId, rate: {avg: 9, peak: 3}}", "[0].rate.peak", "3 a second"),
    (
        GET,
        "- {id: AP1, kind: get, entity: User, by: userId, rate: 10, rate_hint: '2,000,000 a day'}",
        "[0].rate_hint",
        '"2,000,000 a day" is 23.1 a second on average, and rate says 10',
    ),
    (
        GET,
        "- {id: AP1, kind: get, entity: User, by: userId, rate: {avg: 10, peak: 20}, rate_hint: '10/s, 90 at peak'}",
        "[0].rate_hint",
        "is 90 a second at peak, and rate says 20",
    ),
    (GET, "- {id: AP1, kind: get, entity: User, by: userId, skew: hottest 0%}", "[0].skew", "gets some requests"),
    (
        GET,
        "- {id: AP1, kind: get, entity: User, by: userId, skew: {hottest: 5%, zipf: 1}}",
        "[0].skew",
        "two distributions",
    ),
    (
        GET,
        "- {id: AP1, kind: get, entity: User, by: userId, skew: {teamName: hottest 5%}}",
        "[0].skew.teamName",
        'User has no attribute "teamName"',
    ),
    (GET, "- {id: AP1, kind: get, entity: User, by: userId, skew: {teamId: hottest 0%}}", "skew.teamId", "gets some"),
    (
        GET,
        "- {id: AP1, kind: get, entity: User, by: userId, skew: {active: hottest 40%}}",
        "[0].skew.active",
        "less than the even share of 2 values of active, which is 0.5",
    ),
    (ACTIVE, "active: {type: boolean, period: day}", "active.period", "active is a boolean, which is no day"),
    # reads
    (GET, "- {id: AP1, kind: get, entity: User, by: userId, limit: 5}", "[0].limit", "not 5; make it a query"),
    (GET, "- {id: AP1, kind: get, entity: User, by: userId, condition: exists}", "[0].condition", "writes nothing"),
    (GET, "- {id: AP1, kind: get, entity: User, by: userId, failures: 5%}", "[0].failures", "writes nothing"),
    (GET, "- {id: AP1, kind: get, entity: User, by: userId, idempotent: true}", "[0].idempotent", "writes nothing"),
    (
        UPDATE,
        "- {id: AP3, kind: write, op: update, entity: User, by: teamId, changes: [level], idempotent: true}",
        "[2].idempotent",
        "name the item by its id (userId)",
    ),
    (
        UPDATE,
        "- {id: AP3, kind: write, op: delete, entity: User, by: [userId, email], when: attribute_not_exists(email)}",
        "[2].when",
        "leave email out of `by`",
    ),
    (
        LIST,
        "- {id: AP2, kind: query, entity: Post, by: userId, sort: [at desc, postId]}",
        "[1].sort",
        "a key is read in one direction",
    ),
    (GET, "- {id: AP1, kind: get, entity: User, by: userId, expired: shown}", "[0].expired", "nothing of User expires"),
    (LIST, "- {id: AP2, kind: query, entity: Post, by: userId, limit: 0}", "[1].limit", "0 items are no answer"),
    (LIST, "- {id: AP2, kind: query, entity: Post, by: userId, limit: {Post: 0}}", "[1].limit.Post", "0 Post items"),
    (LIST, "- {id: AP2, kind: query, entity: Post, by: userId, limit: 5, items: 9}", "[1].items", "the limit is 5"),
    (LIST, "- {id: AP2, kind: query, entity: Post, by: userId, items: 500}", "[1].items", "a User has 100 at most"),
    (LIST, "- {id: AP2, kind: query, entity: Post, by: at, items: 90k}", "[1].items", "there are 10,000 Post items"),
    (LIST, "- {id: AP2, kind: query, entity: Post, by: userId, selectivity: 5%}", "[1].selectivity", "no filter"),
    (
        LIST,
        "- {id: AP2, kind: query, entity: Post, by: userId, filter: {at: x}, selectivity: 0}",
        "[1].selectivity",
        "lets nothing through",
    ),
    (LIST, "- {id: AP2, kind: query, entity: Post, by: userId, sort: [at, at desc]}", "[1].sort", "at stands there"),
    (
        LIST,
        "- {id: AP2, kind: query, entity: User, by: email, range: {attr: level, op: begins_with}}",
        "[1].range",
        "only text begins",
    ),
    (LIST, "- {id: AP2, kind: query, entity: User, by: email, range: {attr: active}}", "[1].range", "has no order"),
    (
        LIST,
        "- {id: AP2, kind: query, entity: Post, by: userId, aggregate: count, returns: [at]}",
        "[1].returns",
        "the answer is a number",
    ),
    # writes
    (UPDATE, "- {id: AP3, kind: write, op: update, entity: User, by: userId, changes: [userId]}", "changes", "the id"),
    (UPDATE, "- {id: AP3, kind: write, op: put, entity: User, by: userId, items: 5}", "[2].items", "is for reads"),
    (UPDATE, "- {id: AP3, kind: write, op: put, entity: User, by: userId, limit: 5}", "[2].limit", "is for reads"),
    (UPDATE, "- {id: AP3, kind: write, op: put, entity: User, by: userId, repeats: 5%}", "[2].repeats", "is for reads"),
    (UPDATE, "- {id: AP3, kind: write, op: put, entity: User, by: userId, sort: level}", "[2].sort", "is for reads"),
]


@pytest.mark.parametrize(("line", "text", "place", "words"), FAULTS, ids=[each[1] for each in FAULTS])
def test_it_is_refused_with_its_line(
    line: int, text: str, place: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (found,) = told(tmp_path, capsys, {line: text})
    assert found.startswith(f"{line}: "), found
    where, _, why = found.partition(": ")[2].partition(": ")
    assert place in where, found
    assert words in why, found


SEVERAL: list[tuple[dict[int, str], list[tuple[int, str]]]] = [
    ({COUNT: "count: 1000\n    count_hint: 5000"}, [(11, "count says 1,000")]),
    ({COUNT: "size_bytes: 100\n    size_hint_bytes: 2 KB"}, [(11, "size_bytes says 100")]),
    ({COUNT: "count: 1000\n    growth: 5%\n    growth_per_month: 100k"}, [(11, "growth_per_month says 100,000")]),
    ({COUNT: "count: 1M\n    growth_per_month: 3000\n    ttl: 5d", UPDATE: ""}, [(12, "are 690 at a time")]),
    (
        {
            COUNT: "count: 1M\n    ttl: 5d",
            UPDATE: "- {id: AP3, kind: write, op: put, entity: User, by: userId, rate: 1/min}",
        },
        [(11, "43,800 a month that live for 5 days, and linger for 2, are 10,080 at a time")],
    ),
    (
        {
            COUNT: "growth_per_month: 1M",
            UPDATE: "- {id: AP3, kind: write, op: put, entity: User, by: userId, rate: 1/min}",
        },
        [(10, "1,000,000 more a month, and the writes that make User items run 43,800 times")],
    ),
    ({COUNT: "count: 1000\n    ttl: 0"}, [(11, "0 days")]),
    ({COUNT: "count: 1000\n    ttl: {attribute: email}"}, [(11, "nothing would expire")]),
    ({EMAIL: "email: {max: 300 KB}", TEAM: "teamId: {size_bytes: 200 KB}"}, [(5, "512,000 bytes together")]),
    (
        {EMAIL: "email: {size_bytes: 5 KB, required: true}", COUNT: "size_bytes: 1 KB"},
        [(10, "all items have are 5,120")],
    ),
    ({1: "name: app\napplication: other"}, [(2, "other, and name says app")]),
    (
        {GET: "- {id: AP1, kind: get, entity: User, entities: [User, Post], by: userId}"},
        [(GET, "entities says User, Post")],
    ),
    (
        {UPDATE: "- {id: AP3, kind: write, op: put, entity: User, by: userId}\nconstraints: {budget: 0}"},
        [(23, "$0 a month")],
    ),
    (
        {RELATED: '- {from: User, to: Post, kind: "1:n", avg: 10}\n  - {from: User, to: Post, kind: "1:n", avg: 30}'},
        [(19, "30, and relationships[0] says 10")],
    ),
    (
        {
            EMAIL: "email: {required: true, presence: 10%}",
            RELATED: '- {from: User, to: Post, kind: "1:n", avg: 200, max: 100}',
            GET: "- {id: AP1, kind: get, entity: User, by: userId, limit: 5, rate: {avg: 5, peak: 1}}",
            LIST: "- {id: AP2, kind: query, entity: Post, by: userId, limit: 0}",
        },
        [(EMAIL, "required"), (RELATED, "at most 100"), (GET, "peak"), (GET, "one item"), (LIST, "0 items")],
    ),
]


@pytest.mark.parametrize(("lines", "faults"), SEVERAL, ids=[str(each[1][0][1]) for each in SEVERAL])
@pytest.mark.parametrize("command", [("design",), ("prove",), ("cost",), ("ask",)], ids=lambda each: str(each[0]))
def test_all_are_told_at_once(
    command: tuple[str, ...],
    lines: dict[int, str],
    faults: list[tuple[int, str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = told(tmp_path, capsys, lines, *command)
    assert [int(each.partition(":")[0]) for each in found] == [line for line, _ in faults], found
    for each, (_, words) in zip(found, faults, strict=True):
        assert words in each


def test_the_spec_itself_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.yaml").write_text(SPEC)
    assert main(("cost", str(tmp_path / "app.yaml"))) == 0
    assert capsys.readouterr().err == ""
