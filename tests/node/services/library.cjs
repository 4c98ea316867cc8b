// A service in camelCase, with an attribute that stands in both keys, as one writes it for ElectroDB.
"use strict";

const reader = {
  model: { service: "library", entity: "reader", version: "1" },
  attributes: {
    readerId: { type: "string", required: true },
    fullName: { type: "string", required: true },
    homeAddress: {
      type: "map",
      properties: {
        zipCode: { type: "string", required: true },
        streetName: { type: "string", field: "st" },
        geoPoint: { type: "map", properties: { latDeg: { type: "number" }, lonDeg: { type: "number" } } },
      },
    },
    joinedAt: { type: "number", required: true, padding: { length: 15, char: "0" } },
    branchId: { type: "string", label: "br" },
  },
  indexes: {
    key: {
      pk: { field: "pk", composite: ["readerId"], template: "READER#${readerId}", casing: "none" },
      sk: { field: "sk", composite: ["readerId"], template: "READER#${readerId}", casing: "none" },
    },
    by_branch: {
      index: "gsi1",
      pk: { field: "gsi1pk", composite: ["branchId"], casing: "none" },
      sk: { field: "gsi1sk", composite: ["joinedAt"], casing: "none" },
    },
    by_id: {
      index: "gsi2",
      pk: { field: "gsi2pk", composite: ["readerId"] },
      sk: { field: "gsi2sk", composite: ["readerId"] },
    },
  },
};

module.exports = { table: "library", schemas: { readers: reader }, functions: {} };
