// The club of tests/runtime/features as ElectroDB knows it: it has no unique attributes, and counts versions by hand.
"use strict";

const model = (entity) => ({ service: "club", entity, version: "1" });
const key = (name) => ({ pk: { field: "pk", composite: [name] }, sk: { field: "sk", composite: [] } });

const account = {
  model: model("account"),
  attributes: {
    account: { type: "string", required: true },
    balance: { type: "number", default: 0 },
    note: { type: "string" },
    version: { type: "number", default: 0 },
  },
  indexes: {
    key: key("account"),
    by_note: {
      index: "gsi1",
      pk: { field: "gsi1pk", composite: ["note"] },
      sk: { field: "gsi1sk", composite: ["account"] },
    },
  },
};

const member = {
  model: model("member"),
  attributes: {
    member: { type: "string", required: true },
    email: { type: "string", field: "mail" },
    team: { type: "string" },
    shirt: { type: "number" },
    note: { type: "string" },
    version: { type: "number", default: 0 },
  },
  indexes: { key: key("member") },
};

module.exports = { table: "club", schemas: { accounts: account, members: member } };
