// ElectroDB at work on a served table: lines of it, run one after the other, and what each answered.
//
// Standard input: {"endpoint", "service": name of a file in services/, "lines": {id: text}}. A line is an expression over
// the service's entities by alias, `collections`, `transaction`, and `given`; it ends with go(). `given` is data for the
// lines, where {"$bytes": base64} and {"$set": [...]} stand for what JSON cannot hold; answers are written the same way.
"use strict";
const { readFileSync } = require("node:fs");
const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");
const { DynamoDBDocumentClient } = require("@aws-sdk/lib-dynamodb");
const { Entity, Service } = require("electrodb");

const payload = JSON.parse(readFileSync(0, "utf8"));
const { table, schemas } = require(`./services/${payload.service}.cjs`);

// ---- values as JSON -------------------------------------------------------------------------------------------------

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(value)]])));

function toData(value) {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (value instanceof Set) return { $set: [...value].map(toData) };
  if (Array.isArray(value)) return value.map(toData);
  return isPlain(value) ? mapped(value, toData) : value;
}

function fromData(value) {
  if (Array.isArray(value)) return value.map(fromData);
  if (!isPlain(value)) return value;
  if ("$bytes" in value) return new Uint8Array(Buffer.from(value.$bytes, "base64"));
  if ("$set" in value) return new Set(value.$set.map(fromData));
  return mapped(value, fromData);
}

// ---- running --------------------------------------------------------------------------------------------------------

const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    endpoint: payload.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  }),
);
const entities = mapped(schemas, (schema) => new Entity(schema, { table, client }));
const { collections, transaction } = new Service(entities, { table, client });
const scope = { ...entities, collections, transaction, given: fromData(payload.given ?? {}) };

const evaluate = (text) =>
  new Function(...Object.keys(scope), `"use strict"; return ${text};`)(...Object.values(scope));

async function main() {
  const answers = {};
  for (const [id, text] of Object.entries(payload.lines)) {
    answers[id] = await Promise.resolve()
      .then(() => evaluate(text))
      .then(toData, (error) => ({ error: error.message }));
  }
  process.stdout.write(JSON.stringify(answers));
}

main();
