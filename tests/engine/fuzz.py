"""Requests for the fuzzer: most are nearly right, so that they get past the first checks; some are nonsense."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tablewright.engine.engine import HANDLERS

TABLES = [
    {
        "TableName": "plain",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
    },
    {
        "TableName": "sorted",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            {"AttributeName": "a", "AttributeType": "S"},
            {"AttributeName": "b", "AttributeType": "N"},
            {"AttributeName": "c", "AttributeType": "S"},
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "by_c",
                "KeySchema": [{"AttributeName": "c", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    },
]
names = st.sampled_from(["a", "b", "c", "d", "#n", ":v", "", "x.y", "a[0]"]) | st.text(max_size=4)
numbers = st.sampled_from(["0", "1", "-1.5", "1e126", "1E-131", "NaN", "", "007", "9" * 39]) | st.integers().map(str)
base64 = st.sampled_from(["", "AA==", "AAAA", "AQ==", "A", "????"])
typed = st.recursive(
    st.one_of(
        st.builds(lambda text: {"S": text}, st.text(max_size=5)),
        st.builds(lambda text: {"N": text}, numbers),
        st.builds(lambda text: {"B": text}, base64),
        st.builds(lambda truth: {"BOOL": truth}, st.booleans()),
        st.builds(lambda truth: {"NULL": truth}, st.booleans()),
        st.builds(lambda texts: {"SS": texts}, st.lists(st.text(max_size=3), max_size=3)),
        st.builds(lambda texts: {"NS": texts}, st.lists(numbers, max_size=3)),
        st.builds(lambda texts: {"BS": texts}, st.lists(base64, max_size=3)),
    ),
    lambda inner: st.one_of(
        st.builds(lambda values: {"L": values}, st.lists(inner, max_size=3)),
        st.builds(lambda values: {"M": values}, st.dictionaries(names, inner, max_size=3)),
    ),
    max_leaves=5,
)
junk: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
expressions = st.sampled_from(
    [
        *("a = :v", "#n = :v", "a = :v and b > :v", "begins_with(a, :v)", "size(d) > :v", "attribute_not_exists(a)"),
        *("SET d = :v", "SET d = if_not_exists(d, :v) + :v REMOVE c", "ADD d :v", "DELETE d :v", "SET x.y[3] = :v"),
        *("a", "a, b, c.d[1]", "d between :v and :v", "d in (:v, :v)", "((a = :v))", "not a = :v or b <> :v", "", "("),
    ]
) | st.text(alphabet="ab#:v=<>()[]., \x00é", max_size=20)
texts = st.sampled_from(["x", "y", "z"]).map(lambda text: {"S": text})
counts = st.integers(0, 3).map(lambda number: {"N": str(number)})
good_keys = {
    "plain": st.fixed_dictionaries({"a": texts}),
    "sorted": st.fixed_dictionaries({"a": texts, "b": counts}),
}
keys = st.one_of(*good_keys.values(), st.fixed_dictionaries({"a": typed}, optional={"b": typed}))
attributes = st.fixed_dictionaries({}, optional={"c": texts, "d": typed, "e": typed, "x": typed})
items = st.builds(lambda key, rest: {**rest, **key}, st.one_of(*good_keys.values()), attributes) | st.dictionaries(
    names, typed, max_size=4
)
tables = st.sampled_from(
    ["plain", "sorted", "missing", "x", "a" * 300, "arn:aws:dynamodb:us-east-1:000000000000:table/plain"]
)
conditions = st.dictionaries(
    names,
    st.fixed_dictionaries(
        {"ComparisonOperator": st.sampled_from(["EQ", "NE", "BETWEEN", "NULL", "CONTAINS", "X"])},
        optional={"AttributeValueList": st.lists(typed, max_size=3), "Value": typed, "Exists": st.booleans()},
    ),
    max_size=2,
)
write = st.fixed_dictionaries(
    {},
    optional={
        kind: st.fixed_dictionaries(
            {"TableName": tables},
            optional={
                "Item": items,
                "Key": keys,
                "UpdateExpression": expressions,
                "ConditionExpression": expressions,
                "ExpressionAttributeValues": st.dictionaries(st.just(":v"), typed),
            },
        )
        for kind in ("Put", "Update", "Delete", "ConditionCheck", "Get")
    },
)
statements = st.sampled_from(
    [
        "SELECT * FROM plain",
        'SELECT a, b FROM "sorted"."by_c" WHERE c = ?',
        "INSERT INTO plain VALUE {'a': ?}",
        "UPDATE plain SET d = ? WHERE a = 'x'",
        "DELETE FROM plain WHERE a = ?",
        "SELECT",
    ]
) | st.text(alphabet="SELECT *FROMplain WHERE'\"?{}[]<>=", max_size=30)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "TableName": tables,
    "IndexName": st.sampled_from(["by_c", "nope", ""]),
    "Item": items,
    "Key": keys,
    "ConditionExpression": expressions,
    "FilterExpression": expressions,
    "KeyConditionExpression": expressions,
    "ProjectionExpression": expressions,
    "UpdateExpression": expressions,
    "ExpressionAttributeNames": st.dictionaries(st.sampled_from(["#n", "#x", "n"]), names, max_size=2),
    "ExpressionAttributeValues": st.dictionaries(st.sampled_from([":v", ":w", "v"]), typed, max_size=2),
    "Expected": conditions,
    "KeyConditions": conditions,
    "QueryFilter": conditions,
    "ScanFilter": conditions,
    "AttributeUpdates": st.dictionaries(
        names,
        st.fixed_dictionaries({}, optional={"Value": typed, "Action": st.sampled_from(["PUT", "ADD", "DELETE", "X"])}),
    ),
    "AttributesToGet": st.lists(names, max_size=3),
    "ConditionalOperator": st.sampled_from(["AND", "OR", "X"]),
    "ReturnValues": st.sampled_from(["NONE", "ALL_OLD", "UPDATED_NEW", "X"]),
    "ReturnConsumedCapacity": st.sampled_from(["TOTAL", "INDEXES", "NONE", "TOTAL", "INDEXES", "X"]),
    "ReturnValuesOnConditionCheckFailure": st.sampled_from(["ALL_OLD", "NONE"]),
    "ReturnItemCollectionMetrics": st.sampled_from(["SIZE", "NONE"]),
    "Select": st.sampled_from(["COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "X"]),
    "ScanIndexForward": st.booleans(),
    "ConsistentRead": st.booleans(),
    "Limit": st.integers(-1, 5),
    "Segment": st.integers(-1, 3),
    "TotalSegments": st.integers(-1, 3),
    "ExclusiveStartKey": keys,
    "ExclusiveStartTableName": tables,
    "RequestItems": st.dictionaries(
        tables,
        st.lists(
            st.one_of(
                st.fixed_dictionaries({"PutRequest": st.fixed_dictionaries({"Item": items})}),
                st.fixed_dictionaries({"DeleteRequest": st.fixed_dictionaries({"Key": keys})}),
            ),
            max_size=3,
        )
        | st.fixed_dictionaries({"Keys": st.lists(keys, max_size=3)}, optional={"ProjectionExpression": expressions}),
        max_size=2,
    ),
    "TransactItems": st.lists(write, max_size=3),
    "TransactStatements": st.lists(st.fixed_dictionaries({"Statement": statements}), max_size=3),
    "Statements": st.lists(st.fixed_dictionaries({"Statement": statements}), max_size=3),
    "Statement": statements,
    "Parameters": st.lists(typed, max_size=2),
    "NextToken": st.text(max_size=5),
    "ClientRequestToken": st.text(max_size=5),
    "ResourceArn": tables,
    "Tags": st.lists(st.fixed_dictionaries({"Key": names, "Value": names}), max_size=2),
    "TagKeys": st.lists(names, max_size=2),
    "StreamArn": st.text(max_size=10),
    "ShardId": st.text(max_size=10),
    "ShardIterator": st.text(max_size=10),
    "ShardIteratorType": st.sampled_from(["LATEST", "TRIM_HORIZON", "AT_SEQUENCE_NUMBER", "X"]),
    "SequenceNumber": st.text(max_size=5),
    "TimeToLiveSpecification": st.fixed_dictionaries({"Enabled": st.booleans(), "AttributeName": names}),
    "AttributeDefinitions": st.lists(
        st.fixed_dictionaries({"AttributeName": names, "AttributeType": st.sampled_from(["S", "N", "B", "X"])}),
        max_size=3,
    ),
    "KeySchema": st.lists(
        st.fixed_dictionaries({"AttributeName": names, "KeyType": st.sampled_from(["HASH", "RANGE", "X"])}), max_size=3
    ),
    "BillingMode": st.sampled_from(["PAY_PER_REQUEST", "PROVISIONED", "X"]),
}


EXPRESSIONS = (
    "ConditionExpression FilterExpression KeyConditionExpression ProjectionExpression UpdateExpression".split()
)
PLACEHOLDERS = "ExpressionAttributeNames ExpressionAttributeValues".split()
WRITING = ["ConditionExpression", "Expected", "ConditionalOperator", "ReturnValues", "ReturnConsumedCapacity"]
WRITING += ["ReturnValuesOnConditionCheckFailure", "ReturnItemCollectionMetrics"]
READING = ["ProjectionExpression", "AttributesToGet", "ConsistentRead", "ReturnConsumedCapacity"]
PAGING = [*READING, "FilterExpression", "Limit", "IndexName", "Select", "ExclusiveStartKey", "ConditionalOperator"]
# What an operation needs, and what it may have.
OWN: dict[str, tuple[list[str], list[str]]] = {
    "PutItem": (["TableName", "Item"], WRITING),
    "DeleteItem": (["TableName", "Key"], WRITING),
    "UpdateItem": (["TableName", "Key", "UpdateExpression"], WRITING),
    "GetItem": (["TableName", "Key"], READING),
    "Query": (["TableName", "KeyConditionExpression"], [*PAGING, "ScanIndexForward", "QueryFilter"]),
    "Scan": (["TableName"], [*PAGING, "ScanFilter", "Segment", "TotalSegments"]),
    "BatchGetItem": (["RequestItems"], ["ReturnConsumedCapacity"]),
    "BatchWriteItem": (["RequestItems"], ["ReturnConsumedCapacity", "ReturnItemCollectionMetrics"]),
    "TransactGetItems": (["TransactItems"], ["ReturnConsumedCapacity"]),
    "TransactWriteItems": (["TransactItems"], ["ReturnConsumedCapacity", "ClientRequestToken"]),
    "ExecuteStatement": (
        ["Statement"],
        ["Parameters", "ConsistentRead", "Limit", "NextToken", "ReturnConsumedCapacity"],
    ),
    "BatchExecuteStatement": (["Statements"], ["ReturnConsumedCapacity"]),
    "ExecuteTransaction": (["TransactStatements"], ["ClientRequestToken", "ReturnConsumedCapacity"]),
    "CreateTable": (["TableName", "KeySchema", "AttributeDefinitions", "BillingMode"], ["Tags"]),
    "UpdateTimeToLive": (["TableName", "TimeToLiveSpecification"], []),
    "GetShardIterator": (["StreamArn", "ShardId", "ShardIteratorType"], ["SequenceNumber"]),
    "TagResource": (["ResourceArn", "Tags"], []),
    "UntagResource": (["ResourceArn", "TagKeys"], []),
}
LEGACY = {
    "Expected",
    "ConditionalOperator",
    "AttributesToGet",
    "QueryFilter",
    "ScanFilter",
    "KeyConditions",
    "AttributeUpdates",
}
# What changes tables themselves would leave the others nothing to work on.
ACTIONS = sorted(set(HANDLERS) - {"DeleteTable", "UpdateTable"})


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """An operation, as a rule with what it needs and some of what it may have; now and then with anything else."""
    action = draw(st.sampled_from([*OWN, *OWN, *ACTIONS]))
    needed, allowed = OWN.get(action, (["TableName"], []))
    chosen = draw(st.lists(st.sampled_from(allowed), max_size=3, unique=True)) if allowed else []
    if draw(st.booleans()):
        chosen = [name for name in chosen if name not in LEGACY]
    if draw(st.integers(0, 9)) == 0:
        chosen += draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=3))
    fields = {name: draw(FIELDS[name]) for name in (*needed, *chosen)}
    if draw(st.integers(0, 3)):
        fit_to_table(draw, action, fields)
    if draw(st.integers(0, 9)) == 0:
        fields[draw(st.sampled_from(sorted(fields)))] = draw(junk)
    return action, fields


def fit_to_table(draw: st.DrawFn, action: str, fields: dict[str, Any]) -> None:
    """A table that is there, a key that is its own, and the placeholders that the expressions mention."""
    if "TableName" in fields:
        table = fields["TableName"] = draw(st.sampled_from(sorted(good_keys)))
        if "Key" in fields:
            fields["Key"] = draw(good_keys[table])
        if "Item" in fields:
            fields["Item"] = {**draw(attributes), **draw(good_keys[table])}
    for name in EXPRESSIONS:
        if name in fields:
            fields[name] = draw(st.sampled_from(SENSIBLE[name]))
    for name, content in FITTING.items():
        if name in fields:
            fields[name] = draw(content[action] if action in content else FIELDS[name])
    written = " ".join(str(fields[name]) for name in EXPRESSIONS if name in fields)
    for name in PLACEHOLDERS:
        fields.pop(name, None)
    if ":v" in written:
        fields["ExpressionAttributeValues"] = {":v": draw(texts | counts | typed)}
    if "#n" in written:
        fields["ExpressionAttributeNames"] = {"#n": draw(st.sampled_from(["a", "d", "e"]))}


CONDITIONS = ["a = :v", "attribute_not_exists(a)", "d > :v or size(d) < :v", "not contains(e, :v)", "#n in (:v, a)"]
SENSIBLE = {
    "ConditionExpression": CONDITIONS,
    "FilterExpression": CONDITIONS,
    "KeyConditionExpression": ["a = :v", "a = :v and b > :v", "c = :v", "b = :v and a = :v", "#n = :v"],
    "ProjectionExpression": ["a", "a, d.x, e[0]", "#n", "d.x[1].y, c"],
    "UpdateExpression": [
        *("SET d = :v", "SET d = if_not_exists(d, :v) + :v REMOVE e", "ADD d :v", "DELETE d :v", "SET d.x[3] = :v"),
        *("SET e = list_append(e, :v), x = d", "REMOVE d[0], e.x", "SET #n = :v", "SET c = :v"),
    ],
}
good_tables = st.sampled_from(sorted(good_keys))


def for_table(build: Any) -> st.SearchStrategy[Any]:
    return good_tables.flatmap(lambda table: st.tuples(st.just(table), st.lists(build(table), min_size=1, max_size=3)))


def good_item(table: str) -> st.SearchStrategy[Any]:
    return st.builds(lambda key, rest: {**rest, **key}, good_keys[table], attributes)


def good_write(table: str) -> st.SearchStrategy[Any]:
    named = {"TableName": st.just(table)}
    check = {"ConditionExpression": st.just("attribute_exists(a)")}
    return st.one_of(
        st.fixed_dictionaries({"Put": st.fixed_dictionaries({**named, "Item": good_item(table)}, optional=check)}),
        st.fixed_dictionaries({"Delete": st.fixed_dictionaries({**named, "Key": good_keys[table]}, optional=check)}),
        st.fixed_dictionaries({"ConditionCheck": st.fixed_dictionaries({**named, **check, "Key": good_keys[table]})}),
    )


# Contents of batches and transactions, by field and operation.
FITTING: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "RequestItems": {
        "BatchGetItem": for_table(good_keys.__getitem__).map(lambda pair: {pair[0]: {"Keys": pair[1]}}),
        "BatchWriteItem": for_table(good_item).map(
            lambda pair: {pair[0]: [{"PutRequest": {"Item": item}} for item in pair[1]]}
        ),
    },
    "TransactItems": {
        "TransactGetItems": for_table(good_keys.__getitem__).map(
            lambda pair: [{"Get": {"TableName": pair[0], "Key": key}} for key in pair[1]]
        ),
        "TransactWriteItems": for_table(good_write).map(lambda pair: pair[1]),
    },
}
