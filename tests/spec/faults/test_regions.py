from __future__ import annotations

import pytest

from tablewright.errors import DesignError
from tablewright.spec.read import read_spec
from tablewright.spec.write import spec_data

BOTH = ["us-east-1", "eu-west-1"]


def spec(regions=None, called=None, **top):
    get = {"id": "AP1", "kind": "get", "entity": "Note", "by": "noteId", **({"regions": called} if called else {})}
    given = {"entities": {"Note": {"id": "noteId"}}, "access_patterns": [get], **top}
    return {**given, **({"regions": regions} if regions else {})}


def test_regions_are_read_and_written():
    found = read_spec(spec(BOTH, "eu-west-1", region="us-east-1"))
    assert (found.region, found.regions, found.patterns[0].regions) == ("us-east-1", tuple(BOTH), ("eu-west-1",))
    assert found.is_global
    assert read_spec(spec_data(found)) == found


def test_a_pattern_is_called_from_everywhere_unless_it_says_more():
    found = read_spec(spec(BOTH))
    assert found.called_from(found.patterns[0]) == tuple(BOTH)
    found = read_spec(spec(BOTH, ["eu-west-1"]))
    assert found.called_from(found.patterns[0]) == ("eu-west-1",)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (spec(BOTH, region="eu-west-1"), "region: the home region is eu-west-1 here and us-east-1 in regions"),
        (spec([*BOTH, "eu-west-1"]), "regions: eu-west-1 stands there twice"),
        (spec(BOTH, "eu-west-2"), r'there is no replica in eu-west-2\. Did you mean "eu-west-1"'),
        (spec(None, "eu-west-2"), r"access_patterns\[0\]\.regions: the spec has no regions"),
        (spec(["Frankfurt"]), "'?Frankfurt'? is not the name of an AWS region"),
        (spec("eu-west-1"), "is not a list"),
    ],
)
def test_regions_that_contradict_each_other(given, words):
    with pytest.raises(DesignError, match=words):
        read_spec(given)
