// What ElectroDB does with null, undefined and empty sets in writes.
"use strict";
const { Entity } = require("electrodb");

const entity = new Entity(
  {
    model: { service: "nothing", entity: "task", version: "1" },
    attributes: {
      project: { type: "string" },
      task: { type: "string" },
      note: { type: "string" },
      free: { type: "any" },
      tags: { type: "set", items: "string" },
    },
    indexes: { key: { pk: { field: "pk", composite: ["project"] }, sk: { field: "sk", composite: ["task"] } } },
  },
  { table: "app" },
);
const at = { project: "web", task: "t1" };

function verdict(name, chain) {
  try {
    return Object.values(chain().params().ExpressionAttributeNames ?? {}).includes(name) ? "sent" : "left out";
  } catch (error) {
    return error.isElectroError ? "refused" : String(error);
  }
}

const answers = {
  "set null": verdict("note", () => entity.update(at).set({ note: null })),
  "put null": verdict("note", () => entity.put({ ...at, note: null })),
  "upsert null": verdict("note", () => entity.upsert({ ...at, note: null })),
  "set null of any": verdict("free", () => entity.update(at).set({ free: null })),
  "set an empty set": verdict("tags", () => entity.update(at).set({ tags: [] })),
  "set undefined": verdict("note", () => entity.update(at).set({ note: undefined })),
};
process.stdout.write(JSON.stringify(answers));
