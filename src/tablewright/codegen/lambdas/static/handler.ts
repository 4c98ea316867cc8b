/**
 * Follows the table's stream: keeps totals, lists and copies, and deletes children and what expired items had.
 *
 * Every record may come again: a delete of what is gone does nothing, a total is changed together with a marker that is
 * written once, and a list has what the record says, or better. The first record that fails is reported, so that Lambda
 * goes on from there, in order.
 */

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand,
  DeleteCommand,
  type DeleteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { setCopies } from "./copies.js";
import { type Item, companionKey, filled, plainClient, tableName } from "./keys.js";
import { type Child, type Companion, type Kind, kinds, ttlAttribute, typeField } from "./model.js";
import { keepTops } from "./tops.js";
import { keepTotals } from "./totals.js";

type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];
/** What of a change a handler needs; the events of `aws-lambda` have it. */
export interface StreamRecord {
  eventID?: string;
  eventName?: string;
  userIdentity?: { type?: string; principalId?: string } | null;
  dynamodb?: { SequenceNumber?: string; OldImage?: Record<string, unknown>; NewImage?: Record<string, unknown> };
}
export interface Context {
  getRemainingTimeInMillis(): number;
}

const BATCH = 25;
const TIME_LEFT_MS = 15_000;
const MARKER_SECONDS = 2 * 86_400; // a stream keeps records for one day
const client = DynamoDBDocumentClient.from(plainClient, { marshallOptions: { removeUndefinedValues: true } });

/** The rest is done when the record comes again. */
class OutOfTimeError extends Error {}

export async function handler(
  event: { Records: StreamRecord[] },
  context?: Context,
): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> {
  const added = Math.min(await keepTotals(event.Records, context), await keepTops(event.Records, context));
  for (const record of event.Records.slice(0, added)) {
    try {
      await follow(record, context);
    } catch (error) {
      console.error(record.eventID, error);
      return failed([record]);
    }
  }
  return failed(event.Records.slice(added, added + 1));
}

/** What has to come again, with everything behind it. */
function failed(records: readonly StreamRecord[]): { batchItemFailures: { itemIdentifier: string }[] } {
  return { batchItemFailures: records.map((each) => ({ itemIdentifier: each.dynamodb?.SequenceNumber ?? "" })) };
}

async function follow(record: StreamRecord, context?: Context): Promise<void> {
  if (record.eventName === "MODIFY") await setCopies(record, context);
  if (record.eventName !== "REMOVE") return;
  const image = unmarshall((record.dynamodb?.OldImage ?? {}) as Record<string, AttributeValue>) as Item;
  const kind = kinds[String(image[typeField])];
  if (kind === undefined || !(kind.children.length || hasExpired(record))) return;
  const isBack = await exists(kind, image); // put again in the meantime: what belongs to it is the new one's
  if (hasExpired(record)) await putRight(kind, image, record.eventID ?? "", isBack);
  if (isBack) return;
  for (const child of kind.children) await deleteChildren(child, image, context);
}

/** DynamoDB signs what it deletes itself. */
function hasExpired(record: StreamRecord): boolean {
  return record.userIdentity?.type === "Service" && record.userIdentity.principalId === "dynamodb.amazonaws.com";
}

async function exists(kind: Kind, image: Item): Promise<boolean> {
  const input = { TableName: tableName(kind.table), Key: keyOf(kind, image), ConsistentRead: true };
  return (await client.send(new GetCommand(input))).Item !== undefined;
}

function keyOf(kind: Kind, image: Item): Item {
  return Object.fromEntries(kind.key.map((field) => [field, image[field]]));
}

// ---- what is written along ------------------------------------------------------------------------------------------

async function putRight(kind: Kind, image: Item, event: string, isBack: boolean): Promise<void> {
  const writes = companionWrites(kind, image);
  const totals = writes.filter((each) => each.Update !== undefined);
  if (totals.length) await correctOnce(kind, totals, event);
  if (isBack) return;
  for (const { Delete } of writes) if (Delete !== undefined) await deleteOwn(Delete as DeleteCommandInput);
}

/** The marker is in the way when the same record comes again. */
async function correctOnce(kind: Kind, totals: Write[], event: string): Promise<void> {
  const marker: Item = Object.fromEntries(kind.key.map((field) => [field, `stream#${event}`]));
  if (ttlAttribute) marker[ttlAttribute] = Math.floor(Date.now() / 1000) + MARKER_SECONDS;
  const put = {
    TableName: tableName(kind.table),
    Item: marker,
    ConditionExpression: "attribute_not_exists(#key)",
    ExpressionAttributeNames: { "#key": kind.key[0]! },
  };
  await transact([{ Put: put }, ...totals]);
}

async function deleteOwn(input: DeleteCommandInput): Promise<void> {
  try {
    await client.send(new DeleteCommand(input));
  } catch (error) {
    if (!(error instanceof Error && error.name === "ConditionalCheckFailedException")) throw error;
  }
}

/** Deletes of copies, details and sentinels; a total loses what the item added to it. */
function companionWrites(kind: Kind, image: Item): Write[] {
  return kind.companions.flatMap((each): Write[] => {
    const key = companionKey(each, image);
    if (key === undefined) return [];
    const request = { TableName: tableName(each.table), Key: key };
    if (each.kind === "total") return [{ Update: { ...request, ...totalUpdate(each.totals, image) } }];
    return [{ Delete: { ...request, ...ownerCondition(each, image) } }];
  });
}

/** A sentinel is only taken away from the item that it names. */
function ownerCondition(companion: Companion, image: Item): Partial<DeleteCommandInput> {
  const owner = companion.owner;
  if (!owner.length) return {};
  const said = owner.map((_, at) => `#o${at} = :o${at}`).join(" AND ");
  return {
    ConditionExpression: `attribute_not_exists(#o0) OR (${said})`,
    ExpressionAttributeNames: Object.fromEntries(owner.map((name, at) => [`#o${at}`, name])),
    ExpressionAttributeValues: Object.fromEntries(owner.map((name, at) => [`:o${at}`, image[name]])),
  };
}

function totalUpdate(totals: Companion["totals"], image: Item): Pick<UpdateCommandInput, "ExpressionAttributeNames" | "ExpressionAttributeValues"> & { UpdateExpression: string } {
  const amounts = Object.entries(totals).map(([name, attribute]) => [name, attribute ? Number(image[attribute] ?? 0) : 1] as const);
  return {
    UpdateExpression: `ADD ${amounts.map((_, at) => `#t${at} :t${at}`).join(", ")}`,
    ExpressionAttributeNames: Object.fromEntries(amounts.map(([name], at) => [`#t${at}`, name])),
    ExpressionAttributeValues: Object.fromEntries(amounts.map(([, amount], at) => [`:t${at}`, -amount])),
  };
}

// ---- children -------------------------------------------------------------------------------------------------------

async function deleteChildren(child: Child, parent: Item, context?: Context): Promise<void> {
  const kind = kinds[child.label]!;
  let waiting: Item[] = [];
  for await (const key of childKeys(child, kind, parent)) {
    if (context !== undefined && context.getRemainingTimeInMillis() < TIME_LEFT_MS) {
      throw new OutOfTimeError(`${kind.name} items are left`);
    }
    if (kind.companions.length) {
      await deleteWithCompanions(kind, key);
      continue;
    }
    waiting.push(key);
    if (waiting.length === BATCH) {
      await deleteBatch(kind, waiting);
      waiting = [];
    }
  }
  await deleteBatch(kind, waiting);
}

/** The table keys of all children, page after page. */
async function* childKeys(child: Child, kind: Kind, parent: Item): AsyncGenerator<Item> {
  const values = Object.fromEntries(Object.entries(child.references).map(([ours, theirs]) => [ours, parent[theirs]]));
  for (let shard = 0; shard < child.shards; shard++) {
    let query: QueryCommandInput = childQuery(child, kind, { ...values, _shard: String(shard) });
    for (;;) {
      const reply = await client.send(new QueryCommand(query));
      for (const item of reply.Items ?? []) yield keyOf(kind, item);
      if (reply.LastEvaluatedKey === undefined) break;
      query = { ...query, ExclusiveStartKey: reply.LastEvaluatedKey };
    }
  }
}

function childQuery(child: Child, kind: Kind, values: Item): QueryCommandInput {
  const partition = Object.entries(child.partition);
  const sort = Object.entries(child.sort);
  const keys = kind.key.map((field, at) => [`#k${at}`, field] as const);
  return {
    TableName: tableName(child.table),
    ...(child.index ? { IndexName: child.index } : { ConsistentRead: true }),
    KeyConditionExpression: [...partition.map((_, at) => `#p${at} = :p${at}`), ...sort.map((_, at) => `begins_with(#s${at}, :s${at})`)].join(" AND "),
    ProjectionExpression: keys.map(([mark]) => mark).join(", "),
    ExpressionAttributeNames: Object.fromEntries([
      ...partition.map(([field], at) => [`#p${at}`, field] as const),
      ...sort.map(([field], at) => [`#s${at}`, field] as const),
      ...keys,
    ]),
    ExpressionAttributeValues: Object.fromEntries([
      ...partition.map(([, parts], at) => [`:p${at}`, filled(parts, values)] as const),
      ...sort.map(([, prefix], at) => [`:s${at}`, prefix] as const),
    ]),
  };
}

/** In one transaction; one that found the item gone has been done before. */
async function deleteWithCompanions(kind: Kind, key: Item): Promise<void> {
  const TableName = tableName(kind.table);
  const { Item: image } = await client.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
  if (image === undefined) return;
  const there = { ConditionExpression: "attribute_exists(#key)", ExpressionAttributeNames: { "#key": kind.key[0]! } };
  await transact([{ Delete: { TableName, Key: key, ...there } }, ...companionWrites(kind, image)]);
}

/** The first item says whether it was done before: then its condition fails, and nothing is done again. */
async function transact(items: Write[]): Promise<void> {
  try {
    await client.send(new TransactWriteCommand({ TransactItems: items }));
  } catch (error) {
    const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons;
    if (reasons?.[0]?.Code !== "ConditionalCheckFailed") throw error;
  }
}

/** What was not processed is sent again, after a while. */
async function deleteBatch(kind: Kind, keys: readonly Item[]): Promise<void> {
  const name = tableName(kind.table);
  let pending: { DeleteRequest: { Key: Item } }[] = keys.map((Key) => ({ DeleteRequest: { Key } }));
  for (let attempt = 1; pending.length; attempt++) {
    const reply = await client.send(new BatchWriteCommand({ RequestItems: { [name]: pending } }));
    pending = (reply.UnprocessedItems?.[name] ?? []) as typeof pending;
    if (pending.length) await new Promise((done) => setTimeout(done, Math.random() * Math.min(1000, 50 * 2 ** attempt)));
  }
}
