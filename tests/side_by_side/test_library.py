"""snake_case here, camelCase there, and an attribute in both keys: the same requests as ElectroDB's, byte for byte."""

from __future__ import annotations

from copy import deepcopy

import pytest

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.electro import dump_service, load_service
from tests.conftest import Node
from tests.side_by_side.columns import Case, Recorded, assert_same, record
from tests.side_by_side.loaded import request_of

library = tw.Service("library", table="library", rename="camel")


class GeoPoint(tw.Map):
    lat_deg: Attr[int]
    lon_deg: Attr[int]


class Address(tw.Map):
    zip_code: Attr[str]
    street_name: Attr[str | None] = attr(default=None, field="st")
    geo_point: Attr[GeoPoint | None] = attr(default=None)


class Reader(tw.Entity, service=library, name="reader"):
    """Somebody who borrows books."""

    reader_id: Attr[str]
    full_name: Attr[str]
    home_address: Attr[Address | None] = attr(default=None)
    joined_at: Attr[int] = attr(default_factory=tw.now_ms, padding=(15, "0"))
    branch_id: Attr[str | None] = attr(default=None, label="br")

    @tw.primary(pk="READER#{reader_id}", sk="READER#{reader_id}")
    def key(self, reader_id: str) -> None:
        """One reader."""

    @tw.index("gsi1", casing="none")
    def by_branch(self, branch_id: str, *, joined_at: Range[int] = ANY) -> None:
        """The readers of a branch, by age."""

    @tw.index("gsi2", sort="reader_id", casing="default")
    def by_id(self, reader_id: str) -> None:
        """The same in composed keys."""


JOINED = 1767225600000
ANN = f'{{readerId: "Ann", fullName: "Ann A", joinedAt: {JOINED}, branchId: "B1"'

ADDRESS = '{zipCode: "1", streetName: "x", geoPoint: {latDeg: 1, lonDeg: 2}}'


def ann(**more: object) -> Reader:
    return Reader(reader_id="Ann", full_name="Ann A", joined_at=JOINED, branch_id="B1", **more)  # type: ignore[arg-type]


CASES = [
    Case("put", f"readers.put({ANN}}}).params()", lambda: ann().put()),
    Case(
        "put of nested maps",
        f"readers.put({ANN}, homeAddress: {ADDRESS}}}).params()",
        lambda: ann(
            home_address=Address(zip_code="1", street_name="x", geo_point=GeoPoint(lat_deg=1, lon_deg=2))
        ).put(),
    ),
    Case("create", f"readers.create({ANN}}}).params()", lambda: ann().create()),
    Case("get", 'readers.get({readerId: "Ann"}).params()', lambda: Reader.key("Ann").get()),
    Case("query of the table", 'readers.query.key({readerId: "Ann"}).params()', lambda: Reader.key.query("Ann")),
    Case("query of an index", 'readers.query.by_branch({branchId: "B1"}).params()', lambda: Reader.by_branch("B1")),
    Case(
        "one in both composed keys",
        'readers.query.by_id({readerId: "7"}).params()',
        lambda: Reader.by_id("7"),
    ),
    Case(
        "comparison",
        f'readers.query.by_branch({{branchId: "B1"}}).gte({{joinedAt: {JOINED}}}).params()',
        lambda: Reader.by_branch("B1", joined_at=tw.gte(JOINED)).compare("keys"),
    ),
    Case(
        "patch",
        'readers.patch({readerId: "Ann"}).set({fullName: "B"}).params()',
        lambda: Reader.key("Ann").patch(Reader.full_name.set("B")),
    ),
    Case("delete", 'readers.delete({readerId: "Ann"}).params()', lambda: Reader.key("Ann").delete()),
]


@pytest.fixture(scope="module")
def electro(node: Node) -> Recorded:
    return record(node, "library", CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_typed_and_electrodb_make_the_same_request(electro: Recorded, case: Case) -> None:
    assert_same("Tablewright", case.typed().params(), f"ElectroDB: {case.electro}", electro.request(case))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_loaded_and_electrodb_make_the_same_request(electro: Recorded, case: Case) -> None:
    loaded = LoadedService(load_service(electro.schemas, table=electro.table))
    made = request_of(loaded, deepcopy(electro.calls(case)))
    assert_same("Tablewright, loaded", made, f"ElectroDB: {case.electro}", electro.request(case))


def test_electrodb_makes_the_same_requests_from_the_dump(node: Node, electro: Recorded) -> None:
    schemas = dump_service(library.schema)
    del schemas["reader"]["attributes"]["joinedAt"]["default"]
    dumped = record(node, "library", CASES, {"readers": schemas["reader"]})
    for case in CASES:
        assert_same("dumped", dumped.request(case), f"ElectroDB: {case.electro}", electro.request(case))
