// Runs resolvers as AppSync would, against a DynamoDB endpoint: a small stand-in for its DynamoDB data source.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

let text = "";
for await (const each of process.stdin) text += each;
const { endpoint, folder, modules, items, calls } = JSON.parse(text);
const require = createRequire(modules);
const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");
const sdk = require("@aws-sdk/client-dynamodb");
const { marshall, unmarshall } = require("@aws-sdk/util-dynamodb");
const credentials = { accessKeyId: "local", secretAccessKey: "local" };
const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
const manifest = JSON.parse(readFileSync(`${folder}/resolvers.json`, "utf8"));
const table = Object.keys(items)[0];
const plain = (item) => unmarshall(item);

// Binary values come as base64 text.
function decoded(value) {
  if (Array.isArray(value)) return value.map(decoded);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === "B" && typeof each === "string" ? Buffer.from(each, "base64") : decoded(each)]));
}

for (const item of items[table]) await client.send(new sdk.PutItemCommand({ TableName: table, Item: decoded(item) }));

function expressed(part, name) {
  if (!part) return {};
  return { [name]: part.expression, names: part.expressionNames, values: part.expressionValues };
}

function joined(...parts) {
  const names = Object.assign({}, ...parts.map((each) => each.names));
  const values = Object.assign({}, ...parts.map((each) => each.values));
  const rest = Object.assign({}, ...parts.map(({ names: _, values: __, ...each }) => each));
  if (Object.keys(names).length) rest.ExpressionAttributeNames = names;
  if (Object.keys(values).length) rest.ExpressionAttributeValues = values;
  return rest;
}

// AppSync keeps the placeholders of two expressions apart; here they get different names.
function apart(part, mark) {
  if (!part) return part;
  const rename = (word) => word.replace(/([#:])(\w+)/g, `$1${mark}$2`);
  const renamed = (given) => given && Object.fromEntries(Object.entries(given).map(([name, value]) => [rename(name), value]));
  return { expression: rename(part.expression), expressionNames: renamed(part.expressionNames), expressionValues: renamed(part.expressionValues) };
}

function written(request, name) {
  const condition = expressed(apart(request.condition, "c"), "ConditionExpression");
  if (request.operation === "PutItem") return { TableName: name, Item: { ...request.attributeValues, ...request.key }, ...joined(condition) };
  const update = expressed(apart(request.update, "u"), "UpdateExpression");
  return { TableName: name, Key: request.key, ...joined(update, condition) };
}

async function execute(request) {
  switch (request.operation) {
    case "GetItem": {
      const found = await client.send(new sdk.GetItemCommand({ TableName: table, Key: request.key, ConsistentRead: request.consistentRead }));
      return found.Item ? plain(found.Item) : null;
    }
    case "Query": {
      const parts = joined(expressed(apart(request.query, "q"), "KeyConditionExpression"), expressed(apart(request.filter, "f"), "FilterExpression"));
      const found = await client.send(new sdk.QueryCommand({ TableName: table, IndexName: request.index, ...parts, ScanIndexForward: request.scanIndexForward, ConsistentRead: request.consistentRead, Limit: request.limit, ExclusiveStartKey: request.nextToken && JSON.parse(request.nextToken) }));
      return { items: found.Items.map(plain), nextToken: found.LastEvaluatedKey ? JSON.stringify(found.LastEvaluatedKey) : undefined };
    }
    case "BatchGetItem": {
      const asked = Object.fromEntries(Object.entries(request.tables).map(([name, each]) => [name, { Keys: each.keys, ConsistentRead: each.consistentRead }]));
      const found = await client.send(new sdk.BatchGetItemCommand({ RequestItems: asked }));
      return { data: Object.fromEntries(Object.entries(found.Responses).map(([name, each]) => [name, each.map(plain)])) };
    }
    case "TransactWriteItems":
      await client.send(new sdk.TransactWriteItemsCommand({ TransactItems: request.transactItems.map((each) => ({ [each.operation.replace("Item", "")]: written(each, each.table) })) }));
      return {};
    default:
      await client.send(new sdk[`${request.operation}Command`](written(request, table)));
      return {};
  }
}

class EarlyReturn { constructor(value) { this.value = value; } }
globalThis.standIn = {
  util: {
    dynamodb: { toMapValues: (values) => marshall(values, { removeUndefinedValues: true }) },
    time: {
      nowEpochSeconds: () => 4102444800,
      parseISO8601ToEpochMilliSeconds: (text) => Date.parse(text),
      epochMilliSecondsToISO8601: (moment) => new Date(moment).toISOString(),
    },
    error: (message, type) => { throw Object.assign(new Error(message), { type }); },
  },
  runtime: { earlyReturn: (value) => { throw new EarlyReturn(value); } },
};

async function step(module, ctx) {
  let request;
  try {
    request = module.request(ctx);
  } catch (error) {
    if (error instanceof EarlyReturn) return error.value;
    throw error;
  }
  ctx.error = undefined;
  try {
    ctx.result = await execute(request);
  } catch (error) {
    ctx.error = { message: error.message, type: error.name };
    ctx.result = null;
  }
  return module.response(ctx);
}

const results = [];
for (const call of calls) {
  const entry = manifest.find((each) => each.pattern === call.pattern);
  if (!entry) { results.push({ skipped: true }); continue; }
  const load = (file) => import(pathToFileURL(`${folder}/${file}`));
  const ctx = { args: plain(decoded(call.inputs)), stash: {}, prev: {} };
  const resolver = await load(entry.code);
  const goOn = async (result) => {
    // As a caller does whose page is short: items have expired.
    if (!result?.nextToken || entry.functions.length || (call.limit && result.items.length >= call.limit)) return result;
    const more = await goOn(await step(resolver, { args: { ...ctx.args, nextToken: result.nextToken }, stash: {} }));
    return { ...more, items: [...result.items, ...more.items] };
  };
  try {
    let result;
    if (entry.functions.length) {
      resolver.request(ctx);
      for (const file of entry.functions) ctx.prev.result = await step(await load(file), ctx);
      ctx.error = undefined;
      result = resolver.response(ctx);
    } else {
      result = await goOn(await step(resolver, ctx));
      if (call.limit && result?.items) result.items = result.items.slice(0, call.limit);
    }
    results.push({ result: JSON.parse(JSON.stringify(result ?? null, (_, value) => (value instanceof Set ? [...value] : value))) });
  } catch (error) {
    results.push({ error: error.type ?? error.name, message: error.message });
  }
}
console.log(JSON.stringify(results));
