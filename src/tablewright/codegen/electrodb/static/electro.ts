/** Between ElectroDB's answers and those of this package: pages, changes, errors. */

import { TransactionRefusedError, translated } from "./documents/errors.js";
import type { Page, PageOptions } from "./documents/reads.js";

/** Items of several entities, by entity. */
export interface Collected<T extends object> {
  readonly items: { readonly [Name in keyof T]: T[Name][] };
  /** Where to go on: there may be more. Absent at the end. */
  readonly cursor?: string;
}

type Paging = { cursor: string | null; count: number } | { cursor: string | null; pages: "all" };

/** A page of so many items, or all of them. */
export function paging(page: PageOptions = {}, limit?: number): Paging {
  const count = page.limit ?? limit;
  const cursor = page.cursor ?? null;
  return count === undefined ? { cursor, pages: "all" } : { cursor, count };
}

export function pageOf<T>(answer: { data: T[]; cursor: string | null }): Page<T> {
  return answer.cursor === null ? { items: answer.data } : { items: answer.data, cursor: answer.cursor };
}

type CollectionPaging = { cursor: string | null; limit: number } | { cursor: string | null; pages: "all" };

/** Of several entities a page is what one request of so many items finds. */
export function collectionPaging(page: PageOptions = {}, limit?: number): CollectionPaging {
  const most = page.limit ?? limit;
  const cursor = page.cursor ?? null;
  return most === undefined ? { cursor, pages: "all" } : { cursor, limit: most };
}

/** By entity what a page of items that say what they are has. */
export function collected<T extends object>(
  page: Page<{ type: string; item: unknown }>,
  names: readonly (keyof T & string)[],
): Collected<T> {
  const items = names.map((name) => [name, page.items.filter((each) => each.type === name).map((each) => each.item)]);
  return { ...page, items: Object.fromEntries(items) as Collected<T>["items"] };
}

/** Attributes that have a new value. */
export function changed<T extends object>(given: T): { [Name in keyof T]: NonNullable<T[Name]> } {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept) as { [Name in keyof T]: NonNullable<T[Name]> };
}

/** Attributes that are to become absent: those given as null. */
export function removed<T extends object>(given: T): (keyof T)[] {
  return (Object.keys(given) as (keyof T)[]).filter((name) => given[name] === null);
}

/** A write, its error in the application's terms. */
export async function written(what: string, request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    throw translated(error instanceof Error && error.cause instanceof Error ? error.cause : error, what);
  }
}

interface Outcome {
  readonly canceled: boolean;
  readonly data: readonly { readonly rejected: boolean; readonly code?: string }[] | null;
}

/** A transaction; ElectroDB tells of one that was refused instead of throwing. */
export async function writtenTogether(what: string, request: Promise<Outcome>): Promise<void> {
  const { canceled, data } = await request;
  if (!canceled) return;
  const reasons = (data ?? []).map((each) => each.code ?? "None");
  throw new TransactionRefusedError(`${what}: ${reasons.filter((each) => each !== "None").join(", ")}`, reasons);
}
