// Lines of ElectroDB, each with the request it makes.
//
// Standard input: {"service": name of a file in services/, "lines": {id: text}, "schemas": optional}. A line is an
// expression over the service's entities by alias, `collections`, `transaction` and `conversions`; it ends with
// params() or go(). The answer has for each id what came out, and the calls of the line as data, so that another
// implementation of the same chains can follow them. `schemas` (as data) replace the service's own.
"use strict";
const { readFileSync } = require("node:fs");
const { Entity, Service, createConversions } = require("electrodb");

const payload = JSON.parse(readFileSync(0, "utf8"));
const written = require(`./services/${payload.service}.cjs`);

// ---- values as JSON -------------------------------------------------------------------------------------------------

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(value)]])));

function toData(value) {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (value instanceof Set) return { $set: [...value].map(toData) };
  if (value && value.wrapperName === "Set") return { $set: value.values.map(toData) };
  if (typeof value === "function") return { $fn: value.name };
  if (Array.isArray(value)) return value.map(toData);
  return isPlain(value) ? mapped(value, toData) : value;
}

function fromData(value) {
  if (Array.isArray(value)) return value.map(fromData);
  if (!isPlain(value)) return value;
  return "$fn" in value ? written.functions[value.$fn] : mapped(value, fromData);
}

// ---- the service ----------------------------------------------------------------------------------------------------

const schemas = payload.schemas ? fromData(payload.schemas) : written.schemas;
const sent = [];
const client = {
  send: async (command) => {
    sent.push(command.input);
    return command.input.RequestItems ? { Responses: {}, UnprocessedKeys: {} } : {};
  },
};
const entities = mapped(schemas, (schema) => new Entity(schema, { table: written.table, client }));
const service = new Service(entities, { table: written.table, client });
const { collections, transaction } = service;
const conversions = mapped(entities, (entity) => createConversions(entity));
const scope = { ...entities, collections, transaction, conversions };

// ---- the calls of a line, as data -----------------------------------------------------------------------------------

// A chain that remembers: names and calls in turn. Callbacks are asked at once, and what they did is remembered.
function remembering(steps = []) {
  return new Proxy(() => undefined, {
    get: (_, name) => (name === "steps" ? steps : remembering([...steps, { name }])),
    apply: (_, __, args) => remembering([...steps, { call: args.map((each) => argument(each, steps)) }]),
  });
}

function argument(value, steps) {
  if (typeof value !== "function") return toData(value);
  if (steps.some((step) => step.name === "transaction")) return { $members: value(membersOf()).map((each) => each.steps) };
  return { $callback: callback(value) };
}

const membersOf = () => new Proxy({}, { get: (_, alias) => remembering([{ name: alias }]) });

// The operations a where or data callback used, and the text it glued from them: operation n is written <n>.
function callback(work) {
  const used = [];
  const place = (path) =>
    new Proxy({}, { get: (_, part) => (part === "path" ? path : place([...path, /^\d+$/.test(part) ? Number(part) : part])) });
  const reference = (value) => {
    if (Array.isArray(value?.path)) return { $path: value.path };
    const nested = typeof value === "string" && /^<(\d+)>$/.exec(value);
    return nested ? { $used: Number(nested[1]) } : toData(value);
  };
  const operations = new Proxy(
    {},
    {
      get: (_, name) => (...args) => {
        used.push([name, ...args.map(reference)]);
        return `<${used.length - 1}>`;
      },
    },
  );
  const text = work(place([]), operations);
  return { used, text: typeof text === "string" ? text : null };
}

// ---- running --------------------------------------------------------------------------------------------------------

const evaluate = (text, names) => new Function(...Object.keys(names), `"use strict"; return ${text};`)(...Object.values(names));

async function outcome(text) {
  const calls = evaluate(text, remembered()).steps;
  sent.length = 0;
  const result = evaluate(text, scope);
  if (!(result instanceof Promise)) return { request: toData(result), calls };
  await result;
  return { request: toData(sent[0]?.RequestItems ? sent : sent[0]), calls };
}

const remembered = () => Object.fromEntries(Object.keys(scope).map((name) => [name, remembering([{ name }])]));

async function main() {
  const lines = {};
  for (const [id, text] of Object.entries(payload.lines)) {
    lines[id] = await outcome(text).catch((error) => ({ error: error.message }));
  }
  const answer = { lines, schemas: toData(written.schemas), table: written.table };
  process.stdout.write(JSON.stringify(answer));
}

main();
