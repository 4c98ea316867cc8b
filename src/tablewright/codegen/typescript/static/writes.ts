/** Writes: what has to be known is read first, then every step is done, in one transaction where there are several. */

import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { type Action, actionsOf, type Old } from "./actions.js";
import { type Database, pause, tableName } from "./database.js";
import { isConflict, NotFoundError, translated } from "./errors.js";
import type { Input, WritePattern } from "./model.js";
import { readStored } from "./reads.js";

const MOST_TRIES = 5;

/**
 * Does what a pattern says, once for every item that its reads find.
 *
 * @throws ConditionFailedError, TransactionRefusedError: nothing was written.
 * @throws NotFoundError: there is nothing to change or to delete.
 */
export async function write(db: Database, what: string, pattern: WritePattern, input: object): Promise<void> {
  const given = input as Input;
  const now = Math.floor((db.now?.() ?? Date.now()) / 1000);
  for (const old of await subjects(db, what, pattern, given)) {
    try {
      await send(db, actionsOf(pattern, given, old, now), pattern.transaction ?? false);
    } catch (error) {
      throw translated(error, what);
    }
  }
}

/** By entity what the reads found, one for every time the steps are done. */
async function subjects(db: Database, what: string, pattern: WritePattern, input: Input): Promise<Old[]> {
  const reads = pattern.reads ?? [];
  if (!reads.length) return [new Map()];
  const answers = await Promise.all(reads.map((step) => readStored(db, [step], input)));
  const missing = new NotFoundError(`${what}: there is no such item`);
  if (pattern.entities.length > 1) {
    if (answers.some((items) => !items.length)) throw missing;
    return [new Map(reads.map((step, at) => [step.entities[0]!, answers[at]![0]!]))];
  }
  const found = answers.at(-1)!.map((item) => new Map([[pattern.entities[0]!, item]]));
  if (found.length) return found;
  if (pattern.op === "put") return [new Map()];
  throw missing;
}

// ---- sending --------------------------------------------------------------------------------------------------------

async function send(db: Database, actions: readonly Action[], transaction: boolean): Promise<void> {
  const named = actions.map(({ operation, input }) => ({
    operation,
    input: { ...input, TableName: tableName(db, input.TableName) },
  }));
  if (!transaction) for (const each of named) await sendOne(db, each);
  else if (named.length) await sendTogether(db, named.map(transactItem));
}

type Sent = Pick<Action, "operation" | "input">;
type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

async function sendOne(db: Database, { operation, input }: Sent): Promise<void> {
  if (operation === "PutItem") await db.client.send(new PutCommand({ Item: {}, ...input }));
  else if (operation === "UpdateItem") await db.client.send(new UpdateCommand({ Key: {}, ...input }));
  else await db.client.send(new DeleteCommand({ Key: {}, ...input }));
}

function transactItem({ operation, input }: Sent): TransactItem {
  return { [operation.replace("Item", "")]: input } as TransactItem;
}

/**
 * One transaction. The SDK marks it with a ClientRequestToken, so that its own retries do nothing twice. Where another
 * one was under way on the same items, and nothing else was wrong, it is tried again.
 */
async function sendTogether(db: Database, items: TransactItem[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await db.client.send(new TransactWriteCommand({ TransactItems: items }));
      return;
    } catch (error) {
      if (tries === MOST_TRIES || !isConflict(error)) throw error;
      await pause(tries);
    }
  }
}
