/** What slots stand for: values of requests, and keys as they follow from items. */

import { keyText } from "./encoding.js";
import type { Bucket, Input, Item, ItemKeys, ItemType, Operand, Operands, Slot, Text } from "./model.js";

const SHARD = "_shard";
const BUCKET = "_bucket";

/** The value of a name; nothing that every object has, such as a constructor. */
export function valueOf(values: Input, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isText(operand: Operand): operand is Text {
  return Array.isArray(operand);
}

export function isSlot(operand: Operand): operand is Slot {
  return typeof operand === "object" && "slot" in operand;
}

/** A value with everything put in. */
export function resolve(operand: Operand, values: Input): unknown {
  if (isSlot(operand)) return valueOf(values, operand.slot);
  return isText(operand) ? filled(operand, values) : operand;
}

export function resolveAll(operands: Operands, values: Input): Item {
  return Object.fromEntries(Object.entries(operands).map(([name, each]) => [name, resolve(each, values)])) as Item;
}

/** The text up to the first value that is absent, where a key ends. */
function filled(parts: Text, values: Input): string {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const value = valueOf(values, part.slot);
    if (isAbsent(value)) return text;
    text += part.slot === SHARD || part.slot === BUCKET ? String(value) : keyText(value);
  }
  return text;
}

/** The names whose values are absent. */
export function missing(operands: Operands, values: Input): string[] {
  const parts = Object.values(operands).flatMap((each): readonly Operand[] => (isText(each) ? each : [each]));
  const names = parts.filter(isSlot).map((each) => each.slot);
  return names.filter((name) => isAbsent(valueOf(values, name)));
}

/** @throws TypeError: what finds items needs all of its values. */
export function demand(operands: Operands, values: Input): void {
  const names = missing(operands, values);
  if (names.length) throw new TypeError(`no value for ${names.join(", ")}`);
}

// ---- keys -----------------------------------------------------------------------------------------------------------

/** All key fields of an item: of the table and of every index that it is in. */
export function allKeys(type: ItemType, item: Input): Item {
  return Object.assign({}, ...(type.keys ?? []).map((keys) => keysIn(keys, type, item)));
}

/** The key fields of an item in one place; none where it is not there. */
function keysIn(keys: ItemKeys, type: ItemType, item: Input): Item {
  if (keys.index !== undefined && keys.needs.some((name) => isAbsent(valueOf(item, name)))) return {};
  return fits(keys, item) ? resolveAll(keys.fields, derive(item, type.id, keys)) : {};
}

/** Whether an item has the values that a sparse index is for; an attribute has values of one type. */
export function fits(keys: ItemKeys, item: Input): boolean {
  return Object.entries(keys.when ?? {}).every(([name, value]) => {
    const own = valueOf(item, name);
    return !isAbsent(own) && (value === null || String(own) === String(value));
  });
}

/** The same values with the shard and the bucket that follow from them. */
export function derive(values: Input, id: readonly string[], keys: { shards?: number; bucket?: Bucket }): Input {
  return withBucket(withShard(values, id, keys.shards ?? 1), keys.bucket);
}

// ---- buckets of time ------------------------------------------------------------------------------------------------

/** The same values and the bucket that follows from them, where there is one and its timestamp is known. */
export function withBucket(values: Input, bucket: Bucket | undefined): Input {
  if (bucket === undefined || isAbsent(valueOf(values, bucket.attribute))) return values;
  return { ...values, [BUCKET]: String(values[bucket.attribute]).slice(0, bucket.length) };
}

/** All buckets from one timestamp to the other, in order of time: `2026-01`, `2026-02`... */
export function bucketsBetween(from: string, to: string, { length }: Bucket): string[] {
  const [first, last] = [from.slice(0, length), to.slice(0, length)];
  const found: string[] = [];
  for (let each = first; each <= last; each = bucketBeside(each, 1)) found.push(each);
  return found;
}

/** The bucket of a moment, in seconds since 1970. */
export function bucketAt(seconds: number, { length }: Bucket): string {
  return new Date(seconds * 1000).toISOString().slice(0, length);
}

/** The next year, month, day or hour, or the one before: whatever a bucket of that length names. */
export function bucketBeside(bucket: string, step: 1 | -1): string {
  const whole = "0000-01-01T00:00:00.000Z";
  const time = new Date(bucket + whole.slice(bucket.length));
  if (bucket.length === 4) time.setUTCFullYear(time.getUTCFullYear() + step);
  else if (bucket.length === 7) time.setUTCMonth(time.getUTCMonth() + step);
  else if (bucket.length === 10) time.setUTCDate(time.getUTCDate() + step);
  else time.setUTCHours(time.getUTCHours() + step);
  return time.toISOString().slice(0, bucket.length);
}

// ---- copies ---------------------------------------------------------------------------------------------------------

/** The number of one of a step's copies, any one; nothing where there is no choice. */
export function anyCopy(step: { copies?: number }): { readonly _copy?: string } {
  const copies = step.copies ?? 1;
  return copies === 1 ? {} : { _copy: String(Math.floor(Math.random() * copies) + 1) };
}

// ---- shards ---------------------------------------------------------------------------------------------------------

/** The same values and the shard that follows from the id, where there are shards and the id is known. */
function withShard(values: Input, id: readonly string[], shards: number): Input {
  if (shards === 1 || id.some((name) => isAbsent(valueOf(values, name)))) return values;
  const text = id.map((name) => keyText(values[name])).join("#");
  return { ...values, [SHARD]: String(crc32(new TextEncoder().encode(text)) % shards) };
}

const TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
