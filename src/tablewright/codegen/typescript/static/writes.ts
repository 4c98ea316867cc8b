/** Writes: what has to be known is read first, then every step is done, in one transaction where there are several. */

import { DeleteCommand, PutCommand, TransactWriteCommand, type TransactWriteCommandInput, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { type Database, tableName } from "./database.js";
import { NotFoundError, translated } from "./errors.js";
import { conditionText, Placeholders, unchangedTexts } from "./expressions.js";
import { itemTypes } from "./items.js";
import type { Input, Item, ItemKeys, ItemType, Parameter, WritePattern, WriteStep } from "./model.js";
import { readStored } from "./reads.js";
import { allKeys, filled, isAbsent, isComplete, keyValue, onlyName, withBucket, withShard } from "./templates.js";

type Action = { readonly operation: WriteStep["operation"]; readonly key: string; readonly input: { [name: string]: unknown } };

/** What the names of one step mean. */
interface Values {
  readonly old: Item;
  /** Everything a template may name. */
  readonly byName: Input;
  /** The attributes of the item after the write. */
  readonly becoming: Item;
  readonly gone: ReadonlySet<string>;
  /** Parameters of new values that were not given. */
  readonly unsaid: ReadonlySet<string>;
}

/**
 * Does what a pattern says, once for every item that its reads find.
 *
 * @throws ConditionFailedError, TransactionRefusedError: nothing was written.
 * @throws NotFoundError: there is nothing to change or to delete.
 */
export async function write(db: Database, what: string, pattern: WritePattern, input: object): Promise<void> {
  const given = input as Input;
  for (const old of await subjects(db, what, pattern, given)) {
    try {
      await send(db, actionsOf(pattern, given, old), pattern.transaction ?? false);
    } catch (error) {
      throw translated(error, what);
    }
  }
}

/** By entity what the reads found, one for every time the steps are done. */
async function subjects(db: Database, what: string, pattern: WritePattern, input: Input): Promise<Map<string, Item>[]> {
  const reads = pattern.reads ?? [];
  if (!reads.length) return [new Map()];
  const answers = await Promise.all(reads.map((step) => readStored(db, [step], input)));
  if (pattern.entities.length > 1) {
    if (answers.some((items) => !items.length)) throw new NotFoundError(`${what}: there is no such item`);
    return [new Map(reads.map((step, at) => [step.entities[0]!, answers[at]![0]!]))];
  }
  const found = answers.at(-1)!.map((item) => new Map([[pattern.entities[0]!, item]]));
  if (found.length) return found;
  if (pattern.op === "put") return [new Map()];
  throw new NotFoundError(`${what}: there is no such item`);
}

// ---- from steps to requests -----------------------------------------------------------------------------------------

function actionsOf(pattern: WritePattern, input: Input, old: Map<string, Item>): Action[] {
  const actions = pattern.writes.flatMap((step) => {
    const type = itemTypes[step.item]!;
    return elements(pattern, type.entity, step, input).flatMap((given) => actionOf(pattern, step, type, given, old.get(type.entity) ?? {}));
  });
  return withoutReplaced(actions);
}

function parametersOf(pattern: WritePattern): Parameter[] {
  return pattern.parameters.map((each) => (typeof each === "string" ? { name: each, attribute: each } : each));
}

/** What is given for an item of an entity: nothing that is another entity's; once for every element of a list. */
function elements(pattern: WritePattern, entity: string, step: WriteStep, input: Input): Input[] {
  const foreign = new Set(parametersOf(pattern).filter((each) => each.entity !== undefined && each.entity !== entity).map((each) => each.name));
  const own = Object.fromEntries(Object.entries(input).filter(([name]) => !foreign.has(name)));
  return step.each ? (input[step.each] as Input[]).map((element) => ({ ...own, ...element })) : [own];
}

function actionOf(pattern: WritePattern, step: WriteStep, type: ItemType, given: Input, old: Item): Action[] {
  const values = valuesOf(pattern, type, given, old);
  const templates = Object.values(step.key);
  if (!Object.keys(old).length && templates.some((each) => each.includes("{old."))) return []; // nothing can be in the way
  if (step.unlessSame?.length && step.unlessSame.every((name) => same(values.becoming[name], old[name]))) return [];
  const keys = tableKeys(type);
  const known = withShard(withBucket(values.byName, keys.bucket), type.id, keys.shards ?? 1);
  if (!templates.every((each) => isComplete(each, known))) return [];
  const key = Object.fromEntries(Object.entries(step.key).map(([field, template]) => [field, keyValue(template, known)]));
  const used = new Placeholders();
  const body =
    step.operation === "PutItem"
      ? { Item: putItem(step, type, key as Item, values) }
      : { Key: key, ...(step.operation === "UpdateItem" ? { UpdateExpression: updateText(step, type, values, used) } : {}) };
  const conditions = [
    ...(step.condition ? [conditionText(step.condition, values.byName, used)] : []),
    ...unchangedTexts(step.unchanged ?? [], old, used),
  ];
  const condition = conditions.length ? { ConditionExpression: conditions.join(" AND ") } : {};
  const input = { TableName: step.table, ...body, ...condition, ...used.parameters() };
  return [{ operation: step.operation, key: JSON.stringify([step.table, ...Object.values(key)]), input }];
}

function tableKeys(type: ItemType): ItemKeys {
  return type.keys.find((each) => each.index === undefined)!;
}

function valuesOf(pattern: WritePattern, type: ItemType, given: Input, old: Item): Values {
  const attributes = new Map(
    parametersOf(pattern).filter((each) => each.entity === undefined || each.entity === type.entity).map((each) => [each.name, each.attribute]),
  );
  const known = new Set(type.attributes);
  const becoming: Item = { ...old };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const attribute = attributes.get(name);
    if (attribute !== undefined && attribute !== name) becoming[attribute] = value as Item[string];
    else if (known.has(name)) becoming[name] = value as Item[string];
  }
  const unsaid = [...attributes].filter(([name, attribute]) => attribute !== undefined && given[name] === undefined);
  const byName = {
    ...old,
    ...Object.fromEntries(unsaid.map(([name, attribute]) => [name, old[attribute!]])),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(Object.entries(old).map(([name, value]) => [`old.${name}`, value])),
  };
  const gone = new Set(Object.keys(becoming).filter((name) => becoming[name] === null));
  const stays = Object.fromEntries(Object.entries(becoming).filter(([name]) => !gone.has(name)));
  return { old, byName, becoming: stays, gone, unsaid: new Set(unsaid.map(([name]) => name)) };
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

function putItem(step: WriteStep, type: ItemType, key: Item, values: Values): Item {
  if (step.allAttributes) return storedItem(type, values.becoming);
  const more = Object.entries(step.set ?? {}).map(([name, template]) => [name, setValue(template, values)] as const);
  return { ...key, ...type.fixed, ...Object.fromEntries(more.filter(([, value]) => !isAbsent(value))) } as Item;
}

/** The attributes of the type that are there, its fixed ones and its keys. */
export function storedItem(type: ItemType, thing: Input): Item {
  const own = type.attributes.filter((name) => !isAbsent(thing[name])).map((name) => [name, thing[name]]);
  return { ...Object.fromEntries(own), ...type.fixed, ...allKeys(type, thing) } as Item;
}

function setValue(template: string, values: Values): unknown {
  if (template === "{*}") return values.becoming;
  const name = onlyName(template);
  return name === undefined ? filled(template, values.byName) : values.byName[name];
}

// ---- updates --------------------------------------------------------------------------------------------------------

function updateText(step: WriteStep, type: ItemType, values: Values, used: Placeholders): string {
  const sets: string[] = [];
  const removes = (step.remove ?? []).map((name) => path(name, values, used));
  for (const [name, template] of Object.entries(step.set ?? {})) {
    const value = changed(name, template, type, values);
    if (value === undefined) continue;
    if (value === null) removes.push(path(name, values, used));
    else sets.push(`${path(name, values, used)} = ${used.value(value)}`);
  }
  const adds = Object.entries(step.add ?? {}).map(([name, said]) => `${path(name, values, used)} ${used.value(amount(said, values))}`);
  const pieces = [sets.length ? `SET ${sets.join(", ")}` : "", removes.length ? `REMOVE ${removes.join(", ")}` : "", adds.length ? `ADD ${adds.join(", ")}` : ""];
  return pieces.filter(Boolean).join(" ");
}

/** The new value of an attribute or key field: undefined to leave it alone, null to remove it. */
function changed(name: string, template: string, type: ItemType, values: Values): unknown {
  const keys = type.keys.find((each) => name in each.fields);
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
  return keys.needs.every((name) => name in values.becoming || (unread && !values.gone.has(name)));
}

/** A path to an attribute or to an entry of a map, whose name may be a value. */
function path(name: string, values: Values, used: Placeholders): string {
  const parts = name.split(".").map((part) => {
    const only = onlyName(part);
    return used.name(only === undefined ? part : String(values.byName[only]));
  });
  return parts.join(".");
}

/** A number, a value, either with a sign, or a difference of two values; what is absent counts 0. */
function amount(said: string, values: Values): number {
  let total = 0;
  for (const [, sign, word] of said.matchAll(/(-?)\s*(\{[^{}]+\}|\d+(?:\.\d+)?)/g)) {
    const only = onlyName(word!);
    const value = only === undefined ? Number(word) : Number(values.byName[only] ?? 0);
    total += sign ? -value : value;
  }
  return total;
}

// ---- sending --------------------------------------------------------------------------------------------------------

/** A delete of what is put at the same time would contradict it: the put alone, with both demands. */
function withoutReplaced(actions: readonly Action[]): Action[] {
  const puts = new Set(actions.filter((each) => each.operation === "PutItem").map((each) => each.key));
  const deletes = new Map(actions.filter((each) => each.operation === "DeleteItem" && puts.has(each.key)).map((each) => [each.key, each]));
  return actions
    .filter((each) => !(each.operation === "DeleteItem" && deletes.has(each.key)))
    .map((each) => {
      const replaced = each.operation === "PutItem" ? deletes.get(each.key) : undefined;
      if (replaced === undefined) return each;
      const { Key: _, ...demands } = replaced.input;
      return { ...each, input: { ...each.input, ...demands } };
    });
}

async function send(db: Database, actions: readonly Action[], transaction: boolean): Promise<void> {
  const named = actions.map((each) => ({ ...each, input: { ...each.input, TableName: tableName(db, String(each.input["TableName"])) } }));
  if (transaction) {
    if (named.length) await db.client.send(new TransactWriteCommand({ TransactItems: named.map(transactItem) }));
    return;
  }
  for (const { operation, input } of named) {
    if (operation === "PutItem") await db.client.send(new PutCommand(input as never));
    else if (operation === "UpdateItem") await db.client.send(new UpdateCommand(input as never));
    else await db.client.send(new DeleteCommand(input as never));
  }
}

type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

function transactItem({ operation, input }: Action): TransactItem {
  return { [operation.replace("Item", "")]: input } as TransactItem;
}
