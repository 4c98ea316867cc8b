/**
 * Lists: which steps make one, and what several of them find as one list in order. A list is made of blocks, one behind
 * the other. A block is a strand, or several of them that are merged; a strand is a step and those that go on with it.
 */

import { pair, parts, type Place } from "./cursors.js";
import type { Database } from "./database.js";
import { isAbsent, valueOf } from "./keys.js";
import type { Input, Item, Merge, ReadStep } from "./model.js";
import { compared } from "./numbers.js";
import type { Placed } from "./queries.js";
import { stepItems } from "./steps.js";

/** An item of the answer and the step that found it. */
export interface Found extends Placed {
  readonly step: number;
}

type Source = AsyncGenerator<Found>;

/** Begins to read behind a place, for so many items. */
type Begin = (left: number | undefined, after: Place) => Source;

// ---- which steps make a list ----------------------------------------------------------------------------------------

/** The steps that answer: those that no later one takes its keys from, but to join. */
function answeringSteps(steps: readonly ReadStep[]): number[] {
  const used = new Set(steps.filter((step) => !step.joins).map((step) => step.keysFrom));
  return [...steps.keys()].filter((at) => !steps[at]!.joins && !used.has(at));
}

/**
 * The steps that answer, those together that share a limit: one that `continues` or `merges` belongs to the list of the
 * one before it. Where no list has a limit of its own, all are one.
 */
export function listsOf(steps: readonly ReadStep[]): number[][] {
  const found: number[][] = [];
  for (const at of answeringSteps(steps)) {
    const before = found.at(-1);
    if (before !== undefined && (steps[at]!.continues || steps[at]!.merges)) before.push(at);
    else found.push([at]);
  }
  return found.some((list) => limitOf(steps, list) !== undefined) ? found : [found.flat()];
}

/** The limit of a list's first step, or of those whose items it merely completes. */
export function limitOf(steps: readonly ReadStep[], list: readonly number[]): number | undefined {
  let step = steps[list[0]!]!;
  while (step.limit === undefined && step.operation === "BatchGetItem" && step.keysFrom !== undefined) {
    step = steps[step.keysFrom]!;
  }
  return step.limit;
}

/** The strands of every block. */
function blocksOf(steps: readonly ReadStep[], list: readonly number[]): number[][][] {
  const found: number[][][] = [];
  for (const at of list) {
    const before = found.at(-1);
    if (before !== undefined && steps[at]!.merges) before.push([at]);
    else if (before !== undefined && steps[at]!.continues) before.at(-1)!.push(at);
    else found.push([[at]]);
  }
  return found;
}

// ---- reading one ----------------------------------------------------------------------------------------------------

/** What the steps of a list find, in order, behind a place. */
export function listItems(
  db: Database,
  steps: readonly ReadStep[],
  list: readonly number[],
  input: Input,
  most: number | undefined,
  after: Place,
): Source {
  const step = (at: number): Begin => (left, place) => labelled(at, stepItems(db, steps, at, input, left, place));
  const strand = (within: readonly number[]): Begin => (left, place) => chained(within.map(step), left, place);
  const blocks = blocksOf(steps, list).map((strands): Begin => {
    const [[first], last] = [strands[0]!, strands.at(-1)!];
    const { merges } = steps[last[0]!]!;
    const { backwards = false } = steps[first!]!;
    if (merges === undefined) return strand(last);
    return (left, place) => merged(strands.map(strand), merges, backwards, left, place);
  });
  return chained(blocks, most, after);
}

async function* labelled(step: number, items: AsyncGenerator<Placed>): Source {
  for await (const each of items) yield { ...each, step };
}

/**
 * One source behind the other, each asked for what is missing. A place is how many were gone through, and the place in
 * the next.
 */
async function* chained(begins: readonly Begin[], most: number | undefined, after: Place): Source {
  let [first, within] = after === undefined ? [0, undefined] : pair(after);
  let left = most;
  for (let at = Number(first ?? 0); at < begins.length; at++) {
    for await (const found of begins[at]!(left, within)) {
      left = left === undefined ? undefined : left - 1;
      yield { ...found, place: [at, found.place], more: found.more || at + 1 < begins.length };
    }
    within = undefined;
  }
}

/** Several sources, each of them in order, as one in order. A place has the places in all of them. */
async function* merged(
  begins: readonly Begin[],
  merge: Merge,
  backwards: boolean,
  left: number | undefined,
  after: Place,
): Source {
  const places = after === undefined ? begins.map(() => undefined) : parts(after, begins.length);
  const sources = begins.map((begin, at) => begin(left, places[at]));
  const heads: (Found | undefined)[] = [];
  for (const each of sources) heads.push(await nextOf(each));
  for (;;) {
    const first = firstOf(heads, merge, backwards);
    if (first === undefined) return;
    const found = heads[first]!;
    places[first] = found.place;
    const others = heads.some((each, at) => each !== undefined && at !== first);
    yield { ...found, place: [...places], more: found.more || others };
    heads[first] = await nextOf(sources[first]!);
  }
}

async function nextOf(source: Source): Promise<Found | undefined> {
  const { done, value } = await source.next();
  return done ? undefined : value;
}

function firstOf(heads: readonly (Found | undefined)[], merge: Merge, backwards: boolean): number | undefined {
  let first: number | undefined;
  for (const [at, head] of heads.entries()) {
    if (head === undefined) continue;
    const order = first === undefined ? 0 : inOrder(head.item, heads[first]!.item, merge, backwards);
    if (first === undefined || (backwards ? order > 0 : order < 0)) first = at;
  }
  return first;
}

/** As values sort, and before or behind all of them what is absent. */
function inOrder(one: Item, other: Item, { attributes, absentFirst = false }: Merge, backwards: boolean): number {
  const lacking = absentFirst !== backwards ? -1 : 1;
  for (const name of attributes) {
    const [a, b] = [valueOf(one, name), valueOf(other, name)];
    const order = isAbsent(a) || isAbsent(b) ? (Number(isAbsent(a)) - Number(isAbsent(b))) * lacking : compared(a, b);
    if (order) return order;
  }
  return 0;
}
