// Writes ElectroDB services, entities and schemas as JSON that Tablewright reads.
//
//   node tablewright-export.mjs ./dist/service.js > service.json
//   npx tsx tablewright-export.mjs ./src/service.ts taskApp --output service.json
//
// Without a name all that the module exports is looked at: its only service, else its entities and schemas (and objects
// of such). JSON holds no code, so every default, set, get, validate, condition and filter that is a function is written by name, with its
// source beside it: {"$fn": "makeId", "source": "() => nanoid()"}. Python must supply these functions; loading says which.
//
// A regular expression is translated to Python's only where it surely means the same, else it is written as such a function,
// too: {"$fn": "tasks_name_validate", "source": "/\\p{Lu}/u"}. Translated are:
//   - the flags d, i, m, s, u; not i with u, nor i with characters beyond ASCII (the two fold case differently)
//   - characters, their escapes (\n \x41 \u0041 \cA \0 \. \/, with u also \u{41}), the dot, ^ $ \b, \d \D \w \W \s \S
//   - classes of characters, ranges and \d \w \s; \D \W \S where the class is not negated; no dash between \w and the like
//     and something else, no range across the surrogates
//   - groups, alternatives, * + ? {n} {n,} {n,m}, also lazy; not {,n}, nor repeated what can be empty or is an assertion
//   - (?=..) (?!..), and (?<=..) (?<!..) of one width; named groups with names of ASCII
//   - \1 and \k<name> after a group that always takes part: outside of all others, not repeated, no alternatives around it
// Without u JavaScript counts an emoji as two characters, Python as one. So what matches a half of one (the dot, negated classes,
// \D \W \S) must then be repeated by * or + (.{1,9} counts halves), and no other such thing may stand next to it.
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
  if (value instanceof RegExp) return toRegex(value) ?? noted(value, path, functions);
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
  const own = (value.name ?? "").replace(/^bound /, "");
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
  if (value instanceof RegExp) return { source: String(value) };
  const source = Function.prototype.toString.call(value);
  return source.includes("[native code]") ? {} : { source };
}

// ---- regular expressions: reading -----------------------------------------------------------------------------------

const SPACE = "\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
const NO_SPACE = "\\x00-\\x08\\x0e-\\x1f!-\\x9f\\u00a1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\U0010ffff";
const NO_WORD = "\\x00-/:-@\\[-\\^`{-\\U0010ffff";
const CLASSES = { d: "0-9", w: "A-Za-z0-9_", s: SPACE, D: "\\x00-/:-\\U0010ffff", W: NO_WORD, S: NO_SPACE };
const BREAKS = "\\n\\r\\u2028\\u2029";
const CONTROLS = { f: 12, n: 10, r: 13, t: 9, v: 11, 0: 0 };
const FLAGS = /^[dimsu]*$/;

/** Something in a pattern that is not known to mean the same in Python. */
class Untold extends Error {}

function untold() {
  throw new Untold();
}

/** `{ $regex }` in Python's spelling, else undefined. */
function toRegex({ source, flags }) {
  try {
    if (!FLAGS.test(flags) || /i.*u/.test(flags)) untold();
    const reader = { rest: source, flags, groups: [], depth: 0 };
    const tree = readAlternatives(reader);
    if (reader.rest !== "") untold();
    checkReferences(tree, reader);
    if (follow(tree, "free") === "loose") untold();
    return { $regex: (flags.includes("i") ? "(?ia)" : "") + print(tree) };
  } catch (error) {
    if (error instanceof Untold) return undefined;
    throw error;
  }
}

/** What the pattern goes on with, taken off; undefined if it is something else. */
function take(reader, expected) {
  const found = expected.exec(reader.rest);
  if (found === null) return undefined;
  reader.rest = reader.rest.slice(found[0].length);
  return found;
}

function readAlternatives(reader) {
  const parts = [readSequence(reader)];
  while (take(reader, /^\|/)) parts.push(readSequence(reader));
  return parts.length === 1 ? parts[0] : { kind: "alternatives", parts };
}

function readSequence(reader) {
  const parts = [];
  while (reader.rest !== "" && !/^[|)]/.test(reader.rest)) parts.push(readRepeated(reader));
  return { kind: "sequence", parts };
}

function readRepeated(reader) {
  const part = readPart(reader);
  const found = take(reader, /^(?:([*+?])|\{(\d{1,4})(,(\d{1,4})?)?\})(\??)/);
  if (found === undefined) return part;
  const [text, sign, low, comma, high] = found;
  const least = sign === undefined ? Number(low) : Number(sign === "+");
  const most = sign === "?" ? 1 : sign !== undefined || (comma && !high) ? Infinity : Number(high ?? low);
  if (part.kind === "assertion" || part.kind === "look" || (most > 1 && isEmptyable(part))) untold();
  return { kind: "repeated", part, text, least, most };
}

function readPart(reader) {
  if (reader.rest[0] === "(") return readGroup(reader);
  if (reader.rest[0] === "[") return readClass(reader);
  if (reader.rest[0] === "\\") return readEscape(reader);
  const { flags } = reader;
  if (take(reader, /^\./)) return { kind: "set", wide: !flags.includes("u"), text: flags.includes("s") ? "[\\s\\S]" : `[^${BREAKS}]` };
  if (take(reader, /^\^/)) return { kind: "assertion", text: flags.includes("m") ? `(?<![^${BREAKS}])` : "^" };
  if (take(reader, /^\$/)) return { kind: "assertion", text: flags.includes("m") ? `(?![^${BREAKS}])` : "\\Z" };
  // A count that Python refuses, or that only Python takes for one.
  if (/^\{\d*,?\d*\}/.test(reader.rest)) untold();
  return { kind: "set", wide: false, text: character(readCharacter(reader), /[.^$*+?{}[\]\\|()]/) };
}

function readGroup(reader) {
  const [opened, sign, name] = take(reader, /^\((\?(?:[:=!]|<[=!]|<([A-Za-z_][A-Za-z0-9_]*)>))?/);
  if (opened === "(" && reader.rest[0] === "?") untold();
  const looks = sign !== undefined && /[=!]$/.test(sign);
  const group = { kind: looks ? "look" : "group", opened: name ? `(?P<${name}>` : opened, name, depth: reader.depth, repeated: false };
  const takes = opened === "(" || name !== undefined;
  if (name !== undefined && reader.groups.some((each) => each.name === name)) untold();
  if (takes) reader.groups.push(group);
  reader.depth += 1;
  const part = readAlternatives(reader);
  reader.depth -= 1;
  take(reader, /^\)/);
  if (sign?.startsWith("?<") && looks && !(widthOf(part) > 0)) untold();
  return Object.assign(group, { part, takes, closed: true });
}

function readEscape(reader) {
  const set = take(reader, /^\\([dDwWsS])/)?.[1];
  if (set !== undefined) return { kind: "set", wide: /[DWS]/.test(set) && !reader.flags.includes("u"), text: `[${/[DWS]/.test(set) ? "^" : ""}${CLASSES[set.toLowerCase()]}]` };
  // In Python's own words, since (?a) is not set without the flag i.
  if (take(reader, /^\\b/)) return { kind: "assertion", text: "(?a:\\b)" };
  const found = take(reader, /^\\(?:([1-9]\d*)|k<([^>]*)>)/);
  if (found === undefined) return { kind: "set", wide: false, text: character(readCharacter(reader), /[.^$*+?{}[\]\\|()]/) };
  const group = found[1] ? reader.groups[Number(found[1]) - 1] : reader.groups.find((each) => each.name === found[2]);
  if (!group?.closed || group.depth > 0) untold();
  reader.refers = true;
  return { kind: "reference", group, text: group.name ? `(?P=${group.name})` : `(?:\\${reader.groups.indexOf(group) + 1})` };
}

function readClass(reader) {
  const negated = take(reader, /^\[(\^?)/)[1];
  let text = "";
  let wide = negated !== "";
  while (!take(reader, /^\]/)) {
    const set = take(reader, /^\\([dDwWsS])/)?.[1];
    if (set === undefined) text += readRange(reader);
    else text += CLASSES[set];
    const lone = /^-(?!\])/.test(reader.rest);
    if (set !== undefined && (lone || (negated && /[DWS]/.test(set)))) untold();
    wide ||= /[DWS]/.test(set ?? "");
  }
  wide &&= !reader.flags.includes("u");
  if (text === "") return { kind: "set", wide, text: negated ? "[\\s\\S]" : "[^\\s\\S]" };
  return { kind: "set", wide, text: `[${negated}${text}]` };
}

/** One character of a class, or a range of them. */
function readRange(reader) {
  const special = /[\][\\^\-&|~]/;
  const first = take(reader, /^\\b/) ? 8 : readCharacter(reader);
  if (!take(reader, /^-(?!\])/)) return character(first, special);
  if (/^\\[bdDwWsS]/.test(reader.rest)) untold();
  const last = readCharacter(reader);
  if (first < 0xd800 && last > 0xdfff && !reader.flags.includes("u")) untold();
  return `${character(first, special)}-${character(last, special)}`;
}

/** The code point of a character, plain or escaped. */
function readCharacter(reader) {
  const unicode = reader.flags.includes("u");
  const code = readCode(reader, unicode);
  const beyond = code > 0xffff && !unicode;
  if (beyond || (code >= 0xd800 && code <= 0xdfff) || (code > 0x7f && reader.flags.includes("i"))) untold();
  return code;
}

function readCode(reader, unicode) {
  const plain = take(reader, /^[^\\]/u);
  if (plain !== undefined) return plain[0].codePointAt(0);
  const hex = take(reader, /^\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))/) ?? (unicode ? take(reader, /^\\u\{([0-9A-Fa-f]+)\}/) : undefined);
  if (hex !== undefined) return parseInt(hex[1] ?? hex[2], 16);
  const control = take(reader, /^\\(?:([fnrtv]|0(?!\d))|c([A-Za-z]))/);
  if (control !== undefined) return CONTROLS[control[1]] ?? control[2].charCodeAt(0) % 32;
  return take(reader, /^\\([^A-Za-z0-9])/u)?.[1].codePointAt(0) ?? untold();
}

// ---- regular expressions: judging and writing -----------------------------------------------------------------------

/** JavaScript takes what a group has not matched as empty, Python as no match: so each one that is meant must have matched. */
function checkReferences(tree, reader) {
  if (!reader.refers) return;
  const top = tree.kind === "sequence" ? tree.parts : untold();
  const sure = new Set(top.filter((each) => each.kind === "group"));
  const meant = (node) => [...(node.kind === "reference" ? [node.group] : []), ...childrenOf(node).flatMap(meant)];
  if (!meant(tree).every((group) => sure.has(group))) untold();
}

function childrenOf(node) {
  return node.parts ?? (node.part === undefined ? [] : [node.part]);
}

function isEmptyable(node) {
  if (node.kind === "set") return false;
  if (node.kind === "assertion" || node.kind === "look") return true;
  if (node.kind === "reference") return isEmptyable(node.group);
  if (node.kind === "alternatives") return node.parts.some(isEmptyable);
  if (node.kind === "repeated") return node.least === 0 || isEmptyable(node.part);
  return childrenOf(node).every(isEmptyable);
}

/** How many characters it takes; undefined if that can differ, or if something in it looks around. */
function widthOf(node) {
  if (node.kind === "set") return 1;
  if (node.kind === "repeated") return node.least === node.most ? product(node.least, widthOf(node.part)) : undefined;
  if (node.kind === "group") return node.takes ? undefined : widthOf(node.part);
  const widths = node.parts?.map(widthOf) ?? [undefined];
  if (widths.includes(undefined)) return undefined;
  if (node.kind === "sequence") return widths.reduce((sum, each) => sum + each, 0);
  return widths.every((each) => each === widths[0]) ? widths[0] : undefined;
}

const product = (count, width) => (width === undefined ? undefined : count * width);
const isWide = (node) => node.wide === true || childrenOf(node).some(isWide);

/**
 * Could JavaScript stand between the two halves of a character, where Python never does, and does it matter?
 *
 * With u nothing takes a half (no set is wide), but Node still begins to look there.
 * Answers how the place behind a node is, given the place before it: "free" (nothing has been looked at), "solid" (surely
 * between characters), "start" (one of these), "wide" (behind something that may have taken half), "loose" (as wide or
 * start, and something was found not to be there, which between halves is always so).
 */
function follow(node, before) {
  return FOLLOWING[node.kind](node, before);
}

const FOLLOWING = {
  sequence: (node, before) => node.parts.reduce((place, each) => follow(each, place), before),
  alternatives: (node, before) => node.parts.map((each) => follow(each, before)).reduce(worse),
  group: (node, before) => follow(node.part, before),
  // Neither holds between two halves, which are no letters.
  assertion: () => "solid",
  set: (node, before) => (!node.wide ? "solid" : before === "free" ? "wide" : untold()),
  reference: (node, before) => (isWide(node.group) ? untold() : isEmptyable(node.group) ? worse(before, "solid") : "solid"),
  repeated: followRepeated,
  look: followLook,
};

function followRepeated({ part, least, most }, before) {
  if (part.kind === "set" && part.wide) {
    if (most !== Infinity || least > 1 || before === "wide" || before === "loose") untold();
    return "wide";
  }
  if (most === 0) return before;
  let place = follow(part, before);
  for (let last; most > 1 && last !== place; ) [last, place] = [place, worse(place, follow(part, place))];
  return least === 0 ? worse(before, place) : place;
}

function followLook({ opened, part }, before) {
  const negative = opened.endsWith("!");
  if (opened.startsWith("(?<") && isWide(part)) untold();
  const inner = follow(part, negative ? "solid" : before === "free" ? "start" : before);
  if (inner === "loose") untold();
  if (negative) return before === "solid" ? "solid" : "loose";
  return before === "free" ? "start" : before;
}

function worse(one, other) {
  if (one === other) return one;
  return ["loose", "wide"].find((each) => each === one || each === other) ?? "start";
}

function print(node) {
  if (node.kind === "sequence") return node.parts.map(print).join("");
  if (node.kind === "alternatives") return node.parts.map(print).join("|");
  if (node.kind === "repeated") return print(node.part) + node.text;
  return node.part === undefined ? node.text : `${node.opened}${print(node.part)})`;
}

/** A character as Python reads it: escaped where it is `special`, by its number where it cannot be seen. */
function character(code, special) {
  const text = String.fromCodePoint(code);
  if (special.test(text)) return `\\${text}`;
  if (code >= 0x20 && code < 0x7f) return text;
  const [letter, digits] = code > 0xffff ? ["U", 8] : code > 0xff ? ["u", 4] : ["x", 2];
  return `\\${letter}${code.toString(16).padStart(digits, "0")}`;
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
