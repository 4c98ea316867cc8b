/**
 * Steps as streams of items: each gives its items one by one, with the place behind it to go on from. Requests are sent
 * only as items are taken.
 */

import { pair, parts, type Place } from "./cursors.js";
import type { Database } from "./database.js";
import { answers, isUnexpired } from "./expressions.js";
import { getMany } from "./gets.js";
import { hiddenFields, typeField } from "./items.js";
import type { Input, Item, Packed, ReadStep, Unfold } from "./model.js";
import { merged, type Placed, walked } from "./queries.js";

const BATCH = 100;

/** What a step finds behind a place, with the steps that it takes its values from. */
export async function* stepItems(
  db: Database,
  steps: readonly ReadStep[],
  at: number,
  input: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  const step = steps[at]!;
  const earlier = (most: number | undefined, place: Place) => stepItems(db, steps, step.keysFrom!, input, most, place);
  if (step.each !== undefined) yield* batched(db, step, input, elements(input[step.each] as Input[], after), limit);
  else if (step.keysFrom === undefined) yield* unfolded(db, step, input, limit, after);
  else if (step.operation === "BatchGetItem") yield* batched(db, step, input, earlier(limit, after), limit);
  else yield* following(db, step, input, steps[step.keysFrom]!.limit, earlier, limit, after);
}

/**
 * A request for each of the first `most` items of an earlier step. A place is how many of these were gone through,
 * where the next one is found, and the place within its request.
 */
async function* following(
  db: Database,
  step: ReadStep,
  input: Input,
  most: number | undefined,
  earlier: (most: number | undefined, place: Place) => AsyncGenerator<Placed>,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  let [count, before, within] = after === undefined ? [0, undefined, undefined] : parts(after, 3);
  let gone = Number(count ?? 0);
  if (gone === most) return;
  for await (const source of earlier(most, before)) {
    const follows = source.more && gone + 1 !== most;
    for await (const found of unfolded(db, step, { ...input, ...source.item }, limit, within)) {
      yield { item: found.item, place: [gone, before, found.place], more: found.more || follows };
    }
    [before, within] = [source.place, undefined];
    gone += 1;
    if (gone === most) return;
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
  for await (const sources of chunks(step.countsGone ? first(earlier, limit) : earlier, size)) {
    const items = await getMany(db, step, sources.map((source) => ({ ...input, ...source.item })));
    for (const [at, item] of items.entries()) {
      const { place, more } = sources[at]!;
      const follows = more || at + 1 < items.length;
      if (item !== undefined) yield { item, place, more: follows };
      else if (step.countsGone) yield { item: {}, gone: true, place, more: follows };
    }
  }
}

/** No more than so many. */
async function* first<T>(items: AsyncGenerator<T>, most: number | undefined): AsyncGenerator<T> {
  let left = most ?? Infinity;
  for await (const item of items) {
    yield item;
    if (--left === 0) return;
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
    const inside = partsOf(step, step.unfold, values, holder.item);
    for (const [at, item] of inside.entries()) {
      if (at < Number(given)) continue;
      yield { item, place: [before, at + 1], more: holder.more || at + 1 < inside.length };
    }
    [before, given] = [holder.place, 0];
  }
}

/** The entries of a map by name, as items that say what they are, behind their holder if that is asked for too. */
function partsOf(step: ReadStep, unfold: Unfold, values: Input, holder: Item): Item[] {
  const { attribute, label, withHolder, packed } = unfold;
  if (packed !== undefined) return unpacked(step, packed, label, values, holder);
  const { [attribute]: entries, ...rest } = holder;
  const named = Object.entries((entries ?? {}) as { [name: string]: Item }).sort(([a], [b]) => (a < b ? -1 : 1));
  const inside = named.map(([, entry]) => entry).filter((entry) => answers(step, entry, values));
  const shown = inside.map((entry) => ({ ...entry, [typeField]: label }));
  return withHolder && isUnexpired(step, holder, values) ? [rest, ...shown] : shown;
}

/** What is packed in an item, in the order in which items are read. */
function unpacked(step: ReadStep, { entry, shared }: Packed, label: string, values: Input, holder: Item): Item[] {
  const named = Object.keys(holder).filter((name) => !hiddenFields.has(name) && !shared.includes(name));
  const common = Object.fromEntries(shared.map((name) => [name, holder[name]])) as Item;
  const ordered = step.backwards ? named.sort().reverse() : named.sort();
  const items = ordered.map((name) => ({ ...(holder[name] as Item), [entry]: name, ...common, [typeField]: label }));
  return items.filter((item) => answers(step, item, values));
}

async function* asked(
  db: Database,
  step: ReadStep,
  values: Input,
  limit: number | undefined,
  after: Place,
): AsyncGenerator<Placed> {
  if (step.operation === "Query") {
    yield* (step.since === undefined ? merged : walked)(db, step, values, limit, after);
  } else if (after === undefined) {
    const [item] = await getMany(db, step, [values]);
    if (item !== undefined) yield { item, place: true, more: false };
  }
}
