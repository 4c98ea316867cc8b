/** Writes on their way: one by one, or all in one transaction. */

import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type { Action } from "./actions.js";
import { type Database, pause, tableName } from "./database.js";
import { isConflict, isUsedToken } from "./errors.js";

const MOST_TRIES = 5;

type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

export async function sendOne(db: Database, { operation, input }: Action): Promise<void> {
  const named = { ...input, TableName: tableName(db, input.TableName) };
  if (operation === "PutItem") await db.client.send(new PutCommand({ Item: {}, ...named }));
  else if (operation === "UpdateItem") await db.client.send(new UpdateCommand({ Key: {}, ...named }));
  else await db.client.send(new DeleteCommand({ Key: {}, ...named }));
}

/**
 * One transaction. Without a token of the caller's the SDK marks it with one of its own, so that its retries do nothing
 * twice. Where another one was under way on the same items, and nothing else was wrong, it is tried again.
 */
export async function sendTogether(db: Database, actions: readonly Action[], token?: string): Promise<void> {
  const items = actions.map(({ operation, input }) => {
    const named = { ...input, TableName: tableName(db, input.TableName) };
    return { [operation.replace("Item", "")]: named } as TransactItem;
  });
  const marked = token === undefined ? {} : { ClientRequestToken: token };
  for (let tries = 1; ; tries++) {
    try {
      await db.client.send(new TransactWriteCommand({ TransactItems: items, ...marked }));
      return;
    } catch (error) {
      if (token !== undefined && isUsedToken(error)) return; // what the reads found has changed since: it is done
      if (tries === MOST_TRIES || !isConflict(error)) throw error;
      await pause(tries);
    }
  }
}
