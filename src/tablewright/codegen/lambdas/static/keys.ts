/** The keys of items as the design writes them, and the client that everything goes through. */

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { keyText } from "./encoding.js";
import { type Companion, type Part, style } from "./model.js";

export type Item = Record<string, unknown>;

const endpoint = process.env["DYNAMODB_ENDPOINT"];
export const plainClient = new DynamoDBClient(endpoint ? { endpoint } : {});

export function companionKey(companion: Companion, image: Item): Item | undefined {
  const values = withDerived(companion, image);
  const fields = Object.entries(companion.fields);
  const isComplete = fields.every(([, parts]) => namesIn(parts).every((name) => values[name] != null));
  return isComplete ? Object.fromEntries(fields.map(([field, parts]) => [field, filled(parts, values)])) : undefined;
}

/** As it is called where this runs: TABLE_<NAME>, or else as the design calls it. */
export function tableName(name: string): string {
  return process.env[`TABLE_${name.replace(/\W/g, "_").toUpperCase()}`] ?? name;
}

export function namesIn(parts: readonly Part[]): string[] {
  return parts.flatMap((each) => (typeof each === "string" ? [] : [each.name]));
}

/** The same values with the bucket and the shard that follow from them. */
export function withDerived(companion: Companion, values: Item): Item {
  const found = { ...values };
  const bucket = companion.bucket;
  if (bucket !== null && values[bucket.attribute] != null) found["_bucket"] = String(values[bucket.attribute]).slice(0, bucket.length);
  if (companion.shards > 1 && companion.id.every((name) => values[name] != null)) {
    const text = companion.id.map((name) => keyText(values[name])).join("#");
    found["_shard"] = String(crc32(new TextEncoder().encode(text)) % companion.shards);
  }
  return found;
}

/** One name alone is the value as it is. */
export function filled(parts: readonly Part[], values: Item): unknown {
  const [first] = parts;
  if (parts.length === 1 && typeof first === "object") return values[first.name];
  return parts.map((each) => (typeof each === "string" ? each : written(each.name, values))).join("");
}

function written(name: string, values: Item): string {
  return name === "_shard" ? String(values[name]) : keyText(values[name]);
}

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** Whether a key can have a value as one of its parts; what it cannot hold would be taken for something else. */
export function canHold(value: unknown): boolean {
  if (typeof value === "boolean") return true;
  if (typeof value === "number") {
    if (style === "plain") return Math.abs(value) < 1e20 && /^-?\d+(\.\d{1,6})?$/.test(String(value));
    return Math.abs(value) < 1e16;
  }
  const text = String(value);
  return text !== "" && (style === "plain" || !text.includes("#"));
}
