/** Cursors: where an answer goes on, as text that callers keep and give back. It fits the question it was made for. */

import { createHash } from "node:crypto";
import { CursorError } from "./errors.js";
import type { Input, ReadStep } from "./model.js";

/** Where a step goes on; what it is made of is the step's own business. */
export type Place = unknown;

export function writeCursor(steps: readonly ReadStep[], input: Input, place: Place): string {
  return Buffer.from(JSON.stringify([markOf(steps, input), place], written)).toString("base64url");
}

/** @throws CursorError where the text is none, or was made for another question. */
export function readCursor(steps: readonly ReadStep[], input: Input, cursor: string): Place {
  const [mark, place] = pair(parsed(cursor));
  if (mark !== markOf(steps, input)) throw new CursorError("this cursor belongs to another question");
  return place;
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"), read);
  } catch (cause) {
    throw new CursorError("this is no cursor", { cause });
  }
}

/** Two parts of a place. */
export function pair(place: Place): [unknown, unknown] {
  if (!Array.isArray(place) || place.length !== 2) throw new CursorError("this is no cursor");
  return [place[0] ?? undefined, place[1] ?? undefined];
}

/** So many parts of a place. */
export function parts(place: Place, count: number): unknown[] {
  if (!Array.isArray(place) || place.length !== count) throw new CursorError("this is no cursor");
  return place.map((each: unknown) => each ?? undefined);
}

/** Tells questions apart: what is asked, and with which values. */
function markOf(steps: readonly ReadStep[], input: Input): string {
  const values = Object.entries(input).filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify([steps, values], written)).digest("base64url").slice(0, 16);
}

// ---- key values that JSON has no form for ---------------------------------------------------------------------------

function written(this: unknown, name: string, shown: unknown): unknown {
  const value = (this as { [name: string]: unknown })[name];
  if (typeof value === "bigint") return { $whole: value.toString() };
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString("base64") } : shown;
}

function read(_: string, value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if ("$whole" in value) return BigInt(String(value.$whole));
  return "$bytes" in value ? new Uint8Array(Buffer.from(String(value.$bytes), "base64")) : value;
}
