// The museum of tests/scenarios as one writes it for ElectroDB: every type of attribute, every kind of index.
"use strict";

const isShown = (exhibit) => exhibit.shown === true;
const model = (entity, version) => ({ service: "museum", entity, version });
const partner = (sort, composite) => ({
  pk: { field: "pk", composite: ["partner"], template: "PARTNER#${partner}", casing: "none" },
  sk: { field: "sk", composite, template: sort, casing: "none" },
});

const exhibit = {
  model: model("exhibit", "1"),
  attributes: {
    house: { type: "string", required: true },
    number: { type: "number", required: true, padding: { length: 5, char: "0" } },
    title: { type: "string", required: true },
    period: { type: ["bronze", "Roman", "modern"], default: "modern" },
    state: { type: ["whole", "broken"] },
    room: { type: "number" },
    weight: { type: "number", field: "kg" },
    shine: { type: "number" },
    shown: { type: "boolean" },
    photo: { type: "any" },
    acquiredAt: { type: "string" },
    born: { type: "string" },
    opens: { type: "string" },
    lasts: { type: "number" },
    serial: { type: "string" },
    label: { type: "string" },
    views: { type: "number", default: 0 },
    tags: { type: "set", items: "string" },
    scores: { type: "set", items: "number" },
    prints: { type: "any" },
    notes: { type: "list", items: { type: "string" } },
    repairs: {
      type: "list",
      field: "rp",
      items: { type: "map", properties: { by: { type: "string", field: "who", required: true }, minutes: { type: "number" } } },
    },
    size: {
      type: "map",
      properties: {
        height: { type: "number", required: true },
        width: { type: "number", field: "w" },
        marks: { type: "list", items: { type: "string" } },
      },
    },
    prices: { type: "any" },
    free: { type: "any" },
  },
  indexes: {
    key: { pk: { field: "pk", composite: ["house"] }, sk: { field: "sk", composite: ["number"] } },
    by_title: {
      index: "gsi1",
      collection: "guide",
      pk: { field: "gsi1pk", composite: ["house"] },
      sk: { field: "gsi1sk", composite: ["title"] },
    },
    by_period: {
      index: "gsi3",
      type: "composite",
      pk: { composite: ["period", "room"] },
      sk: { composite: ["views", "weight"] },
    },
    by_label: { index: "gsi4", pk: { field: "gsi4pk", composite: ["label"], casing: "upper" } },
    on_show: {
      index: "gsi5",
      project: "keys_only",
      condition: isShown,
      pk: { field: "gsi5pk", composite: ["house"] },
      sk: { field: "gsi5sk", composite: ["period", "number"] },
    },
    by_age: {
      index: "lsi1",
      pk: { field: "pk", composite: ["house"] },
      sk: { field: "lsi1sk", composite: ["acquiredAt"] },
    },
  },
};

const program = {
  index: "gsi1",
  collection: ["guide", "events"],
  pk: { field: "gsi1pk", composite: ["house"] },
  sk: { field: "gsi1sk", composite: ["beginsAt"] },
};

const talk = {
  model: model("talk", "1"),
  attributes: {
    house: { type: "string", required: true },
    beginsAt: { type: "string", required: true },
    speaker: { type: "string", required: true },
  },
  indexes: {
    key: { pk: { field: "pk", composite: ["speaker"] }, sk: { field: "sk", composite: ["beginsAt"] } },
    program,
  },
};

const tour = {
  model: model("tour", "2"),
  attributes: {
    house: { type: "string", required: true },
    beginsAt: { type: "string", required: true },
    guests: { type: "number", default: 0 },
  },
  indexes: {
    key: { pk: { field: "pk", composite: ["house"] }, sk: { field: "sk", composite: ["beginsAt"] } },
    program,
  },
};

const dealings = (composite) => ({
  index: "gsi2",
  type: "clustered",
  collection: "dealings",
  pk: { field: "gsi2pk", composite: ["partner"] },
  sk: { field: "gsi2sk", composite },
});

const loan = {
  model: model("loan", "1"),
  attributes: {
    partner: { type: "string", required: true },
    due: { type: "string", required: true },
    exhibitName: { type: "string", required: true },
  },
  indexes: {
    key: partner("LOAN#${due}#${exhibitName}", ["due", "exhibitName"]),
    dealings: dealings(["due", "exhibitName"]),
  },
};

const policy = {
  model: model("policy", "1"),
  attributes: {
    partner: { type: "string", required: true },
    due: { type: "string", required: true },
    sum: { type: "number", default: 0 },
  },
  indexes: { key: partner("POLICY#${due}", ["due"]), dealings: dealings(["due"]) },
};

module.exports = {
  table: "museum",
  schemas: { exhibits: exhibit, talks: talk, tours: tour, loans: loan, policies: policy },
  functions: { isShown },
};
