"""The request of every operation, one table."""

from __future__ import annotations

from tablewright.engine.requests.compounds import Members, Named, Structure
from tablewright.engine.requests.parts import (
    ATTRIBUTE_DEFINITIONS,
    ATTRIBUTE_UPDATES,
    ATTRIBUTES_TO_GET,
    BILLING_MODE,
    COLLECTION_METRICS,
    CONDITIONAL_OPERATOR,
    CONDITIONS,
    CONSUMED_CAPACITY,
    ENCRYPTION,
    EXPECTED,
    EXPRESSION_FIELDS,
    FLAG,
    GSI,
    GSI_UPDATE,
    INDEX_NAME,
    ITEM,
    KEY_SCHEMA,
    LIMIT,
    LSI,
    NAME_PATTERN,
    ON_DEMAND,
    PROJECTION_FIELDS,
    RETURN_VALUES,
    SELECT,
    STATEMENT_FIELDS,
    STREAM,
    TABLE_NAME,
    TAGS,
    TEXT,
    THROUGHPUT,
    TOKEN,
    WARM,
    one_of,
)
from tablewright.engine.requests.shapes import Number, Shape, Text
from tablewright.wire.limits import (
    MAX_BATCH_GET_ITEMS,
    MAX_BATCH_WRITE_ITEMS,
    MAX_PARTIQL_BATCH_STATEMENTS,
    MAX_PARTIQL_TRANSACTION_STATEMENTS,
    MAX_SCAN_SEGMENTS,
    MAX_TABLE_NAME_LENGTH,
    MAX_TRANSACTION_ACTIONS,
)

TRANSACTION_TABLE = Text(1, MAX_TABLE_NAME_LENGTH, NAME_PATTERN, arn=True)
STREAM_ARN = Text(37, 1024)
SHARD_ID = Text(28, 65)
RESOURCE_ARN = Text()

WRITES: dict[str, Shape] = {
    "ReturnConsumedCapacity": CONSUMED_CAPACITY,
    "TableName": TABLE_NAME,
    "ReturnValues": RETURN_VALUES,
    "ReturnItemCollectionMetrics": COLLECTION_METRICS,
    "ConditionalOperator": CONDITIONAL_OPERATOR,
    "Expected": EXPECTED,
    **EXPRESSION_FIELDS,
}
READS: dict[str, Shape] = {
    "ReturnConsumedCapacity": CONSUMED_CAPACITY,
    "TableName": TABLE_NAME,
    "ConditionalOperator": CONDITIONAL_OPERATOR,
    "AttributesToGet": ATTRIBUTES_TO_GET,
    "Limit": LIMIT,
    "ExclusiveStartKey": ITEM,
    "ConsistentRead": FLAG,
    "FilterExpression": TEXT,
    "ExpressionAttributeValues": ITEM,
    **PROJECTION_FIELDS,
}


def _transaction_action(name: str, subject: str, extra: dict[str, Shape], required: tuple[str, ...] = ()) -> Structure:
    """One kind of action in a transaction; of an empty one the service misses its subject only."""
    fields: dict[str, Shape] = {subject: ITEM, "TableName": TRANSACTION_TABLE, **extra}
    return Structure(name, fields, (subject, "TableName", *required), when_empty=(subject,))


TRANSACT_WRITE = Structure(
    "TransactWriteItem",
    {
        "ConditionCheck": _transaction_action("ConditionCheck", "Key", EXPRESSION_FIELDS, ("ConditionExpression",)),
        "Put": _transaction_action("Put", "Item", EXPRESSION_FIELDS),
        "Delete": _transaction_action("Delete", "Key", EXPRESSION_FIELDS),
        "Update": _transaction_action(
            "Update", "Key", {"UpdateExpression": TEXT, **EXPRESSION_FIELDS}, ("UpdateExpression",)
        ),
    },
)
TRANSACT_GET = Structure("TransactGetItem", {"Get": _transaction_action("Get", "Key", PROJECTION_FIELDS)}, ("Get",))

FIELDS: dict[str, tuple[dict[str, Shape], str]] = {
    "PutItem": ({**WRITES, "Item": ITEM}, "TableName Item"),
    "DeleteItem": ({**WRITES, "Key": ITEM}, "TableName Key"),
    "UpdateItem": (
        {**WRITES, "Key": ITEM, "AttributeUpdates": ATTRIBUTE_UPDATES, "UpdateExpression": TEXT},
        "TableName Key",
    ),
    "GetItem": (
        {
            "ReturnConsumedCapacity": CONSUMED_CAPACITY,
            "AttributesToGet": ATTRIBUTES_TO_GET,
            "TableName": TABLE_NAME,
            "Key": ITEM,
            "ConsistentRead": FLAG,
            **PROJECTION_FIELDS,
        },
        "TableName Key",
    ),
    "Query": (
        {
            "Select": SELECT,
            "IndexName": INDEX_NAME,
            "QueryFilter": CONDITIONS,
            **READS,
            "KeyConditions": CONDITIONS,
            "ScanIndexForward": FLAG,
            "KeyConditionExpression": TEXT,
        },
        "TableName",
    ),
    "Scan": (
        {
            "Select": SELECT,
            "IndexName": INDEX_NAME,
            "TotalSegments": Number("Integer", 1, MAX_SCAN_SEGMENTS),
            "ScanFilter": CONDITIONS,
            "Segment": Number("Integer", 0, MAX_SCAN_SEGMENTS - 1),
            **READS,
        },
        "TableName",
    ),
    "BatchGetItem": (
        {
            "RequestItems": Named(
                Structure(
                    "KeysAndAttributes",
                    {
                        "Keys": Members(ITEM, 1, MAX_BATCH_GET_ITEMS),
                        "AttributesToGet": ATTRIBUTES_TO_GET,
                        "ConsistentRead": FLAG,
                        **PROJECTION_FIELDS,
                    },
                    ("Keys",),
                ),
                1,
                keys=TABLE_NAME,
                as_json=True,
            ),
            "ReturnConsumedCapacity": CONSUMED_CAPACITY,
        },
        "RequestItems",
    ),
    "BatchWriteItem": (
        {
            "ReturnConsumedCapacity": CONSUMED_CAPACITY,
            "ReturnItemCollectionMetrics": COLLECTION_METRICS,
            "RequestItems": Named(
                Members(
                    Structure(
                        "WriteRequest",
                        {
                            "PutRequest": Structure("PutRequest", {"Item": ITEM}, ("Item",)),
                            "DeleteRequest": Structure("DeleteRequest", {"Key": ITEM}, ("Key",)),
                        },
                    )
                ),
                1,
                keys=TABLE_NAME,
                value_lengths=(1, MAX_BATCH_WRITE_ITEMS),
            ),
        },
        "RequestItems",
    ),
    "TransactWriteItems": (
        {
            "ClientRequestToken": TOKEN,
            "ReturnConsumedCapacity": CONSUMED_CAPACITY,
            "ReturnItemCollectionMetrics": COLLECTION_METRICS,
            "TransactItems": Members(TRANSACT_WRITE, 1, MAX_TRANSACTION_ACTIONS),
        },
        "TransactItems",
    ),
    "TransactGetItems": (
        {
            "ReturnConsumedCapacity": CONSUMED_CAPACITY,
            "TransactItems": Members(TRANSACT_GET, 1, MAX_TRANSACTION_ACTIONS),
        },
        "TransactItems",
    ),
    "ExecuteStatement": (
        {
            **STATEMENT_FIELDS,
            "ConsistentRead": FLAG,
            "NextToken": Text(1, 32768),
            "ReturnConsumedCapacity": CONSUMED_CAPACITY,
            "Limit": LIMIT,
        },
        "Statement",
    ),
    "BatchExecuteStatement": (
        {
            "Statements": Members(
                Structure("BatchStatementRequest", {**STATEMENT_FIELDS, "ConsistentRead": FLAG}, ("Statement",)),
                1,
                MAX_PARTIQL_BATCH_STATEMENTS,
            ),
            "ReturnConsumedCapacity": CONSUMED_CAPACITY,
        },
        "Statements",
    ),
    "ExecuteTransaction": (
        {
            "TransactStatements": Members(
                Structure("ParameterizedStatement", STATEMENT_FIELDS, ("Statement",)),
                1,
                MAX_PARTIQL_TRANSACTION_STATEMENTS,
            ),
            "ClientRequestToken": TOKEN,
            "ReturnConsumedCapacity": CONSUMED_CAPACITY,
        },
        "TransactStatements",
    ),
    "CreateTable": (
        {
            "AttributeDefinitions": ATTRIBUTE_DEFINITIONS,
            "TableName": TABLE_NAME,
            "BillingMode": BILLING_MODE,
            "ProvisionedThroughput": THROUGHPUT,
            "KeySchema": KEY_SCHEMA,
            "GlobalSecondaryIndexes": Members(GSI),
            "LocalSecondaryIndexes": Members(LSI),
            "StreamSpecification": STREAM,
            "SSESpecification": ENCRYPTION,
            "Tags": TAGS,
            "TableClass": TEXT,
            "DeletionProtectionEnabled": FLAG,
            "WarmThroughput": WARM,
            "OnDemandThroughput": ON_DEMAND,
            "ResourcePolicy": TEXT,
        },
        "TableName AttributeDefinitions KeySchema",
    ),
    "UpdateTable": (
        {
            "TableName": TABLE_NAME,
            "ProvisionedThroughput": THROUGHPUT,
            "BillingMode": BILLING_MODE,
            "AttributeDefinitions": ATTRIBUTE_DEFINITIONS,
            "GlobalSecondaryIndexUpdates": Members(GSI_UPDATE),
            "StreamSpecification": STREAM,
            "SSESpecification": ENCRYPTION,
            "TableClass": TEXT,
            "DeletionProtectionEnabled": FLAG,
            "WarmThroughput": WARM,
            "OnDemandThroughput": ON_DEMAND,
        },
        "TableName",
    ),
    "DeleteTable": ({"TableName": TABLE_NAME}, "TableName"),
    "DescribeTable": ({"TableName": TABLE_NAME}, "TableName"),
    "ListTables": ({"Limit": Number("Integer", 1, 100), "ExclusiveStartTableName": INDEX_NAME}, ""),
    "DescribeTimeToLive": ({"TableName": TABLE_NAME}, "TableName"),
    "UpdateTimeToLive": (
        {
            "TableName": TABLE_NAME,
            "TimeToLiveSpecification": Structure(
                "TimeToLiveSpecification",
                {"Enabled": FLAG, "AttributeName": Text(1, 255)},
                ("Enabled", "AttributeName"),
            ),
        },
        "TableName",
    ),
    "TagResource": ({"ResourceArn": RESOURCE_ARN, "Tags": TAGS}, ""),
    "UntagResource": ({"ResourceArn": RESOURCE_ARN, "TagKeys": Members(TEXT)}, ""),
    "ListTagsOfResource": ({"ResourceArn": RESOURCE_ARN, "NextToken": TEXT}, ""),
    "DescribeLimits": ({}, ""),
    "DescribeEndpoints": ({}, ""),
    "DescribeContinuousBackups": ({"TableName": TABLE_NAME}, "TableName"),
    "UpdateContinuousBackups": (
        {
            "TableName": TABLE_NAME,
            "PointInTimeRecoverySpecification": Structure(
                "PointInTimeRecoverySpecification",
                {"PointInTimeRecoveryEnabled": FLAG, "RecoveryPeriodInDays": Number("Integer", 1, 35)},
                ("PointInTimeRecoveryEnabled",),
            ),
        },
        "TableName",
    ),
    "ListStreams": (
        {"TableName": TABLE_NAME, "Limit": Number("Integer", 1, 100), "ExclusiveStartStreamArn": STREAM_ARN},
        "",
    ),
    "DescribeStream": (
        {
            "StreamArn": STREAM_ARN,
            "Limit": Number("Integer", 1, 100),
            "ExclusiveStartShardId": SHARD_ID,
            "ShardFilter": Structure(
                "ShardFilter", {"Type": one_of("CHILD_SHARDS"), "ShardId": SHARD_ID}, ("Type", "ShardId")
            ),
        },
        "StreamArn",
    ),
    "GetShardIterator": (
        {
            "StreamArn": STREAM_ARN,
            "ShardId": SHARD_ID,
            "ShardIteratorType": one_of("AFTER_SEQUENCE_NUMBER LATEST AT_TIMESTAMP AT_SEQUENCE_NUMBER TRIM_HORIZON"),
            "SequenceNumber": Text(21, 40),
            "Timestamp": Number("Double"),
        },
        "StreamArn ShardId ShardIteratorType",
    ),
    "GetRecords": ({"ShardIterator": Text(1, 2048), "Limit": Number("Integer", 1, 1000)}, "ShardIterator"),
}

REQUESTS = {
    action: Structure(f"{action}Input", fields, tuple(required.split()))
    for action, (fields, required) in FIELDS.items()
}
