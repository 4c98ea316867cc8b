from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.engine import Engine
from tablewright.errors import ServiceError
from tests.engine.make import create_table, fault

if TYPE_CHECKING:
    from collections.abc import Iterator

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/things"


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(clock=lambda: 1_700_000_000.0) as made:
        create_table(made, "pk")
        yield made


def said(engine: Engine, action: str, params: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(ServiceError) as refused:
        engine.call(action, params)
    return refused.value.name, refused.value.service_message


# ---- time to live ----------------------------------------------------------------------------------------------------


def ttl(attribute: str = "ttl", *, on: bool = True) -> dict[str, Any]:
    return {"TableName": "things", "TimeToLiveSpecification": {"AttributeName": attribute, "Enabled": on}}


def test_time_to_live_goes_on_and_off(engine: Engine) -> None:
    assert described_ttl(engine) == {"TimeToLiveStatus": "DISABLED"}
    told = engine.call("UpdateTimeToLive", ttl())
    assert told == {"TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True}}
    assert described_ttl(engine) == {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}
    assert engine.call("UpdateTimeToLive", ttl(on=False)) == {"TimeToLiveSpecification": {"Enabled": False}}
    assert described_ttl(engine) == {"TimeToLiveStatus": "DISABLED"}


def described_ttl(engine: Engine) -> dict[str, Any]:
    return engine.call("DescribeTimeToLive", {"TableName": "things"})["TimeToLiveDescription"]


def test_time_to_live_is_changed_only_if_it_changes(engine: Engine) -> None:
    assert fault(engine, "UpdateTimeToLive", ttl(on=False)) == "TimeToLive is already disabled"
    engine.call("UpdateTimeToLive", ttl())
    assert fault(engine, "UpdateTimeToLive", ttl()) == "TimeToLive is already enabled"
    for on in (True, False):
        assert fault(engine, "UpdateTimeToLive", ttl("other", on=on)) == (
            "TimeToLive is active on a different AttributeName: current AttributeName is ttl"
        )


def test_time_to_live_of_no_table(engine: Engine) -> None:
    for action, params in (("UpdateTimeToLive", ttl()), ("DescribeTimeToLive", {})):
        assert said(engine, action, {**params, "TableName": "nothing"}) == (
            "ResourceNotFoundException",
            "Requested resource not found: Table: nothing not found",
        )
    assert fault(engine, "UpdateTimeToLive", {"TableName": "things"}).startswith(
        "1 validation error detected: Value null at 'timeToLiveSpecification'"
    )


# ---- tags ------------------------------------------------------------------------------------------------------------


def tags(**named: str) -> dict[str, Any]:
    return {"ResourceArn": ARN, "Tags": [{"Key": key, "Value": value} for key, value in named.items()]}


def tagged(engine: Engine) -> dict[str, str]:
    found = engine.call("ListTagsOfResource", {"ResourceArn": ARN})["Tags"]
    return {tag["Key"]: tag["Value"] for tag in found}


def test_tags_come_and_go(engine: Engine) -> None:
    assert tagged(engine) == {}
    engine.call("TagResource", tags(a="1", b="2"))
    engine.call("TagResource", tags(b="3", c=""))
    assert tagged(engine) == {"a": "1", "b": "3", "c": ""}
    engine.call("UntagResource", {"ResourceArn": ARN, "TagKeys": ["a", "zzz"]})
    assert tagged(engine) == {"b": "3", "c": ""}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "Atleast one Tag needs to be provided as Input."),
        ([{}], "The Tag Key provided is invalid, Key: null"),
        ([{"Key": "", "Value": "v"}], "The Tag Key provided is invalid, Key: "),
        ([{"Key": "->>;-)])", "Value": "ok"}], "The Tag Key provided is invalid, Key: ->>;-)])"),
        ([{"Key": "ok", "Value": "#!%%^$$&"}], "The Tag Value provided is invalid, Value: #!%%^$$&"),
        ([{"Key": "aws:x", "Value": "v"}], "Tag Key cannot be prefixed with aws:, Key: aws:x"),
        (
            [{"Key": "a", "Value": "1"}] * 2,
            "Duplicate Tag Keys provided as input: Duplicate Tag Key found a",
        ),
        (
            [{"Key": str(number), "Value": ""} for number in range(51)],
            "Number of Tags exceed the current limit for the provided ResourceArn",
        ),
    ],
)
def test_what_a_tag_cannot_be(engine: Engine, given: list[Any], message: str) -> None:
    assert fault(engine, "TagResource", {"ResourceArn": ARN, "Tags": given}) == message


def test_tags_in_other_scripts_are_fine(engine: Engine) -> None:
    engine.call("TagResource", tags(законные="буквы ѮѮ"))
    assert tagged(engine) == {"законные": "буквы ѮѮ"}


OTHER = "arn:aws:dynamodb:us-east-1:123456789012:table/nothing"
FOREIGN = "arn:aws:dynamodb:us-east-1:999999999999:table/things"


@pytest.mark.parametrize(
    ("action", "params", "name", "message"),
    [
        ("TagResource", {}, "ValidationException", "Invalid TableArn"),
        ("TagResource", {"ResourceArn": ""}, "AccessDeniedException", "dynamodb:TagResource on resource: *"),
        ("ListTagsOfResource", {"ResourceArn": "abcd"}, "AccessDeniedException", "on resource: abcd"),
        ("ListTagsOfResource", {"ResourceArn": FOREIGN}, "AccessDeniedException", f"on resource: {FOREIGN}"),
        ("UntagResource", {"ResourceArn": "a:b:c:d:e:f/g"}, "ValidationException", ("Value null at 'tagKeys' failed to"
         " satisfy constraint: Member must not be null")),
        ("TagResource", {"ResourceArn": "a:b:c:d:e:f/g", "Tags": []}, "ValidationException",
         "Invalid TableArn: Invalid ResourceArn provided as input a:b:c:d:e:f/g"),
        ("TagResource", {"ResourceArn": "no-arn", "Tags": []}, "ValidationException",
         "ARNs must start with 'arn:': no-arn"),
        ("UntagResource", {"ResourceArn": OTHER, "TagKeys": []}, "ValidationException",
         "Atleast one Tag Key needs to be provided as Input."),
        ("UntagResource", {"ResourceArn": OTHER, "TagKeys": ["a"]}, "ResourceNotFoundException",
         "Requested resource not found"),
        ("ListTagsOfResource", {"ResourceArn": OTHER}, "ResourceNotFoundException",
         f"Requested resource not found: ResourcArn: {OTHER} not found"),
    ],
)  # fmt: skip
def test_what_can_be_tagged(engine: Engine, action: str, params: dict[str, Any], name: str, message: str) -> None:
    got = said(engine, action, params)
    assert got[0] == name
    assert got[1].endswith(message)


# ---- account and backups ---------------------------------------------------------------------------------------------


def test_limits_and_endpoints(engine: Engine) -> None:
    assert engine.call("DescribeLimits", {}) == {
        "AccountMaxReadCapacityUnits": 80_000,
        "AccountMaxWriteCapacityUnits": 80_000,
        "TableMaxReadCapacityUnits": 40_000,
        "TableMaxWriteCapacityUnits": 40_000,
    }
    one = {"Address": "dynamodb.us-east-1.amazonaws.com", "CachePeriodInMinutes": 1440}
    assert engine.call("DescribeEndpoints", {}) == {"Endpoints": [one]}


def recovery(engine: Engine, **spec: Any) -> dict[str, Any]:
    asked = {"TableName": "things", "PointInTimeRecoverySpecification": spec}
    told = engine.call("UpdateContinuousBackups", asked)["ContinuousBackupsDescription"]
    assert told == engine.call("DescribeContinuousBackups", {"TableName": "things"})["ContinuousBackupsDescription"]
    assert told["ContinuousBackupsStatus"] == "ENABLED"
    return told["PointInTimeRecoveryDescription"]


def test_recovery_to_a_point_in_time(engine: Engine) -> None:
    assert recovery(engine, PointInTimeRecoveryEnabled=True, RecoveryPeriodInDays=7) == {
        "PointInTimeRecoveryStatus": "ENABLED",
        "RecoveryPeriodInDays": 7,
        "EarliestRestorableDateTime": 1_700_000_000.0,
        "LatestRestorableDateTime": 1_700_000_000.0,
    }
    assert recovery(engine, PointInTimeRecoveryEnabled=False) == {"PointInTimeRecoveryStatus": "DISABLED"}


def test_recovery_of_no_table(engine: Engine) -> None:
    assert said(engine, "DescribeContinuousBackups", {"TableName": "nothing"}) == (
        "TableNotFoundException",
        "Table not found: nothing",
    )
    spec = {"PointInTimeRecoveryEnabled": False, "RecoveryPeriodInDays": 7}
    asked = {"TableName": "things", "PointInTimeRecoverySpecification": spec}
    assert fault(engine, "UpdateContinuousBackups", asked) == (
        "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery."
    )
