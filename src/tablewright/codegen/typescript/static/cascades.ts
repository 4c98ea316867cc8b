/**
 * What goes with an item that was deleted, and with what goes with it. The item itself is gone by now. What names it is
 * read, page by page, and deleted; what names one of these goes before it, so that a run that stopped halfway can be
 * repeated and finds the rest. Afterwards is looked again where something may have come meanwhile or may be shown late,
 * until nothing more is found.
 */

import { isDeepStrictEqual } from "node:util";
import { actionOf, type Old } from "./actions.js";
import { type Database, wait } from "./database.js";
import { isRefused } from "./errors.js";
import { itemTypes } from "./items.js";
import { isAbsent, valueOf } from "./keys.js";
import type { Cascade, Input, Item, WritePattern } from "./model.js";
import { readPage } from "./reads.js";
import { sendOne, sendTogether } from "./sending.js";

const nothing = { own: {}, all: {} };
const PAGE = 100;
/** What is refused so often is an error. */
const MOST_REFUSALS = 5;
/** Milliseconds after which an index usually shows what was written. */
const SETTLING_MS = 1000;

/** Which cascade is looked along, and where its page goes on. */
interface Look {
  readonly number: number;
  readonly cursor?: string | undefined;
}

/** An item that goes or is gone, and where to look for what names it. */
interface Node {
  readonly entity: string;
  readonly item: Input;
  readonly key: string;
  readonly looks: Look[];
  /** The cascade that found it; none where it is gone. */
  readonly foundBy?: number | undefined;
  readonly above?: Node | undefined;
}

/** Deletes all that goes with what a pattern deleted, `old` being what it found. */
export async function deleteAlong(
  db: Database,
  pattern: WritePattern,
  input: Input,
  old: Old,
  now: number,
): Promise<void> {
  const cascades = pattern.cascades ?? [];
  if (!cascades.length) return;
  const run = new Run(db, cascades, now);
  const roots = deletedItems(pattern, input, old).map(([entity, item]) => run.node(entity, item));
  for (const root of roots) await run.clear(root);
  for (const root of roots) run.lookAgainBelow(root);
  await run.finish();
}

/** The items that a pattern deletes; of a list that is given, every element. Without an id nothing names an item. */
function deletedItems(pattern: WritePattern, input: Input, old: Old): [string, Input][] {
  return (pattern.deleted ?? []).flatMap((entity) => {
    const isList = pattern.writes.some((step) => step.each === entity);
    const elements = isList ? (input[entity] as Input[]) : [{}];
    const items = elements.map((element) => ({ ...input, ...element, ...old.get(entity) }));
    const known = items.filter((item) => idOf(entity).every((name) => !isAbsent(valueOf(item, name))));
    return known.map((item): [string, Input] => [entity, item]);
  });
}

function idOf(entity: string): readonly string[] {
  return Object.values(itemTypes).find((type) => type.entity === entity)!.id;
}

class Run {
  private readonly seen = new Set<string>();
  private readonly refusals = new Map<string, number>();
  private again = new Map<string, { node: Node; number: number }>();

  constructor(
    private readonly db: Database,
    private readonly cascades: readonly Cascade[],
    private readonly now: number,
  ) {}

  node(entity: string, item: Input, foundBy?: number, above?: Node): Node {
    const key = JSON.stringify([entity, ...idOf(entity).map((name) => String(item[name]))]);
    return { entity, item, key, looks: this.looksBelow(entity), foundBy, above };
  }

  private looksBelow(entity: string): Look[] {
    return [...this.cascades.keys()].filter((at) => this.cascades[at]!.of === entity).map((number) => ({ number }));
  }

  private remember(node: Node, number: number): void {
    this.again.set(JSON.stringify([node.key, number]), { node, number });
  }

  /** Looks once more below an item that is gone, where an index may have been late. */
  lookAgainBelow(root: Node): void {
    for (const { number } of this.looksBelow(root.entity)) if (!this.isCertain(number)) this.remember(root, number);
  }

  /** Whether a cascade finds all that was written before. */
  private isCertain(number: number): boolean {
    return (this.cascades[number]!.deletes.reads ?? []).every((step) => step.consistent);
  }

  /** Deletes all below an item, and at last the item where it is still there. */
  async clear(root: Node): Promise<void> {
    this.seen.add(root.key);
    const path = [root];
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      if (node.looks.length) {
        path.push(...(await this.look(node)));
        continue;
      }
      path.pop();
      if (node.foundBy === undefined) continue;
      await this.delete(node.foundBy, [node]);
      for (const { number } of this.looksBelow(node.entity)) this.remember(node, number);
    }
  }

  /** The next page of what names an item: deleted at once, or given back where others may be below it. */
  private async look(node: Node): Promise<Node[]> {
    const { number, cursor } = node.looks.shift()!;
    const cascade = this.cascades[number]!;
    const [entity] = cascade.deletes.entities as readonly [string];
    const ids = Object.fromEntries(Object.values(cascade.by).map((name) => [name, node.item[name]]));
    const options = cursor === undefined ? { limit: PAGE } : { limit: PAGE, cursor };
    const page = await readPage(this.db, cascade.deletes.reads ?? [], ids, options);
    if (page.cursor !== undefined) node.looks.unshift({ number, cursor: page.cursor });
    const named = page.items.filter((item) => names(cascade, item, ids));
    const found = named.map((item) => this.node(entity, item, number, node)).filter((each) => !this.seen.has(each.key));
    for (const each of found) this.seen.add(each.key);
    if (found.length && node.foundBy === undefined && !this.isCertain(number)) this.remember(node, number);
    if (this.looksBelow(entity).length) return found;
    await this.delete(number, found);
    return [];
  }

  async finish(): Promise<void> {
    while (this.again.size) {
      const pending = [...this.again.values()];
      this.again = new Map();
      if (!pending.every(({ number }) => this.isCertain(number))) await wait(SETTLING_MS);
      for (const { node, number } of pending) {
        await this.clear({ entity: node.entity, item: node.item, key: node.key, looks: [{ number }] });
      }
    }
  }

  /** One after the other: several may write the same total. What is refused is looked for again. */
  private async delete(number: number, nodes: readonly Node[]): Promise<void> {
    const { deletes } = this.cascades[number]!;
    for (const node of nodes) {
      const actions = deletes.writes.flatMap((step) => actionOf(deletes, step, nothing, node.item as Item, this.now));
      try {
        if (deletes.transaction) await sendTogether(this.db, actions);
        else for (const each of actions) await sendOne(this.db, each);
      } catch (error) {
        const refusals = (this.refusals.get(node.key) ?? 0) + 1;
        if (refusals > MOST_REFUSALS || !isRefused(error)) throw error;
        this.refusals.set(node.key, refusals);
        this.seen.delete(node.key);
        if (node.above !== undefined) this.remember(node.above, number);
      }
    }
  }
}

/** Whether what was found still names the item; an index may not say by what. */
function names(cascade: Cascade, item: Item, ids: Input): boolean {
  return Object.entries(cascade.by).every(([name, other]) => {
    const own = valueOf(item, name);
    return own === undefined || isDeepStrictEqual(own, ids[other]);
  });
}
