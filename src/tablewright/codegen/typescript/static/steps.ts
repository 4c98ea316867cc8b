/**
 * Steps as streams of items: each gives its items one by one, with the place behind it to go on from. Requests are sent
 * only as items are taken.
 */

import { pair, type Place } from "./cursors.js";
import type { Database } from "./database.js";
import { answers, isUnexpired } from "./expressions.js";
import { getMany } from "./gets.js";
import { typeField } from "./items.js";
import type { Input, Item, ReadStep, Unfold } from "./model.js";
import { merged, type Placed } from "./queries.js";

/** An item of the answer and the step that found it. */
export interface Found extends Placed {
  readonly step: number;
}

const BATCH = 100;

/** The steps that answer: those that no later one takes its keys from, but to join. */
export function answeringSteps(steps: readonly ReadStep[]): number[] {
  const used = new Set(steps.filter((step) => !step.joins).map((step) => step.keysFrom));
  return [...steps.keys()].filter((at) => !steps[at]!.joins && !used.has(at));
}

/**
 * Adds to `found` what some steps have behind a place, one after the other, up to `most` items; the place behind them.
 * A place is how many of the steps were gone through, and the place in the next.
 */
export async function takeFrom(
  db: Database,
  steps: readonly ReadStep[],
  list: readonly number[],
  input: Input,
  most: number | undefined,
  after: Place,
  found: Found[],
): Promise<Place> {
  let [first, within] = after === undefined ? [0, undefined] : pair(after);
  let wanted = most ?? Infinity;
  for (let number = Number(first ?? 0); number < list.length; number++) {
    let last: Placed | undefined;
    const limit = most === undefined ? undefined : wanted;
    for await (const each of stepItems(db, steps, list[number]!, input, limit, within)) {
      found.push({ ...each, step: list[number]! });
      last = each;
      wanted -= 1;
      if (wanted === 0) break;
    }
    const ended = !last?.more && number === list.length - 1;
    if (wanted === 0 && !ended) return [number, last?.place];
    within = undefined;
  }
  return endOf(list);
}

export function endOf(list: readonly number[]): Place {
  return [list.length, null];
}

/** Items with what the steps that join find for them, a batch for all. */
export async function completed(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  found: readonly Found[],
): Promise<Item[]> {
  const items = found.map((each) => each.item);
  for (const step of steps.filter((each) => each.joins)) {
    const places = [...found.keys()].filter((at) => found[at]!.step === step.keysFrom);
    const more = await getMany(db, step, places.map((at) => ({ ...input, ...items[at] })));
    for (const [nth, at] of places.entries()) items[at] = { ...more[nth], ...items[at]! };
  }
  return items;
}

async function* stepItems(
  db: Database,
  steps: readonly ReadStep[],
  at: number,
  input: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  const step = steps[at]!;
  const earlier = (place: Place) => stepItems(db, steps, step.keysFrom!, input, limit, place);
  if (step.each !== undefined) yield* batched(db, step, input, elements(input[step.each] as Input[], after), limit);
  else if (step.keysFrom === undefined) yield* unfolded(db, step, input, limit, after);
  else if (step.operation === "BatchGetItem") yield* batched(db, step, input, earlier(after), limit);
  else yield* following(db, step, input, earlier, limit, after);
}

/** A request for each item of an earlier step; the place is behind the earlier item, then within its request. */
async function* following(
  db: Database,
  step: ReadStep,
  input: Input,
  earlier: (place: Place) => AsyncGenerator<Placed>,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  let [before, within] = after === undefined ? [undefined, undefined] : pair(after);
  for await (const source of earlier(before)) {
    for await (const found of unfolded(db, step, { ...input, ...source.item }, limit, within)) {
      yield { item: found.item, place: [before, found.place], more: found.more || source.more };
    }
    [before, within] = [source.place, undefined];
  }
}

/** The elements of a list that is given; the place is how many were. */
async function* elements(given: readonly Input[], after: Place): AsyncGenerator<Placed> {
  for (let at = Number(after ?? 0); at < given.length; at++) {
    yield { item: given[at] as Item, place: at + 1, more: at + 1 < given.length };
  }
}

/** Items whose keys another step found, many at a time, in the order of their keys. */
async function* batched(
  db: Database,
  step: ReadStep,
  input: Input,
  earlier: AsyncGenerator<Placed>,
  limit: number | undefined,
): AsyncGenerator<Placed> {
  const size = Math.min(BATCH, limit ?? BATCH);
  for await (const sources of chunks(earlier, size)) {
    const items = await getMany(db, step, sources.map((source) => ({ ...input, ...source.item })));
    for (const [at, item] of items.entries()) {
      const { place, more } = sources[at]!;
      if (item !== undefined) yield { item, place, more: more || at + 1 < items.length };
    }
  }
}

async function* chunks<T>(items: AsyncGenerator<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length) yield chunk;
}

// ---- items inside others --------------------------------------------------------------------------------------------

/** What a request finds. Among the entries of a map, the place is the one before their holder, and how many came. */
async function* unfolded(
  db: Database,
  step: ReadStep,
  values: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  if (step.unfold === undefined) {
    yield* asked(db, step, values, limit, after);
    return;
  }
  let [before, given] = after === undefined ? [undefined, 0] : pair(after);
  for await (const holder of asked(db, step, values, limit, before)) {
    const parts = partsOf(step, step.unfold, values, holder.item);
    for (const [at, item] of parts.entries()) {
      if (at < Number(given)) continue;
      yield { item, place: [before, at + 1], more: holder.more || at + 1 < parts.length };
    }
    [before, given] = [holder.place, 0];
  }
}

/** The entries of a map by name, as items that say what they are, behind their holder if that is asked for too. */
function partsOf(step: ReadStep, { attribute, label, withHolder }: Unfold, values: Input, holder: Item): Item[] {
  const { [attribute]: entries, ...rest } = holder;
  const named = Object.entries((entries ?? {}) as { [name: string]: Item }).sort(([a], [b]) => (a < b ? -1 : 1));
  const inside = named.map(([, entry]) => entry).filter((entry) => answers(step, entry, values));
  const shown = inside.map((entry) => ({ ...entry, [typeField]: label }));
  return withHolder && isUnexpired(step, holder, values) ? [rest, ...shown] : shown;
}

async function* asked(
  db: Database,
  step: ReadStep,
  values: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  if (step.operation === "Query") {
    yield* merged(db, step, values, limit, after);
  } else if (after === undefined) {
    const [item] = await getMany(db, step, [values]);
    if (item !== undefined) yield { item, place: true, more: false };
  }
}
