// ElectroDB entities with everything that JSON does not hold, for the export script: functions of all origins, regular
// expressions, sets, dates and renamed identifiers.
"use strict";
const { Entity, Service } = require("electrodb");

const makeId = () => "made";
const upper = (value) => (value === undefined ? undefined : value.toUpperCase());
const prefixed = (prefix) => (value) => (value === undefined ? undefined : `${prefix}${value}`);
const now = { now: () => "2026" }.now;

const task = new Entity(
  {
    model: { service: "exports", entity: "task", version: "1" },
    attributes: {
      project: { type: "string", required: true },
      taskId: { type: "string", default: makeId },
      title: { type: "string", set: upper, get: (value, item) => `${value} (${item.project})` },
      code: { type: "string", validate: /^[a-z]+\d{2}$/i },
      short: { type: "string", validate: (value) => value === undefined || value.length < 5 },
      left: { type: "string", set: prefixed("l-") },
      right: { type: "string", set: prefixed("r-") },
      status: { type: ["open", "done"], default: "open" },
      created: { type: "string", default: now },
      seconds: { type: "number", default: Date.now },
      tags: { type: "set", items: "string" },
      inner: { type: "map", properties: { name: { type: "string", set: upper }, "odd-name": { type: "string", default: () => "odd" } } },
      stamp: { type: "string", watch: ["title"], set: (_, { title }) => title },
      nothing: { type: "string", default: undefined },
    },
    indexes: {
      tasks: { pk: { field: "pk", composite: ["project"] }, sk: { field: "sk", composite: ["taskId"] } },
      open: {
        index: "gsi1",
        collection: "board",
        condition: (item) => item.status === "open",
        pk: { field: "gsi1pk", composite: ["project"] },
        sk: { field: "gsi1sk", composite: ["created"] },
      },
    },
  },
  { table: "exported", identifiers: { entity: "_type", version: "_version" } },
);
const note = new Entity(
  {
    model: { service: "exports", entity: "note", version: "2" },
    attributes: { project: { type: "string" }, text: { type: "string", set: upper } },
    indexes: {
      notes: { pk: { field: "pk", composite: ["project"] }, sk: { field: "sk", composite: ["text"] } },
      board: {
        index: "gsi1",
        collection: "board",
        pk: { field: "gsi1pk", composite: ["project"] },
        sk: { field: "gsi1sk", composite: ["text"] },
      },
    },
  },
  { table: "exported" },
);

module.exports = { service: new Service({ tasks: task, notes: note }), note, huge: { ...note.schema, table: 10n } };
