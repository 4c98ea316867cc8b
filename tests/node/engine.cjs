// The AWS SDK v3 and ElectroDB, unchanged, against a served engine: what they see, as JSON.

const { readFileSync } = require("node:fs");
const { CreateTableCommand, DynamoDBClient, waitUntilTableExists } = require("@aws-sdk/client-dynamodb");
const {
  BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand,
  TransactWriteCommand, UpdateCommand,
} = require("@aws-sdk/lib-dynamodb");
const { Entity, Service } = require("electrodb");

const { endpoint } = JSON.parse(readFileSync(0, "utf8"));
const client = new DynamoDBClient({
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});
const documents = DynamoDBDocumentClient.from(client);

const key = (hash, range) => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];

async function createTable(name) {
  await client.send(new CreateTableCommand({
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: key("pk", "sk"),
    AttributeDefinitions: ["pk", "sk", "gsi1pk", "gsi1sk"].map((each) => ({ AttributeName: each, AttributeType: "S" })),
    GlobalSecondaryIndexes: [
      { IndexName: "gsi1", KeySchema: key("gsi1pk", "gsi1sk"), Projection: { ProjectionType: "ALL" } },
    ],
  }));
  const waited = await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName: name });
  return waited.reason.Table.TableStatus;
}

const failure = (promise) => promise.then(() => null, (error) => error);
const plain = ({ pk, sk, ...rest }) => ({ ...rest, ...(rest.tags ? { tags: [...rest.tags].sort() } : {}) });

async function withDocuments(TableName) {
  const seen = {};
  const Key = { pk: "p", sk: "1" };
  await documents.send(new PutCommand({
    TableName, Item: { ...Key, id: "1", title: "first", tags: new Set(["a", "b"]) },
  }));
  seen.got = plain((await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item);
  seen.updated = plain((await documents.send(new UpdateCommand({
    TableName, Key, UpdateExpression: "SET title = :t ADD #c :one", ExpressionAttributeNames: { "#c": "count" },
    ExpressionAttributeValues: { ":t": "second", ":one": 1 }, ReturnValues: "ALL_NEW",
  }))).Attributes);
  await documents.send(new BatchWriteCommand({
    RequestItems: { [TableName]: ["2", "3"].map((id) => ({ PutRequest: { Item: { pk: "p", sk: id, id } } })) },
  }));
  const page = await documents.send(new QueryCommand({
    TableName, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": "p" },
  }));
  seen.queried = page.Items.map((item) => item.id);
  const batch = await documents.send(new BatchGetCommand({
    RequestItems: { [TableName]: { Keys: ["1", "2", "3", "4"].map((sk) => ({ pk: "p", sk })) } },
  }));
  seen.batched = batch.Responses[TableName].length;
  const condition = { ConditionExpression: "attribute_not_exists(pk)" };
  seen.conditionFailed = (await failure(documents.send(new PutCommand({ TableName, Item: Key, ...condition })))).name;
  seen.cancelled = (await failure(documents.send(new TransactWriteCommand({
    TransactItems: [
      { Put: { TableName, Item: { pk: "q", sk: "1" } } },
      { Put: { TableName, Item: Key, ...condition } },
    ],
  })))).CancellationReasons.map((reason) => reason.Code);
  seen.missing = (await failure(documents.send(new GetCommand({ TableName: "missing", Key })))).name;
  return seen;
}

async function withElectro(table) {
  const Task = new Entity({
    model: { entity: "task", version: "1", service: "work" },
    attributes: {
      team: { type: "string", required: true },
      task: { type: "string", required: true },
      points: { type: "number" },
      state: { type: ["open", "done"], default: "open" },
    },
    indexes: {
      tasks: { pk: { field: "pk", composite: ["team"] }, sk: { field: "sk", composite: ["task"] } },
      states: {
        index: "gsi1",
        pk: { field: "gsi1pk", composite: ["state"] },
        sk: { field: "gsi1sk", composite: ["team", "task"] },
      },
    },
  });
  const work = new Service({ task: Task }, { client: documents, table });
  const { task: Tasks } = work.entities;
  const seen = {};
  await Tasks.put([{ team: "blue", task: "t1", points: 3 }, { team: "blue", task: "t2", points: 1 }]).go();
  seen.got = (await Tasks.get({ team: "blue", task: "t1" }).go()).data;
  seen.updated = (await Tasks.patch({ team: "blue", task: "t1" }).add({ points: 2 }).go({ response: "updated_new" })).data;
  seen.updated = { points: seen.updated.points };
  seen.byState = (await Tasks.query.states({ state: "open" }).go()).data.map((each) => each.task);
  seen.page = (await Tasks.query.tasks({ team: "blue" }).go({ limit: 10 })).data.length;
  const moved = await work.transaction.write(({ task }) => [
    task.delete({ team: "blue", task: "t2" }).commit(),
    task.patch({ team: "blue", task: "t1" }).set({ state: "done" }).commit(),
  ]).go();
  seen.transaction = { canceled: moved.canceled };
  const again = await work.transaction.write(({ task }) => [task.create({ team: "blue", task: "t1" }).commit()]).go();
  seen.rejected = again.canceled && again.data[0].rejected;
  seen.left = (await Tasks.query.states({ state: "done" }).go()).data.map((each) => each.task);
  return seen;
}

async function main() {
  const created = await createTable("things");
  const seen = await withDocuments("things");
  await createTable("work");
  console.log(JSON.stringify({ created, ...seen, electro: await withElectro("work") }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
