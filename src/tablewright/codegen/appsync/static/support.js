/**
 * Requests of access patterns for AppSync's JavaScript runtime, which has no classes, no `while`, no `try` and no regular
 * expressions: texts come as lists of texts and `{ name }`, expressions with all their placeholders.
 */

import { util } from "@aws-appsync/utils";
import { keyText } from "./encoding.js";

function isAbsent(value) {
  return value === undefined || value === null;
}

/** A value `{ name }` as it is, a constant `{ value }`, or text up to the first absent value. */
export function filled(source, values) {
  if (source.name !== undefined) return values[source.name];
  if (source.value !== undefined) return source.value; // may be null
  let text = "";
  let ended = false;
  for (const part of source) {
    if (part.name !== undefined && isAbsent(values[part.name])) ended = true;
    if (!ended && part.name === undefined) text += part;
    if (!ended && part.name !== undefined) text += part.name === "_shard" ? `${values[part.name]}` : keyText(values[part.name]);
  }
  return text;
}

function isComplete(source, values) {
  if (source.name !== undefined) return !isAbsent(values[source.name]);
  if (source.value !== undefined) return true;
  return source.every((part) => part.name === undefined || !isAbsent(values[part.name]));
}

/** The same values and the bucket that follows from them. */
function withBucket(values, bucket) {
  if (!bucket || isAbsent(values[bucket.attribute])) return values;
  return { ...values, _bucket: `${values[bucket.attribute]}`.slice(0, bucket.length) };
}

function keyOf(fields, values) {
  const key = {};
  for (const field of Object.keys(fields)) key[field] = filled(fields[field], values);
  return key;
}

// ---- times ----------------------------------------------------------------------------------------------------------

const DAY = 86400;
const FIRST = -62135596800000; // of the year 1, and the last of 9999, in milliseconds since 1970
const LAST = 253402300799000;

/** A number with this added, or a time so many seconds later in the form it has; of dates whole days count. */
function shifted(value, by) {
  if (typeof value === "number") return value + by;
  const isDate = value.length === 10;
  const whole = isDate ? `${value}T00:00:00` : value.slice(0, 19);
  const moment = util.time.parseISO8601ToEpochMilliSeconds(`${whole}Z`);
  if (secondsOf(moment) !== whole) util.error(`${value} is no time such as 2026-01-31T09:00:00Z`, "InvalidValue");
  const seconds = isDate ? by - (by % DAY) : by;
  const moved = moment + seconds * 1000;
  const text = secondsOf(moved < FIRST ? FIRST : moved > LAST ? LAST : moved);
  return isDate ? text.slice(0, 10) : `${text}${value.slice(19)}`;
}

function secondsOf(moment) {
  return util.time.epochMilliSecondsToISO8601(moment).slice(0, 19);
}

// ---- expressions ----------------------------------------------------------------------------------------------------

function newMarks() {
  return { names: {}, values: {} };
}

function expression(text, marks) {
  const found = { expression: text };
  if (Object.keys(marks.names).length) found.expressionNames = marks.names;
  if (Object.keys(marks.values).length) found.expressionValues = util.dynamodb.toMapValues(marks.values);
  return found;
}

/** The text of a part of the design; what its placeholders stand for is added to the marks. */
function render(part, values, marks) {
  for (const mark of Object.keys(part.names)) marks.names[mark] = part.names[mark];
  for (const mark of Object.keys(part.values)) marks.values[mark] = filled(part.values[mark], values);
  return part.text;
}

function expressionOf(part, values) {
  const marks = newMarks();
  return expression(render(part, values, marks), marks);
}

// ---- reads ----------------------------------------------------------------------------------------------------------

/**
 * `also` has the values of this request alone: a shard, or one of the values that are gone through. Only one that
 * `goesOn` takes a token, and a limit where a filter may drop items.
 */
export function readRequest(step, args, also, goesOn) {
  const values = { ...withBucket(args, step.bucket), ...also, _now: util.time.nowEpochSeconds() };
  if (!isAbsent(step.longest)) values._earliest = shifted(args.from, -step.longest);
  if (step.operation === "Query") return queryRequest(step, values, args, goesOn);
  const key = keyOf(step.key, values);
  return { operation: "GetItem", key: util.dynamodb.toMapValues(key), consistentRead: step.consistent };
}

function queryRequest(step, values, args, goesOn) {
  const request = {
    operation: "Query",
    query: expressionOf(step.condition, values),
    scanIndexForward: !step.backwards,
    consistentRead: step.consistent,
  };
  if (step.index) request.index = step.index;
  if (step.filter) request.filter = expressionOf(step.filter, values);
  const limit = args.limit ?? step.limit;
  const sends = goesOn ? args.limit || step.sendsLimit : !step.filter;
  if (limit && sends) request.limit = step.beside ? limit + 1 : limit;
  if (goesOn && args.nextToken) request.nextToken = args.nextToken;
  return request;
}

/** What a request that goes on found: a page that was not sent with its limit is cut there. */
export function paged(step, args, result) {
  const sent = args.limit || step.sendsLimit;
  const isCut = step.limit && !sent && result.items.length >= step.limit;
  if (isCut) return { items: result.items.slice(0, step.limit), nextToken: null };
  return { items: result.items, nextToken: result.nextToken ?? null };
}

/**
 * What a request found that does not go on: it has to be all, or as many as are asked for. The item beside a list comes
 * first and is not counted; where it is not there, one more of the list was found than is asked for.
 */
export function whole(step, args, result) {
  const limit = args.limit ?? step.limit;
  const most = limit && isBeside(step, result.items[0]) ? limit + 1 : limit;
  const isShort = !most || result.items.length < most;
  if (result.nextToken && isShort) util.error("there is more than one request finds", "Incomplete");
  return step.beside ? cut(result.items, most) : result.items;
}

function isBeside(step, item) {
  return step.beside && item && step.beside.labels.includes(item[step.beside.field]);
}

/** The item that was found, unless there is none or its time has passed. */
export function single(step, item) {
  return item && isUnexpired(step, item) ? [item] : [];
}

function isUnexpired(step, item) {
  const until = step.unexpired ? item[step.unexpired] : null;
  return isAbsent(until) || until > util.time.nowEpochSeconds();
}

/** The items of all keys that an earlier request found. */
export function batchRequest(step, items, args) {
  const seen = {};
  const keys = [];
  for (const item of items) {
    const key = keyOf(step.key, { ...args, ...item });
    const text = JSON.stringify(key);
    if (!seen[text]) keys.push(util.dynamodb.toMapValues(key));
    seen[text] = true;
  }
  return { operation: "BatchGetItem", tables: { [step.table]: { keys, consistentRead: step.consistent } } };
}

/** In the order of the keys; items that are gone are left out. */
export function batchItems(step, items, result, args) {
  const found = result.data[step.table];
  const left = result.unprocessedKeys ? result.unprocessedKeys[step.table] : null;
  if (left && left.length) util.error("DynamoDB had no capacity for all keys", "Unprocessed");
  const byKey = {};
  for (const item of found) {
    if (item) byKey[JSON.stringify(Object.keys(step.key).map((field) => item[field]))] = item;
  }
  const keys = items.map((item) => keyOf(step.key, { ...args, ...item }));
  const named = keys.map((key) => byKey[JSON.stringify(Object.keys(step.key).map((field) => key[field]))]);
  return named.filter((item) => item && isUnexpired(step, item));
}

/** Several answers as one, in the order of the sort key. */
export function merged(answers, fields, backwards) {
  const items = [];
  for (const answer of answers) for (const item of answer) items.push(item);
  if (answers.length > 1) items.sort((one, other) => compared(one, other, fields, backwards ? 1 : -1) * (backwards ? -1 : 1));
  return items;
}

/** Lists that are each in order as one; items without an attribute of it stand last, or first. */
export function ordered(lists, merge, backwards) {
  const items = [];
  for (const list of lists) for (const item of list) items.push(item);
  const lacking = merge.absentFirst === backwards ? 1 : -1;
  items.sort((one, other) => compared(one, other, merge.attributes, lacking) * (backwards ? -1 : 1));
  return items;
}

export function cut(items, limit) {
  return limit ? items.slice(0, limit) : items;
}

/** `lacking`: what an item without the attribute is to others, before (-1) or behind them (1). */
function compared(one, other, fields, lacking) {
  const field = fields.find((each) => one[each] !== other[each]);
  if (field === undefined) return 0;
  if (isAbsent(one[field])) return lacking;
  if (isAbsent(other[field])) return -lacking;
  return one[field] < other[field] ? -1 : 1;
}

/** What the application knows: without composed keys, with the name of the type. */
export function shown(item, typeField, entities) {
  return item ? { ...item, __typename: entities[item[typeField]] } : null;
}

export function failed(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
}

// ---- writes ---------------------------------------------------------------------------------------------------------

/** What is left out has its default; a value that is not as it must be is an error, and nothing is sent. */
export function withRules(rules, args) {
  const found = { ...args };
  for (const rule of rules) {
    if (isAbsent(found[rule.input]) && rule.isNow) found[rule.input] = util.time.nowISO8601();
    if (isAbsent(found[rule.input]) && rule.default !== null) found[rule.input] = rule.default;
    const wrong = isAbsent(found[rule.input]) ? "" : wrongAbout(rule, found[rule.input]);
    if (wrong) util.error(`${rule.input} ${wrong}`, "InvalidValue");
  }
  for (const rule of rules) {
    const wrong = rule.start ? wrongLength(rule, found[rule.start], found[rule.input]) : "";
    if (wrong) util.error(wrong, "InvalidValue");
  }
  return found;
}

/** What is wrong where something lasts too long, or where nobody could tell. */
function wrongLength(rule, start, end) {
  if (rule.together && (start === undefined) !== (end === undefined)) return `${rule.start} and ${rule.input} are given together`;
  if (isAbsent(start) || isAbsent(end)) return "";
  return shifted(end, 0) > shifted(start, rule.longest) ? `${rule.input} is too far behind ${rule.start}` : "";
}

function wrongAbout(rule, value) {
  if (rule.minLength !== null && value.length < rule.minLength) return `has fewer than ${rule.minLength} characters`;
  if (rule.maxLength !== null && value.length > rule.maxLength) return `has more than ${rule.maxLength} characters`;
  if (rule.min !== null && value < rule.min) return `is less than ${rule.min}`;
  return rule.max !== null && value > rule.max ? `is more than ${rule.max}` : "";
}

/** What the names of one step mean. `asked` is for conditions and amounts: there what is given comes first. */
function valuesOf(step, args, old) {
  const own = {};
  for (const name of Object.keys(args)) if (args[name] !== undefined && !step.foreign.includes(name)) own[name] = args[name];
  const kept = step.isPut ? {} : old;
  const becoming = becomingOf(step, args, own, kept);
  const gone = Object.keys(becoming).filter((name) => becoming[name] === null);
  const stays = {};
  for (const name of Object.keys(becoming)) if (!isAbsent(becoming[name])) stays[name] = becoming[name];
  const unsaid = step.given.filter((each) => each.attribute && own[each.name] === undefined);
  const byName = { ...kept };
  for (const each of unsaid) byName[each.name] = kept[each.attribute];
  for (const name of Object.keys(own)) byName[name] = own[name];
  for (const name of Object.keys(old)) byName[`old.${name}`] = old[name];
  for (const name of Object.keys(stays)) byName[`new.${name}`] = stays[name];
  const asked = { ...byName, ...args };
  return { old, byName, asked, becoming: stays, gone, unsaid: unsaid.map((each) => each.name) };
}

/** The attributes after the write; null for those that go. */
function becomingOf(step, args, own, kept) {
  const becoming = { ...kept };
  for (const name of Object.keys(own)) {
    const parameter = step.given.find((each) => each.name === name);
    const attribute = parameter ? parameter.attribute : name;
    if (attribute && (attribute !== name || step.attributes.includes(name))) becoming[attribute] = own[name];
  }
  for (const name of Object.keys(step.becomes)) {
    const { terms, value } = step.becomes[name];
    if (!terms) becoming[name] = value;
    else if (step.isKnown) becoming[name] = (kept[name] ?? 0) + amount(terms, { ...kept, ...args });
    else delete becoming[name];
  }
  return becoming;
}

/** One write, or none where nothing changes that it is about or its key needs what is absent. */
export function writeOf(step, args, found) {
  const values = valuesOf(step, args, found ?? {});
  const stay = (name) => isSame(values.becoming[name], values.old[name]);
  if (step.unlessSame.length && step.unlessSame.every(stay)) return null;
  if (step.ifSame.length && !step.ifSame.every(stay)) return null;
  if (step.isCheck) for (const name of Object.keys(step.set)) values.byName[name] = filled(step.set[name], values.byName);
  values.byName._expires = values.old[step.item.expires] ?? util.time.nowEpochSeconds() + step.item.seconds;
  const known = withBucket(values.byName, step.bucket);
  if (!Object.keys(step.key).every((field) => isComplete(step.key[field], known))) return null;
  const key = keyOf(step.key, known);
  const write = { table: step.table, operation: step.operation, key: util.dynamodb.toMapValues(key), isCheck: step.isCheck };
  if (step.operation === "PutItem") write.attributeValues = util.dynamodb.toMapValues(putItem(step, key, values));
  if (step.operation === "UpdateItem") write.update = updateOf(step, values);
  const condition = conditionOf(step, values);
  if (condition) write.condition = condition;
  return write;
}

function isSame(one, other) {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** Whether an index holds an item with these values. */
function admits(place, item) {
  return Object.keys(place.when).every((name) => (place.when[name] === null ? !isAbsent(item[name]) : item[name] === place.when[name]));
}

function putItem(step, key, values) {
  const item = {};
  if (step.isWhole) {
    const { attributes, expires, seconds } = step.item;
    for (const name of attributes) if (!isAbsent(values.becoming[name])) item[name] = values.becoming[name];
    if (expires) item[expires] = values.becoming[expires] ?? util.time.nowEpochSeconds() + seconds;
    for (const name of Object.keys(step.fixed)) item[name] = step.fixed[name];
    for (const place of step.places) {
      if (place.needs.every((name) => !isAbsent(values.becoming[name])) && admits(place, values.becoming)) {
        const known = withBucket(values.becoming, place.bucket);
        for (const field of Object.keys(place.fields)) item[field] = filled(place.fields[field], known);
      }
    }
  } else {
    for (const name of Object.keys(step.fixed)) item[name] = step.fixed[name];
    for (const name of Object.keys(step.set)) {
      const value = filled(step.set[name], values.byName);
      if (!isAbsent(value)) item[name] = value;
    }
  }
  for (const field of Object.keys(key)) delete item[field];
  return item;
}

function updateOf(step, values) {
  const marks = newMarks();
  const clauses = { SET: [], REMOVE: [], ADD: [] };
  for (const change of step.changes) {
    const value = newValue(step, change, values);
    if (value === null) {
      for (const mark of Object.keys(change.path.names)) marks.names[mark] = change.path.names[mark];
      clauses.REMOVE.push(change.path.text);
    }
    if (value !== null && value !== undefined) {
      marks.values[change.placeholder] = value;
      const assigned = change.action === "SET" ? ` = ${change.assigned || change.placeholder}` : ` ${change.placeholder}`;
      clauses[change.action].push(`${render(change.path, values.asked, marks)}${assigned}`);
    }
  }
  const used = Object.keys(clauses).filter((action) => clauses[action].length);
  return expression(used.map((action) => `${action} ${clauses[action].join(", ")}`).join(" "), marks);
}

/** The new value of an attribute or key field: undefined to leave it alone, null to remove it. */
function newValue(step, change, values) {
  if (change.action === "REMOVE") return null;
  if (change.terms) return amount(change.terms, values.asked);
  if (change.keyField) {
    const place = step.places.find((each) => each.fields[change.keyField] !== undefined);
    const stays = place.needs.every(
      (name) => !isAbsent(values.becoming[name]) || !(step.isKnown || values.gone.includes(name)),
    );
    const known = { ...withBucket(values.becoming, place.bucket), ...values.byName };
    return stays && admits(place, values.becoming) ? filled(change.value, known) : null;
  }
  if (!step.isWhole && change.value.name !== undefined && values.unsaid.includes(change.value.name)) return undefined;
  return filled(change.value, values.byName) ?? null;
}

/** Terms with a sign: numbers or values; what is absent counts 0. */
function amount(terms, values) {
  let total = 0;
  for (const term of terms) {
    const value = term.name === undefined ? term.value : (values[term.name] ?? 0);
    total = term.minus ? total - value : total + value;
  }
  return total;
}

function conditionOf(step, values) {
  const marks = newMarks();
  const texts = [];
  if (step.condition) texts.push(render(step.condition, values.asked, marks));
  for (const each of step.unchanged) {
    marks.names[each.name] = each.attribute;
    const isThere = !isAbsent(values.old[each.attribute]);
    if (isThere) marks.values[each.value] = values.old[each.attribute];
    texts.push(isThere ? `${each.name} = ${each.value}` : `attribute_not_exists(${each.name})`);
  }
  return texts.length ? expression(texts.join(" AND "), marks) : null;
}

/** One write is sent as it is, several as a transaction. */
export function sent(writes, transaction) {
  const kept = withoutChecked(withoutReplaced(writes.filter((write) => write)));
  const items = kept.map(({ isCheck, ...write }) => write);
  if (transaction) return { operation: "TransactWriteItems", transactItems: items };
  const { table, ...request } = items[0];
  return request;
}

/** A delete of what is put at the same time would contradict it: the put alone, with both demands. */
function withoutReplaced(writes) {
  const places = writes.map((write) => JSON.stringify([write.table, write.key]));
  const puts = writes.map((write) => write.operation === "PutItem");
  const deletes = writes.map((write) => write.operation === "DeleteItem");
  const found = [];
  for (const write of writes) {
    const at = writes.indexOf(write);
    const twin = places.findIndex((place, other) => other !== at && place === places[at] && (deletes[at] ? puts[other] : puts[at] && deletes[other]));
    if (twin < 0) found.push(write);
    else if (puts[at]) found.push(writes[twin].condition ? { ...write, condition: writes[twin].condition } : write);
  }
  return found;
}

/** A transaction has one action for an item: what writes a parent demands it as well, and one check does for all. */
function withoutChecked(writes) {
  const taken = {};
  for (const write of writes) if (!write.isCheck) taken[JSON.stringify([write.table, write.key])] = true;
  const found = writes.filter((write) => !write.isCheck);
  for (const write of writes) {
    const place = JSON.stringify([write.table, write.key]);
    if (!taken[place]) found.push(write);
    taken[place] = true;
  }
  return found;
}
