/** What the names of one step of a write mean: what was given, and the item that was found. */

import { isDeepStrictEqual } from "node:util";
import { itemTypes } from "./items.js";
import { valueOf } from "./keys.js";
import type { Input, Item, Operand, Parameter, Sum, WritePattern } from "./model.js";
import { isNumber, sum } from "./numbers.js";

type Becoming = NonNullable<WritePattern["becomes"]>[string];

/** The inputs of a step: those of its own entity, and all there are. */
export interface Given {
  readonly own: Input;
  readonly all: Input;
}

export interface Values {
  readonly old: Item;
  /** Everything a slot may name. */
  readonly byName: Input;
  /** The same for conditions and amounts: what is given comes first, for whichever entity. */
  readonly asked: Input;
  /** The attributes of the item after the write. */
  readonly becoming: Item;
  /** Attributes that the write removes. */
  readonly gone: ReadonlySet<string>;
  /** Parameters of new values that were not given. */
  readonly unsaid: ReadonlySet<string>;
  /** Whether all of the item is known: it was read, or is written whole. */
  readonly isKnown: boolean;
}

/** `entity`: whose values these are. */
export function valuesOf(
  pattern: WritePattern,
  entity: string,
  parameters: readonly Parameter[],
  { own, all }: Given,
  old: Item,
): Values {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  const said = Object.entries(all).filter(([, value]) => value !== undefined);
  const kept = isPut(pattern, entity) ? {} : old; // a put leaves nothing of what was there
  const isKnown = isPut(pattern, entity) || (pattern.seen ?? []).includes(entity);
  const known = { ...kept, ...Object.fromEntries(said) };
  const becoming = [
    ...Object.entries(kept),
    ...attributesGiven(parameters, entity, given),
    ...attributesFixed(pattern.becomes?.[entity] ?? {}, isKnown, kept, known),
  ];
  const named = new Set(given.map(([name]) => name));
  const unsaid = parameters.filter((each) => each.attribute !== undefined && !named.has(each.name));
  const byName = [
    ...Object.entries(kept),
    ...unsaid.map((each) => [each.name, valueOf(kept, each.attribute!)]),
    ...given,
    ...Object.entries(old).map(([name, value]) => [`old.${name}`, value]),
  ];
  const after = new Map(becoming);
  const stays = Object.fromEntries(
    [...after].filter(([, value]) => value !== null && value !== undefined),
  ) as Item;
  const renewed = Object.entries(stays).map(([name, value]) => [`new.${name}`, value]);
  const meant = { ...Object.fromEntries([...byName, ...renewed]), "*": stays };
  return {
    old,
    byName: meant,
    asked: { ...meant, ...Object.fromEntries(said) },
    becoming: stays,
    gone: new Set([...after.keys()].filter((name) => after.get(name) === null)),
    unsaid: new Set(unsaid.map((each) => each.name)),
    isKnown,
  };
}

export function isPut(pattern: WritePattern, entity: string): boolean {
  return pattern.op === "put" || (pattern.puts ?? []).includes(entity);
}

/** What attributes become without being given; what is added to a value that nobody read is not known. */
function attributesFixed(becomes: Becoming, isKnown: boolean, kept: Input, known: Input): [string, unknown][] {
  return Object.entries(becomes).map(([name, value]) => {
    if (value === null || !isSum(value)) return [name, value];
    const was = valueOf(kept, name);
    return [name, isKnown ? sum([isNumber(was) ? was : 0, amount(value, known)]) : undefined];
  });
}

export function isSum(value: Operand | Sum): value is Sum {
  return typeof value === "object" && "terms" in value;
}

/** The number that a sum comes to; what is absent counts 0. */
export function amount({ terms }: Sum, values: Input): number | bigint {
  const found = terms.map(([sign, term]) => {
    const value = typeof term === "number" ? term : valueOf(values, term.slot);
    if (!isNumber(value)) return 0;
    return sign < 0 ? -value : value;
  });
  return sum(found);
}

/** By attribute what is given for it, be it under another name. */
function attributesGiven(
  parameters: readonly Parameter[],
  entity: string,
  given: readonly [string, unknown][],
): [string, unknown][] {
  const attributes = new Map(parameters.map((each) => [each.name, each.attribute]));
  const types = Object.values(itemTypes).filter((type) => type.entity === entity);
  const known = new Set(types.flatMap((type) => type.attributes));
  const own = given.filter(([name]) => known.has(name) && (!attributes.has(name) || attributes.get(name) === name));
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
