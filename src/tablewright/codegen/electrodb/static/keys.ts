/**
 * Plain keys in ElectroDB's templates: texts escaped and numbers of fixed width, as everybody else writes them.
 *
 * ElectroDB formats a value before it goes into a key, for its padding. There the values of this design are written. That
 * is no part of its documented interface, so every entity is tried out first: one that wrote other keys is not used.
 */

import { randomUUID } from "node:crypto";
import { keyText } from "./documents/encoding.js";

interface Inside {
  readonly schema: { readonly indexes: Record<string, Index> };
  readonly model: { readonly schema: { readonly attributes: Record<string, Attribute> } };
  get(key: object): { params(): { Key: Record<string, unknown> } };
}

interface Index {
  readonly index?: string;
  readonly pk: Side;
  readonly sk?: Side;
}

interface Side {
  readonly field: string;
  readonly composite: readonly string[];
}

interface Attribute {
  readonly type: string;
  format(text: string): string;
}

/** The same entity, which writes values into its keys as the design does. */
export function withPlainKeys<T extends object>(entity: T): T {
  const inside = entity as unknown as Inside;
  const { attributes } = inside.model.schema;
  for (const each of Object.values(attributes)) each.format = (text) => formatted(each, text);
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

function checkKeys(entity: Inside): void {
  const table = Object.values(entity.schema.indexes).find((each) => each.index === undefined);
  const names = [...(table?.pk.composite ?? []), ...(table?.sk?.composite ?? [])];
  const given = names.map((name) => [name, entity.model.schema.attributes[name]?.type === "number" ? -1 : "#"] as const);
  const texts = Object.values(entity.get(Object.fromEntries(given)).params().Key).join();
  if (given.some(([, value]) => !texts.includes(keyText(value)))) {
    throw new Error("this version of ElectroDB writes other keys than this package; install electrodb 3.9.3");
  }
}
