// Writes ElectroDB services, entities and schemas as JSON that Tablewright reads.
//
//   node tablewright-export.mjs ./dist/service.js > service.json
//   npx tsx tablewright-export.mjs ./src/service.ts taskApp --output service.json
//
// Without a name all that the module exports is looked at: its only service, else its entities and schemas (and objects
// of such). JSON holds no code, so every default, set, get, validate, condition and filter that is a function is written by name, with its
// source beside it: {"$fn": "makeId", "source": "() => nanoid()"}. Python must supply these functions; loading says which.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const USUAL = { entity: "__edb_e__", version: "__edb_v__" };
const USAGE = "usage: tablewright-export.mjs MODULE [EXPORT] [--output FILE]";

class Refusal extends Error {}

// ---- what a module exports ------------------------------------------------------------------------------------------

const isObject = (value) => value !== null && typeof value === "object";
const isSchema = (value) => isObject(value) && isObject(value.attributes) && isObject(value.indexes);
const isEntity = (value) => isObject(value) && isSchema(value.schema) && typeof value.setIdentifier === "function";
const isService = (value) => isObject(value) && isObject(value.entities) && isObject(value.collections) && isObject(value.transaction);
const isMember = (value) => isEntity(value) || isSchema(value);
const isGroup = (value) => isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isMember);
const isOurs = (value) => isService(value) || isMember(value) || isGroup(value);

/** Everything exported by name; a CommonJS module or default export that is an object of such things counts, too. */
function exportsOf(module) {
  const found = new Map();
  for (const [name, value] of Object.entries(module)) {
    const inside = isObject(value) && !isOurs(value) && (name === "default" || name === "module.exports");
    for (const [inner, each] of inside ? Object.entries(value) : [[name, value]]) {
      if (isOurs(each) && ![...found.values()].includes(each)) found.set(inner, each);
    }
  }
  return found;
}

/** By alias: the entities (or schemas) to write. */
function chosen(module, name) {
  const found = exportsOf(module);
  const known = [...found.keys()].join(", ") || "none";
  if (name !== undefined) {
    const value = found.get(name) ?? module[name];
    if (!isOurs(value)) throw new Refusal(`no service, entity or schema is exported as ${name}; there are: ${known}`);
    return membersOf(name, value);
  }
  const services = [...found].filter(([, value]) => isService(value));
  if (services.length > 1) throw new Refusal(`several services are exported (${services.map(([each]) => each).join(", ")}); name one`);
  if (services.length === 1) return membersOf(...services[0]);
  if (found.size === 0) throw new Refusal("the module exports no service, entity or schema");
  return new Map([...found].flatMap(([each, value]) => [...membersOf(each, value)]));
}

function membersOf(name, value) {
  if (isMember(value)) return new Map([[name === "default" ? entityName(value) : name, value]]);
  return new Map(Object.entries(isService(value) ? value.entities : value));
}

function entityName(value) {
  const schema = isEntity(value) ? value.schema : value;
  return schema.model?.entity ?? schema.entity;
}

// ---- one entity -----------------------------------------------------------------------------------------------------

function written(alias, value, functions) {
  const schema = toData(isEntity(value) ? value.schema : value, [alias], functions);
  if (!isEntity(value)) return schema;
  const table = value.getTableName?.();
  if (table) schema.table = table;
  const { entity, version } = value.identifiers ?? USUAL;
  if (entity !== USUAL.entity || version !== USUAL.version) schema.identifiers = { entity, version };
  return schema;
}

/** A value as JSON holds it; functions become marks, which are named when all of them are known. */
function toData(value, path, functions) {
  if (typeof value === "function") return noted(value, path, functions);
  if (value instanceof RegExp) return { $regex: toPython(value) };
  if (value instanceof Set) return toData([...value], path, functions);
  if (value instanceof Date) return value.toJSON();
  if (Array.isArray(value)) return value.map((each, at) => toData(each, [...path, at], functions));
  const odd = typeof value === "bigint" || typeof value === "symbol" || (typeof value === "number" && !Number.isFinite(value));
  if (odd || value instanceof Map || ArrayBuffer.isView(value)) {
    throw new Refusal(`${path.join(".")}: JSON cannot hold ${String(value)}; use a function, or another value`);
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(fields.map(([name, each]) => [name, toData(each, [...path, name], functions)]));
}

// ---- functions ------------------------------------------------------------------------------------------------------

const identifier = (text) => text.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(\d)/, "_$1");

function noted(value, path, functions) {
  const option = String(path.at(-1));
  // JavaScript names a function after the option it is written in, which says nothing.
  const own = value.name.replace(/^bound /, "");
  const inline = own === "" || own === option || own === "anonymous" || own === "<instance_members_initializer>";
  const known = functions.find((each) => each.value === value);
  const mark = known ?? { value, wanted: inline ? undefined : identifier(own), path: identifier(path.filter((each) => !["attributes", "indexes", "properties", "items"].includes(each)).join("_")) };
  if (known === undefined) functions.push(mark);
  return mark;
}

/** Every function gets the name it has; two that share one, and those without any, are named after their place. */
function nameFunctions(functions) {
  const taken = new Set();
  for (const each of functions) {
    const others = functions.filter((other) => other !== each);
    const clear = each.wanted !== undefined && !others.some((other) => other.wanted === each.wanted || other.path === each.wanted);
    let name = clear ? each.wanted : each.path;
    while (taken.has(name)) name += "_";
    taken.add(name);
    each.name = name;
  }
}

function finished(value, functions) {
  if (functions.includes(value)) return { $fn: value.name, ...sourceOf(value.value) };
  if (Array.isArray(value)) return value.map((each) => finished(each, functions));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, finished(each, functions)]));
}

function sourceOf(value) {
  const source = Function.prototype.toString.call(value);
  return source.includes("[native code]") ? {} : { source };
}

// ---- regular expressions --------------------------------------------------------------------------------------------

const SPACE = "\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
const CLASSES = { d: "0-9", w: "A-Za-z0-9_", s: SPACE };
const ANY_BUT_BREAKS = "[^\\n\\r\\u2028\\u2029]";

/** The same pattern in Python's words: ASCII digits and letters, JavaScript's spaces, an end that is the end. */
function toPython(regex) {
  const { source, flags } = regex;
  const many = flags.includes("m");
  let made = "";
  let inClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const rest = source.slice(at);
    const token = /^(?:\\k<[^>]+>|\\u\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\c[A-Za-z]|\\[^]|\(\?<(?![=!])|[^])/.exec(rest)[0];
    at += token.length - 1;
    if (!inClass && token === "[") {
      inClass = true;
      const empty = /^\[\^?\]/.exec(rest)?.[0];
      if (empty !== undefined) {
        made += empty === "[]" ? "(?!)" : "[\\s\\S]";
        at += empty.length - 1;
        inClass = false;
      } else made += token;
    } else if (inClass && token === "]") {
      inClass = false;
      made += token;
    } else made += inClass ? inside(token) : outside(token, flags, many);
  }
  const kept = [...flags].filter((each) => "ims".includes(each)).join("");
  return kept ? `(?${kept})${made}` : made;
}

function inside(token) {
  if (/^\\[dws]$/.test(token)) return CLASSES[token[1]];
  if (token === "\\b") return "\\x08";
  if (/^[[&|~]$/.test(token)) return `\\${token}`;
  return escaped(token);
}

function outside(token, flags, many) {
  if (token === ".") return flags.includes("s") ? "." : ANY_BUT_BREAKS;
  if (token === "$") return many ? "$" : "\\Z";
  if (token === "(?<") return "(?P<";
  if (token.startsWith("\\k<")) return `(?P=${token.slice(3, -1)})`;
  if (/^\\[dws]$/.test(token)) return `[${CLASSES[token[1]]}]`;
  if (/^\\[DWS]$/.test(token)) return `[^${CLASSES[token[1].toLowerCase()]}]`;
  if (token === "\\b" || token === "\\B") return `(?a:${token})`;
  return escaped(token);
}

function escaped(token) {
  const long = /^\\u\{([0-9A-Fa-f]+)\}$/.exec(token);
  if (long !== null) return `\\U${long[1].padStart(8, "0")}`;
  if (/^\\c[A-Za-z]$/.test(token)) return `\\x${(token.charCodeAt(2) % 32).toString(16).padStart(2, "0")}`;
  if (token === "\\0") return "\\x00";
  // Python minds letters that are escaped without a meaning; JavaScript takes them as they are.
  return /^\\[A-Za-z]$/.test(token) && !/^\\[fnrtvDWSdws]$/.test(token) ? token[1] : token;
}

// ---- the command ----------------------------------------------------------------------------------------------------

async function main(given) {
  const at = given.findIndex((each) => each === "--output" || each === "-o");
  const output = at < 0 ? undefined : given.splice(at, 2)[1];
  const [path, name, ...more] = given;
  if (path === undefined || more.length > 0 || (at >= 0 && output === undefined)) throw new Refusal(USAGE);
  const functions = [];
  const members = chosen(await import(pathToFileURL(resolve(path)).href), name);
  const marked = [...members].map(([alias, value]) => [alias, written(alias, value, functions)]);
  nameFunctions(functions);
  const text = `${JSON.stringify(Object.fromEntries(marked.map(([alias, each]) => [alias, finished(each, functions)])), null, 2)}\n`;
  if (output === undefined) process.stdout.write(text);
  else writeFileSync(output, text);
  if (functions.length > 0) process.stderr.write(`Python must supply: ${functions.map((each) => each.name).join(", ")}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
