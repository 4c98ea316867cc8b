"""The ElectroDB package on Node: its answers and items are the proof's, and so everybody's who reads the same table."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest

import tablewright as tw
from tablewright.codegen.electrodb.patterns import is_electro
from tablewright.codegen.electrodb.project import electrodb, refuses
from tablewright.codegen.typescript.project import typescript
from tablewright.design.service import service_of
from tablewright.runtime.electrodb.service import LoadedService
from tests.codegen.designs import NAMES, styled_case
from tests.codegen.nasty import nasty
from tests.codegen.replay import Call, record, stored_items
from tests.codegen.semantics import semantic
from tests.codegen.specials import SPECIALS, special
from tests.codegen.typescript.comparison import answers_of, expected_of, in_pages
from tests.codegen.typescript.packages import compiled, first_reads, paged, replayed, served

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.design.model import Design
    from tablewright.engine import Engine
    from tests.codegen.typescript.packages import Replayer
    from tests.conftest import Node

STYLES = ("electrodb", "plain")
FEW = {
    "chat-system": lambda: styled_case("chat-system", "electrodb"),
    "social-network": lambda: styled_case("social-network", "electrodb"),
    "nasty": lambda: nasty("electrodb"),
    "shop": lambda: semantic("shop", "electrodb"),
    "likes": lambda: semantic("likes", "electrodb"),
    "tasks": lambda: semantic("tasks", "electrodb"),
    "rules": lambda: semantic("rules", "electrodb"),
    "chat-system-plain": lambda: styled_case("chat-system", "plain"),
    "online-shop-plain": lambda: styled_case("online-shop", "plain"),
    "nasty-plain": lambda: nasty("plain", inherited=False),
    "tasks-plain": lambda: semantic("tasks", "plain"),
    "weather": lambda: semantic("weather", "electrodb"),
    "weather-plain": lambda: semantic("weather", "plain"),
    "likes-plain": lambda: semantic("likes", "plain"),
    "read_copies": lambda: special("read_copies", "electrodb"),
}


BOTH = ("chat-system", "chat-system-plain")


def module_of(made: Path, name: str, target: str = "electrodb") -> Path:
    return made / name / target / "src" / "index.js"


def check(replayer: Replayer, made: Path, name: str, design: Design, seed: int = 1) -> None:
    module = module_of(made, name)
    recording = record(design, seed=seed)
    results, final = replayed(replayer, module, design, recording)
    wanted = expected_of(design, recording.calls, grouped=True)
    assert answers_of(design, recording.calls, results, grouped=True) == wanted, name
    assert final == recording.final, name
    reads = first_reads(recording)
    for size, pages in paged(replayer, module, design, recording, (2,)):
        assert in_pages(design, reads, pages, size, grouped=True) == expected_of(design, reads, grouped=True), name


@pytest.fixture(scope="module")
def made(node: Node, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few packages, and the TypeScript of one application beside its ElectroDB."""
    assert node
    packages = {name: electrodb(each()) for name, each in FEW.items()}
    for name in BOTH:
        packages[name] = {**packages[name], **typescript(FEW[name]())}
    return compiled(tmp_path_factory.mktemp("electrodb"), packages)


@pytest.mark.xdist_group("electrodb")
@pytest.mark.parametrize("name", FEW)
def test_answers_are_the_proofs(name: str, made: Path, replayer: Replayer) -> None:
    check(replayer, made, name, FEW[name]())


@pytest.mark.xdist_group("electrodb")
def test_the_packages_own_tests_pass(made: Path, node: Node) -> None:
    tests = sorted(made.glob("*/electrodb/test/*.test.js"))
    assert len(tests) == len(FEW)
    command = [node.executable, "--test", *map(str, tests)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout


def loaded(design: Design, engine: Engine) -> LoadedService:
    service = LoadedService(service_of(design))
    service.bind(tw.Database.embedded(engine=engine))
    return service


@pytest.mark.xdist_group("electrodb")
@pytest.mark.parametrize("application", BOTH)
def test_what_one_writes_the_others_read(application: str, made: Path, replayer: Replayer) -> None:
    """Tablewright puts samples; both packages on Node find them. ElectroDB puts them; Tablewright finds them."""
    design = FEW[application]()
    room = next(each for each in design.items if each.name == "Room")
    values: dict[str, Any] = {each.name: room.sample[each.name] for each in room.attributes}
    if design.key_style == "plain":
        values |= {name: f"{values[name]} #1$" for name in room.id}
    put = next(each for each in design.patterns if each.op == "put" and each.entities == ("Room",))
    call = Call(pattern=put.id, inputs={name: {"S": value} for name, value in values.items()})
    with served(design, {}) as (server, engine):
        service = loaded(design, engine)
        service.entities["Room"].put(values).go()
        written = stored_items(design, engine)
        engine.call("DeleteItem", {"TableName": design.tables[0].name, "Key": key_of(design, written)})
        for target in ("electrodb", "typescript"):
            module = module_of(made, application, target)
            (result,) = replayer.run(server.url, module, [call])
            assert result["outcome"] == "written", result
            assert stored_items(design, engine) == written
            found = service.entities["Room"].get({name: values[name] for name in room.id}).go()["data"]
            assert found == values
            (again,) = replayer.run(server.url, module, [call])
            assert again["outcome"] == "refused"
            engine.call("DeleteItem", {"TableName": design.tables[0].name, "Key": key_of(design, written)})


def key_of(design: Design, items: dict[str, Any]) -> dict[str, Any]:
    (table,) = design.tables
    ((item,),) = items.values()
    return {table.pk.name: item[table.pk.name], table.sk.name: item[table.sk.name]}


@pytest.mark.parametrize("style", STYLES)
def test_what_electrodb_can_say_it_says(style: str) -> None:
    """In a published application all reads, and writes that need no read and no condition on an attribute."""
    design = styled_case("chat-system", style)
    assert [each.id for each in design.patterns if not is_electro(design, each)] == ["AP2", "AP5"]
    shop = styled_case("online-shop", style)
    assert all(is_electro(shop, each) for each in shop.patterns if each.kind != "write")


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_every_application_and_special(style: str, replayer: Replayer, tmp_path: Path) -> None:
    designs = {name: styled_case(name, style) for name in NAMES}
    designs |= {name: special(name, style) for name in SPECIALS}
    designs = {name: each for name, each in designs.items() if refuses(each) is None}
    made = compiled(tmp_path, {name: electrodb(each) for name, each in designs.items()})
    for name, each in designs.items():
        for seed in (2, 3):
            check(replayer, made, name, each, seed)
