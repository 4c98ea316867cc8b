'use strict';
/*
 * Records conformance vectors from the real ElectroDB.
 *
 *   node record.js cases.json [more.json ...] [--out DIR]   record `expected` of every case
 *   node record.js --check recorded.json [...]              re-record and report differences
 *
 * Needs `electrodb` (3.9.3 for the shared vectors) and `@aws-sdk/lib-dynamodb`, resolvable from
 * the working directory or from beside this file.
 * The file format is the one of the vector README: models, cases, functions by name
 * ({"$fn": ...}), {"$regex"}, {"$set"}, {"$undefined"}, {"$repeat"}, {"$throw"}.
 *
 * Rule of this file: a case is plain data; everything that is not data (callbacks, sets,
 * the document client, thrown errors) is made here, so a vector means the same in any language.
 */
const fs = require('fs');
const path = require('path');
const { isDeepStrictEqual } = require('util');
const resolve = (name) => require(require.resolve(name, { paths: [process.cwd(), __dirname] }));
const { Entity, Service, createConversions } = resolve('electrodb');

const DEFAULT_TABLE = 'vec-table';

/** A fault of the case or of this file, never to be recorded as behaviour of the library. */
class RecorderFault extends Error {}

// ---------------------------------------------------------------- values in

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const textual = (work) => (value) => (typeof value === 'string' ? work(value) : value);

/** The named functions a schema may use, each a factory over its recorded arguments. */
const FUNCTIONS = {
  upper: () => textual((text) => text.toUpperCase()),
  lower: () => textual((text) => text.toLowerCase()),
  trim: () => textual((text) => text.trim()),
  prefix: (text) => (value) => (value === undefined ? undefined : `${text}${value}`),
  times: (factor) => (value) => (typeof value === 'number' ? value * factor : value),
  const: (fixed) => () => fixed,
  copy: (name) => (_value, item) => item[name],
  join: (separator, ...names) => (_value, item) =>
    names.every((name) => item[name] !== undefined) ? names.map((name) => item[name]).join(separator) : undefined,
  ifMissing: (fallback) => (value) => (value === undefined ? fallback : value),
  drop: () => () => undefined,
  minLength: (least) => (value) => value === undefined || value.length >= least,
  max: (most) => (value) => value === undefined || value <= most,
  never: () => () => false,
  raise: (message) => () => {
    throw new Error(message);
  },
  equals: (name, wanted) => (attributes) => attributes[name] === wanted,
  present: (name) => (attributes) => attributes[name] !== undefined && attributes[name] !== '',
  always: (answer) => () => answer,
};

const numbered = (value, index) => {
  if (typeof value === 'string') return value.replaceAll('{i}', String(index));
  if (Array.isArray(value)) return value.map((part) => numbered(part, index));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, numbered(part, index)]));
};

/** Turns recorded data into what the library is given. */
function revive(value) {
  if (Array.isArray(value)) return value.map(revive);
  if (!isObject(value)) return value;
  if ('$undefined' in value) return undefined;
  if ('$set' in value) return new Set(value.$set.map(revive));
  if ('$regex' in value) return new RegExp(value.$regex);
  if ('$repeat' in value) {
    return Array.from({ length: value.$repeat }, (_unused, index) => revive(numbered(value.item, index)));
  }
  if ('$fn' in value) {
    const make = FUNCTIONS[value.$fn];
    if (!make) throw new RecorderFault(`unknown function ${value.$fn}`);
    return make(...(value.args || []).map(revive));
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revive(part)]));
}

// ---------------------------------------------------------------- values out

/** Turns what the library answered into plain data; absent properties vanish. */
function plain(value) {
  if (value instanceof Set) return { $set: [...value].map(plain) };
  if (value && value.wrapperName === 'Set' && Array.isArray(value.values)) return { $set: value.values.map(plain) };
  if (Array.isArray(value)) return value.map((part) => (part === undefined ? null : plain(part)));
  if (!isObject(value)) {
    if (typeof value === 'function') throw new RecorderFault('a function was answered');
    if (typeof value === 'number' && !Number.isFinite(value)) throw new RecorderFault('a number JSON cannot hold');
    return value;
  }
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.map(([name, part]) => [name, plain(part)]));
}

/** What of an error other languages can share: codes and paths, never messages. */
function describeError(error, thrown) {
  if (error instanceof RecorderFault) throw error;
  if (!error || !error.isElectroError) {
    // Only an error the fake client raised has a name other languages can share.
    return thrown.has(error) ? { isElectroError: false, name: error.name } : { isElectroError: false };
  }
  const description = { isElectroError: true, code: error.code, name: error.name };
  if (error.fields) description.fields = error.fields.map(({ field, type, index }) => plain({ field, type, index }));
  if (error.field !== undefined) description.field = error.field;
  if (error.cause && error.cause.name) description.cause = error.cause.name;
  return description;
}

// ---------------------------------------------------------------- expressions

function segmentsOf(where) {
  if (Array.isArray(where)) return where;
  return where.split(/[.[\]]+/).filter((part) => part !== '').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

const locate = (attributes, where) => segmentsOf(where).reduce((node, part) => node[part], attributes);

const BARE_FIRST_ARGUMENT = new Set(['escape', 'field']);

function operand(value, attributes, operations) {
  if (isObject(value) && '$op' in value) return callOperation(value.$op, attributes, operations);
  return revive(value);
}

function callOperation(leaf, attributes, operations) {
  const [[name, args]] = Object.entries(leaf);
  const [first, ...rest] = args;
  const target = BARE_FIRST_ARGUMENT.has(name) ? revive(first) : locate(attributes, first);
  return operations[name](target, ...rest.map((value) => operand(value, attributes, operations)));
}

function expressionText(expression, attributes, operations, outermost = true) {
  if (typeof expression === 'string') return expression;
  const inner = (part) => expressionText(part, attributes, operations, false);
  for (const [word, glue] of [['and', ' AND '], ['or', ' OR ']]) {
    if (word in expression) {
      const text = expression[word].map(inner).join(glue);
      return outermost ? text : `(${text})`;
    }
  }
  if ('not' in expression) return `NOT ${inner(expression.not)}`;
  if ('concat' in expression) return expression.concat.map(inner).join('');
  return callOperation(expression, attributes, operations);
}

// ---------------------------------------------------------------- chains

const CALLBACK_OPERATIONS = {
  where: (expression) => (attributes, operations) => expressionText(expression, attributes, operations),
  data: (calls) => (attributes, operations) => {
    for (const call of calls) callOperation(call, attributes, operations);
  },
};

function step(target, [operation, ...args]) {
  if (operation === 'query') return target.query[args[0]](...args.slice(1).map(revive));
  if (operation === 'scan') return args.length ? target.scan[args[0]] : target.scan;
  if (operation === 'collections') return target.collections[args[0]](...args.slice(1).map(revive));
  const callback = CALLBACK_OPERATIONS[operation];
  return target[operation](...(callback ? [callback(args[0])] : args.map(revive)));
}

const runChain = (start, chain) => chain.reduce(step, start);

// ---------------------------------------------------------------- the fake document client

/** Answers the given responses in order and remembers every request; a missing response is a fault of the case. */
function fakeClient(responses) {
  const queue = [...responses];
  const requests = [];
  const thrown = new Set();
  const send = async (command) => {
    requests.push({ command: command.constructor.name.replace(/Command$/, ''), input: plain(command.input) });
    if (!queue.length) throw new RecorderFault('the case gives too few responses');
    const response = queue.shift();
    if (isObject(response) && '$throw' in response) {
      const error = Object.assign(new Error(response.$throw.message), response.$throw);
      thrown.add(error);
      throw error;
    }
    return revive(response);
  };
  return { client: { send }, requests, thrown };
}

// ---------------------------------------------------------------- kinds of case

function settings(testCase, fake, events) {
  const config = { table: DEFAULT_TABLE, client: fake.client, ...revive(testCase.config || {}) };
  if (config.table === null) delete config.table;
  if (config.client === null) delete config.client;
  if (testCase.recordEvents) {
    config.listeners = [({ type, method, success }) => events.push(plain({ type, method, success }))];
  }
  return config;
}

function schemaOf(models, name) {
  if (!models[name]) throw new RecorderFault(`unknown model ${name}`);
  return revive(models[name]);
}

function construct(testCase, models, config) {
  if (testCase.model) return new Entity(schemaOf(models, testCase.model), config);
  const members = Object.entries(testCase.service).map(([alias, name]) => [alias, new Entity(schemaOf(models, name))]);
  return new Service(Object.fromEntries(members), config);
}

const transactionOf = (testCase, service) =>
  service.transaction[testCase.method]((entities) =>
    testCase.items.map(({ entity, chain, options }) => runChain(entities[entity], chain).commit(revive(options || {}))),
  );

const KINDS = {
  define: async () => ({ ok: true }),
  params: async (testCase, subject) => ({
    params: plain(await runChain(subject, testCase.chain).params(revive(testCase.options || {}))),
  }),
  go: async (testCase, subject) => ({
    result: plain(await runChain(subject, testCase.chain).go(revive(testCase.options || {}))),
  }),
  transaction: async (testCase, subject) => {
    const transaction = transactionOf(testCase, subject);
    const options = revive(testCase.options || {});
    if (!testCase.responses) return { params: plain(await transaction.params(options)) };
    return { result: plain(await transaction.go(options)) };
  },
  conversion: async (testCase, subject) => {
    const parts = testCase.path;
    const helper = parts.slice(0, -1).reduce((node, part) => node[part], createConversions(subject));
    return { value: plain(helper[parts[parts.length - 1]](...testCase.args.map(revive))) };
  },
  parse: async (testCase, subject) => ({
    value: plain(subject.parse(revive(testCase.item), revive(testCase.options || {}))),
  }),
};

/** Runs one case on the real library and answers its `expected` value. */
async function record(testCase, models) {
  const fake = fakeClient(testCase.responses || []);
  const events = [];
  const executes = testCase.responses !== undefined;
  try {
    const subject = construct(testCase, models, settings(testCase, fake, events));
    const expected = await KINDS[testCase.kind](testCase, subject);
    if (!executes) return expected;
    const seen = { requests: fake.requests, ...expected };
    return testCase.recordEvents ? { ...seen, events } : seen;
  } catch (error) {
    if (error.cause instanceof RecorderFault) throw error.cause;
    const expected = { error: describeError(error, fake.thrown) };
    return fake.requests.length ? { ...expected, requests: fake.requests } : expected;
  }
}

// ---------------------------------------------------------------- command line

/** Sets compare without order; everything else exactly (object key order never matters). */
function comparable(value) {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  if ('$set' in value) return { $set: value.$set.map((part) => JSON.stringify(part)).sort() };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, comparable(part)]));
}

/** Records every case of a file; a difference to an earlier `expected` value is reported as a fault. */
async function recordFile(file) {
  const suite = JSON.parse(fs.readFileSync(file, 'utf8'));
  const faults = [];
  for (const testCase of suite.cases) {
    const before = testCase.expected;
    delete testCase.expected;
    try {
      testCase.expected = await record(testCase, suite.models);
    } catch (error) {
      faults.push(`${testCase.id}: ${error.message}`);
      continue;
    }
    if (before && !isDeepStrictEqual(comparable(before), comparable(testCase.expected))) {
      faults.push(`${testCase.id}: was ${JSON.stringify(before)}\n      now ${JSON.stringify(testCase.expected)}`);
    }
  }
  return { suite, faults };
}

async function main(argv) {
  const checking = argv[0] === '--check';
  const outAt = argv.indexOf('--out');
  const outDir = outAt < 0 ? null : argv[outAt + 1];
  const files = argv.filter((arg, at) => !arg.startsWith('--') && (outAt < 0 || at !== outAt + 1));
  let total = 0;
  let failed = 0;
  for (const file of files) {
    const { suite, faults } = await recordFile(file);
    total += suite.cases.length;
    failed += faults.length;
    faults.forEach((fault) => process.stderr.write(`  ${fault}\n`));
    if (checking) continue;
    const target = path.join(outDir || path.dirname(file), path.basename(file));
    fs.writeFileSync(target, `${JSON.stringify(suite, null, 1)}\n`);
  }
  console.log(`${total - failed} of ${total} cases ${checking ? 'agree' : 'recorded'}`);
  process.exitCode = failed ? 1 : 0;
}

module.exports = { record, revive, plain };

if (require.main === module) {
  // The library logs deprecations and unreadable error items; neither belongs to a vector.
  console.warn = () => undefined;
  console.error = () => undefined;
  main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 2;
  });
}
