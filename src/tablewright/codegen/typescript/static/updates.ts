/** Updates as the expressions DynamoDB takes: what is set, removed and added. */

import type { Placeholders } from "./expressions.js";
import type { ItemKeys, ItemType, WriteStep } from "./model.js";
import { isNumber, sum } from "./numbers.js";
import { filled, fits, onlyName, valueOf, withBucket, withShard } from "./templates.js";
import type { Values } from "./values.js";

export function updateText(step: WriteStep, type: ItemType, values: Values, used: Placeholders): string {
  const changes = Object.entries(step.set ?? {}).map(
    ([name, template]) => [name, changed(name, template, type, values)] as const,
  );
  const stay = changes.filter(([, value]) => value !== undefined && value !== null);
  const sets = stay.map(([name, value]) => `${path(name, values, used)} = ${used.value(value)}`);
  const gone = [...changes.filter(([, value]) => value === null).map(([name]) => name), ...(step.remove ?? [])];
  const removes = gone.map((name) => path(name, values, used));
  const adds = Object.entries(step.add ?? {}).map(
    ([name, said]) => `${path(name, values, used)} ${used.value(amount(said, values))}`,
  );
  const clauses = [
    ["SET", sets],
    ["REMOVE", removes],
    ["ADD", adds],
  ] as const;
  return clauses.flatMap(([word, texts]) => (texts.length ? [`${word} ${texts.join(", ")}`] : [])).join(" ");
}

/** The new value of an attribute or key field: undefined to leave it alone, null to remove it. */
function changed(name: string, template: string, type: ItemType, values: Values): unknown {
  const keys = type.keys.find((each) => Object.hasOwn(each.fields, name));
  if (keys !== undefined) {
    if (!staysKeyed(keys, values)) return null;
    return filled(template, withShard(withBucket(values.byName, keys.bucket), type.id, keys.shards ?? 1));
  }
  const only = onlyName(template);
  if (only !== undefined && values.unsaid.has(only)) return undefined;
  return setValue(template, values) ?? null;
}

/** Without a read only what becomes null can take an item out of an index. */
function staysKeyed(keys: ItemKeys, values: Values): boolean {
  const unread = !Object.keys(values.old).length;
  const there = keys.needs.every((name) => Object.hasOwn(values.becoming, name) || (unread && !values.gone.has(name)));
  return there && fits(keys, values.becoming);
}

/** The value of a template: text, the value of a name, or with `{*}` the whole item. */
export function setValue(template: string, values: Values): unknown {
  if (template === "{*}") return values.becoming;
  const name = onlyName(template);
  return name === undefined ? filled(template, values.byName) : valueOf(values.byName, name);
}

/** A path to an attribute or to an entry of a map, whose name may be a value. */
function path(name: string, values: Values, used: Placeholders): string {
  const parts = name.split(".").map((part) => {
    const only = onlyName(part);
    return used.name(only === undefined ? part : String(valueOf(values.byName, only)));
  });
  return parts.join(".");
}

/** A number, a value, either with a sign, or a difference of two values; what is absent counts 0. */
function amount(said: string, values: Values): number | bigint {
  const terms = [...said.matchAll(/(-?)\s*(\{[^{}]+\}|\d+(?:\.\d+)?)/g)].map(([, sign, word]) => {
    const only = onlyName(word!);
    const value = only === undefined ? Number(word) : valueOf(values.byName, only);
    if (!isNumber(value)) return 0;
    return sign ? -value : value;
  });
  return sum(terms);
}
