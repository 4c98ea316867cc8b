"""The pages of the AWS documentation that rules and advice rest on.

Each was looked up on 2026-11-15: pages of the Developer Guide in the index that AWS publishes of it (its llms.txt) or
under their own address, pages of the API reference through public code that cites them. A page that could not be found
there is not cited. Titles are those of the index, with a word added where one alone says too little.
"""

from __future__ import annotations

from tablewright.design.advice import Source

GUIDE = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide"
REFERENCE = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference"


def page(title: str, name: str) -> Source:
    return Source(title, f"{GUIDE}/{name}")


# ---- modelling -------------------------------------------------------------------------------------------------------

NOSQL_DESIGN = page("NoSQL design", "bp-general-nosql-design.html")
ONE_OR_MANY_TABLES = page("Data modeling foundations", "data-modeling-foundations.html")
BUILDING_BLOCKS = page("Data modeling building blocks", "data-modeling-blocks.html")
TABLE_DESIGN = page("Table design", "bp-table-design.html")
PARTITION_KEYS = page("Partition key design", "bp-partition-key-design.html")
UNIFORM_LOAD = page("Distributing workloads", "bp-partition-key-uniform-load.html")
WRITE_SHARDING = page("Write sharding", "bp-partition-key-sharding.html")
SORT_KEYS = page("Sort key design", "bp-sort-keys.html")
TIME_SERIES = page("Time series data", "bp-time-series.html")
ADJACENCY_LISTS = page("Many-to-many relationships", "bp-adjacency-graphs.html")
RELATIONAL_MODELLING = page("Relational modeling", "bp-relational-modeling.html")
ITEM_COLLECTIONS = page("Working with Item Collections", "WorkingWithItemCollections.html")
LARGE_ITEMS = page("Large items", "bp-use-s3-too.html")
DATA_TYPES = page("Supported data types and naming rules", "HowItWorks.NamingRulesDataTypes.html")
QUERY_AND_SCAN = page("Querying and scanning", "bp-query-scan.html")
OPENSEARCH = page("Integrating with Amazon OpenSearch Service", "OpenSearchIngestionForDynamoDB.html")
AGGREGATION = page("Aggregation with secondary indexes", "bp-gsi-aggregation.html")

# ---- indexes ---------------------------------------------------------------------------------------------------------

SECONDARY_INDEXES = page("Secondary indexes, general guidelines", "bp-indexes-general.html")
GSI = page("Global secondary indexes", "GSI.html")
GSI_OVERLOADING = page("GSI overloading", "bp-gsi-overloading.html")
GSI_SHARDING = page("GSI sharding", "bp-indexes-gsi-sharding.html")
GSI_BACK_PRESSURE = page("GSI write throttling and back-pressure", "gsi-throttling.html")
SPARSE_INDEXES = page("Sparse indexes", "bp-indexes-general-sparse-indexes.html")
LSI = page("Local secondary indexes", "LSI.html")
MULTI_ATTRIBUTE_KEYS = page("Multi-attribute keys", "GSI.DesignPattern.MultiAttributeKeys.html")

# ---- reads and writes ------------------------------------------------------------------------------------------------

ITEM_SIZES = page("Item sizes and formats", "CapacityUnitCalculations.html")
CAPACITY_UNITS = page("Read and write operations", "read-write-operations.html")
READ_CONSISTENCY = page("DynamoDB read consistency", "HowItWorks.ReadConsistency.html")
PAGINATION = page("Paginating query results", "Query.Pagination.html")
FILTERS = page("Filter expressions for queries", "Query.FilterExpression.html")
BATCH_GET = Source("BatchGetItem", f"{REFERENCE}/API_BatchGetItem.html")
CONDITIONS = page("Condition expressions", "Expressions.ConditionExpressions.html")
OPTIMISTIC_LOCKING = page("Optimistic locking", "BestPractices_OptimisticLocking.html")
CONCURRENT_UPDATES = page("Handling concurrent updates", "BestPractices_ImplementingVersionControl.html")
TRANSACTIONS = page("Transactions, how it works", "transaction-apis.html")
TRANSACT_WRITE = Source("TransactWriteItems", f"{REFERENCE}/API_TransactWriteItems.html")
BULK_OPERATIONS = page("Efficient bulk operations", "BestPractices_EfficientBulkOperations.html")
ERRORS_AND_RETRIES = page("Error handling", "Programming.Errors.html")

# ---- the table's life ------------------------------------------------------------------------------------------------

TTL = page("Time to Live (TTL)", "TTL.html")
TTL_COMPUTING = page("Computing TTL", "time-to-live-ttl-before-you-start.html")
STREAMS = page("Working with DynamoDB Streams", "Streams.html")
STREAMS_AND_LAMBDA = page("DynamoDB Streams and AWS Lambda triggers", "Streams.Lambda.html")
KINESIS = page("Working with Kinesis Data Streams", "kds.html")
PITR = page("Point-in-time backups", "Point-in-time-recovery.html")
DELETION_PROTECTION = page(
    "Basic operations on tables, deletion protection",
    "WorkingWithTables.Basics.html#WorkingWithTables.Basics.DeletionProtection",
)
LEADING_KEYS = page("Using conditions (fine-grained access control)", "specifying-conditions.html")
GLOBAL_TABLES = page("Global tables, how they work", "V2globaltables_HowItWorks.html")
QUOTAS = page("Quotas", "ServiceQuotas.html")

# ---- capacity, cost, monitoring --------------------------------------------------------------------------------------

CAPACITY_MODES = page("Evaluate your table capacity mode", "CostOptimization_TableCapacityMode.html")
ON_DEMAND = page("DynamoDB on-demand capacity mode", "on-demand-capacity-mode.html")
PROVISIONED = page("Provisioned capacity mode", "provisioned-capacity-mode.html")
AUTO_SCALING = page("Managing throughput capacity with auto scaling", "AutoScaling.html")
RESERVED = page("Reserved capacity", "reserved-capacity.html")
TABLE_CLASSES = page("Evaluate your table class selection", "CostOptimization_TableClass.html")
USAGE_PATTERNS = page("Evaluate your table usage patterns", "CostOptimization_TableUsagePatterns.html")
UNUSED_RESOURCES = page("Identify your unused resources", "CostOptimization_UnusedResources.html")
WARM_THROUGHPUT = page("Warm throughput", "warm-throughput.html")
BURST_AND_ADAPTIVE = page("Burst and adaptive capacity", "burst-adaptive-capacity.html")
DAX = page("In-memory acceleration with DAX", "DAX.html")
CONTRIBUTOR_INSIGHTS = page("Contributor Insights", "contributorinsights.html")
METRICS = page("Metrics and dimensions", "metrics-dimensions.html")
ALARMS = page("Creating CloudWatch alarms in DynamoDB", "Monitoring-metrics-creating-cloudwatch-alarms.html")
THROTTLING = page("Diagnosing throttling", "throttling-diagnosing-workflow.html")
LATENCY = page("Troubleshooting latency", "TroubleshootingLatency.html")


def all_sources() -> tuple[Source, ...]:
    """Every page of this table, by title."""
    return tuple(sorted(each for each in globals().values() if isinstance(each, Source)))
