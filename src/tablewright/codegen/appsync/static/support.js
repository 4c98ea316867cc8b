/**
 * Requests of access patterns for AppSync's JavaScript runtime, which has no classes, no `while`, no `try` and no regular
 * expressions: templates come as lists of texts and `{ name }`.
 */

import { util } from "@aws-appsync/utils";
import { keyText } from "./encoding.js";

function isAbsent(value) {
  return value === undefined || value === null;
}

/** The value itself where a template is nothing but a name; else text up to the first absent value. */
export function filled(template, values) {
  if (template.length === 1 && template[0].name !== undefined) return values[template[0].name];
  let text = "";
  let ended = false;
  for (const part of template) {
    if (part.name !== undefined && isAbsent(values[part.name])) ended = true;
    if (!ended && part.name === undefined) text += part;
    if (!ended && part.name !== undefined) text += part.name === "_shard" ? `${values[part.name]}` : keyText(values[part.name]);
  }
  return text;
}

function isComplete(template, values) {
  return template.every((part) => part.name === undefined || !isAbsent(values[part.name]));
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

function nameMark(marks, attribute) {
  const known = Object.keys(marks.names).find((mark) => marks.names[mark] === attribute);
  const mark = known ?? `#n${Object.keys(marks.names).length}`;
  marks.names[mark] = attribute;
  return mark;
}

function valueMark(marks, value) {
  const mark = `:v${Object.keys(marks.values).length}`;
  marks.values[mark] = value;
  return mark;
}

function expression(text, marks) {
  const found = { expression: text };
  if (Object.keys(marks.names).length) found.expressionNames = marks.names;
  if (Object.keys(marks.values).length) found.expressionValues = util.dynamodb.toMapValues(marks.values);
  return found;
}

/** The text of a filter or condition of the design; what its placeholders stand for is added to the marks. */
function rendered(condition, values, marks) {
  for (const mark of Object.keys(condition.names)) marks.names[mark] = condition.names[mark];
  for (const mark of Object.keys(condition.values)) {
    const source = condition.values[mark];
    marks.values[mark] = source.name === undefined ? source.value : values[source.name];
  }
  return condition.text;
}

function sortText(condition, values, marks) {
  const name = nameMark(marks, condition.field);
  const low = valueMark(marks, filled(condition.low, values));
  if (condition.operator === "begins_with") return `begins_with(${name}, ${low})`;
  if (condition.operator === "between") return `${name} BETWEEN ${low} AND ${valueMark(marks, filled(condition.high, values))}`;
  return `${name} ${condition.operator} ${low}`;
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
  const marks = newMarks();
  const texts = Object.keys(step.pk).map((field) => `${nameMark(marks, field)} = ${valueMark(marks, filled(step.pk[field], values))}`);
  const sorted = step.sk.map((condition) => sortText(condition, values, marks));
  const request = {
    operation: "Query",
    query: expression([...texts, ...sorted].join(" AND "), marks),
    scanIndexForward: !step.backwards,
    consistentRead: step.consistent,
  };
  if (step.index) request.index = step.index;
  if (step.filter) {
    const own = newMarks();
    request.filter = expression(rendered(step.filter, values, own), own);
  }
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

function putItem(step, key, values) {
  const item = { ...step.fixed };
  if (step.all) {
    for (const name of step.attributes) if (!isAbsent(values.becoming[name])) item[name] = values.becoming[name];
    if (step.expires) item[step.expires.attribute] = values.old[step.expires.attribute] ?? util.time.nowEpochSeconds() + step.expires.seconds;
    for (const place of step.places) {
      if (place.needs.every((name) => !isAbsent(values.becoming[name]))) {
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
  const sets = [];
  const removes = step.remove.map((name) => nameMark(marks, name));
  for (const name of Object.keys(step.set)) {
    const value = changed(step, name, values);
    if (value === null) removes.push(nameMark(marks, name));
    else if (value !== undefined) sets.push(`${nameMark(marks, name)} = ${valueMark(marks, value)}`);
  }
  const adds = Object.keys(step.add).map((name) => `${nameMark(marks, name)} ${valueMark(marks, amount(step.add[name], values))}`);
  const pieces = [];
  if (sets.length) pieces.push(`SET ${sets.join(", ")}`);
  if (removes.length) pieces.push(`REMOVE ${removes.join(", ")}`);
  if (adds.length) pieces.push(`ADD ${adds.join(", ")}`);
  return expression(pieces.join(" "), marks);
}

/** The new value of an attribute or key field: undefined to leave it alone, null to remove it. */
function changed(step, name, values) {
  const place = step.places.find((each) => each.fields[name] !== undefined);
  if (place !== undefined) {
    const unread = !Object.keys(values.old).length;
    const stays = place.needs.every((each) => !isAbsent(values.becoming[each]) || (unread && values.becoming[each] !== null));
    return stays ? filled(step.set[name], withBucket(values.byName, place.bucket)) : null;
  }
  const template = step.set[name];
  const only = template.length === 1 ? template[0].name : undefined;
  const isParameter = step.given.some((each) => each.name === only);
  if (isParameter && values.given[only] === undefined) return undefined;
  return filled(template, values.byName) ?? null;
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
  for (const name of step.unchanged) {
    const mark = nameMark(marks, name);
    texts.push(isAbsent(values.old[name]) ? `attribute_not_exists(${mark})` : `${mark} = ${valueMark(marks, values.old[name])}`);
  }
  return texts.length ? expression(texts.map((text) => `(${text})`).join(" AND "), marks) : null;
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
