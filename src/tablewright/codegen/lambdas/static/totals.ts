/**
 * Keeps totals by the changes of items: each record adds once, however often it comes.
 *
 * What a record adds is written in one transaction with a marker of that record. Of many records, all that fall on one
 * total are one update of it. A transaction that finds a marker is refused, and goes again without the records that were
 * added before. Numbers are added as DynamoDB adds them, digit by digit: those of this language would lose some.
 */

import { type AttributeValue, TransactWriteItemsCommand, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Context, StreamRecord } from "./handler.js";
import { type Item, canHold, companionKey, filled, plainClient, tableName, withDerived } from "./keys.js";
import { type Kind, type Trailing, kinds, typeField } from "./model.js";

const MOST_ACTIONS = 100;
const MARKER_SECONDS = 2 * 86_400; // a stream keeps records for one day
const TIME_LEFT_MS = 15_000;
const TRIES = 6;

type Image = Record<string, AttributeValue>;

/** A record, as far as totals care: where it stands in the batch, its id, and the item before and after. */
interface Change {
  readonly at: number;
  readonly id: string;
  readonly old: Image | undefined;
  readonly new: Image | undefined;
}

/** What is added to one total. */
interface Group {
  readonly total: Trailing;
  readonly image: Image;
  readonly key: Item;
  readonly amounts: Map<string, Exact>;
  /** Or left: then it is written, whatever it comes to. */
  isEntered: boolean;
}

/** How many records, from the first on, have been added. */
export async function keepTotals(records: readonly StreamRecord[], context?: Context): Promise<number> {
  for (const some of transactions(changesIn(records))) {
    if (context !== undefined && context.getRemainingTimeInMillis() < TIME_LEFT_MS) return some[0]!.at;
    try {
      await addOnce(some);
    } catch (error) {
      console.error(`${some[0]!.id} and ${some.length - 1} more`, error);
      return some[0]!.at;
    }
  }
  return records.length;
}

function changesIn(records: readonly StreamRecord[]): Change[] {
  const seen = new Set<string>();
  return records.flatMap((record, at): Change[] => {
    const id = record.eventID ?? "";
    if (seen.has(id)) return [];
    seen.add(id);
    return [{ at, id, old: record.dynamodb?.OldImage as Image | undefined, new: record.dynamodb?.NewImage as Image | undefined }];
  });
}

function transactions(changes: readonly Change[]): Change[][] {
  const found: Change[][] = [];
  let met = new Set<string>();
  for (const each of changes) {
    const groups = [...groupsOf([each]).keys()];
    if (!groups.length) continue; // it changes nothing that is kept
    const some = found.at(-1);
    const together = new Set([...met, ...groups]);
    if (some === undefined || some.length + 1 + together.size > MOST_ACTIONS) {
      found.push([each]);
      met = new Set(groups);
    } else {
      some.push(each);
      met = together;
    }
  }
  return found;
}

async function addOnce(changes: readonly Change[]): Promise<void> {
  let left = changes;
  for (let attempt = 1; left.length; attempt++) {
    try {
      await plainClient.send(new TransactWriteItemsCommand({ TransactItems: [...left.map(marker), ...updates(left)] }));
      return;
    } catch (error) {
      const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons;
      if (reasons === undefined || attempt === TRIES) throw error;
      left = left.filter((_, at) => reasons[at]?.Code !== "ConditionalCheckFailed");
    }
    if (left.length) await new Promise((done) => setTimeout(done, Math.random() * Math.min(1000, 50 * 2 ** attempt)));
  }
}

function marker(change: Change): TransactWriteItem {
  const kind = kindOf(change.new ?? change.old)!;
  const item: Image = Object.fromEntries(kind.key.map((field) => [field, { S: `stream#${change.id}` }]));
  if (kind.expires) item[kind.expires] = { N: String(Math.floor(Date.now() / 1000) + MARKER_SECONDS) };
  return {
    Put: {
      TableName: tableName(kind.table),
      Item: item,
      ConditionExpression: "attribute_not_exists(#key)",
      ExpressionAttributeNames: { "#key": kind.key[0]! },
    },
  };
}

function kindOf(image: Image | undefined): Kind | undefined {
  return kinds[String(image?.[typeField]?.S)];
}

// ---- what is added --------------------------------------------------------------------------------------------------

function updates(changes: readonly Change[]): TransactWriteItem[] {
  return [...groupsOf(changes).values()].map((group) => {
    const named = Object.fromEntries(group.total.id.map((name) => [name, group.image[name]!]));
    const said = Object.entries({ ...marshall({ ...group.total.fixed, ...indexKeys(group) }), ...named });
    const added = [...group.amounts].map(([name, amount]) => [name, { N: amount.text }] as const);
    const sets = said.map((_, at) => `#s${at} = :s${at}`).join(", ");
    return {
      Update: {
        TableName: tableName(group.total.table),
        Key: marshall(group.key),
        UpdateExpression: `${sets ? `SET ${sets} ` : ""}ADD ${added.map((_, at) => `#a${at} :a${at}`).join(", ")}`,
        ExpressionAttributeNames: Object.fromEntries([
          ...said.map(([name], at) => [`#s${at}`, name] as const),
          ...added.map(([name], at) => [`#a${at}`, name] as const),
        ]),
        ExpressionAttributeValues: Object.fromEntries([
          ...said.map(([, value], at) => [`:s${at}`, value] as const),
          ...added.map(([, value], at) => [`:a${at}`, value] as const),
        ]),
      },
    };
  });
}

function indexKeys(group: Group): Item {
  const values = withDerived(group.total, unmarshall(group.image) as Item);
  return Object.fromEntries(Object.entries(group.total.indexed).map(([field, parts]) => [field, filled(parts, values)]));
}

/** By total what the changes add, without what they leave as it is. */
function groupsOf(changes: readonly Change[]): Map<string, Group> {
  const found = new Map<string, Group>();
  for (const change of changes) {
    const before = count(change.old, -1n, found);
    const after = count(change.new, 1n, found);
    for (const at of before) if (!after.has(at)) found.get(at)!.isEntered = true;
    for (const at of after) if (!before.has(at)) found.get(at)!.isEntered = true;
  }
  const kept = [...found].filter(([, each]) => each.isEntered || [...each.amounts.values()].some((one) => !one.isZero));
  return new Map(kept);
}

/** The totals that an item is in, with what it adds or takes. */
function count(image: Image | undefined, sign: bigint, found: Map<string, Group>): Set<string> {
  const groups = new Set<string>();
  for (const total of (image && kindOf(image)?.trailing) ?? []) {
    const stepped = withSteps(total, image!);
    const values = unmarshall(stepped) as Item;
    if (!total.id.every((name) => values[name] != null && canHold(values[name]))) continue; // nobody can ask for it
    const key = companionKey(total, values)!;
    const at = JSON.stringify([total.name, key]);
    groups.add(at);
    if (!found.has(at)) found.set(at, { total, image: stepped, key, amounts: new Map(), isEntered: false });
    const { amounts } = found.get(at)!;
    for (const [name, summed] of Object.entries(total.totals)) {
      const term = Exact.of(summed ? (image![summed]?.N ?? "0") : "1");
      amounts.set(name, (amounts.get(name) ?? Exact.of("0")).plus(term, sign));
    }
  }
  return groups;
}

/** The same with the steps that its numbers lie in, where a total is by these. */
function withSteps(total: Trailing, image: Image): Image {
  const found = { ...image };
  for (const [name, [attribute, size]] of Object.entries(total.steps)) {
    const value = image[attribute]?.N;
    if (value !== undefined) found[name] = { N: String(Exact.of(value).floorTo(BigInt(size))) };
  }
  return found;
}

/** A number with all its digits: so many units of ten to a power. */
export class Exact {
  private constructor(
    private readonly units: bigint,
    private readonly power: number,
  ) {}

  static of(text: string): Exact {
    const [mantissa = "0", power = "0"] = text.toLowerCase().split("e");
    const [whole = "0", decimals = ""] = mantissa.split(".");
    return new Exact(BigInt(whole + decimals), Number(power) - decimals.length);
  }

  plus(other: Exact, sign: bigint): Exact {
    const power = Math.min(this.power, other.power);
    const [one, two] = [this, other].map((each) => each.units * 10n ** BigInt(each.power - power));
    return new Exact(one! + sign * two!, power);
  }

  /** The multiple of a size that is not above it, and next to it. */
  floorTo(size: bigint): bigint {
    const below = (one: bigint, other: bigint) => one / other - (one % other < 0n ? 1n : 0n);
    const whole = this.power < 0 ? below(this.units, 10n ** BigInt(-this.power)) : this.units * 10n ** BigInt(this.power);
    return below(whole, size) * size;
  }

  get isZero(): boolean {
    return this.units === 0n;
  }

  get sign(): number {
    return this.units > 0n ? 1 : this.isZero ? 0 : -1;
  }

  get text(): string {
    return `${this.units}e${this.power}`;
  }
}
