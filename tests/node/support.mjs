// The support modules of a generated package on a client that answers as a script says: what they send, and what
// they make of it.
//
// Standard input: {folder} of the compiled modules. Standard output: what each trial gave, by name.

import { readFileSync } from "node:fs";

const { folder } = JSON.parse(readFileSync(0, "utf8"));
const load = (name) => import(`${folder}/${name}.js`);
const [{ compared, sum }, { readCursor, writeCursor }, { getMany }, { write }, errors] = await Promise.all(
  ["numbers", "cursors", "gets", "writes", "errors"].map(load),
);

/** A database whose client gives these answers one after the other; an Error is thrown. */
function scripted(...answers) {
  const sent = [];
  const send = async (command) => {
    sent.push(command.input);
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { db: { client: { send } }, sent };
}

const failure = async (run) => {
  try {
    await run();
    return null;
  } catch (error) {
    return error.name;
  }
};

const seen = {};
seen.sums = [sum([0.1, 0.2]), sum([1e21, 1]), sum([-0.3, 0.1]), sum([1e-7, 1]), sum([])].map(String);
seen.bigSum = String(sum([9007199254740993n, 1]));
seen.order = [compared(2, 10), compared("Z", "a"), compared("\u{ffff}", "\u{10000}"), compared(2n, 1.5), compared("a", "a")];

// ---- cursors
const steps = [{ operation: "Query", table: "t", key: { pk: { slot: "id" } }, entities: ["E"] }];
const place = [0, [{ pk: "a", sk: 12345678901234567890n, bytes: new Uint8Array([1, 2]) }]];
const cursor = writeCursor(steps, { id: "a", when: undefined }, place);
const back = readCursor(steps, { id: "a" }, cursor);
seen.cursor = [String(back[1][0].sk), [...back[1][0].bytes], /^[\w-]+$/.test(cursor)];
seen.foreign = await failure(() => readCursor(steps, { id: "b" }, cursor));
seen.otherSteps = await failure(() => readCursor([{ ...steps[0], backwards: true }], { id: "a" }, cursor));
seen.garbage = await failure(() => readCursor(steps, { id: "a" }, "no cursor"));

// ---- keys that DynamoDB leaves out
const batch = { operation: "BatchGetItem", table: "t", key: { pk: { slot: "pk" } }, entities: ["E"] };
const first = { Responses: { t: [{ pk: "b" }] }, UnprocessedKeys: { t: { Keys: [{ pk: "a" }] } } };
const retried = scripted(first, { Responses: { t: [{ pk: "a" }] } });
seen.unprocessed = await getMany(retried.db, batch, [{ pk: "a" }, { pk: "b" }, { pk: "a" }, { pk: "c" }]);
seen.asked = retried.sent.map((each) => each.RequestItems.t.Keys.map((key) => key.pk));

// ---- transactions in each other's way
const cancelled = (...codes) =>
  Object.assign(new Error("cancelled"), {
    name: "TransactionCanceledException",
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const pattern = { op: "put", entities: [], writes: [], transaction: true };
const { itemTypes } = await load("items");
const [name, type] = Object.entries(itemTypes)[0];
const key = Object.fromEntries(Object.keys(type.keys[0].fields).map((field) => [field, "x"]));
const twice = { ...pattern, writes: [{ operation: "DeleteItem", item: name, table: type.table, key }] };
const conflict = scripted(cancelled("TransactionConflict", "None"), {});
seen.conflict = [await failure(() => write(conflict.db, "what", twice, {})), conflict.sent.length];
const refused = scripted(cancelled("ConditionalCheckFailed", "TransactionConflict"));
seen.refused = [await failure(() => write(refused.db, "what", twice, {})), refused.sent.length];
seen.reasons = errors.translated(cancelled("None", "ConditionalCheckFailed"), "what").reasons;

console.log(JSON.stringify(seen, (_, value) => (value === undefined ? null : value)));
