/** Key templates: literal texts with `{name}` between them. */

import { keyText } from "./encoding.js";
import type { Input, Item, ItemKeys, ItemType, Templates } from "./model.js";

const NAME = /\{([^{}]+)\}/g;
const SHARD = "_shard";
const BUCKET = "_bucket";

/** The text up to the first value that is absent, where a key ends. */
export function filled(template: string, values: Input): string {
  let text = "";
  let at = 0;
  for (const match of template.matchAll(NAME)) {
    const name = match[1]!;
    const value = valueOf(values, name);
    text += template.slice(at, match.index);
    if (isAbsent(value)) return text;
    text += name === SHARD || name === BUCKET ? String(value) : keyText(value);
    at = match.index + match[0].length;
  }
  return text + template.slice(at);
}

/** The value of a name; nothing that every object has, such as a constructor. */
export function valueOf(values: Input, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function isComplete(template: string, values: Input): boolean {
  return [...template.matchAll(NAME)].every((match) => !isAbsent(valueOf(values, match[1]!)));
}

/** The name, where a template is nothing but one. */
export function onlyName(template: string): string | undefined {
  return /^\{([^{}]+)\}$/.exec(template)?.[1];
}

/** A template of nothing but a name is the value as it is, any other is text. */
export function keyValue(template: string, values: Input): unknown {
  if (!isComplete(template, values)) throw new TypeError(`${template}: a value is missing`);
  const name = onlyName(template);
  return name === undefined ? filled(template, values) : valueOf(values, name);
}

/** The key fields of an item in one place; none where it is not there. */
export function keysIn(keys: ItemKeys, type: ItemType, item: Input): Item {
  if (keys.index !== undefined && keys.needs.some((name) => isAbsent(valueOf(item, name)))) return {};
  if (!fits(keys, item)) return {};
  const values = withBucket(withShard(item, type.id, keys.shards ?? 1), keys.bucket);
  return filledAll(keys.fields, values);
}

/** Whether an item has the values that a sparse index is for; an attribute has values of one type. */
export function fits(keys: ItemKeys, item: Input): boolean {
  return Object.entries(keys.when ?? {}).every(([name, value]) => {
    const own = valueOf(item, name);
    return !isAbsent(own) && String(own) === String(value);
  });
}

export function filledAll(fields: Templates, values: Input): Item {
  return Object.fromEntries(Object.entries(fields).map(([field, template]) => [field, filled(template, values)]));
}

/** All key fields of an item: of the table and of every index that it is in. */
export function allKeys(type: ItemType, item: Input): Item {
  return Object.assign({}, ...type.keys.map((keys) => keysIn(keys, type, item)));
}

// ---- buckets of time ------------------------------------------------------------------------------------------------

/** The same values and the bucket that follows from them, where there is one and its timestamp is known. */
export function withBucket(values: Input, bucket: string | undefined): Input {
  const [name = "", length] = (bucket ?? "").split(":");
  if (length === undefined || isAbsent(valueOf(values, name))) return values;
  return { ...values, [BUCKET]: String(values[name]).slice(0, Number(length)) };
}

/** All buckets from one timestamp to the other, in order of time: `2026-01`, `2026-02`... */
export function bucketsBetween(from: string, to: string, bucket: string): string[] {
  const length = Number(bucket.split(":")[1]);
  const [first, last] = [from.slice(0, length), to.slice(0, length)];
  const found: string[] = [];
  for (let each = first; each <= last; each = followingBucket(each)) found.push(each);
  return found;
}

/** The next year, month, day or hour: whatever a bucket of that length names. */
function followingBucket(bucket: string): string {
  const whole = "0000-01-01T00:00:00.000Z";
  const time = new Date(bucket + whole.slice(bucket.length));
  if (bucket.length === 4) time.setUTCFullYear(time.getUTCFullYear() + 1);
  else if (bucket.length === 7) time.setUTCMonth(time.getUTCMonth() + 1);
  else if (bucket.length === 10) time.setUTCDate(time.getUTCDate() + 1);
  else time.setUTCHours(time.getUTCHours() + 1);
  return time.toISOString().slice(0, bucket.length);
}

// ---- shards ---------------------------------------------------------------------------------------------------------

/** The same values and the shard that follows from the id, where there are shards and the id is known. */
export function withShard(values: Input, id: readonly string[], shards: number): Input {
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
