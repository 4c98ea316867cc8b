/** Writes: what has to be known is read first, then every step is done, in one transaction where there are several. */

import { type Action, actionsOf, type AllFound, type Old } from "./actions.js";
import { deleteAlong } from "./cascades.js";
import { type Database, millisecondsNow } from "./database.js";
import { isRefused, NotFoundError, translated } from "./errors.js";
import { resolveAll } from "./keys.js";
import type { Input, Item, ReadStep, WritePattern } from "./model.js";
import { readStored } from "./reads.js";
import { refresh } from "./refreshes.js";
import { withRules } from "./rules.js";
import { sendOne, sendTogether } from "./sending.js";

/**
 * Does what a pattern says, once for every item that its reads find.
 *
 * @throws ConditionFailedError, TransactionRefusedError: nothing was written.
 * @throws NotFoundError: there is nothing to change or to delete.
 * @throws InvalidValueError: a value is not as it must be.
 */
export async function write(db: Database, what: string, pattern: WritePattern, input: object): Promise<void> {
  const exact = millisecondsNow(db);
  const now = Math.floor(exact / 1000);
  const given = withRules(what, pattern, input as Input, exact);
  const read = await readFirst(db, pattern, given);
  if (read === undefined) {
    if (pattern.resumes) return deleteAlong(db, pattern, given, new Map(), now); // a run may have stopped halfway
    if (await isDone(db, pattern, given)) return;
    throw new NotFoundError(`${what}: there is no such item`);
  }
  const { found, taken } = read;
  const known = { ...given, ...taken };
  for (const old of subjects(pattern, found)) {
    try {
      const own = actionsOf(pattern, known, old, now, found);
      await send(db, pattern, [...own, ...(await refresh(db, pattern, known, old, now))], known);
    } catch (error) {
      throw translated(error, what);
    }
    await deleteAlong(db, pattern, known, old, now);
  }
}

/** By entity what the reads found, and the inputs that are taken of others. */
interface ReadBefore {
  readonly found: AllFound;
  readonly taken: Input;
}

/** Nothing where something is missing. */
async function readFirst(db: Database, pattern: WritePattern, input: Input): Promise<ReadBefore | undefined> {
  const chains = chainsOf(pattern.reads ?? []);
  const answers = await Promise.all(chains.map((chain) => readStored(db, chain, input)));
  const mayMiss = (step: ReadStep) => step.optional || pattern.op === "put";
  const last = chains.map((chain) => chain.at(-1)!);
  if (last.some((step, at) => !answers[at]!.length && !mayMiss(step))) return undefined;
  const own = [...last.entries()].filter(([, step]) => step.takes === undefined);
  const found = new Map(own.map(([at, step]) => [step.entities[0]!, answers[at]!]));
  return { found, taken: takenBy(last, answers) };
}

function takenBy(steps: readonly ReadStep[], answers: readonly (readonly Item[])[]): Input {
  const names = steps.flatMap((step, at) =>
    Object.keys(step.takes ?? {}).map((name) => [name, answers[at]![0]] as const),
  );
  const there = names.flatMap(([name, item]) =>
    item && Object.hasOwn(item, name) ? [[name, item[name]] as const] : [],
  );
  return Object.fromEntries(there);
}

/** Each read by itself, or behind the one that its key comes from. */
function chainsOf(reads: readonly ReadStep[]): ReadStep[][] {
  const found: ReadStep[][] = [];
  for (const step of reads) {
    const before = found.at(-1);
    if (step.keysFrom === undefined || before === undefined) found.push([step]);
    else before.push({ ...step, keysFrom: before.length - 1 });
  }
  return found;
}

/** By entity an item that was found, one for every time the steps are done. */
function subjects(pattern: WritePattern, found: AllFound): Old[] {
  const first = new Map([...found].flatMap(([entity, items]) => (items[0] ? [[entity, items[0]] as const] : [])));
  const [entity] = pattern.entities;
  if (pattern.entities.length > 1 || entity === undefined) return [first];
  const several = (found.get(entity) ?? []).map((item) => new Map([...first, [entity, item]]));
  return several.length ? several : [first];
}

async function send(db: Database, pattern: WritePattern, actions: readonly Action[], given: Input): Promise<void> {
  const token = pattern.idempotent ? String(given["request_token"]) : undefined;
  if (!pattern.transaction) for (const each of actions) await sendOne(db, each);
  else if (actions.length) await sendTogether(db, actions, token);
}

/**
 * Whether the same token has done it before, so that what it found is gone. A transaction that can never happen asks
 * for the token: it is refused for its condition, or because the token was used.
 */
async function isDone(db: Database, pattern: WritePattern, given: Input): Promise<boolean> {
  const step = pattern.writes[0];
  if (!pattern.idempotent || step === undefined) return false;
  const fields = Object.entries(resolveAll(step.key, given));
  const key = Object.fromEntries(fields.map(([name, each]) => [name, each || "-"]));
  const [pk] = Object.keys(key);
  const isUpdate = step.operation === "UpdateItem";
  const input = {
    TableName: step.table,
    ...(step.operation === "PutItem" ? { Item: key } : { Key: key }),
    ...(isUpdate ? { UpdateExpression: "REMOVE #nothing" } : {}),
    ConditionExpression: "attribute_exists(#pk) AND attribute_not_exists(#pk)",
    ExpressionAttributeNames: { "#pk": pk!, ...(isUpdate ? { "#nothing": "nothing" } : {}) },
  };
  try {
    const impossible = { operation: step.operation, isCheck: false, key: "", input };
    await sendTogether(db, [impossible], String(given["request_token"]));
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}
