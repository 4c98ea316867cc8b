/** The connection, and the names of tables where they differ from the design's. */

import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

export interface Database {
  readonly client: DynamoDBDocumentClient;
  /** By the design's name: what a table is called where this runs. */
  readonly tables?: { readonly [name: string]: string };
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
