/** What a design says about items and requests, as the functions of this package hold it. */

/** Whatever an attribute may hold; whole numbers that `number` cannot hold exactly are read as `bigint`. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | Value[]
  | Set<string | number>
  | { [name: string]: Value };

export type Item = { [name: string]: Value };
export type Input = { readonly [name: string]: unknown };

/** By key field: a template such as `ORDER#{orderId}`. */
export type Templates = { readonly [field: string]: string };

export interface ItemKeys {
  readonly index?: string;
  /** Without these an item is not in the index. */
  readonly needs: readonly string[];
  /** The item is in the index only while these attributes have these values. */
  readonly when?: Input;
  readonly fields: Templates;
  readonly shards?: number;
  /** As in `createdAt:7`: `{_bucket}` is what that attribute begins with, so many characters of it. */
  readonly bucket?: string;
}

export interface ItemType {
  readonly entity: string;
  readonly table: string;
  readonly id: readonly string[];
  readonly attributes: readonly string[];
  /** Attributes with a constant value. */
  readonly fixed: { readonly [name: string]: Value };
  readonly keys: readonly ItemKeys[];
  /** A put says in this attribute when the item goes: so many seconds after it was written. */
  readonly expiry?: { readonly attribute: string; readonly seconds: number };
  /** An embedded type lives in this map of its holder. */
  readonly inside?: string;
  readonly holder?: string;
}

export interface Filter {
  readonly attribute: string;
  readonly operator: "=" | "gt" | "gte" | "lt" | "lte" | "between" | "begins_with" | "in";
  readonly values: readonly (string | number | boolean)[];
}

export interface SortCondition {
  readonly field: string;
  readonly operator: "=" | "begins_with" | "between" | "<" | "<=" | ">" | ">=";
  readonly low: string;
  readonly high?: string;
}

export interface ReadStep {
  readonly operation: "GetItem" | "Query" | "BatchGetItem";
  readonly table: string;
  readonly index?: string;
  readonly pk: Templates;
  readonly sk?: readonly SortCondition[];
  readonly filters?: readonly Filter[];
  readonly backwards?: boolean;
  readonly limit?: number;
  readonly consistent?: boolean;
  readonly projection?: readonly string[];
  readonly entities: readonly string[];
  readonly shards?: number;
  readonly shardOf?: readonly string[];
  /** Asked once for every combination of these values; for `_bucket` once for every bucket between `from` and `to`. */
  readonly forEach?: { readonly [name: string]: readonly string[] };
  readonly bucket?: string;
  /** The earlier step whose items give the values of this one, one request or key for each. */
  readonly keysFrom?: number;
  /** What is found completes the earlier items with the same id. */
  readonly joins?: boolean;
  /** The answer is the values of this map. */
  readonly unfold?: string;
}

export interface WriteStep {
  readonly operation: "PutItem" | "UpdateItem" | "DeleteItem" | "ConditionCheck";
  readonly item: string;
  readonly table: string;
  readonly key: Templates;
  readonly allAttributes?: boolean;
  readonly set?: Templates;
  readonly add?: Templates;
  readonly remove?: readonly string[];
  readonly condition?: string;
  readonly unchanged?: readonly string[];
  readonly unlessSame?: readonly string[];
  readonly each?: string;
}

export interface Parameter {
  readonly name: string;
  readonly attribute?: string;
  readonly entity?: string;
}

export interface WritePattern {
  readonly op: "put" | "update" | "delete" | "transact";
  readonly entities: readonly string[];
  /** A name alone is the attribute of that name. */
  readonly parameters: readonly (Parameter | string)[];
  readonly reads?: readonly ReadStep[];
  readonly writes: readonly WriteStep[];
  readonly transaction?: boolean;
}
