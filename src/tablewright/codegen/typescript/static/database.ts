/** The connection, and the names of tables where they differ from the design's. */

import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

export interface Database {
  readonly client: DynamoDBDocumentClient;
  /** By the design's name: what a table is called where this runs. */
  readonly tables?: { readonly [name: string]: string };
  /** The time, in milliseconds since 1970, that items expire after; left out, the computer's. */
  readonly now?: () => number;
}

/** A database on a new client; give an endpoint to talk to a local one. */
export function connect(config: DynamoDBClientConfig = {}, tables: Database["tables"] = {}): Database {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(config), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return { client, tables };
}

export function tableName(db: Database, name: string): string {
  return db.tables?.[name] ?? name;
}

/** The time in milliseconds since 1970. */
export function millisecondsNow(db: Database): number {
  return db.now?.() ?? Date.now();
}

/** The time in whole seconds since 1970. */
export function secondsNow(db: Database): number {
  return Math.floor(millisecondsNow(db) / 1000);
}

const SHORTEST_MS = 25;
const LONGEST_MS = 5000;

/** Waits before another try: twice as long each time, and never all callers at once. */
export async function pause(tries: number): Promise<void> {
  const longest = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** tries);
  await wait(longest * (0.5 + Math.random() / 2));
}

export async function wait(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
