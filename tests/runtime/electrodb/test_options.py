from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import RequestError
from tablewright.runtime.electrodb.options import read_loaded_options
from tablewright.runtime.transports.recorded import Recorded
from tests.runtime.harbor import berth


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"limits": 5}, 1010),
        ({"data": "everything"}, 1010),
        ({"response": "ALL_NEW"}, 1010),
        ({"order": "up"}, 1010),
        ({"count": 0}, 1010),
        ({"compare": "v3"}, 1010),
        ({"table": 5}, 1010),
        ({"abort": 5}, 1010),
        ({"listeners": 5}, 1021),
        ({"listeners": [5]}, 1021),
        ({"logger": 5}, 1022),
        ({"client": {}}, 1023),
        ({"pages": 0}, 2005),
        ({"pages": None}, 2005),
        ({"pages": "many"}, 2005),
        ({"cursor": "%%%"}, 4001),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], code: int) -> None:
    with pytest.raises(RequestError) as refused:
        berth(Recorded([{"Items": []}])).query.main(harbor="H").go(**options)
    assert refused.value.code == code


def test_the_nearest_option_is_named() -> None:
    with pytest.raises(RequestError, match="did you mean 'limit'"):
        read_loaded_options({"limits": 5})


@pytest.mark.parametrize(("given", "pages"), [(2, 2), ("2", 2), (1.5, 1), ("all", "all")])
def test_numbers_may_come_as_text(given: Any, pages: Any) -> None:
    assert read_loaded_options({"pages": given}).pages == pages


@pytest.mark.parametrize("old", ["raw", "include_keys", "page"])
def test_options_of_earlier_versions_have_no_effect(old: str) -> None:
    assert read_loaded_options({old: True}) == read_loaded_options({})


def test_params_does_not_look_at_what_matters_on_the_way() -> None:
    chain = berth().query.main(harbor="H")
    assert chain.params(pages=0, concurrent=0, cursor="%%%") == chain.params()


def test_own_parameters_win() -> None:
    params = berth().get(harbor="H", slot=1).params(params={"TableName": "other", "ReturnConsumedCapacity": "TOTAL"})
    assert (params["TableName"], params["ReturnConsumedCapacity"]) == ("other", "TOTAL")
