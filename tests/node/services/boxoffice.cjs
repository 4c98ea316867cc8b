// A box office as one writes it for ElectroDB: sub-collections, templates, sparse, clustered and multi-attribute indexes.
"use strict";

const isResale = (ticket) => ticket.status === "resale";
const model = (entity, version) => ({ service: "boxOffice", entity, version });

const hall = {
  model: model("hall", "2"),
  attributes: {
    venueCode: { type: "string", required: true, label: "v" },
    hallName: { type: "string", required: true },
    seatCount: { type: "number", required: true, field: "sc" },
  },
  indexes: {
    key: { pk: { field: "PK", composite: ["venueCode"] }, sk: { field: "SK", composite: ["hallName"] } },
    house: {
      index: "GSI1",
      collection: "house",
      pk: { field: "GSI1PK", composite: ["venueCode"] },
      sk: { field: "GSI1SK", composite: ["hallName"] },
    },
  },
};

const show = {
  model: model("liveShow", "1"),
  attributes: {
    showId: { type: "string", required: true },
    venueCode: { type: "string", required: true, label: "v" },
    startsAt: { type: "string", required: true },
    genre: { type: ["jazz", "Musical", "drama"], required: true },
    basePrice: { type: "number", required: true, field: "price" },
    poster: { type: "any" },
    languages: { type: "set", items: "string", field: "langs" },
    ratings: { type: "set", items: "number" },
    stage: {
      type: "map",
      properties: {
        widthMeters: { type: "number", field: "w" },
        lighting: { type: "map", field: "lx", properties: { rigCount: { type: "number", field: "rigs" } } },
      },
    },
    acts: {
      type: "list",
      items: { type: "map", properties: { performer: { type: "string", field: "who" }, minutes: { type: "number" } } },
    },
    surcharges: { type: "any" },
  },
  indexes: {
    key: { pk: { field: "PK", composite: ["showId"] }, sk: { field: "SK", composite: [] } },
    program: {
      index: "GSI1",
      collection: ["house", "program"],
      pk: { field: "GSI1PK", composite: ["venueCode"] },
      sk: { field: "GSI1SK", composite: ["startsAt", "showId"] },
    },
    by_genre: {
      index: "GSI4",
      type: "composite",
      pk: { composite: ["genre", "venueCode"] },
      sk: { composite: ["startsAt", "basePrice"] },
    },
  },
};

const hire = {
  model: model("hire", "1"),
  attributes: {
    venueCode: { type: "string", required: true, label: "v" },
    startsAt: { type: "string", required: true },
    purpose: { type: "string", required: true },
  },
  indexes: {
    key: { pk: { field: "PK", composite: ["venueCode"] }, sk: { field: "SK", composite: ["startsAt"] } },
    program: {
      index: "GSI1",
      collection: ["house", "program"],
      pk: { field: "GSI1PK", composite: ["venueCode"] },
      sk: { field: "GSI1SK", composite: ["startsAt"] },
    },
  },
};

const ticket = {
  model: model("ticket", "1"),
  attributes: {
    showId: { type: "string", required: true },
    section: { type: "string", required: true, label: "s" },
    rowNumber: { type: "number", required: true, padding: { length: 3, char: "0" } },
    seatNumber: { type: "number", required: true, padding: { length: 4, char: "0" } },
    status: { type: ["free", "sold", "resale"], default: "free" },
    customerId: { type: "string" },
    askingPrice: { type: "number", padding: { length: 6, char: "0" } },
    barcode: { type: "string", required: true },
  },
  indexes: {
    key: { pk: { field: "PK", composite: ["showId"] }, sk: { field: "SK", composite: ["section", "rowNumber", "seatNumber"] } },
    on_resale: {
      index: "GSI2",
      scope: "resale",
      condition: isResale,
      pk: { field: "GSI2PK", composite: ["showId"] },
      sk: { field: "GSI2SK", composite: ["askingPrice"] },
    },
    in_wallet: {
      index: "GSI3",
      type: "clustered",
      collection: "wallet",
      pk: { field: "GSI3PK", composite: ["customerId"] },
      sk: { field: "GSI3SK", composite: ["showId", "section", "rowNumber"] },
    },
    by_barcode: { index: "GSI5", pk: { field: "GSI5PK", composite: ["barcode"], casing: "upper" } },
  },
};

const customer = {
  model: model("customer", "1"),
  attributes: {
    customerId: { type: "string", required: true },
    fullName: { type: "string", required: true, field: "n" },
    email: { type: "string" },
  },
  indexes: {
    key: {
      pk: { field: "PK", composite: ["customerId"], template: "CUSTOMER#${customerId}", casing: "none" },
      sk: { field: "SK", composite: [], template: "METADATA", casing: "none" },
    },
  },
};

const invoice = {
  model: model("invoice", "1"),
  attributes: {
    customerId: { type: "string", required: true },
    year: { type: "number", required: true },
    invoiceNumber: { type: "number", required: true, padding: { length: 5, char: "0" } },
    showId: { type: "string", required: true },
    amount: { type: "number", required: true },
  },
  indexes: {
    key: {
      pk: { field: "PK", composite: ["customerId"], template: "CUSTOMER#${customerId}", casing: "none" },
      sk: {
        field: "SK",
        composite: ["year", "invoiceNumber"],
        template: "INVOICE#${year}#${invoiceNumber}",
        casing: "none",
      },
    },
    in_wallet: {
      index: "GSI3",
      type: "clustered",
      collection: "wallet",
      pk: { field: "GSI3PK", composite: ["customerId"] },
      sk: { field: "GSI3SK", composite: ["showId", "invoiceNumber"] },
    },
  },
};

module.exports = {
  table: "box-office",
  schemas: { halls: hall, shows: show, hires: hire, tickets: ticket, customers: customer, invoices: invoice },
  functions: { isResale },
};
