/** Queries: every partition that a step means, page by page, merged in the order of the sort key. */

import { QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Place } from "./cursors.js";
import { type Database, tableName } from "./database.js";
import { CursorError } from "./errors.js";
import { placeholders, render } from "./expressions.js";
import { indexKeys } from "./items.js";
import { bucketsBetween, demand, withBucket } from "./keys.js";
import type { Input, Item, ReadStep } from "./model.js";
import { compared } from "./numbers.js";

/** An item, the place behind it, and whether anything may follow. One that is gone counts, and is not answered. */
export interface Placed {
  readonly item: Item;
  readonly gone?: boolean;
  readonly place: Place;
  readonly more: boolean;
}

/** All partitions of a step; the place is the last key given of each. */
export async function* merged(
  db: Database,
  step: ReadStep,
  values: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  const asked = [...partitions(step, values)];
  const positions = after === undefined ? asked.map(() => null) : (after as (Item | null)[]);
  if (!Array.isArray(positions) || positions.length !== asked.length) throw new CursorError("this is no cursor");
  const open = asked.map((each, at) => new Partition(db, step, each, limit, positions[at] ?? null));
  const { sort } = indexKeys(step.table, step.index);
  for (;;) {
    const heads = await Promise.all(open.map((each) => each.head()));
    const first = firstOf(heads, sort, step.backwards ?? false);
    if (first === undefined) return;
    open[first]!.take();
    yield { item: heads[first]!, place: open.map((each) => each.position), more: open.some((each) => each.more) };
  }
}

/** The values of every query that a step means: one for each value that is gone through, and each shard. */
function* partitions(step: ReadStep, values: Input): Generator<Input> {
  let asked: Input[] = [withBucket(values, step.bucket)];
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
    ...(limit !== undefined && (step.sendsLimit ?? true) ? { Limit: limit } : {}),
    ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    ...placeholders(used),
  };
}
