/**
 * Reads as streams of items: every step gives its items one by one, each with a place to go on from. A page is what is
 * taken from the stream; its cursor is the place behind its last item.
 */

import { BatchGetCommand, GetCommand, QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import { type Database, tableName } from "./database.js";
import { CursorError } from "./errors.js";
import { filterText, passes, Placeholders } from "./expressions.js";
import { hiddenFields, indexKeys, itemTypes, typeField } from "./items.js";
import type { Input, Item, ReadStep, SortCondition } from "./model.js";
import { bucketsBetween, keyValue, withBucket, withShard } from "./templates.js";

export interface PageOptions {
  /** At most so many items. */
  readonly limit?: number;
  /** Where to go on: the cursor of the page before. */
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: T[];
  /** There may be more; absent at the end. */
  readonly cursor?: string;
}

/** An item and the place behind it. */
interface Found {
  readonly item: Item;
  readonly place: Place;
}

type Place = unknown;

const BATCH = 100;

/** The items that answer a pattern, page by page; without a limit all of them. */
export async function readItems<T>(db: Database, steps: readonly ReadStep[], input: Input, options: PageOptions = {}): Promise<Page<T>> {
  const page = await readPage(db, steps, input, options);
  return { ...page, items: page.items.map((item) => visible(item) as T) };
}

/** Items of several types, each with the name of its type. */
export async function readTyped<T>(db: Database, steps: readonly ReadStep[], input: Input, options: PageOptions = {}): Promise<Page<T>> {
  const page = await readPage(db, steps, input, options);
  return { ...page, items: page.items.map((item) => ({ type: entityOf(item), item: visible(item) }) as T) };
}

async function readPage(db: Database, steps: readonly ReadStep[], input: Input, options: PageOptions): Promise<Page<Item>> {
  const limit = options.limit ?? steps.find((step) => step.limit !== undefined)?.limit;
  const after = options.cursor === undefined ? undefined : readCursor(options.cursor);
  const items: Item[] = [];
  let last: Place;
  for await (const { item, place } of answer(db, steps, input, limit, after)) {
    if (items.length === limit) return { items, cursor: writeCursor(last) };
    items.push(item);
    last = place;
  }
  return { items };
}

/** The one item that answers a pattern, if there is one. */
export async function readItem<T>(db: Database, steps: readonly ReadStep[], input: Input): Promise<T | undefined> {
  for await (const { item } of answer(db, steps, input, 1, undefined)) return visible(item) as T;
  return undefined;
}

/** A number made of the items found: how many, a sum, the greatest, the least; or the total kept in the one item found. */
export async function readNumber(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  what: "count" | "sum" | "max" | "min" | "total",
  attribute = "",
): Promise<number | undefined> {
  const values: number[] = [];
  let count = 0;
  for await (const { item } of answer(db, steps, input, undefined, undefined)) {
    count++;
    if (typeof item[attribute] === "number") values.push(item[attribute]);
  }
  if (what === "count") return count;
  if (what === "max") return values.length ? Math.max(...values) : undefined;
  if (what === "min") return values.length ? Math.min(...values) : undefined;
  return values.reduce((sum, each) => sum + each, 0);
}

/** Everything the steps find, with key fields: for writes that have to know what is there. */
export async function readStored(db: Database, steps: readonly ReadStep[], input: Input): Promise<Item[]> {
  const found: Item[] = [];
  for await (const { item } of answer(db, steps, input, undefined, undefined)) found.push(item);
  return found;
}

// ---- what the application sees --------------------------------------------------------------------------------------

/** An item as the application put it in. */
function visible(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !hiddenFields.has(name)));
}

function entityOf(item: Item): string {
  const type = String(item[typeField]);
  return Object.values(itemTypes).find((each) => each.fixed[typeField] === type)?.entity ?? type;
}

// ---- cursors --------------------------------------------------------------------------------------------------------

function writeCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function readCursor(cursor: string): Place {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch (cause) {
    throw new CursorError("this is no cursor", { cause });
  }
}

function pair(place: Place): [unknown, unknown] {
  if (!Array.isArray(place) || place.length !== 2) throw new CursorError("this cursor belongs to another question");
  return place as [unknown, unknown];
}

// ---- steps ----------------------------------------------------------------------------------------------------------

/** What those steps find that no later one takes its keys from (but to join), one after the other. */
async function* answer(db: Database, steps: readonly ReadStep[], input: Input, limit: number | undefined, after: Place): AsyncGenerator<Found> {
  const used = new Set(steps.filter((step) => !step.joins).map((step) => step.keysFrom));
  const shown = steps.map((step, at) => ({ step, at })).filter(({ step, at }) => !step.joins && !used.has(at));
  const [start, within] = after === undefined ? [0, undefined] : pair(after);
  for (const [stage, { at }] of shown.entries()) {
    if (stage < Number(start)) continue;
    const inside = stage === Number(start) ? within : undefined;
    for await (const found of stepItems(db, steps, at, input, limit, inside)) {
      yield { item: await joined(db, steps, at, input, found.item), place: [stage, found.place] };
    }
  }
}

/** An item completed by what steps that join find for it. */
async function joined(db: Database, steps: readonly ReadStep[], at: number, input: Input, item: Item): Promise<Item> {
  let whole = item;
  for (const step of steps.filter((each) => each.joins && each.keysFrom === at)) {
    const [found] = await getMany(db, step, [{ ...input, ...item }]);
    whole = { ...found, ...whole };
  }
  return whole;
}

async function* stepItems(db: Database, steps: readonly ReadStep[], at: number, input: Input, limit: number | undefined, after: Place): AsyncGenerator<Found> {
  const step = steps[at]!;
  if (step.keysFrom === undefined) {
    yield* unfolded(step, input, askOnce(db, step, input, limit, after));
    return;
  }
  const earlier = stepItems(db, steps, step.keysFrom, input, limit, sourcePlace(step, after));
  if (step.operation === "BatchGetItem") {
    yield* batched(db, step, input, earlier, limit);
    return;
  }
  let [before, within]: [unknown, unknown] = after === undefined ? [undefined, undefined] : pair(after);
  for await (const source of earlier) {
    const values = { ...input, ...source.item };
    for await (const found of unfolded(step, values, askOnce(db, step, values, limit, within))) {
      yield { item: found.item, place: [before, found.place] };
    }
    [before, within] = [source.place, undefined];
  }
}

/** Where the step that gives the keys goes on: behind the item whose children are all given. */
function sourcePlace(step: ReadStep, after: Place): Place {
  if (after === undefined || step.operation === "BatchGetItem") return after;
  return pair(after)[0] ?? undefined;
}

/** Items whose keys another step found, a hundred at a time, in the order of their keys. */
async function* batched(db: Database, step: ReadStep, input: Input, earlier: AsyncGenerator<Found>, limit: number | undefined): AsyncGenerator<Found> {
  const size = Math.min(BATCH, (limit ?? BATCH) + 1);
  let sources: Found[] = [];
  const flush = async function* (): AsyncGenerator<Found> {
    const items = await getMany(db, step, sources.map((source) => ({ ...input, ...source.item })));
    for (const [at, item] of items.entries()) if (item !== undefined) yield { item, place: sources[at]!.place };
    sources = [];
  };
  for await (const source of earlier) {
    sources.push(source);
    if (sources.length === size) yield* flush();
  }
  if (sources.length) yield* flush();
}

/** The entries of a map as items that say what they are, behind those that hold them if these are asked for too. */
async function* unfolded(step: ReadStep, input: Input, holders: AsyncGenerator<Found>): AsyncGenerator<Found> {
  if (step.unfold === undefined) {
    yield* holders;
    return;
  }
  const [name, kind] = Object.entries(itemTypes).find(([, each]) => each.inside === step.unfold && step.entities.includes(each.entity))!;
  for await (const { item: holder, place } of holders) {
    const { [step.unfold]: entries, ...rest } = holder;
    if (step.entities.includes(kind.holder!)) yield { item: rest, place };
    for (const entry of Object.values((entries ?? {}) as { [key: string]: Item })) {
      if (passes(step.filters ?? [], entry, input)) yield { item: { ...entry, [typeField]: name }, place };
    }
  }
}

async function* askOnce(db: Database, step: ReadStep, values: Input, limit: number | undefined, after: Place): AsyncGenerator<Found> {
  if (step.operation !== "GetItem") {
    yield* merged(db, step, [...partitions(step, values)], limit, after);
  } else if (after === undefined) {
    const [item] = await getMany(db, step, [values]);
    if (item !== undefined) yield { item, place: true };
  }
}

// ---- single items ---------------------------------------------------------------------------------------------------

function wholeKey(step: ReadStep, values: Input): Item {
  const known = withShard(withBucket(values, step.bucket), step.shardOf ?? [], step.shards ?? 1);
  const templates = [...Object.entries(step.pk), ...(step.sk ?? []).map((each) => [each.field, each.low] as const)];
  return Object.fromEntries(templates.map(([field, template]) => [field, keyValue(template, known)])) as Item;
}

/** The items of some keys, in their order; undefined where there is none or it does not pass the filters. */
async function getMany(db: Database, step: ReadStep, sources: readonly Input[]): Promise<(Item | undefined)[]> {
  const keys = sources.map((values) => wholeKey(step, values));
  const found = keys.length === 1 ? [await getOne(db, step, keys[0]!)] : await getBatch(db, step, keys);
  return found.map((item, at) => {
    if (item === undefined || step.unfold !== undefined) return item;
    return passes(step.filters ?? [], item, sources[at]!) ? item : undefined;
  });
}

async function getOne(db: Database, step: ReadStep, key: Item): Promise<Item | undefined> {
  const used = new Placeholders();
  const command = new GetCommand({
    TableName: tableName(db, step.table),
    Key: key,
    ConsistentRead: step.consistent ?? false,
    ...projection(step, used),
    ...used.parameters(),
  });
  const reply = await db.client.send(command);
  return reply.Item as Item | undefined;
}

async function getBatch(db: Database, step: ReadStep, keys: readonly Item[]): Promise<(Item | undefined)[]> {
  const table = tableName(db, step.table);
  const name = (item: Item): string => JSON.stringify(Object.keys(keys[0]!).map((field) => item[field]));
  const found = new Map<string, Item>();
  let pending = [...new Map(keys.map((key) => [name(key), key])).values()];
  for (let wait = 0; pending.length; wait = wait ? wait * 2 : 50) {
    if (wait > 50) await new Promise((resolve) => setTimeout(resolve, wait * Math.random()));
    const asked = { Keys: pending.slice(0, BATCH), ConsistentRead: step.consistent ?? false };
    const reply = await db.client.send(new BatchGetCommand({ RequestItems: { [table]: asked } }));
    for (const item of (reply.Responses?.[table] ?? []) as Item[]) found.set(name(item), item);
    const left = (reply.UnprocessedKeys?.[table]?.Keys ?? []) as Item[];
    pending = [...left, ...pending.slice(BATCH)];
    if (!left.length) wait = 0;
  }
  return keys.map((key) => found.get(name(key)));
}

function projection(step: ReadStep, used: Placeholders): { ProjectionExpression?: string } {
  if (!step.projection?.length) return {};
  const names = new Set([...step.projection, ...indexKeys(step.table, step.index).all]);
  return { ProjectionExpression: [...names].map((name) => used.name(name)).join(", ") };
}

// ---- queries --------------------------------------------------------------------------------------------------------

/** The values of every query that a step means: one for each value that is gone through, and each shard. */
function* partitions(step: ReadStep, values: Input): Generator<Input> {
  let asked: Input[] = [withBucket(values, step.bucket)];
  for (const [name, listed] of Object.entries(step.forEach ?? {})) {
    const choices = name === "_bucket" ? bucketsBetween(String(values["from"]), String(values["to"]), step.bucket!) : listed;
    asked = asked.flatMap((each) => choices.map((choice) => ({ ...each, [name]: choice })));
  }
  for (const each of asked) {
    if ((step.shards ?? 1) === 1) yield each;
    else for (let shard = 0; shard < step.shards!; shard++) yield { ...each, _shard: String(shard) };
  }
}

/** One partition, page by page, with the item that comes next at hand. */
class Partition {
  private readonly waiting: Item[] = [];
  private start: Item | undefined;
  private ended = false;
  /** The key of the last item given away. */
  position: Item | null;

  constructor(
    private readonly db: Database,
    private readonly step: ReadStep,
    private readonly values: Input,
    private readonly limit: number | undefined,
    position: Item | null,
  ) {
    this.position = position;
    this.start = position ?? undefined;
  }

  async next(): Promise<Item | undefined> {
    while (!this.waiting.length && !this.ended) {
      const reply = await this.db.client.send(new QueryCommand(queryInput(this.db, this.step, this.values, this.limit, this.start)));
      this.waiting.push(...((reply.Items ?? []) as Item[]));
      this.start = reply.LastEvaluatedKey as Item | undefined;
      this.ended = this.start === undefined;
    }
    return this.waiting[0];
  }

  take(): void {
    const item = this.waiting.shift()!;
    const { all } = indexKeys(this.step.table, this.step.index);
    this.position = Object.fromEntries(all.map((name) => [name, item[name]!])) as Item;
  }
}

/** All partitions of a step in the order of the sort key. */
async function* merged(db: Database, step: ReadStep, asked: readonly Input[], limit: number | undefined, after: Place): AsyncGenerator<Found> {
  const positions = after === undefined ? asked.map(() => null) : (after as (Item | null)[]);
  if (!Array.isArray(positions) || positions.length !== asked.length) throw new CursorError("this cursor belongs to another question");
  const open = asked.map((values, at) => new Partition(db, step, values, limit, positions[at]!));
  const { sort } = indexKeys(step.table, step.index);
  for (;;) {
    const heads = await Promise.all(open.map((each) => each.next()));
    const first = firstOf(heads, sort, step.backwards ?? false);
    if (first === undefined) return;
    open[first]!.take();
    yield { item: heads[first]!, place: open.map((each) => each.position) };
  }
}

function firstOf(heads: readonly (Item | undefined)[], sort: readonly string[], backwards: boolean): number | undefined {
  let first: number | undefined;
  for (const [at, head] of heads.entries()) {
    if (head === undefined) continue;
    const order = first === undefined ? -1 : compared(head, heads[first]!, sort);
    if (first === undefined || (backwards ? order > 0 : order < 0)) first = at;
  }
  return first;
}

/** Text as DynamoDB compares it: by its bytes. */
function compared(one: Item, other: Item, sort: readonly string[]): number {
  for (const name of sort) {
    const [a, b] = [one[name], other[name]];
    const order = typeof a === "number" && typeof b === "number" ? a - b : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
    if (order) return order;
  }
  return 0;
}

function queryInput(db: Database, step: ReadStep, values: Input, limit: number | undefined, start: Item | undefined): QueryCommandInput {
  const used = new Placeholders();
  const pieces = [
    ...Object.entries(step.pk).map(([field, template]) => `${used.name(field)} = ${used.value(keyValue(template, values))}`),
    ...(step.sk ?? []).map((each) => sortText(each, values, used)),
  ];
  const filter = step.filters?.length ? { FilterExpression: filterText(step.filters, values, used) } : {};
  const projected = projection(step, used);
  return {
    TableName: tableName(db, step.table),
    ...(step.index === undefined ? {} : { IndexName: step.index }),
    KeyConditionExpression: pieces.join(" AND "),
    ...filter,
    ...projected,
    ScanIndexForward: !step.backwards,
    ConsistentRead: step.consistent ?? false,
    ...(limit !== undefined && !step.filters?.length ? { Limit: limit + 1 } : {}),
    ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    ...used.parameters(),
  };
}

function sortText(condition: SortCondition, values: Input, used: Placeholders): string {
  const name = used.name(condition.field);
  const low = used.value(keyValue(condition.low, values));
  if (condition.operator === "begins_with") return `begins_with(${name}, ${low})`;
  if (condition.operator === "between") return `${name} BETWEEN ${low} AND ${used.value(keyValue(condition.high!, values))}`;
  return `${name} ${condition.operator} ${low}`;
}
