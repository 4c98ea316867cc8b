/**
 * Sets what other items keep of one that changed: copies of its attributes. They are set as the item is by now: to set
 * a value again does no harm, also by a record that is older than others. Values go as DynamoDB has them.
 */

import { isDeepStrictEqual } from "node:util";
import {
  type AttributeValue,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Context, StreamRecord } from "./handler.js";
import { type Item, companionKey, filled, namesIn, plainClient, tableName } from "./keys.js";
import { type Companion, type Copies, kinds, type Part, typeField } from "./model.js";

type Image = Record<string, AttributeValue>;

const TIME_LEFT_MS = 15_000;

/** The rest is done when the record comes again. */
class CopiesLeftError extends Error {}

export async function setCopies(record: StreamRecord, context?: Context): Promise<void> {
  const old = (record.dynamodb?.OldImage ?? {}) as Image;
  const now = (record.dynamodb?.NewImage ?? {}) as Image;
  const kind = kinds[String(now[typeField]?.S)];
  for (const kept of kind?.copies ?? []) {
    if (Object.values(kept.set).every((name) => isDeepStrictEqual(old[name], now[name]))) continue;
    const Key = Object.fromEntries(kind!.key.map((field) => [field, now[field]!]));
    const asked = { TableName: tableName(kind!.table), Key, ConsistentRead: true };
    const { Item: source } = await plainClient.send(new GetItemCommand(asked));
    if (source === undefined) continue;
    for await (const holder of holders(kept, source)) {
      if (context !== undefined && context.getRemainingTimeInMillis() < TIME_LEFT_MS) {
        throw new CopiesLeftError(`${kept.label} items are left`);
      }
      for (const place of kept.holders) await setOne(kept, place, holder, source);
    }
  }
}

/** Of an item no more than keys are made of: other numbers need not fit into one of JavaScript's. */
function valuesFor(fields: Readonly<Record<string, readonly Part[]>>, image: Image, more: readonly string[] = []): Item {
  const names = [...more, ...Object.values(fields).flatMap((parts) => namesIn(parts))];
  const known = names.flatMap((name) => (image[name] === undefined ? [] : [[name, image[name]] as const]));
  return unmarshall(Object.fromEntries(known)) as Item;
}

/** All items that keep something of it, page after page, as they are at this moment. */
async function* holders(kept: Copies, source: Image): AsyncGenerator<Image> {
  const values = valuesFor({ ...kept.partition, ...kept.sort }, source);
  for (let shard = 0; shard < kept.shards; shard++) {
    let query: QueryCommandInput = holderQuery(kept, { ...values, _shard: String(shard) });
    for (;;) {
      const reply = await plainClient.send(new QueryCommand(query));
      for (const item of reply.Items ?? []) if (item[typeField]?.S === kept.label) yield item;
      if (reply.LastEvaluatedKey === undefined) break;
      query = { ...query, ExclusiveStartKey: reply.LastEvaluatedKey };
    }
  }
}

function holderQuery(kept: Copies, values: Item): QueryCommandInput {
  const partition = Object.entries(kept.partition).map(([field, parts], at) => [`p${at}`, field, parts] as const);
  const sort = Object.entries(kept.sort).map(([field, parts], at) => [`s${at}`, field, parts] as const);
  const all = [...partition, ...sort];
  return {
    TableName: tableName(kept.table),
    ...(kept.index ? { IndexName: kept.index } : {}),
    ConsistentRead: true,
    KeyConditionExpression: [
      ...partition.map(([mark]) => `#${mark} = :${mark}`),
      ...sort.map(([mark]) => `begins_with(#${mark}, :${mark})`),
    ].join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(all.map(([mark, field]) => [`#${mark}`, field])),
    ExpressionAttributeValues: marshall(
      Object.fromEntries(all.map(([mark, , parts]) => [`:${mark}`, filled(parts, values)])),
    ),
  };
}

/** One that is gone, or names another by now, is left alone. */
async function setOne(kept: Copies, place: Companion, holder: Image, source: Image): Promise<void> {
  const bucket = place.bucket === null ? [] : [place.bucket.attribute];
  const key = companionKey(place, valuesFor(place.fields, holder, [...place.id, ...bucket]));
  if (key === undefined) return;
  const first = Object.keys(key)[0]!;
  const there = Object.entries(kept.set).filter(([, of]) => source[of] !== undefined);
  const gone = Object.entries(kept.set).filter(([, of]) => source[of] === undefined);
  const named = Object.entries(kept.references);
  const names = [...new Set([...Object.keys(kept.set), ...Object.keys(kept.references), first])];
  const marks = new Map(names.map((name, at) => [name, `c${at}`]));
  const equal = ([name]: readonly [string, string]) => `#${marks.get(name)} = :${marks.get(name)}`;
  const sets = there.length ? `SET ${there.map(equal).join(", ")}` : "";
  const removes = gone.length ? `REMOVE ${gone.map(([name]) => `#${marks.get(name)}`).join(", ")}` : "";
  const values = [...there, ...named].map(([name, of]) => [`:${marks.get(name)}`, source[of]!] as const);
  try {
    await plainClient.send(
      new UpdateItemCommand({
        TableName: tableName(place.table),
        Key: marshall(key),
        UpdateExpression: [sets, removes].filter(Boolean).join(" "),
        ConditionExpression: [`attribute_exists(#${marks.get(first)})`, ...named.map(equal)].join(" AND "),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${marks.get(name)}`, name])),
        ExpressionAttributeValues: Object.fromEntries(values),
      }),
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === "ConditionalCheckFailedException")) throw error;
  }
}
