/** What the names of one step of a write mean: what was given, and the item that was found. */

import { isDeepStrictEqual } from "node:util";
import { valueOf } from "./keys.js";
import type { Input, Item, ItemType, Parameter, WritePattern } from "./model.js";

export interface Values {
  readonly old: Item;
  /** Everything a slot may name. */
  readonly byName: Input;
  /** The attributes of the item after the write. */
  readonly becoming: Item;
  /** Attributes that the write removes. */
  readonly gone: ReadonlySet<string>;
  /** Parameters of new values that were not given. */
  readonly unsaid: ReadonlySet<string>;
}

export function valuesOf(
  op: WritePattern["op"],
  parameters: readonly Parameter[],
  type: ItemType,
  input: Input,
  old: Item,
): Values {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const kept = op === "put" ? {} : old; // a put leaves nothing of what was there
  const becoming = [...Object.entries(kept), ...attributesGiven(parameters, type, given)];
  const said = new Set(given.map(([name]) => name));
  const unsaid = parameters.filter((each) => each.attribute !== undefined && !said.has(each.name));
  const byName = [
    ...Object.entries(kept),
    ...unsaid.map((each) => [each.name, valueOf(kept, each.attribute!)]),
    ...given,
    ...Object.entries(old).map(([name, value]) => [`old.${name}`, value]),
  ];
  const after = new Map(becoming);
  const stays = Object.fromEntries([...after].filter(([, value]) => value !== null)) as Item;
  return {
    old,
    byName: { ...Object.fromEntries(byName), "*": stays },
    becoming: stays,
    gone: new Set([...after.keys()].filter((name) => after.get(name) === null)),
    unsaid: new Set(unsaid.map((each) => each.name)),
  };
}

/** By attribute what is given for it, be it under another name. */
function attributesGiven(
  parameters: readonly Parameter[],
  type: ItemType,
  given: readonly [string, unknown][],
): [string, unknown][] {
  const attributes = new Map(parameters.map((each) => [each.name, each.attribute]));
  const known = new Set(type.attributes);
  const own = given.filter(([name]) => known.has(name));
  const renamed = given.flatMap(([name, value]): [string, unknown][] => {
    const attribute = attributes.get(name);
    return attribute === undefined || attribute === name ? [] : [[attribute, value]];
  });
  return [...own, ...renamed];
}

/** Whether an attribute has the same value in both, or is absent from both. */
export function same(one: Item, other: Item, name: string): boolean {
  return isDeepStrictEqual(valueOf(one, name) ?? null, valueOf(other, name) ?? null);
}
