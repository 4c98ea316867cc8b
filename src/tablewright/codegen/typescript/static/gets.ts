/** Items by their whole keys: one by GetItem, several by BatchGetItem, with patience where DynamoDB leaves some out. */

import { BatchGetCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import { type Database, pause, tableName } from "./database.js";
import { answers, placeholders, render } from "./expressions.js";
import { anyCopy, demand, derive, resolveAll } from "./keys.js";
import type { Input, Item, ReadStep } from "./model.js";

const BATCH = 100;
const MOST_TRIES = 10;

/** The items of some keys, in their order; undefined where there is none or it does not pass the filters. */
export async function getMany(
  db: Database,
  step: ReadStep,
  sources: readonly Input[],
): Promise<(Item | undefined)[]> {
  const copy = anyCopy(step);
  const keys = sources.map((values) => wholeKey(step, { ...values, ...copy }));
  const found = keys.length === 1 ? [await getOne(db, step, keys[0]!)] : await getAll(db, step, keys);
  return found.map((item, at) => {
    if (item === undefined || step.unfold !== undefined) return item;
    return answers(step, item, sources[at]!) ? item : undefined;
  });
}

/** Whether there can be an item: no key lacks a value, or has one that it cannot hold. */
export function hasKey(step: ReadStep, values: Input): boolean {
  try {
    wholeKey(step, { ...values, ...anyCopy(step) });
    return true;
  } catch (fault) {
    if (fault instanceof TypeError || fault instanceof RangeError) return false;
    throw fault;
  }
}

function wholeKey(step: ReadStep, values: Input): Item {
  const known = derive(values, step.shardOf ?? [], step);
  const key = step.key ?? {};
  demand(key, known);
  return resolveAll(key, known);
}

async function getOne(db: Database, step: ReadStep, key: Item): Promise<Item | undefined> {
  const reply = await db.client.send(
    new GetCommand({
      TableName: tableName(db, step.table),
      Key: key,
      ...howOf(step),
    }),
  );
  return reply.Item as Item | undefined;
}

/** How a step asks for items: how consistently, and for which attributes. */
function howOf(step: ReadStep): { ConsistentRead: boolean; ProjectionExpression?: string } {
  const projection = step.projection && render(step.projection, {});
  return {
    ConsistentRead: step.consistent ?? false,
    ...(projection && { ProjectionExpression: projection.text, ...placeholders([projection]) }),
  };
}

async function getAll(db: Database, step: ReadStep, keys: readonly Item[]): Promise<(Item | undefined)[]> {
  const fields = Object.keys(keys[0] ?? {});
  const name = (item: Item): string => JSON.stringify(fields.map((field) => String(item[field])));
  const different = [...new Map(keys.map((key) => [name(key), key])).values()];
  const found = new Map<string, Item>();
  for (let at = 0; at < different.length; at += BATCH) {
    for (const item of await getBatch(db, step, different.slice(at, at + BATCH))) found.set(name(item), item);
  }
  return keys.map((key) => found.get(name(key)));
}

async function getBatch(db: Database, step: ReadStep, keys: readonly Item[]): Promise<Item[]> {
  const table = tableName(db, step.table);
  const found: Item[] = [];
  let pending = [...keys];
  for (let tries = 0; pending.length; tries++) {
    if (tries === MOST_TRIES) throw new Error(`${table}: ${pending.length} keys stay unprocessed, it is throttled`);
    if (tries) await pause(tries);
    const request = { [table]: { Keys: pending, ...howOf(step) } };
    const reply = await db.client.send(new BatchGetCommand({ RequestItems: request }));
    found.push(...((reply.Responses?.[table] ?? []) as Item[]));
    pending = (reply.UnprocessedKeys?.[table]?.Keys ?? []) as Item[];
  }
  return found;
}
