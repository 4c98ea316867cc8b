"""Stream handlers of both languages on the records of an embedded table: what follows, once, in order."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
import yaml
from cfnlint.api import lint
from cfnlint.config import ManualArgs

from tablewright.codegen.lambdas.project import lambdas, refuses
from tablewright.codegen.targets import generate
from tablewright.design.model import Design
from tablewright.design.steps.compile import compile_design
from tablewright.engine.server import serve
from tablewright.errors import DesignError
from tablewright.proof.database import run_write
from tests.codegen.lambdas.streaming import Scene, streamed
from tests.codegen.more_designs import made
from tests.conftest import NODE_FOLDER, Node
from tests.proof.offers import offers_design
from tests.proof.ranks import ranks_design
from tests.proof.scores import scores_design
from tests.proof.votes import votes_design

Run: TypeAlias = Callable[[Scene, list[dict[str, Any]]], list[str]]
"""Gives records to a handler and returns the sequence numbers it reports."""
HALLS = ("north", "south")


class Enough:
    """A context with time left."""

    def __init__(self, milliseconds: int = 60_000) -> None:
        self.milliseconds = milliseconds

    def get_remaining_time_in_millis(self) -> int:
        return self.milliseconds


def written(design: Design, folder: Path) -> Path:
    for name, text in lambdas(design).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "lambda"


@pytest.fixture
def in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Design], Run]]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")

    def made_for(design: Design) -> Run:
        monkeypatch.syspath_prepend(written(design, tmp_path) / "python")

        def run(scene: Scene, records: list[dict[str, Any]]) -> list[str]:
            with serve(scene.engine) as server:
                monkeypatch.setenv("DYNAMODB_ENDPOINT", server.url)
                forget()
                reply = importlib.import_module("handler").handler({"Records": records}, Enough())
            return [each["itemIdentifier"] for each in reply["batchItemFailures"]]

        return run

    yield made_for
    forget()


def forget() -> None:
    for name in ("handler", "totals", "tops", "copies", "keys", "model"):
        sys.modules.pop(name, None)


@pytest.fixture
def in_typescript(tmp_path: Path, node: Node) -> Callable[[Design], Run]:
    def made_for(design: Design) -> Run:
        folder = written(design, tmp_path) / "typescript"
        (folder / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
        tsc = NODE_FOLDER / "node_modules" / "typescript" / "bin" / "tsc"
        done = subprocess.run([node.executable, tsc], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        (folder / "run.mjs").write_text(
            "let text = ''; for await (const each of process.stdin) text += each;\n"
            "const { endpoint, records } = JSON.parse(text); process.env.DYNAMODB_ENDPOINT = endpoint;\n"
            "Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'l', AWS_SECRET_ACCESS_KEY: 'l' });\n"
            "process.env.AWS_REGION = 'us-east-1';\n"
            "const { handler } = await import('./dist/handler.js');\n"
            "const reply = await handler({ Records: records }, { getRemainingTimeInMillis: () => 60000 });\n"
            "console.log(JSON.stringify(reply.batchItemFailures.map((each) => each.itemIdentifier)));\n"
        )

        def run(scene: Scene, records: list[dict[str, Any]]) -> list[str]:
            with serve(scene.engine) as server:
                return node.run(str(folder / "run.mjs"), {"endpoint": server.url, "records": records})

        return run

    return made_for


# ---- scenes ---------------------------------------------------------------------------------------------------------


def fill(scene: Scene) -> None:
    for member, visits in (("m 1", 6), ("m2", 2)):
        scene.put("Member", memberId=member, email=f"{member}@example.com", level=3, status="active")
        for at in range(visits):
            when = f"2026-01-{at % 28 + 1:02d}T00:00:00.000Z"
            paid, hall = at + 0.5, HALLS[at % 2]
            scene.put("Visit", visitId=f"{member}-{at}", memberId=member, at=when, hall=hall, paid=paid)
        for at in range(3):
            booking = {"bookingId": f"{member}-b{at}", "court": "c", "startsAt": "2026-02-01T00:00:00.000Z", "price": 9}
            scene.put("Booking", memberId=member, code=f"{member}{at}", **booking)


def leave(scene: Scene, member: str) -> None:
    """The member goes as if somebody else had deleted it: nothing goes along but what the stream brings about."""
    patterns = tuple(msgspec.structs.replace(each, cascade=(), resumes=False) for each in scene.design.patterns)
    alone = compile_design(msgspec.structs.replace(scene.design, patterns=patterns))
    assert run_write(scene.engine, alone, "leave", {"memberId": member}).result == "written"


def totals(scene: Scene) -> dict[str, tuple[str, str]]:
    found = scene.items("VisitTotalByHall")
    return {each["hall"]["S"]: (each["total"]["N"], each["paidTotal"]["N"]) for each in found}


def owners(scene: Scene, label: str) -> set[str]:
    return {each["memberId"]["S"] for each in scene.items(label)}


def check_cascade(design: Design, run: Run) -> None:
    with streamed(design) as scene:
        fill(scene)
        leave(scene, "m 1")
        records = scene.records()
        assert run(scene, records) == []
        assert owners(scene, "Visit") == {"m2"} == owners(scene, "Booking")
        assert len(scene.items("BookingCode")) == 3
        assert totals(scene) == {"north": ("1", "0.5"), "south": ("1", "1.5")}
        before = scene.items()
        assert run(scene, records) == []
        assert scene.items() == before, "records that come again change nothing"


def expiring_visits(design: Design) -> Design:
    """Visits that DynamoDB deletes itself, while the total of their hall stays."""
    items = [msgspec.structs.replace(each, ttl_days=9) if each.name == "Visit" else each for each in design.items]
    return msgspec.structs.replace(design, items=tuple(items))


def check_expiry(design: Design, run: Run) -> None:
    with streamed(design) as scene:
        fill(scene)
        scene.expire("Visit", visitId="m2-1")
        before = totals(scene)
        assert run(scene, scene.records()) == []
        assert run(scene, scene.records()) == []
        assert before["north"] == totals(scene)["north"]
        assert (before["south"], totals(scene)["south"]) == (("4", "12"), ("3", "10.5"))


@pytest.mark.parametrize("name", ["club:plain", "club:electrodb"])
def test_children_go_with_their_parent(name: str, in_python: Callable[[Design], Run]) -> None:
    check_cascade(made(name), in_python(made(name)))


def check_batches(run: Run, scene: Scene) -> None:
    """Children that nothing is written along with go in batches."""
    scene.put("Room", roomId="r1", title="Big", createdAt="2026-01-01T00:00:00.000Z")
    for at in range(30):
        when = f"2026-01-01T00:00:{at:02d}.000Z"
        scene.put("Message", roomId="r1" if at else "r2", messageId=f"x{at}", senderId="u", text="t", sentAt=when)
    (room,) = scene.items("Room")
    key = {name: room[name] for name in ("pk", "sk")}
    scene.engine.call("DeleteItem", {"TableName": scene.design.tables[0].name, "Key": key})
    assert run(scene, scene.records()) == []
    assert [each["roomId"]["S"] for each in scene.items()] == ["r2"]


def test_many_children_go_in_batches(in_python: Callable[[Design], Run]) -> None:
    design = made("spec:chat")
    with streamed(design) as scene:
        check_batches(in_python(design), scene)


@pytest.mark.slow
def test_many_children_go_in_batches_in_typescript(in_typescript: Callable[[Design], Run]) -> None:
    design = made("spec:chat")
    with streamed(design) as scene:
        check_batches(in_typescript(design), scene)


def test_what_expires_leaves_its_total_once(in_python: Callable[[Design], Run]) -> None:
    design = expiring_visits(made("club:plain"))
    check_expiry(design, in_python(design))


def test_typescript_does_the_same(in_typescript: Callable[[Design], Run]) -> None:
    design = expiring_visits(made("club:plain"))
    run = in_typescript(design)
    check_cascade(design, run)
    check_expiry(design, run)


@pytest.mark.slow
def test_typescript_does_the_same_with_other_keys(in_typescript: Callable[[Design], Run]) -> None:
    check_cascade(made("club:electrodb"), in_typescript(made("club:electrodb")))


def test_a_parent_that_is_back_keeps_its_children(in_python: Callable[[Design], Run]) -> None:
    design = made("club:plain")
    with streamed(design) as scene:
        fill(scene)
        leave(scene, "m2")
        scene.put("Member", memberId="m2", email="m2@example.com", level=1, status="active")
        assert in_python(design)(scene, scene.records()) == []
        assert "m2" in owners(scene, "Visit")


def test_what_fails_is_reported_and_comes_again(
    in_python: Callable[[Design], Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    design = made("club:plain")
    with streamed(design) as scene:
        fill(scene)
        leave(scene, "m2")
        leave(scene, "m 1")
        run, records = in_python(design), scene.records()
        removed = [each["dynamodb"] for each in records if each["eventName"] == "REMOVE"]
        first = next(each for each in removed if each["OldImage"]["_type"] == {"S": "Member"})
        monkeypatch.setenv("TABLE_CLUB", "elsewhere")
        assert run(scene, records) == [first["SequenceNumber"]]
        assert owners(scene, "Visit") == {"m 1", "m2"}
        monkeypatch.delenv("TABLE_CLUB")
        again = [each for each in records if each["dynamodb"]["SequenceNumber"] >= first["SequenceNumber"]]
        monkeypatch.setattr(Enough, "get_remaining_time_in_millis", lambda _: 1000)
        assert run(scene, again) == [first["SequenceNumber"]], "no time left"
        monkeypatch.undo()
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.setenv(name, "local")


# ---- files ----------------------------------------------------------------------------------------------------------


def test_templates_pass_cfn_lint_and_filter_the_stream() -> None:
    files = lambdas(made("club:plain"))
    for language in ("python", "typescript"):
        text = files[f"lambda/{language}/template.yaml"]
        assert lint(text, config=ManualArgs(regions=["us-east-1"])) == []
    resources = yaml.safe_load(files["lambda/python/template.yaml"])["Resources"]
    (event,) = resources["StreamHandler"]["Properties"]["Events"].values()
    (pattern,) = event["Properties"]["FilterCriteria"]["Filters"]
    assert json.loads(pattern["Pattern"])["eventName"] == ["REMOVE"]


def test_the_page_says_why_and_what_is_left() -> None:
    assert "When a Member is deleted or expires, its Visit items" in lambdas(made("club:plain"))["lambda/README.md"]
    assert "Not followed: Nothing finds the Folder items of a Tenant" in lambdas(made("spec:saas"))["lambda/README.md"]


def test_there_is_none_where_nothing_follows() -> None:
    shop = made("online-shop")
    assert "no relationship says cascade" in (refuses(shop) or "")
    with pytest.raises(DesignError, match="lambda: nothing has to follow"):
        generate(shop, ["lambda"])
    assert not any(each.startswith("lambda/") for each in generate(shop, ["all"]))


def test_python_is_formatted_and_checked(tmp_path: Path) -> None:
    folder = written(made("club:plain"), tmp_path) / "python"
    for words in (["format", "--check"], ["check", "--select", "E,F,W,B,UP"]):
        command = [sys.executable, "-m", "ruff", *words, "--isolated", "--line-length", "120", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


# ---- totals that the stream keeps -----------------------------------------------------------------------------------


def cast(scene: Scene) -> None:
    """Votes that come, move to another poll, change their weight and go; one of a poll that no key can hold."""
    for at in range(60):
        scene.put("Vote", voteId=f"v{at}", pollId=f"p {at % 3}", choice="abc"[at % 2], weight=Decimal("0.1"))
    scene.put("Vote", voteId="odd", pollId="", choice="a", weight=9)
    scene.put("Vote", voteId="free", choice="a", weight=9)
    compiled = compile_design(scene.design)
    for at in range(0, 30, 3):
        moved = {"voteId": f"v{at}", "pollId": "p 1", "weight": 2}
        assert run_write(scene.engine, compiled, "change", moved).result == "written"
    for at in range(0, 60, 6):
        assert run_write(scene.engine, compiled, "drop", {"voteId": f"v{at}"}).result == "written"


def kept(scene: Scene) -> dict[tuple[str, ...], Decimal]:
    """By group what the items say."""
    found: dict[tuple[str, ...], Decimal] = {}
    for item in scene.items("VoteTotalByPollId"):
        found[item["pollId"]["S"],] = Decimal(item["total"]["N"])
    for item in scene.items("VoteTotalByChoicePollId"):
        found[item["pollId"]["S"], item["choice"]["S"]] = Decimal(item["weightTotal"]["N"])
    return {group: number for group, number in found.items() if number}


def counted(scene: Scene) -> dict[tuple[str, ...], Decimal]:
    """The same, counted now."""
    found: dict[tuple[str, ...], Decimal] = {}
    for vote in scene.items("Vote"):
        poll = vote.get("pollId", {}).get("S")
        if poll:
            group = (poll, vote["choice"]["S"])
            found[poll,] = found.get((poll,), Decimal(0)) + 1
            found[group] = found.get(group, Decimal(0)) + Decimal(vote["weight"]["N"])
    return found


def check_totals(design: Design, run: Run) -> None:
    with streamed(design) as scene:
        cast(scene)
        records = scene.records()
        first, second = records[:50], records[50:]
        assert run(scene, first) == []
        assert run(scene, [*first[20:], *second[:5], *second[:5]]) == [], "some of it again"
        assert run(scene, second) == []
        assert kept(scene) == counted(scene)
        before = scene.items()
        assert run(scene, records) == []
        assert scene.items() == before, "records that come again add nothing"
        marks = [each for each in before if each["pk"]["S"].startswith("stream#")]
        assert len(marks) == sum("Vote" in str(each) for each in records) - 2, "but for those in no group"
        assert all("expiresAt" in each for each in marks)


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_totals_are_kept_each_record_once(style: str, in_python: Callable[[Design], Run]) -> None:
    check_totals(votes_design(style), in_python(votes_design(style)))


def test_totals_are_kept_in_typescript(in_typescript: Callable[[Design], Run]) -> None:
    check_totals(votes_design("electrodb"), in_typescript(votes_design("electrodb")))


@pytest.mark.slow
def test_totals_are_kept_in_typescript_with_other_keys(in_typescript: Callable[[Design], Run]) -> None:
    check_totals(votes_design("plain"), in_typescript(votes_design("plain")))


def test_a_record_that_cannot_be_added_comes_again(
    in_python: Callable[[Design], Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    design = votes_design("plain")
    with streamed(design) as scene:
        cast(scene)
        run, records = in_python(design), scene.records()
        with monkeypatch.context() as elsewhere:
            elsewhere.setenv("TABLE_VOTES", "elsewhere")
            assert run(scene, records) == [records[0]["dynamodb"]["SequenceNumber"]]
        with monkeypatch.context() as late:
            late.setattr(Enough, "get_remaining_time_in_millis", lambda _: 1000)
            assert run(scene, records) == [records[0]["dynamodb"]["SequenceNumber"]], "no time left"
        assert kept(scene) == {}
        assert run(scene, records) == []
        assert kept(scene) == counted(scene)


def test_all_changes_of_what_is_counted_come_to_the_function() -> None:
    files = lambdas(votes_design("plain"))
    for language in ("python", "typescript"):
        assert lint(files[f"lambda/{language}/template.yaml"], config=ManualArgs(regions=["us-east-1"])) == []
    resources = yaml.safe_load(files["lambda/python/template.yaml"])["Resources"]
    (event,) = resources["StreamHandler"]["Properties"]["Events"].values()
    source = event["Properties"]
    names = [json.loads(each["Pattern"])["eventName"] for each in source["FilterCriteria"]["Filters"]]
    assert names == [["REMOVE"], ["INSERT", "MODIFY"]]
    assert (source["MaximumBatchingWindowInSeconds"], source["BatchSize"]) == (5, 1000)
    page = files["lambda/README.md"]
    assert "up to about 6 seconds behind" in page
    assert "Children are deleted" not in page, "there are none"


# ---- lists that the stream keeps ------------------------------------------------------------------------------------


def play(scene: Scene) -> None:
    """Scores that begin, get better, and stay as they are."""
    compiled = compile_design(scene.design)
    for at in range(40):
        scene.put(
            "Score", gameId=f"g {at % 3}", userId=f"u{at}", points=Decimal(at % 7) / 10, at=f"2026-01-{at % 28 + 1:02}"
        )
    for at in range(0, 40, 2):
        better = {"gameId": f"g {at % 3}", "userId": f"u{at}", "points": at % 11, "at": "2026-02-01"}
        run_write(scene.engine, compiled, "score", better)
        run_write(scene.engine, compiled, "watch", {"gameId": f"g {at % 3}", "userId": f"u{at}", "seen": at})


def first_of(scene: Scene) -> dict[str, list[tuple[str, Decimal]]]:
    """By game what its list says."""
    found = {each["gameId"]["S"]: each["top"]["M"] for each in scene.items("ScoreTopByGameId")}
    return {
        game: [(each["M"]["userId"]["S"], Decimal(each["M"]["points"]["N"])) for _, each in sorted(places.items())]
        for game, places in found.items()
    }


def best_of(scene: Scene) -> dict[str, list[tuple[str, Decimal]]]:
    """The same, looked for now."""
    found: dict[str, list[tuple[str, Decimal]]] = {}
    for score in scene.items("Score"):
        found.setdefault(score["gameId"]["S"], []).append((score["userId"]["S"], Decimal(score["points"]["N"])))
    return {game: sorted(each, key=lambda one: (-one[1], one[0]))[:5] for game, each in found.items()}


def check_lists(design: Design, run: Run) -> None:
    with streamed(design) as scene:
        play(scene)
        records = scene.records()
        first, second = records[:30], records[30:]
        assert run(scene, first) == []
        assert run(scene, [*first[20:], *second[:5], *second[:5]]) == [], "some of it again"
        assert run(scene, second) == []
        assert first_of(scene) == best_of(scene)
        before = scene.items()
        assert run(scene, records) == []
        assert run(scene, records[:7]) == [], "and what is older than all that is listed"
        assert scene.items() == before, "records that come again change nothing"
        assert len(before) == 40 + 3, "there are no marks"


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_lists_are_kept(style: str, in_python: Callable[[Design], Run]) -> None:
    check_lists(scores_design(style), in_python(scores_design(style)))


def test_lists_are_kept_in_typescript(in_typescript: Callable[[Design], Run]) -> None:
    check_lists(scores_design("plain"), in_typescript(scores_design("plain")))


def test_a_list_that_cannot_be_written_comes_again(
    in_python: Callable[[Design], Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    design = scores_design("plain")
    with streamed(design) as scene:
        play(scene)
        run, records = in_python(design), scene.records()
        with monkeypatch.context() as elsewhere:
            elsewhere.setenv("TABLE_GAMES", "elsewhere")
            assert run(scene, records) == [records[0]["dynamodb"]["SequenceNumber"]]
        with monkeypatch.context() as late:
            late.setattr(Enough, "get_remaining_time_in_millis", lambda _: 1000)
            assert run(scene, records) == [records[0]["dynamodb"]["SequenceNumber"]], "no time left"
        assert first_of(scene) == {}
        assert run(scene, records) == []
        assert first_of(scene) == best_of(scene)


def test_the_page_says_what_lists_rest_on() -> None:
    page = lambdas(scores_design("plain"))["lambda/README.md"]
    assert "Lists are up to about 6 seconds behind" in page
    assert "leaves them in their lists" in page


# ---- counts in steps ------------------------------------------------------------------------------------------------


def rank(scene: Scene) -> None:
    """Scores on both sides of 0 that come, change and go."""
    compiled = compile_design(scene.design)
    for at in range(40):
        scene.put("Score", gameId=f"g {at % 3}", userId=f"u{at}", points=Decimal(at * 17 - 90) / 2, at="2026-01-01")
    for at in range(0, 40, 3):
        moved = {"gameId": f"g {at % 3}", "userId": f"u{at}", "points": at * 31 - 70}
        assert run_write(scene.engine, compiled, "change", moved).result == "written"
    for at in range(0, 40, 7):
        gone = {"gameId": f"g {at % 3}", "userId": f"u{at}"}
        assert run_write(scene.engine, compiled, "leave", gone).result == "written"


def check_steps(design: Design, run: Run) -> None:
    with streamed(design) as scene:
        rank(scene)
        records = scene.records()
        assert run(scene, records[:30]) == []
        assert run(scene, records[20:]) == [], "some of it again"
        kept: dict[tuple[str, int], int] = {}
        for item in scene.items("ScoreStepsByGameId"):
            kept[item["gameId"]["S"], int(item["pointsFrom"]["N"])] = int(item["total"]["N"])
        found: dict[tuple[str, int], int] = {}
        for score in scene.items("Score"):
            at = score["gameId"]["S"], int(Decimal(score["points"]["N"]) // 1) // 50 * 50
            found[at] = found.get(at, 0) + 1
        assert {at: many for at, many in kept.items() if many} == found
        assert min(at for _, at in found) == -50


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_steps_are_counted(style: str, in_python: Callable[[Design], Run]) -> None:
    check_steps(ranks_design(style), in_python(ranks_design(style)))


def test_steps_are_counted_in_typescript(in_typescript: Callable[[Design], Run]) -> None:
    check_steps(ranks_design("plain"), in_typescript(ranks_design("plain")))


# ---- copies that the stream keeps -----------------------------------------------------------------------------------


def trade(scene: Scene) -> None:
    """Shops with offers that are renamed, lose their motto and grow by more digits than a double has."""
    compiled = compile_design(scene.design)
    for shop in ("a b", "c"):
        scene.put("Shop", shopId=shop, name="first", motto="all of it", size=1)
        for at in range(5):
            scene.put("Offer", shopId=shop, offerId=f"o{at}", tag="new", price=at)
    changes: list[tuple[str, dict[str, Any]]] = [
        ("rename", {"shopId": "a b", "name": "second", "motto": None}),
        ("grow", {"shopId": "a b", "more": Decimal("0.12345678901234567890123456789")}),
        ("drop", {"shopId": "a b", "offerId": "o1"}),
        ("rename", {"shopId": "a b", "name": "third"}),
    ]
    for pattern, inputs in changes:
        assert run_write(scene.engine, compiled, pattern, inputs).result == "written"
    scene.put("Offer", shopId="a b", offerId="late", tag="new", price=1)


def copies(scene: Scene) -> list[tuple[Any, ...]]:
    names = ("shopId", "shopName", "shopMotto", "shopSize")
    return [tuple(each.get(name) for name in names) for each in scene.items("Offer")]


def of_shops(scene: Scene) -> list[tuple[Any, ...]]:
    """The same, of the shops themselves."""
    shops = {each["shopId"]["S"]: each for each in scene.items("Shop")}
    named = [shops[each["shopId"]["S"]] for each in scene.items("Offer")]
    return [tuple(each.get(name) for name in ("shopId", "name", "motto", "size")) for each in named]


def check_copies(design: Design, run: Run) -> None:
    with streamed(design) as scene:
        trade(scene)
        assert copies(scene) != of_shops(scene)
        records = scene.records()
        middle = len(records) - 4
        assert run(scene, records[:middle]) == []
        assert run(scene, [*records[middle - 3 :], *records[middle:]]) == [], "some of it again"
        assert copies(scene) == of_shops(scene)
        assert len(copies(scene)) == 10
        before = scene.items()
        assert run(scene, records) == []
        assert scene.items() == before, "records that come again end where they ended before"
        first = next(each for each in records if each["eventName"] == "MODIFY")
        assert run(scene, [first]) == []
        assert scene.items() == before, "nor does one that is older than others"


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_copies_are_set(style: str, in_python: Callable[[Design], Run]) -> None:
    check_copies(offers_design(style), in_python(offers_design(style)))


def test_copies_are_set_in_typescript(in_typescript: Callable[[Design], Run]) -> None:
    check_copies(offers_design("electrodb"), in_typescript(offers_design("electrodb")))


def test_copies_that_cannot_be_set_come_again(
    in_python: Callable[[Design], Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    design = offers_design("plain")
    with streamed(design) as scene:
        trade(scene)
        run, records = in_python(design), scene.records()
        first = next(each for each in records if each["eventName"] == "MODIFY")["dynamodb"]["SequenceNumber"]
        with monkeypatch.context() as late:
            late.setattr(Enough, "get_remaining_time_in_millis", lambda _: 1000)
            assert run(scene, records) == [first], "no time left"
        assert run(scene, records) == []
        assert copies(scene) == of_shops(scene)


def test_changes_of_what_is_copied_come_to_the_function() -> None:
    files = lambdas(offers_design("plain"))
    for language in ("python", "typescript"):
        assert lint(files[f"lambda/{language}/template.yaml"], config=ManualArgs(regions=["us-east-1"])) == []
    resources = yaml.safe_load(files["lambda/python/template.yaml"])["Resources"]
    (event,) = resources["StreamHandler"]["Properties"]["Events"].values()
    source = event["Properties"]
    (said,) = (json.loads(each["Pattern"]) for each in source["FilterCriteria"]["Filters"])
    assert (said["eventName"], said["dynamodb"]) == (["MODIFY"], {"NewImage": {"_type": {"S": ["Shop"]}}})
    assert source["MaximumBatchingWindowInSeconds"] == 5
    page = files["lambda/README.md"]
    assert "When the name, motto, size of a Shop changes, its Offer items (by shopId) get it too." in page
    assert "Copies are up to about 6 seconds behind" in page
