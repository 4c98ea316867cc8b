/** Updates as the expressions DynamoDB takes: what is set, removed and added. */

import { type Rendered, render } from "./expressions.js";
import { derive, fits, isSlot, resolve } from "./keys.js";
import type { Change, ItemKeys, ItemType, WriteStep } from "./model.js";
import { amount, isSum, type Values } from "./values.js";

interface Part extends Rendered {
  readonly action: Change["action"];
}

/** The clauses of an update with what is left out of it left out. */
export function updateOf(step: WriteStep, type: ItemType, values: Values): Rendered {
  const isWhole = step.allAttributes ?? false; // then what is not given goes
  const parts = (step.changes ?? []).flatMap((each) => partOf(each, type, values, isWhole));
  const clauses = (["SET", "REMOVE", "ADD"] as const).map((action) => {
    const texts = parts.filter((each) => each.action === action).map((each) => each.text);
    return texts.length ? `${action} ${texts.join(", ")}` : "";
  });
  return {
    text: clauses.filter((each) => each).join(" "),
    names: Object.assign({}, ...parts.map((each) => each.names)),
    values: Object.assign({}, ...parts.map((each) => each.values)),
  };
}

function partOf(change: Change, type: ItemType, values: Values, isWhole: boolean): Part[] {
  const { text, names, values: more } = render(change.path, values.asked);
  const mark = change.placeholder ?? "";
  const value = newValue(change, type, values, isWhole);
  if (value === undefined) return [];
  if (value === null) return [{ action: "REMOVE", text, names, values: {} }];
  const becomes = change.action === "SET" ? ` = ${change.assigned ?? mark}` : ` ${mark}`;
  return [{ action: change.action, text: `${text}${becomes}`, names, values: { ...more, [mark]: value } }];
}

/** The new value of an attribute or key field: undefined to leave it alone, null to remove it. */
function newValue(change: Change, type: ItemType, values: Values, isWhole: boolean): unknown {
  const { value, keyField } = change;
  if (value === undefined) return null;
  if (isSum(value)) return amount(value, values.asked);
  const keys = keyField === undefined ? undefined : type.keys?.find((each) => Object.hasOwn(each.fields, keyField));
  if (keys !== undefined) {
    const known = { ...derive(values.becoming, type.id, keys), ...values.byName };
    return staysKeyed(keys, values) ? resolve(value, known) : null;
  }
  if (isSlot(value) && values.unsaid.has(value.slot) && !isWhole) return undefined;
  return resolve(value, values.byName) ?? null;
}

/** Without a read only what becomes null can take an item out of an index, unless the item is written whole. */
function staysKeyed(keys: ItemKeys, { becoming, gone, isKnown }: Values): boolean {
  const there = keys.needs.every((name) => Object.hasOwn(becoming, name) || !(isKnown || gone.has(name)));
  return there && fits(keys, becoming);
}
