// ElectroDB itself on the schemas of designs: the items that it would write.
//
// Standard input: {id: {schemas, items: {alias: attributes}}}. Standard output: {id: {alias: item}}.
"use strict";
const { readFileSync } = require("node:fs");
const { Entity, Service } = require("electrodb");

const payload = JSON.parse(readFileSync(0, "utf8"));
const changed = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

// A condition comes as data: the values that an item of a sparse index has, null for any.
const having = ([values]) => (item) => Object.entries(values).every(([name, value]) => (value === null ? item[name] !== undefined : item[name] === value));
const revived = (index) => (index.condition ? { ...index, condition: having(index.condition.args) } : index);

const written = ({ schemas, items }) => {
  const entities = changed(schemas, (schema) => new Entity({ ...schema, indexes: changed(schema.indexes, revived) }, { table: "design" }));
  new Service(entities, { table: "design" }); // refuses collections whose members do not agree
  return changed(items, (values, alias) => entities[alias].put(values).params().Item);
};

process.stdout.write(JSON.stringify(changed(payload, written)));
