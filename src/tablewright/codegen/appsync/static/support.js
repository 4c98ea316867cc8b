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
  if (source.value !== undefined) return source.value;
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
function rendered(part, values, marks) {
  for (const mark of Object.keys(part.names)) marks.names[mark] = part.names[mark];
  for (const mark of Object.keys(part.values)) marks.values[mark] = filled(part.values[mark], values);
  return part.text;
}

function expressed(part, values) {
  const marks = newMarks();
  return expression(rendered(part, values, marks), marks);
}

// ---- reads ----------------------------------------------------------------------------------------------------------

/** `also` has the values of this request alone: a shard, or one of the values that are gone through. */
export function readRequest(step, args, also) {
  const values = { ...withBucket(args, step.bucket), ...also };
  if (step.operation === "Query") return queryRequest(step, values, args);
  const key = keyOf(step.key, values);
  return { operation: "GetItem", key: util.dynamodb.toMapValues(key), consistentRead: step.consistent };
}

function queryRequest(step, values, args) {
  const request = {
    operation: "Query",
    query: expressed(step.condition, values),
    scanIndexForward: !step.backwards,
    consistentRead: step.consistent,
  };
  if (step.index) request.index = step.index;
  if (step.filter) request.filter = expressed(step.filter, values);
  const limit = args.limit ?? step.limit;
  if (limit && !step.filter) request.limit = limit;
  if (args.nextToken) request.nextToken = args.nextToken;
  return request;
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
export function batchItems(step, items, found, args) {
  const byKey = {};
  for (const item of found) {
    if (item) byKey[JSON.stringify(Object.keys(step.key).map((field) => item[field]))] = item;
  }
  const keys = items.map((item) => keyOf(step.key, { ...args, ...item }));
  return keys.map((key) => byKey[JSON.stringify(Object.keys(step.key).map((field) => key[field]))]).filter((item) => item);
}

/** Several answers as one, in the order of the sort key. */
export function merged(answers, fields, backwards, limit) {
  const items = [];
  for (const answer of answers) for (const item of answer) items.push(item);
  if (answers.length > 1) items.sort((one, other) => compared(one, other, fields) * (backwards ? -1 : 1));
  return limit ? items.slice(0, limit) : items;
}

function compared(one, other, fields) {
  const field = fields.find((each) => one[each] !== other[each]);
  if (field === undefined) return 0;
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

/** What the names of one step mean. */
function valuesOf(step, args, old, isPut) {
  const given = {};
  for (const each of step.given) if (args[each.name] !== undefined) given[each.name] = args[each.name];
  const kept = isPut ? {} : old;
  const becoming = { ...kept };
  const byName = { ...kept };
  for (const each of step.given) {
    if (given[each.name] !== undefined) becoming[each.attribute] = given[each.name];
    byName[each.name] = given[each.name] !== undefined ? given[each.name] : kept[each.attribute];
  }
  for (const name of Object.keys(old)) byName[`old.${name}`] = old[name];
  return { given, old, becoming, byName };
}

/** One write, or none where nothing changes that it is about or its key needs what is absent. */
export function writeOf(step, args, found, isPut) {
  const values = valuesOf(step, args, found ?? {}, isPut);
  if (step.unlessSame.length && step.unlessSame.every((name) => isSame(values.becoming[name], values.old[name]))) return null;
  const known = withBucket(values.byName, step.bucket);
  if (!Object.keys(step.key).every((field) => isComplete(step.key[field], known))) return null;
  const key = keyOf(step.key, known);
  const write = { table: step.table, operation: step.operation, key: util.dynamodb.toMapValues(key) };
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
  const item = { ...step.fixed };
  if (step.item) {
    const { attributes, expires } = step.item;
    for (const name of attributes) if (!isAbsent(values.becoming[name])) item[name] = values.becoming[name];
    if (expires) item[expires.attribute] = values.old[expires.attribute] ?? util.time.nowEpochSeconds() + expires.seconds;
    for (const place of step.places) {
      if (place.needs.every((name) => !isAbsent(values.becoming[name])) && admits(place, values.becoming)) {
        const known = withBucket(values.becoming, place.bucket);
        for (const field of Object.keys(place.fields)) item[field] = filled(place.fields[field], known);
      }
    }
  } else {
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
    if (value === null) clauses.REMOVE.push(rendered(change.path, values.byName, marks));
    if (value !== null && value !== undefined) {
      marks.values[change.placeholder] = value;
      const joint = change.action === "SET" ? " = " : " ";
      clauses[change.action].push(`${rendered(change.path, values.byName, marks)}${joint}${change.placeholder}`);
    }
  }
  const used = Object.keys(clauses).filter((action) => clauses[action].length);
  return expression(used.map((action) => `${action} ${clauses[action].join(", ")}`).join(" "), marks);
}

/** The new value of an attribute or key field: undefined to leave it alone, null to remove it. */
function newValue(step, change, values) {
  if (change.action === "REMOVE") return null;
  if (change.terms) return amount(change.terms, values);
  if (change.keyField) {
    const place = step.places.find((each) => each.fields[change.keyField] !== undefined);
    const unread = !Object.keys(values.old).length;
    const stays = place.needs.every((name) => !isAbsent(values.becoming[name]) || (unread && values.becoming[name] !== null));
    return stays && admits(place, values.becoming) ? filled(change.value, withBucket(values.byName, place.bucket)) : null;
  }
  const isParameter = step.given.some((each) => each.name === change.value.name);
  if (isParameter && values.given[change.value.name] === undefined) return undefined;
  return filled(change.value, values.byName) ?? null;
}

/** Terms with a sign: numbers or values; what is absent counts 0. */
function amount(terms, values) {
  let total = 0;
  for (const term of terms) {
    const value = term.name === undefined ? term.value : (values.byName[term.name] ?? 0);
    total = term.minus ? total - value : total + value;
  }
  return total;
}

function conditionOf(step, values) {
  const marks = newMarks();
  const texts = [];
  if (step.condition) texts.push(rendered(step.condition, values.byName, marks));
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
  const kept = withoutReplaced(writes.filter((write) => write));
  if (transaction) return { operation: "TransactWriteItems", transactItems: kept };
  const { table, ...request } = kept[0];
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
