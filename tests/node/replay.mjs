// Calls the functions of generated packages one after the other and tells what each gave, as DynamoDB's typed JSON.
//
// Every line of the input is a job, and every line of the output its results: one process does many, because to load
// the AWS SDK takes longer than most of them.

import { createInterface } from "node:readline";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";

const now = () => 4102444800500; // proofs happen in the year 2100
const credentials = { accessKeyId: "local", secretAccessKey: "local" };

const MEANING = {
  ConditionFailedError: "refused",
  TransactionRefusedError: "refused",
  InvalidValueError: "refused", // as the proof has it
  NotFoundError: "absent",
};

/** Typed JSON with bytes in base64, and sets in order. */
function plain(value) {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const pairs = Object.entries(value).map(([name, each]) => [name, plain(each)]);
  return Object.fromEntries(pairs.map(([name, each]) => [name, /^[SNB]S$/.test(name) && Array.isArray(each) ? each.sort() : each]));
}

function typed(value) {
  if (Array.isArray(value)) return value.map(typed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === "B" && typeof each === "string" ? Buffer.from(each, "base64") : typed(each)]),
  );
}

/** One attribute at a time: an item may have one that is called `toString`. */
const shown = (item) =>
  Object.fromEntries(Object.entries(item).filter(([, each]) => each !== undefined).map(([name, value]) => [name, plain(marshall({ value })).value]));
const found = (each) =>
  "type" in each && "item" in each && Object.keys(each).length === 2 ? { entity: each.type, item: shown(each.item) } : { item: shown(each) };

/** A page's items, or by entity what was read together. */
function answered(answer) {
  if (answer === undefined) return { outcome: "written", items: [] };
  if (typeof answer === "number" || typeof answer === "bigint") return { number: { N: String(answer) } };
  if (Array.isArray(answer?.items)) return { items: answer.items.map(found) };
  if (answer?.items) {
    const items = Object.entries(answer.items).flatMap(([entity, each]) => each.map((item) => ({ entity, item: shown(item) })));
    return { items, byEntity: true };
  }
  return { items: [found(answer)] };
}

async function inPages(db, ask, input, size) {
  const items = [];
  const sizes = [];
  let grouped = false;
  let cursor;
  do {
    const page = await ask(db, input, { limit: size, cursor });
    const { items: more, number, byEntity } = answered(page);
    if (number) return { number };
    items.push(...more);
    sizes.push(more.length);
    if (byEntity) grouped = true;
    cursor = page?.cursor;
  } while (cursor !== undefined);
  return { items, ...(grouped ? {} : { sizes }) };
}

async function resultsOf({ endpoint, module, calls, size }) {
  const { accessPatterns, connect } = await import(module);
  const db = { ...connect({ endpoint, region: "us-east-1", credentials }), now };
  const results = [];
  for (const { pattern, inputs } of calls) {
    try {
      const input = unmarshall(typed(inputs));
      const ask = accessPatterns[pattern];
      results.push(size ? await inPages(db, ask, input, size) : answered(await ask(db, input)));
    } catch (error) {
      const outcome = MEANING[error?.name];
      results.push(outcome ? { outcome, message: error.message } : { error: String(error?.stack ?? error) });
    }
  }
  return results;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await resultsOf(JSON.parse(line))));
}
