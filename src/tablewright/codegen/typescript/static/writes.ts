/** Writes: what has to be known is read first, then every step is done, in one transaction where there are several. */

import { type Action, actionsOf, type Old } from "./actions.js";
import { deleteAlong } from "./cascades.js";
import { type Database, secondsNow } from "./database.js";
import { NotFoundError, translated } from "./errors.js";
import type { Input, ReadStep, WritePattern } from "./model.js";
import { readStored } from "./reads.js";
import { sendOne, sendTogether } from "./sending.js";

/**
 * Does what a pattern says, once for every item that its reads find.
 *
 * @throws ConditionFailedError, TransactionRefusedError: nothing was written.
 * @throws NotFoundError: there is nothing to change or to delete.
 */
export async function write(db: Database, what: string, pattern: WritePattern, input: object): Promise<void> {
  const given = input as Input;
  const now = secondsNow(db);
  const found = await subjects(db, pattern, given);
  if (found === undefined) {
    if (pattern.resumes) await deleteAlong(db, pattern, given, new Map(), now); // a run may have stopped halfway
    throw new NotFoundError(`${what}: there is no such item`);
  }
  for (const old of found) {
    try {
      await send(db, pattern, actionsOf(pattern, given, old, now), given);
    } catch (error) {
      throw translated(error, what);
    }
    await deleteAlong(db, pattern, given, old, now);
  }
}

/** By entity what the reads found, one for every time the steps are done; nothing where something is missing. */
async function subjects(db: Database, pattern: WritePattern, input: Input): Promise<Old[] | undefined> {
  const reads = pattern.reads ?? [];
  const answers = await Promise.all(reads.map((step) => readStored(db, [step], input)));
  const mayMiss = (step: ReadStep) => step.optional || pattern.op === "put";
  if (reads.some((step, at) => !answers[at]!.length && !mayMiss(step))) return undefined;
  const byEntity = new Map(reads.map((step, at) => [step.entities[0]!, answers[at]!]));
  const first = new Map([...byEntity].flatMap(([entity, items]) => (items[0] ? [[entity, items[0]] as const] : [])));
  const [entity] = pattern.entities;
  if (pattern.entities.length > 1 || entity === undefined) return [first];
  const several = (byEntity.get(entity) ?? []).map((item) => new Map([...first, [entity, item]]));
  return several.length ? several : [first];
}

async function send(db: Database, pattern: WritePattern, actions: readonly Action[], given: Input): Promise<void> {
  const token = pattern.idempotent ? String(given["request_token"]) : undefined;
  if (!pattern.transaction) for (const each of actions) await sendOne(db, each);
  else if (actions.length) await sendTogether(db, actions, token);
}
