/**
 * Keeps the first items of lists, each list in one item: a record that comes again changes nothing.
 *
 * Items only ever get better in the order of their list, so that an entry is replaced by a better one of the same id,
 * and who is pushed out stays out until there is a better record. A list is written as a whole if it is still what was
 * read, and otherwise read again. Entries are as DynamoDB has them, so that nothing of a value is lost.
 */

import { type AttributeValue, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Context, StreamRecord } from "./handler.js";
import { type Item, canHold, companionKey, filled, plainClient, tableName, withDerived } from "./keys.js";
import { type Top, kinds, typeField } from "./model.js";
import { Exact } from "./totals.js";

const TIME_LEFT_MS = 15_000;
const TRIES = 6;

type Image = Record<string, AttributeValue>;

/** What a batch says of one list: its key, an item of its group, and by id the best entry. */
interface Heard {
  readonly top: Top;
  /** The first record about it. */
  readonly at: number;
  readonly key: Image;
  readonly image: Item;
  readonly entries: Map<string, Image>;
}

/** How many records, from the first on, are in their lists. */
export async function keepTops(records: readonly StreamRecord[], context?: Context): Promise<number> {
  for (const heard of listsIn(records)) {
    if (context !== undefined && context.getRemainingTimeInMillis() < TIME_LEFT_MS) return heard.at;
    try {
      await keep(heard);
    } catch (error) {
      console.error(heard.top.name, error);
      return heard.at;
    }
  }
  return records.length;
}

/** In the order of their first records, so that what is left begins where the first of them does. */
function listsIn(records: readonly StreamRecord[]): Heard[] {
  const found = new Map<string, Heard>();
  for (const [at, record] of records.entries()) {
    const now = (record.dynamodb?.NewImage ?? {}) as Image;
    const old = (record.dynamodb?.OldImage ?? {}) as Image;
    for (const top of kinds[String(now[typeField]?.S)]?.tops ?? []) {
      if (top.shows.every((name) => textOf(now[name]) === textOf(old[name]))) continue; // it is shown as before
      const entry = entryOf(top, now);
      const image = unmarshall(Object.fromEntries(top.id.flatMap((name) => (now[name] ? [[name, now[name]]] : [])))) as Item;
      if (!top.id.every((name) => image[name] != null && canHold(image[name]))) continue; // nobody can ask for it
      const key = companionKey(top, image);
      if (key === undefined || !top.order.every(([name]) => entry[name] !== undefined)) continue;
      const name = JSON.stringify([top.name, key]);
      if (!found.has(name)) found.set(name, { top, at, key: marshall(key), image, entries: new Map() });
      put(top, found.get(name)!.entries, entry);
    }
  }
  return [...found.values()];
}

/** A value as text, the same for the same value: a stream names the attributes of a map in any order. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return String(JSON.stringify(value));
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`).join()}}`;
}

function entryOf(top: Top, image: Image): Image {
  const there = top.shows.filter((name) => image[name] !== undefined && image[name]!.NULL === undefined);
  return Object.fromEntries(there.map((name) => [name, image[name]!]));
}

/** Unless there is a better one of the same id. */
function put(top: Top, entries: Map<string, Image>, entry: Image): void {
  const at = JSON.stringify(top.owner.map((name) => entry[name]));
  const there = entries.get(at);
  if (there === undefined || compare(top, entry, there) < 0) entries.set(at, entry);
}

function compare(top: Top, one: Image, other: Image): number {
  for (const [name, direction] of top.order) {
    const found = compareValues(one[name]!, other[name]!);
    if (found !== 0) return direction * found;
  }
  return 0;
}

/** Numbers by all their digits, texts by their bytes. */
function compareValues(one: AttributeValue, other: AttributeValue): number {
  if (one.N !== undefined && other.N !== undefined) return Exact.of(one.N).plus(Exact.of(other.N), -1n).sign;
  return Buffer.compare(Buffer.from(one.S ?? ""), Buffer.from(other.S ?? ""));
}

// ---- the list itself ------------------------------------------------------------------------------------------------

async function keep(heard: Heard): Promise<void> {
  const { top, key } = heard;
  const TableName = tableName(top.table);
  for (let attempt = 1; ; attempt++) {
    const reply = await plainClient.send(new GetItemCommand({ TableName, Key: key, ConsistentRead: true }));
    const was = reply.Item?.[top.inside];
    const before = Object.entries(was?.M ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each.M!);
    const now = merged(top, before, [...heard.entries.values()]);
    if (now.length === before.length && now.every((each, at) => each === before[at])) return;
    try {
      await plainClient.send(new PutItemCommand({ TableName, Item: wholeList(heard, now), ...unlessChanged(top.inside, was) }));
      return;
    } catch (error) {
      const isRefused = error instanceof Error && error.name === "ConditionalCheckFailedException";
      if (!isRefused || attempt === TRIES) throw error;
    }
    await new Promise((done) => setTimeout(done, Math.random() * Math.min(1000, 50 * 2 ** attempt)));
  }
}

function merged(top: Top, before: readonly Image[], more: readonly Image[]): Image[] {
  const entries = new Map<string, Image>();
  for (const each of [...before, ...more]) put(top, entries, each);
  return [...entries.values()].sort((one, other) => compare(top, one, other)).slice(0, top.most);
}

function wholeList(heard: Heard, now: readonly Image[]): Image {
  const { top, image } = heard;
  const values = withDerived(top, image);
  const indexed = Object.fromEntries(Object.entries(top.indexed).map(([field, parts]) => [field, filled(parts, values)]));
  const width = String(top.most - 1).length;
  const entries = now.map((each, at) => [String(at).padStart(width, "0"), { M: each }] as const);
  const own = marshall({ ...top.fixed, ...indexed, ...image });
  return { ...own, ...heard.key, [top.inside]: { M: Object.fromEntries(entries) } };
}

function unlessChanged(inside: string, was: AttributeValue | undefined) {
  const names = { ExpressionAttributeNames: { "#top": inside } };
  if (was === undefined) return { ...names, ConditionExpression: "attribute_not_exists(#top)" };
  return { ...names, ConditionExpression: "#top = :was", ExpressionAttributeValues: { ":was": was } };
}
