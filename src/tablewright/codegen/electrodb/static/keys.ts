/**
 * Values in ElectroDB's keys, written as everybody else writes them who uses the table.
 *
 * ElectroDB formats a value before it goes into a key, for its padding. There the values of this design are written.
 * That is no part of its documented interface, so every entity is tried out first: one that wrote other keys is not
 * used.
 */

import { randomUUID } from "node:crypto";
import { createConversions } from "electrodb";
import { keyText } from "./documents/encoding.js";

interface Inside {
  readonly schema: { readonly indexes: Record<string, Index> };
  readonly model: { readonly schema: { readonly attributes: Record<string, Attribute> } };
}

interface Index {
  readonly type?: string;
  readonly pk: Side;
  readonly sk?: Side;
}

interface Side {
  readonly composite: readonly string[];
}

interface Attribute {
  readonly type: string;
  format(text: string): string;
}

/** The same entity, which writes values into its keys as the design does. */
export function withKeys<T extends object>(entity: T): T {
  const inside = entity as unknown as Inside;
  for (const each of Object.values(inside.model.schema.attributes)) each.format = (text) => formatted(each, text);
  checkKeys(inside);
  return entity;
}

const WRITTEN = `\0${randomUUID()}\0`;

/** The end of a range, a text that goes into the key as it is written here; values in it are escaped. */
export function bound(texts: TemplateStringsArray, ...values: unknown[]): string {
  return WRITTEN + String.raw({ raw: texts }, ...values.map(keyText));
}

/** ElectroDB hands over numbers as texts, and "undefined" for what is absent, which it then leaves out. */
function formatted(attribute: Attribute, text: string): string {
  if (text.startsWith(WRITTEN)) return text.slice(WRITTEN.length);
  if (attribute.type !== "number" || Number.isNaN(Number(text))) return keyText(text);
  return keyText(/^-?\d+$/.test(text) ? BigInt(text) : Number(text));
}

const conversionsOf = createConversions as unknown as (entity: object) => Conversions;

interface Conversions {
  readonly fromComposite: { toKeys(given: object): object | null };
}

function checkKeys(entity: Inside): void {
  const composed = Object.values(entity.schema.indexes).filter((each) => each.type !== "composite");
  const names = composed.flatMap((each) => [...each.pk.composite, ...(each.sk?.composite ?? [])]);
  const isNumber = (name: string) => entity.model.schema.attributes[name]?.type === "number";
  const given = names.map((name) => [name, isNumber(name) ? -1.5 : "#"] as const);
  const texts = Object.values(conversionsOf(entity).fromComposite.toKeys(Object.fromEntries(given)) ?? {}).join();
  if (given.some(([, value]) => !texts.includes(keyText(value)))) {
    throw new Error("this version of ElectroDB writes other keys than this package; install electrodb 3.9.3");
  }
}
