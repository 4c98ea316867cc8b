/** Queries: every partition that a step means, page by page, merged in the order of the sort key. */

import { QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import { pair, type Place } from "./cursors.js";
import { type Database, tableName } from "./database.js";
import { CursorError } from "./errors.js";
import { placeholders, render } from "./expressions.js";
import { indexKeys } from "./items.js";
import { anyCopy, bucketAt, bucketBeside, bucketsBetween, demand, withBucket } from "./keys.js";
import type { Input, Item, ReadStep } from "./model.js";
import { compared } from "./numbers.js";
import { earliest } from "./times.js";

/** An item, the place behind it, and whether anything may follow. One that is gone counts, and is not answered. */
export interface Placed {
  readonly item: Item;
  readonly gone?: boolean;
  readonly place: Place;
  readonly more: boolean;
}

/**
 * Buckets of time one after the other, between the first and that of now, each asked for what is missing, or for as
 * many again where some of it was dropped. A place is the bucket, and the place in it.
 */
export async function* walked(
  db: Database,
  step: ReadStep,
  values: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  const ends = [step.since!.slice(0, step.bucket!.length), bucketAt(Number(values["_now"]), step.bucket!)] as const;
  const [first, last] = step.backwards ? [ends[1], ends[0]] : ends;
  let [bucket, within] = after === undefined ? [first, undefined] : pair(after);
  let left = limit;
  for (let each = checked(bucket, first); step.backwards ? each >= last : each <= last; ) {
    for await (const found of merged(db, step, { ...values, _bucket: each }, left, within)) {
      left = left === undefined ? undefined : left - 1 || limit;
      yield { item: found.item, place: [each, found.place], more: found.more || each !== last };
    }
    within = undefined;
    each = bucketBeside(each, step.backwards ? -1 : 1);
  }
}

/** A bucket that stands in a cursor, which someone else may have made up. */
function checked(bucket: unknown, like: string): string {
  const shape = like.replace(/[0-9]/g, "0");
  if (typeof bucket !== "string" || bucket.replace(/[0-9]/g, "0") !== shape) throw new CursorError("this is no cursor");
  return bucket;
}

/**
 * All partitions of a step, in any one of its copies. The place is the last key given of each, behind the number of the
 * copy where there are several.
 */
export async function* merged(
  db: Database,
  step: ReadStep,
  values: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  if ((step.copies ?? 1) === 1) {
    yield* inOrderOf(db, step, values, limit, after);
    return;
  }
  const [copy, within] = copyOf(step, after);
  for await (const found of inOrderOf(db, step, { ...values, _copy: copy }, limit, within)) {
    yield { ...found, place: [copy, ...(found.place as (Item | null)[])] };
  }
}

/** The copy that an answer is read from, and the place in it; a cursor may be made up by someone else. */
function copyOf(step: ReadStep, after: Place): [string, Place] {
  if (after === undefined) return [anyCopy(step)._copy!, undefined];
  const [copy, ...within] = Array.isArray(after) ? (after as unknown[]) : [];
  const numbers = Array.from({ length: step.copies! }, (_, at) => String(at + 1));
  if (typeof copy !== "string" || !numbers.includes(copy)) throw new CursorError("this is no cursor");
  return [copy, within as Place];
}

async function* inOrderOf(
  db: Database,
  step: ReadStep,
  values: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  const asked = [...partitions(step, withEnds(values, step))];
  const positions = after === undefined ? asked.map(() => null) : (after as (Item | null)[]);
  if (!Array.isArray(positions) || positions.length !== asked.length) throw new CursorError("this is no cursor");
  const open = asked.map((each, at) => new Partition(db, step, each, limitSent(step, limit), positions[at] ?? null));
  const { sort } = indexKeys(step.table, step.index);
  for (;;) {
    const heads = await Promise.all(open.map((each) => each.head()));
    const first = firstOf(heads, sort, step.backwards ?? false);
    if (first === undefined) return;
    open[first]!.take();
    yield { item: heads[first]!, place: open.map((each) => each.position), more: open.some((each) => each.more) };
  }
}

/** The same values and where what overlaps with what is asked for may have begun, or the periods of a range's ends. */
function withEnds(values: Input, { longest, unfold, bucket }: ReadStep): Input {
  if (longest !== undefined) return { ...values, _earliest: earliest(values["from"], longest) };
  if (unfold?.packed === undefined || bucket === undefined) return values;
  const ends = ["from", "to", "value"].filter((name) => values[name] !== undefined);
  const cuts = ends.map((name) => [`_${name}`, String(values[name]).slice(0, bucket.length)]);
  return { ...values, ...Object.fromEntries(cuts) };
}

/** For so many entries of packed items: the items that usually have them, and one more, as the first may be new. */
function limitSent({ unfold }: ReadStep, limit: number | undefined): number | undefined {
  return limit === undefined || unfold?.packed === undefined ? limit : Math.ceil(limit / unfold.packed.usual) + 1;
}

/** The values of every query that a step means: one for each value that is gone through, and each shard. */
function* partitions(step: ReadStep, values: Input): Generator<Input> {
  let asked: Input[] = [step.since === undefined ? withBucket(values, step.bucket) : values];
  for (const [name, listed] of Object.entries(step.forEach ?? {})) {
    const choices = listed.length ? listed : bucketsBetween(String(values["from"]), String(values["to"]), step.bucket!);
    asked = asked.flatMap((each) => choices.map((choice) => ({ ...each, [name]: choice })));
  }
  const shards = step.shards ?? 1;
  for (const each of asked) {
    if (shards === 1) yield each;
    else for (let shard = 0; shard < shards; shard++) yield { ...each, _shard: String(shard) };
  }
}

/** One partition, page by page, with the item that comes next at hand. */
class Partition {
  private readonly waiting: Item[] = [];
  private start: Item | undefined;
  private ended = false;

  constructor(
    private readonly db: Database,
    private readonly step: ReadStep,
    private readonly values: Input,
    private readonly limit: number | undefined,
    /** The key of the last item given away. */
    public position: Item | null,
  ) {
    this.start = position ?? undefined;
  }

  /** Whether anything may follow, as far as that is known without asking. */
  get more(): boolean {
    return this.waiting.length > 0 || !this.ended;
  }

  async head(): Promise<Item | undefined> {
    while (!this.waiting.length && !this.ended) {
      const input = queryInput(this.db, this.step, this.values, this.limit, this.start);
      const reply = await this.db.client.send(new QueryCommand(input));
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

type Heads = readonly (Item | undefined)[];

function firstOf(heads: Heads, sort: readonly string[], backwards: boolean): number | undefined {
  let first: number | undefined;
  for (const [at, head] of heads.entries()) {
    if (head === undefined) continue;
    const order = first === undefined ? 0 : inOrder(head, heads[first]!, sort);
    if (first === undefined || (backwards ? order > 0 : order < 0)) first = at;
  }
  return first;
}

function inOrder(one: Item, other: Item, sort: readonly string[]): number {
  for (const name of sort) {
    const order = compared(one[name], other[name]);
    if (order) return order;
  }
  return 0;
}

// ---- requests -------------------------------------------------------------------------------------------------------

function queryInput(
  db: Database,
  step: ReadStep,
  values: Input,
  limit: number | undefined,
  start: Item | undefined,
): QueryCommandInput {
  const { condition = { text: "" }, filter, projection } = step;
  const beside = step.beside !== undefined && start === undefined ? 1 : 0; // before all others
  demand(condition.values ?? {}, values);
  const used = [condition, filter, projection].flatMap((each) => (each ? [render(each, values)] : []));
  return {
    TableName: tableName(db, step.table),
    ...(step.index === undefined ? {} : { IndexName: step.index }),
    KeyConditionExpression: condition.text,
    ...(filter && { FilterExpression: filter.text }),
    ...(projection && { ProjectionExpression: projection.text }),
    ScanIndexForward: !step.backwards,
    ConsistentRead: step.consistent ?? false,
    ...(limit !== undefined && (step.sendsLimit ?? true) ? { Limit: limit + beside } : {}),
    ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    ...placeholders(used),
  };
}
