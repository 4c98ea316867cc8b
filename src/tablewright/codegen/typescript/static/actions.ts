/** From the steps of a write to requests: what names mean, which steps are needed, what is put and demanded. */

import { conditionText, Placeholders, unchangedTexts } from "./expressions.js";
import { itemTypes } from "./items.js";
import type { Input, Item, ItemKeys, ItemType, Parameter, WritePattern, WriteStep } from "./model.js";
import { allKeys, isAbsent, isComplete, keyValue, valueOf, withBucket, withShard } from "./templates.js";
import { setValue, updateText } from "./updates.js";
import { same, type Values, valuesOf } from "./values.js";

/** By entity: what the reads found. */
export type Old = ReadonlyMap<string, Item>;

export interface Action {
  readonly operation: WriteStep["operation"];
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

/** `now`: in seconds since 1970. */
export function actionsOf(pattern: WritePattern, input: Input, old: Old, now: number): Action[] {
  const actions = pattern.writes.flatMap((step) => {
    const type = itemTypes[step.item]!;
    const found = old.get(type.entity) ?? {};
    const given = elements(pattern, type.entity, step, input);
    return given.flatMap((each) => actionOf(pattern, step, type, each, found, now));
  });
  return withoutReplaced(actions);
}

function parametersOf(pattern: WritePattern): Parameter[] {
  return pattern.parameters.map((each) => (typeof each === "string" ? { name: each, attribute: each } : each));
}

/** What is given for an item of an entity: nothing that is another entity's; once for every element of a list. */
function elements(pattern: WritePattern, entity: string, step: WriteStep, input: Input): Input[] {
  const others = parametersOf(pattern).filter((each) => each.entity !== undefined && each.entity !== entity);
  const foreign = new Set(others.map((each) => each.name));
  const own = Object.fromEntries(Object.entries(input).filter(([name]) => !foreign.has(name)));
  return step.each ? (input[step.each] as Input[]).map((element) => ({ ...own, ...element })) : [own];
}

function actionOf(
  pattern: WritePattern,
  step: WriteStep,
  type: ItemType,
  given: Input,
  old: Item,
  now: number,
): Action[] {
  const parameters = parametersOf(pattern).filter((each) => each.entity === undefined || each.entity === type.entity);
  const values = valuesOf(pattern.op, parameters, type, given, old);
  const key = keyOf(step, type, values);
  if (key === undefined || isIdle(step, values)) return [];
  const used = new Placeholders();
  const update = step.operation === "UpdateItem" ? updateText(step, type, values, used) : "";
  const body = step.operation === "PutItem" ? { Item: putItem(step, type, key, values, now) } : { Key: key };
  const demands = [
    ...(step.condition ? [conditionText(step.condition, values.byName, used)] : []),
    ...unchangedTexts(step.unchanged ?? [], old, used),
  ];
  const condition = demands.length ? { ConditionExpression: demands.join(" AND ") } : {};
  const changes = update ? { UpdateExpression: update } : {};
  const input = { TableName: step.table, ...body, ...changes, ...condition, ...used.parameters() };
  return [{ operation: step.operation, key: JSON.stringify([step.table, ...Object.values(key).map(String)]), input }];
}

/** Whether all that a step is about stays as it is. */
function isIdle(step: WriteStep, { becoming, old }: Values): boolean {
  const names = step.unlessSame ?? [];
  return names.length > 0 && names.every((name) => same(becoming, old, name));
}

/** The item's key; none where it needs a value that is absent, or one of an item that was not there. */
function keyOf(step: WriteStep, type: ItemType, values: Values): Item | undefined {
  const keys = tableKeys(type);
  const known = withShard(withBucket(values.byName, keys.bucket), type.id, keys.shards ?? 1);
  const templates = Object.entries(step.key);
  if (!templates.every(([, template]) => isComplete(template, known))) return undefined;
  return Object.fromEntries(templates.map(([field, template]) => [field, keyValue(template, known)])) as Item;
}

function tableKeys(type: ItemType): ItemKeys {
  return type.keys.find((each) => each.index === undefined)!;
}

function putItem(step: WriteStep, type: ItemType, key: Item, values: Values, now: number): Item {
  if (step.allAttributes) return storedItem(type, values.becoming, now);
  const more = Object.entries(step.set ?? {}).map(([name, template]) => [name, setValue(template, values)] as const);
  return { ...key, ...type.fixed, ...Object.fromEntries(more.filter(([, value]) => !isAbsent(value))) } as Item;
}

/** The attributes of the type that are there, its fixed ones, when it expires, and its keys. `now`: in seconds. */
export function storedItem(type: ItemType, thing: Input, now: number): Item {
  const own = type.attributes.filter((name) => Object.hasOwn(thing, name) && !isAbsent(thing[name]));
  const attributes = Object.fromEntries(own.map((name) => [name, thing[name]]));
  return { ...attributes, ...expiry(type, thing, now), ...type.fixed, ...allKeys(type, thing) } as Item;
}

/** What moves keeps the time it was given. */
function expiry({ expiry }: ItemType, thing: Input, now: number): Input {
  if (expiry === undefined) return {};
  return { [expiry.attribute]: valueOf(thing, expiry.attribute) ?? now + expiry.seconds };
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
