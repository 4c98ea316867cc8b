/** Items and compiled requests of a design, as the functions of this package hold them. */

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

// ---- values and expressions -----------------------------------------------------------------------------------------

/**
 * Where the value of that name stands. In a read it is an input, or an attribute of the item that an earlier step
 * found; in a write an input, or else the attribute of the item that the reads found. `old.name` is always the latter,
 * `new.name` the attribute as the write leaves it, `*` the item as it will be; `_shard`, `_bucket` and `_earliest`
 * follow from the other values, as do `_from`, `_to` and `_value`: what these begin with. `_copy` is the number of any
 * one of a step's copies. `_now` is the time of the call, `_expires` when an item goes that is written now, both
 * in whole seconds since 1970.
 */
export interface Slot {
  readonly slot: string;
}

/** Text in which slots are written as keys have them. */
export type Text = readonly (string | Slot)[];

/** A slot is the value as it is; whatever is neither slot nor text (an empty map, say) stands for itself. */
export type Operand = Slot | Text | string | number | boolean | Readonly<Record<string, never>>;

export type Operands = { readonly [name: string]: Operand };

/** Numbers and slots, each with its sign; what is absent counts 0. */
export interface Sum {
  readonly terms: readonly (readonly [1 | -1, Slot | number])[];
}

/** Text as DynamoDB takes it, and what its placeholders stand for. A slot's value names an entry of a map. */
export interface Expression {
  readonly text: string;
  readonly names?: { readonly [placeholder: string]: string | Slot };
  readonly values?: Operands;
}

/** A demand on an item at hand; without the attribute it does not pass. */
export interface Demand {
  readonly attribute: string;
  readonly operator: "=" | "<>" | "<" | "<=" | ">" | ">=" | "between" | "begins_with" | "in" | "exists";
  readonly values?: readonly Operand[];
}

/** `_bucket` is what this attribute begins with, so many characters of it. */
export interface Bucket {
  readonly attribute: string;
  readonly length: number;
}

// ---- items ----------------------------------------------------------------------------------------------------------

export interface ItemKeys {
  readonly index?: string;
  /** Without these an item is not in the index. */
  readonly needs: readonly string[];
  readonly fields: Operands;
  readonly shards?: number;
  readonly bucket?: Bucket;
  /** The item is in the index only while these attributes have these values; null stands for any value. */
  readonly when?: Input;
}

export interface ItemType {
  readonly entity: string;
  readonly table: string;
  readonly id: readonly string[];
  readonly attributes: readonly string[];
  /** Attributes with a constant value. */
  readonly fixed?: { readonly [name: string]: Value };
  readonly keys?: readonly ItemKeys[];
  /** A put says in this attribute when the item goes: so many seconds after it was written. */
  readonly expires?: string;
  readonly lifetimeSeconds?: number;
  /** Each is an attribute of the item of its period, named by its value of this. */
  readonly packedBy?: string;
}

/** The sort attributes of a table or index, and all that a page has to begin behind. */
export interface IndexKeys {
  readonly sort: readonly string[];
  readonly all: readonly string[];
}

// ---- reads ----------------------------------------------------------------------------------------------------------

/**
 * Entries are all attributes of an item but the shared ones and what is hidden, by their names, which are the values of
 * `entry`. Who asks for some asks for as many items as usually have them, and one more.
 */
export interface Packed {
  readonly entry: string;
  readonly shared: readonly string[];
  readonly usual: number;
}

/** The answer is the entries of a map, each labelled as what it is; before them their holder, if that is asked for. */
export interface Unfold {
  readonly attribute: string;
  readonly label: string;
  readonly withHolder?: boolean;
  /** No map: the attributes of the item itself. */
  readonly packed?: Packed;
}

/** The attributes that two lists are ordered by; an item without one of them stands at the end, or the beginning. */
export interface Merge {
  readonly attributes: readonly string[];
  readonly absentFirst?: boolean;
}

/** GetItem and BatchGetItem have a key, and demands on what they find; Query has a condition and a filter. */
export interface ReadStep {
  readonly operation: "GetItem" | "Query" | "BatchGetItem";
  readonly table: string;
  readonly index?: string;
  readonly key?: Operands;
  readonly condition?: Expression;
  readonly filter?: Expression;
  readonly demands?: readonly Demand[];
  readonly projection?: Expression;
  readonly backwards?: boolean;
  readonly limit?: number;
  /** The entity whose one item comes before all others, and is not counted by the limit. */
  readonly beside?: string;
  /** False where a filter may drop items: then the limit is not sent. */
  readonly sendsLimit?: boolean;
  readonly consistent?: boolean;
  /** Above 1: any one of so many copies is asked, with its number, from 1 on, as `_copy`. */
  readonly copies?: number;
  readonly shards?: number;
  readonly shardOf?: readonly string[];
  /** Asked once for every combination of these values; for `_bucket` once for every bucket between `from` and `to`. */
  readonly forEach?: { readonly [name: string]: readonly string[] };
  readonly bucket?: Bucket;
  /** Asked bucket after bucket, between that of this time and that of now, until the limit is reached. */
  readonly since?: string;
  /** `_earliest` is `from` less this, of times so many seconds. */
  readonly longest?: number;
  readonly entities: readonly string[];
  /** The earlier step whose items give the values of this one, one request or key for each. */
  readonly keysFrom?: number;
  /** What is found completes the earlier items with the same id. */
  readonly joins?: boolean;
  /** Attributes of what is found, each by its name in the answer; of what joins these alone. In a write: by input. */
  readonly takes?: { readonly [name: string]: string };
  readonly unfold?: Unfold;
  /** In a write: what it looks for may be missing. */
  readonly optional?: boolean;
  /** Goes on with the list of the step before it, for what that lacks of its limit. */
  readonly continues?: boolean;
  /** Its items and those of the list before it are one list in this order, with one limit. */
  readonly merges?: Merge;
  /** What has this attribute, and at most the time of the call in it, is left out. */
  readonly unexpired?: string;
  /** The input whose elements give the values of one key each. */
  readonly each?: string;
  /** The limit counts the earlier step's items, also those whose own are gone. */
  readonly countsGone?: boolean;
}

// ---- writes ---------------------------------------------------------------------------------------------------------

/**
 * A part of an update. An attribute goes where its new value is absent, and is left alone where that is an input that
 * was not given; a key field is filled as the item's keys are, and goes where the item as it becomes is not in there.
 */
export interface Change {
  readonly action: "SET" | "REMOVE" | "ADD";
  readonly path: Expression;
  readonly placeholder?: string;
  readonly value?: Operand | Sum;
  readonly keyField?: string;
  /** What a SET assigns, where that is not the placeholder alone: `if_not_exists(#stock, :v1) + :v0`. */
  readonly assigned?: string;
}

/** Refused unless an attribute is as the reads found it; the placeholders of the attribute and of its value. */
export interface Unchanged {
  readonly attribute: string;
  readonly name: string;
  readonly value: string;
  /** Of another entity's item: the input that a read took it as. */
  readonly taken?: string;
}

export interface WriteStep {
  readonly operation: "PutItem" | "UpdateItem" | "DeleteItem" | "ConditionCheck";
  readonly item: string;
  readonly table: string;
  readonly key: Operands;
  readonly allAttributes?: boolean;
  readonly attributes?: Operands;
  readonly changes?: readonly Change[];
  readonly condition?: Expression;
  readonly unchanged?: readonly Unchanged[];
  /** Left out when all these attributes stay as they are; */
  readonly unlessSame?: readonly string[];
  /** left out when they do not. */
  readonly ifSame?: readonly string[];
  /** Left out unless these, the first that differs deciding, are greater than the inputs `ITEM.attribute`, if any. */
  readonly ifNewer?: readonly string[];
  readonly each?: string;
  /**
   * The entity whose inputs and found item its names mean, where that is not the item's own: the check of a parent. Its
   * `attributes` then are the values that the key is filled from.
   */
  readonly namesOf?: string;
}

/** What the caller of a write brings. */
export interface Parameter {
  readonly name: string;
  readonly attribute?: string;
  readonly entity?: string;
}

/** What an input must be like, or an attribute of every element of the list `each`; a slot as default is the time. */
export interface Rule {
  readonly input: string;
  readonly each?: string;
  readonly default?: string | number | boolean | Slot;
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** It may lie at most `longest` behind this input, of times in seconds. */
  readonly start?: string;
  readonly longest?: number;
  /** One of the two is not given without the other. */
  readonly together?: boolean;
}

export interface WritePattern {
  readonly op: "put" | "update" | "delete" | "transact";
  readonly entities: readonly string[];
  /** A name alone is the attribute of that name. */
  readonly inputs?: readonly (Parameter | string)[];
  /** These come before everything else. */
  readonly rules?: readonly Rule[];
  readonly reads?: readonly ReadStep[];
  readonly writes: readonly WriteStep[];
  readonly transaction?: boolean;
  /** Entities of a transaction of whose old items nothing stays. */
  readonly puts?: readonly string[];
  /** Entities whose whole items the reads find. */
  readonly seen?: readonly string[];
  /** By entity what attributes become without being given: a constant, null (it goes), or a sum added to what was. */
  readonly becomes?: { readonly [entity: string]: { readonly [name: string]: Operand | Sum | null } };
  /** Always a transaction, with the input `request_token` as its ClientRequestToken. */
  readonly idempotent?: boolean;
  /** Entities whose items it deletes, where something goes with them. */
  readonly deleted?: readonly string[];
  readonly cascades?: readonly Cascade[];
  readonly resumes?: boolean; // so too where the reads find no item
  readonly refreshes?: readonly Refresh[];
}

/**
 * Copies that other items keep of the one that is updated, set in its transaction. The reads of `updates` find these
 * items, a slot being an attribute of the updated item's id; `by` says which attribute of what is found has its value.
 * The writes are done for each, a slot being an attribute of that, or a copy with its new value, which is the input
 * that `given` says; `checks` are done once.
 */
export interface Refresh {
  readonly by: { readonly [name: string]: string };
  readonly given?: { readonly [copy: string]: string };
  readonly updates: WritePattern;
  readonly checks?: readonly WriteStep[];
  /** Also where none of the inputs is given. */
  readonly always?: boolean;
}

/**
 * What goes with an item of the entity `of` that is deleted. The reads of `deletes` find it, a slot being an attribute
 * of the deleted item's id; `by` says which attribute of what is found has its value. The writes are done for each.
 */
export interface Cascade {
  readonly of: string;
  readonly by: { readonly [name: string]: string };
  readonly deletes: WritePattern;
}
