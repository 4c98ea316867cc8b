/** Answers of access patterns: pages with cursors, single items, numbers. */

import { type Place, readCursor, writeCursor } from "./cursors.js";
import type { Database } from "./database.js";
import { hiddenFields, itemTypes, typeField } from "./items.js";
import type { Input, Item, ReadStep } from "./model.js";
import { compared, isNumber, sum } from "./numbers.js";
import { answer, completed, type Found } from "./steps.js";

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

async function readPage(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  options: PageOptions,
): Promise<Page<Item>> {
  const limit = options.limit ?? ownLimit(steps);
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    throw new RangeError(`limit: ${limit} is no whole number from 1 on`);
  }
  const after = options.cursor === undefined ? undefined : readCursor(steps, input, options.cursor);
  const found = await taken(db, steps, input, limit, after);
  const items = await completed(db, steps, input, found);
  const last = found.at(-1);
  return found.length === limit && last?.more ? { items, cursor: writeCursor(steps, input, last.place) } : { items };
}

/** The one item that answers a pattern, if there is one. */
export async function readItem<T>(db: Database, steps: readonly ReadStep[], input: Input): Promise<T | undefined> {
  const [item] = await completed(db, steps, input, await taken(db, steps, input, 1));
  return item === undefined ? undefined : (visible(item) as T);
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
  return completed(db, steps, input, await taken(db, steps, input, ownLimit(steps)));
}

function ownLimit(steps: readonly ReadStep[]): number | undefined {
  return steps.find((step) => step.limit !== undefined)?.limit;
}

/** What is found, until there is enough; nothing is asked for beyond that. */
async function taken(
  db: Database,
  steps: readonly ReadStep[],
  input: Input,
  limit: number | undefined,
  after?: Place,
): Promise<Found[]> {
  const items: Found[] = [];
  for await (const found of answer(db, steps, input, limit, after)) {
    items.push(found);
    if (items.length === limit) break;
  }
  return items;
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
