"""The parts that the operations' requests share, each written down once.

The order of fields is the order in which the service tells what is wrong, and the order of words in an enumeration is
the one it lists them in; both are observed facts without a system.
"""

from __future__ import annotations

from tablewright.engine.requests.attribute_value import AttributeValue, AttributeValues
from tablewright.engine.requests.compounds import Members, Named, Structure
from tablewright.engine.requests.shapes import Flag, Number, Shape, Text
from tablewright.wire.limits import MAX_STATEMENT_CHARACTERS, MAX_TABLE_NAME_LENGTH, MIN_TABLE_NAME_LENGTH

NAME_PATTERN = "[a-zA-Z0-9_.-]+"
OPERATORS = "IN NULL BETWEEN LT NOT_CONTAINS EQ GT NOT_NULL NE LE BEGINS_WITH GE CONTAINS"


def one_of(words: str) -> Text:
    return Text(choices=tuple(words.split()))


TEXT = Text()
FLAG = Flag()
TABLE_NAME = Text(MIN_TABLE_NAME_LENGTH, MAX_TABLE_NAME_LENGTH, NAME_PATTERN, arn=True)
INDEX_NAME = Text(MIN_TABLE_NAME_LENGTH, MAX_TABLE_NAME_LENGTH, NAME_PATTERN)
LIMIT = Number("Integer", 1)
LONG = Number("Long")
POSITIVE = Number("Long", 1)

VALUE = AttributeValue()
VALUES = Members(VALUE)
ITEM = AttributeValues(VALUE)
NAMES = Named(TEXT)
ATTRIBUTES_TO_GET = Members(TEXT, 1, 255)

CONSUMED_CAPACITY = one_of("INDEXES TOTAL NONE")
COLLECTION_METRICS = one_of("SIZE NONE")
RETURN_VALUES = one_of("ALL_NEW UPDATED_OLD ALL_OLD NONE UPDATED_NEW")
RETURN_ON_FAILURE = one_of("ALL_OLD NONE")
SELECT = one_of("SPECIFIC_ATTRIBUTES COUNT ALL_ATTRIBUTES ALL_PROJECTED_ATTRIBUTES")
CONDITIONAL_OPERATOR = one_of("OR AND")

EXPRESSION_FIELDS: dict[str, Shape] = {
    "ConditionExpression": TEXT,
    "ExpressionAttributeValues": ITEM,
    "ExpressionAttributeNames": NAMES,
    "ReturnValuesOnConditionCheckFailure": RETURN_ON_FAILURE,
}

PROJECTION_FIELDS: dict[str, Shape] = {"ProjectionExpression": TEXT, "ExpressionAttributeNames": NAMES}

CONDITIONS = Named(
    Structure(
        "Condition",
        {"AttributeValueList": VALUES, "ComparisonOperator": one_of(OPERATORS)},
        ("ComparisonOperator",),
    )
)
EXPECTED = Named(
    Structure(
        "ExpectedAttributeValue",
        {"AttributeValueList": VALUES, "ComparisonOperator": one_of(OPERATORS), "Exists": FLAG, "Value": VALUE},
    )
)
ATTRIBUTE_UPDATES = Named(
    Structure("AttributeValueUpdate", {"Action": one_of("ADD PUT DELETE"), "Value": VALUE}),
)

STATEMENT_FIELDS: dict[str, Shape] = {
    "Statement": Text(1, MAX_STATEMENT_CHARACTERS),
    "Parameters": Members(VALUE, 1),
    "ReturnValuesOnConditionCheckFailure": RETURN_ON_FAILURE,
}
TOKEN = Text(1, 36)

# ---- tables ----------------------------------------------------------------------------------------------------------

KEY_NAME = Text(1, 255)
ATTRIBUTE_DEFINITIONS = Members(
    Structure(
        "AttributeDefinition",
        {"AttributeName": KEY_NAME, "AttributeType": one_of("B N S")},
        ("AttributeName", "AttributeType"),
    )
)
KEY_ELEMENT = Structure(
    "KeySchemaElement",
    {"AttributeName": KEY_NAME, "KeyType": one_of("HASH RANGE")},
    ("AttributeName", "KeyType"),
)
KEY_SCHEMA = Members(KEY_ELEMENT, 1, 2)
GSI_KEY_SCHEMA = Members(KEY_ELEMENT, 1)
THROUGHPUT = Structure(
    "ProvisionedThroughput",
    {"WriteCapacityUnits": POSITIVE, "ReadCapacityUnits": POSITIVE},
    ("WriteCapacityUnits", "ReadCapacityUnits"),
)
PROJECTION = Structure(
    "Projection",
    {"ProjectionType": one_of("ALL INCLUDE KEYS_ONLY"), "NonKeyAttributes": Members(Text(1, 255), 1)},
)
ON_DEMAND = Structure("OnDemandThroughput", {"MaxReadRequestUnits": LONG, "MaxWriteRequestUnits": LONG})
WARM = Structure("WarmThroughput", {"ReadUnitsPerSecond": LONG, "WriteUnitsPerSecond": LONG})
STREAM = Structure(
    "StreamSpecification",
    {"StreamEnabled": FLAG, "StreamViewType": one_of("OLD_IMAGE KEYS_ONLY NEW_AND_OLD_IMAGES NEW_IMAGE")},
    ("StreamEnabled",),
)
ENCRYPTION = Structure(
    "SSESpecification", {"Enabled": FLAG, "SSEType": one_of("AES256 KMS"), "KMSMasterKeyId": Text(1)}
)
BILLING_MODE = one_of("PROVISIONED PAY_PER_REQUEST")
TAGS = Members(Structure("Tag", {"Key": TEXT, "Value": TEXT}))
LSI = Structure(
    "LocalSecondaryIndex",
    {"IndexName": INDEX_NAME, "KeySchema": KEY_SCHEMA, "Projection": PROJECTION},
    ("Projection", "IndexName", "KeySchema"),
)
GSI_FIELDS: dict[str, Shape] = {
    "IndexName": INDEX_NAME,
    "KeySchema": GSI_KEY_SCHEMA,
    "Projection": PROJECTION,
    "ProvisionedThroughput": THROUGHPUT,
    "OnDemandThroughput": ON_DEMAND,
    "WarmThroughput": WARM,
}
GSI = Structure("GlobalSecondaryIndex", GSI_FIELDS, ("KeySchema", "Projection", "IndexName"))
GSI_UPDATE = Structure(
    "GlobalSecondaryIndexUpdate",
    {
        "Update": Structure(
            "UpdateGlobalSecondaryIndexAction",
            {
                "IndexName": INDEX_NAME,
                "ProvisionedThroughput": THROUGHPUT,
                "OnDemandThroughput": ON_DEMAND,
                "WarmThroughput": WARM,
            },
            ("IndexName",),
            when_empty=("IndexName", "ProvisionedThroughput"),
        ),
        "Create": Structure("CreateGlobalSecondaryIndexAction", GSI_FIELDS, ("Projection", "IndexName", "KeySchema")),
        "Delete": Structure("DeleteGlobalSecondaryIndexAction", {"IndexName": INDEX_NAME}, ("IndexName",)),
    },
)
