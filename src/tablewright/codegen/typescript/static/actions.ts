/** From the steps of a write to requests: what names mean, which steps are needed, what is put and demanded. */

import { placeholders, type Rendered, render } from "./expressions.js";
import { itemTypes } from "./items.js";
import { allKeys, derive, isAbsent, missing, resolveAll, valueOf } from "./keys.js";
import type { Input, Item, ItemType, Parameter, Unchanged, WritePattern, WriteStep } from "./model.js";
import { compared } from "./numbers.js";
import { updateOf } from "./updates.js";
import { type Given, same, type Values, valuesOf } from "./values.js";

/** By entity: the item that the reads found for one time that the steps are done. */
export type Old = ReadonlyMap<string, Item>;

/** By entity: all that the reads found. */
export type AllFound = ReadonlyMap<string, readonly Item[]>;

export interface Action {
  readonly operation: WriteStep["operation"];
  /** Of a parent that is checked: nothing is written to it. */
  readonly isCheck: boolean;
  /** The item it is about. */
  readonly key: string;
  readonly input: Request;
}

export interface Request {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
}

/** `now`: in seconds since 1970. What was found for the elements of lists is in `found`. */
export function actionsOf(pattern: WritePattern, input: Input, old: Old, now: number, found: AllFound): Action[] {
  const actions = pattern.writes.flatMap((step) => {
    const entity = step.namesOf ?? itemTypes[step.item]!.entity;
    const listed = step.each ? found.get(entity) : undefined;
    return elements(pattern, entity, step, input).flatMap((given) => {
      const before = listed === undefined ? (old.get(entity) ?? {}) : sameId(entity, given.own, listed);
      return actionOf(pattern, step, given, before, now);
    });
  });
  return withoutChecked(withoutReplaced(actions));
}

/** Of what was found, what has the id of the element. */
function sameId(entity: string, element: Input, found: readonly Item[]): Item {
  const { id } = itemTypes[entity]!;
  return found.find((item) => id.every((name) => same(item, element as Item, name))) ?? {};
}

function parametersOf(pattern: WritePattern): Parameter[] {
  return (pattern.inputs ?? []).map((each) => (typeof each === "string" ? { name: each, attribute: each } : each));
}

/** What is given for an item of an entity: nothing that is another entity's; once for every element of a list. */
function elements(pattern: WritePattern, entity: string, step: WriteStep, input: Input): Given[] {
  const others = parametersOf(pattern).filter((each) => each.entity !== undefined && each.entity !== entity);
  const foreign = new Set(others.map((each) => each.name));
  const own = Object.fromEntries(Object.entries(input).filter(([name]) => !foreign.has(name)));
  const given = step.each ? (input[step.each] as Input[]) : [{}];
  return given.map((element) => ({ own: { ...own, ...element }, all: { ...input, ...element } }));
}

/** One step for one item; nothing where there is nothing to do. */
export function actionOf(pattern: WritePattern, step: WriteStep, given: Given, old: Item, now: number): Action[] {
  const type = itemTypes[step.item]!;
  const entity = step.namesOf ?? type.entity;
  const parameters = parametersOf(pattern).filter((each) => each.entity === undefined || each.entity === entity);
  const values = withMore(valuesOf(pattern, entity, parameters, given, old), step, type, now);
  const key = keyOf(step, type, values);
  if (key === undefined || isIdle(step, values) || !isNewer(step, values)) return [];
  const body = step.operation === "PutItem" ? { Item: putItem(step, type, key, values, now) } : { Key: key };
  const update = updateOf(step, type, values);
  const demands = [
    ...(step.condition ? [render(step.condition, values.asked)] : []),
    ...(step.unchanged ?? []).map((each) => still(each, old, values.byName)),
  ];
  const condition = demands.length ? { ConditionExpression: demands.map((each) => each.text).join(" AND ") } : {};
  const changes = update.text ? { UpdateExpression: update.text } : {};
  const input = { TableName: step.table, ...body, ...changes, ...condition, ...placeholders([update, ...demands]) };
  const place = JSON.stringify([step.table, ...Object.values(key).map(String)]);
  return [{ operation: step.operation, isCheck: step.namesOf !== undefined, key: place, input }];
}

/**
 * The same with what a parent is called that is checked, and with the time at which an item goes that is written now;
 * one that is there keeps its own.
 */
function withMore(values: Values, step: WriteStep, type: ItemType, now: number): Values {
  const { expires, lifetimeSeconds = 0 } = type;
  const own = expires === undefined ? undefined : valueOf(values.old, expires);
  const called = step.namesOf === undefined ? {} : resolveAll(step.attributes ?? {}, values.byName);
  const packed = type.packedBy === undefined ? {} : { "*": withoutId(type, values.becoming) };
  return { ...values, byName: { ...values.byName, ...called, ...packed, _expires: own ?? now + lifetimeSeconds } };
}

/** What is packed: the item that it is in and its name there say the rest. */
function withoutId({ id }: ItemType, item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !id.includes(name))) as Item;
}

/** A demand that an attribute is still what it was when it was read. */
function still({ attribute, name, value, taken }: Unchanged, old: Item, input: Input): Rendered {
  const was = taken === undefined ? valueOf(old, attribute) : valueOf(input, taken);
  const names = { [name]: attribute };
  if (isAbsent(was)) return { text: `attribute_not_exists(${name})`, names, values: {} };
  return { text: `${name} = ${value}`, names, values: { [value]: was } };
}

/** Whether a step is left out: what it is about stays as it is, or does not where it has to. */
function isIdle({ unlessSame = [], ifSame = [] }: WriteStep, { becoming, old }: Values): boolean {
  const stays = (name: string) => same(becoming, old, name);
  return (unlessSame.length > 0 && unlessSame.every(stays)) || (ifSame.length > 0 && !ifSame.every(stays));
}

/** Whether what a step is about is newer than what the reads took of the item that is there, or none is. */
function isNewer({ item, ifNewer = [] }: WriteStep, { becoming, byName }: Values): boolean {
  const pairs = ifNewer.map((name) => [valueOf(becoming, name), valueOf(byName, `${item}.${name}`)]);
  if (pairs.some(([, there]) => isAbsent(there))) return true;
  const orders = pairs.map(([value, there]) => compared(value, there));
  return ifNewer.length === 0 || (orders.find((order) => order !== 0) ?? 0) > 0;
}

/** The item's key; none where it needs a value that is absent, or one of an item that was not there. */
function keyOf(step: WriteStep, type: ItemType, values: Values): Item | undefined {
  const own = type.keys?.find((each) => each.index === undefined);
  const known = derive(values.byName, type.id, own ?? {});
  return missing(step.key, known).length ? undefined : resolveAll(step.key, known);
}

function putItem(step: WriteStep, type: ItemType, key: Item, values: Values, now: number): Item {
  if (step.allAttributes) return storedItem(type, values.becoming, now);
  const more = Object.entries(resolveAll(step.attributes ?? {}, values.byName));
  return { ...key, ...type.fixed, ...Object.fromEntries(more.filter(([, value]) => !isAbsent(value))) };
}

/** The attributes of the type that are there, its fixed ones, when it expires, and its keys. `now`: in seconds. */
export function storedItem(type: ItemType, thing: Input, now: number): Item {
  const own = type.attributes.filter((name) => Object.hasOwn(thing, name) && !isAbsent(thing[name]));
  const attributes = Object.fromEntries(own.map((name) => [name, thing[name]]));
  return { ...attributes, ...expiry(type, thing, now), ...type.fixed, ...allKeys(type, thing) } as Item;
}

/** What moves keeps the time it was given. */
function expiry({ expires, lifetimeSeconds = 0 }: ItemType, thing: Input, now: number): Input {
  return expires === undefined ? {} : { [expires]: valueOf(thing, expires) ?? now + lifetimeSeconds };
}

/** A delete of what is put at the same time would contradict it: the put alone, with both demands. */
function withoutReplaced(actions: readonly Action[]): Action[] {
  const puts = new Set(actions.filter((each) => each.operation === "PutItem").map((each) => each.key));
  const replaced = actions.filter((each) => each.operation === "DeleteItem" && puts.has(each.key));
  const demands = new Map(replaced.map(({ key, input: { Key: _, ...rest } }) => [key, rest]));
  const left = actions.filter((each) => !replaced.includes(each));
  return left.map((each) => {
    if (each.operation !== "PutItem") return each;
    return { ...each, input: { ...each.input, ...demands.get(each.key) } };
  });
}

/** A transaction has one action for an item: what writes a parent demands it as well, and one check does for all. */
function withoutChecked(actions: readonly Action[]): Action[] {
  const others = actions.filter((each) => !each.isCheck);
  const taken = new Set(others.map((each) => each.key));
  const checks = actions.filter((each) => each.isCheck && !taken.has(each.key));
  return [...others, ...new Map(checks.map((each) => [each.key, each])).values()];
}
