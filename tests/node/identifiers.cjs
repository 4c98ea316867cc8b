// Requests of entities whose identifiers are renamed: one of two members of a collection, and later by name.
"use strict";
const { Entity, Service } = require("electrodb");

const schema = (entity) => ({
  model: { service: "s", entity, version: "1" },
  attributes: { a: { type: "string" }, b: { type: "string" } },
  indexes: { m: { collection: "c", pk: { field: "pk", composite: ["a"] }, sk: { field: "sk", composite: ["b"] } } },
});
const one = new Entity(schema("one"), { table: "t", identifiers: { entity: "_e" } });
const two = new Entity(schema("two"), { table: "t" });
const service = new Service({ one, two });
const answers = {
  put: service.entities.one.put({ a: "1", b: "2" }).params(),
  scan: one.scan.params(),
  update: one.update({ a: "1", b: "2" }).remove([]).params(),
  collection: service.collections.c({ a: "1" }).params(),
};
one.setIdentifier("version", "_v");
answers.later = one.put({ a: "1", b: "2" }).params();
process.stdout.write(JSON.stringify({ schemas: { one: schema("one"), two: schema("two") }, answers }));
