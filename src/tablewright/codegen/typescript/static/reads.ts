/** Answers of access patterns: pages with cursors, single items, numbers. */

import { parts, type Place, readCursor, writeCursor } from "./cursors.js";
import { type Database, secondsNow } from "./database.js";
import { getMany, hasKey } from "./gets.js";
import { hiddenFields, itemTypes, typeField } from "./items.js";
import { type Found, limitOf, listItems, listsOf } from "./lists.js";
import type { Input, Item, ReadStep } from "./model.js";
import { compared, isNumber, sum } from "./numbers.js";

/** The place behind everything. */
const END = "end";

export interface PageOptions {
  /** At most so many items. */
  readonly limit?: number;
  /** Where to go on: the cursor of the page before. */
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: T[];
  /** Where to go on: there may be more. Absent at the end. */
  readonly cursor?: string;
}

/** The items that answer a pattern, page by page; without a limit all of them. */
export async function readItems<T>(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  options: PageOptions = {},
): Promise<Page<T>> {
  const page = await readPage(db, steps, input, options);
  return { ...page, items: page.items.map((item) => visible(item) as T) };
}

/** Items of several types, each with the name of its type. */
export async function readTyped<T>(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  options: PageOptions = {},
): Promise<Page<T>> {
  const page = await readPage(db, steps, input, options);
  return { ...page, items: page.items.map((item) => ({ type: entityOf(item), item: visible(item) }) as T) };
}

/**
 * A page of stored items. The steps make lists: of each that has a limit so many items, or `limit` of them instead, and
 * all of the others; where none has one, `limit` counts all items. A cursor says where to go on in each list.
 */
export async function readPage(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  { limit, cursor }: PageOptions,
): Promise<Page<Item>> {
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    throw new RangeError(`limit: ${limit} is no whole number from 1 on`);
  }
  const known = { ...input, _now: secondsNow(db) };
  const lists = listsOf(steps);
  const after = cursor === undefined ? lists.map(() => undefined) : readCursor(steps, input, cursor);
  const places = parts(after, lists.length);
  const read = lists.map(async (list, nth): Promise<Taken> => {
    const own = limitOf(steps, list);
    const most = lists.length > 1 && own === undefined ? undefined : (limit ?? own);
    if (places[nth] === END) return { found: [], end: END };
    return taken(steps, listItems(db, steps, list, known, most, places[nth]), most);
  });
  const all = await Promise.all(read);
  const ends = all.map(({ end }) => end);
  const items = await completed(db, steps, known, all.flatMap(({ found }) => found));
  return ends.every((end) => end === END) ? { items } : { items, cursor: writeCursor(steps, input, ends) };
}

/** What a page has of one list, and the place behind it. */
interface Taken {
  readonly found: readonly Found[];
  readonly end: Place;
}

/** Items until there are enough, and the place behind the last, or the end. */
async function taken(
  steps: readonly ReadStep[],
  source: AsyncGenerator<Found>,
  most: number | undefined,
): Promise<Taken> {
  const found: Found[] = [];
  let count = 0;
  for await (const each of source) {
    if (!each.gone) found.push(each);
    const { beside } = steps[each.step]!;
    if (beside !== undefined && entityOf(each.item) === beside) continue;
    count += 1;
    if (count === most) return { found, end: each.more ? each.place : END };
  }
  return { found, end: END };
}

/** Items with what the steps that join find for them, a batch for all. */
async function completed(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  found: readonly Found[],
): Promise<Item[]> {
  const items = found.map(({ step, item }) => ({ ...takenOf(steps[step]!, item), ...item }));
  for (const step of steps.filter((each) => each.joins)) {
    const places = [...found.keys()].filter(
      (at) => found[at]!.step === step.keysFrom && (step.takes === undefined || hasKey(step, items[at]!)),
    );
    const more = await getMany(db, step, places.map((at) => keyValues(step, input, items[at]!)));
    for (const [nth, at] of places.entries()) {
      items[at] = { ...(step.takes === undefined ? more[nth] : takenOf(step, more[nth])), ...items[at]! };
    }
  }
  return items;
}

/** What an item takes something of, only the item itself names. */
function keyValues(step: ReadStep, input: Input, item: Item): Input {
  return step.takes === undefined ? { ...input, ...item } : { _now: input["_now"], ...item };
}

/** What is taken of an item, under the names that it has in the answer. */
function takenOf(step: ReadStep, found: Item | undefined): Item {
  if (found === undefined || step.takes === undefined) return {};
  const there = Object.entries(step.takes).filter(([, name]) => Object.hasOwn(found, name));
  return Object.fromEntries(there.map(([name, own]) => [name, found[own]!]));
}

/** The one item that answers a pattern, if there is one. */
export async function readItem<T>(db: Database, steps: readonly ReadStep[], input: Input): Promise<T | undefined> {
  const { items } = await readPage(db, steps, input, { limit: 1 });
  return items[0] === undefined ? undefined : (visible(items[0]) as T);
}

/** A number made of the items found: how many, or a sum; or the total that is kept in the one item found. */
export async function readNumber(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  what: "count" | "sum" | "total",
  attribute = "",
): Promise<number> {
  const items = await readStored(db, steps, input);
  return what === "count" ? items.length : Number(sum(numbersIn(items, attribute)));
}

/** The greatest or the least number among the items found; undefined where there is none. */
export async function readExtreme(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  what: "max" | "min",
  attribute: string,
): Promise<number | undefined> {
  const ordered = numbersIn(await readStored(db, steps, input), attribute).sort(compared);
  const found = what === "max" ? ordered.at(-1) : ordered[0];
  return found === undefined ? undefined : Number(found);
}

function numbersIn(items: readonly Item[], attribute: string): (number | bigint)[] {
  return items.map((item) => item[attribute]).filter(isNumber);
}

/** Everything the steps find, with key fields: for writes that have to know what is there. */
export async function readStored(db: Database, steps: readonly ReadStep[], input: Input): Promise<Item[]> {
  return (await readPage(db, steps, input, {})).items;
}

// ---- what the application sees --------------------------------------------------------------------------------------

/** An item as the application put it in. */
function visible(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !hiddenFields.has(name)));
}

/** By what items say they are: the entity. Those inside others are called by the name of their type. */
const entities = new Map(
  Object.entries(itemTypes).map(([name, type]) => [String(type.fixed?.[typeField] ?? name), type.entity]),
);

function entityOf(item: Item): string {
  const type = String(item[typeField]);
  return entities.get(type) ?? type;
}
