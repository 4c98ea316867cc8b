/**
 * Copies that other items keep of one that is updated: they are found, and set along. That is part of the update's own
 * transaction: whoever comes in between makes it fail.
 */

import { type Action, actionOf, type Old } from "./actions.js";
import type { Database } from "./database.js";
import type { Input, Item, Refresh, WritePattern } from "./model.js";
import { readStored } from "./reads.js";

/** What is written besides, `old` being by entity what the pattern's reads found. */
export async function refresh(
  db: Database,
  pattern: WritePattern,
  input: Input,
  old: Old,
  now: number,
): Promise<Action[]> {
  const actions: Action[] = [];
  for (const each of pattern.refreshes ?? []) {
    const said = Object.entries(each.given ?? {}).filter(([, name]) => Object.hasOwn(input, name));
    const given = Object.fromEntries(said.map(([copy, name]) => [copy, input[name]]));
    const known = { ...old.get(pattern.entities[0]!), ...input };
    if (said.length || each.always) actions.push(...(await refreshOne(db, each, known, given, now)));
  }
  return actions;
}

async function refreshOne(db: Database, one: Refresh, known: Input, given: Input, now: number): Promise<Action[]> {
  const ids = Object.fromEntries(Object.values(one.by).map((name) => [name, known[name]]));
  const { updates } = one;
  const found: readonly Item[] = await readStored(db, updates.reads ?? [], ids);
  const asked = { own: given, all: { ...known, ...given } };
  const set = found.flatMap((item) => updates.writes.flatMap((step) => actionOf(updates, step, asked, item, now)));
  const named = Object.fromEntries(Object.entries(one.by).map(([ours, theirs]) => [ours, ids[theirs]]));
  const counted = { ...named, _found: found.length };
  const checking = { own: counted, all: counted };
  return [...set, ...(one.checks ?? []).flatMap((step) => actionOf(updates, step, checking, {}, now))];
}
