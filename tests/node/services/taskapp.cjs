// The task-management service as one writes it for ElectroDB.
"use strict";

const newId = () => "made-by-the-service";
const now = () => new Date().toISOString();

const employee = {
  model: { service: "taskapp", entity: "employee", version: "1" },
  attributes: {
    employee: { type: "string", required: true },
    name: { type: "string", required: true },
    team: { type: "string" },
    open_tasks: { type: "number", field: "openTasks", default: 0 },
  },
  indexes: {
    key: { pk: { field: "pk", composite: ["employee"] }, sk: { field: "sk", composite: [] } },
    workload: {
      index: "gsi1",
      collection: "workload",
      pk: { field: "gsi1pk", composite: ["employee"] },
      sk: { field: "gsi1sk", composite: [] },
    },
  },
};

const task = {
  model: { service: "taskapp", entity: "task", version: "1" },
  attributes: {
    project: { type: "string", required: true },
    taskId: { type: "string", required: true, default: newId },
    employee: { type: "string" },
    status: { type: ["open", "in-progress", "completed"], required: true, default: "open" },
    createdAt: { type: "string", required: true, readOnly: true, default: now },
    tags: { type: "set", items: "string" },
    title: { type: "string", default: "" },
    points: { type: "number", default: 0 },
    spent: { type: "number" },
    effort: {
      type: "map",
      properties: { bestCase: { type: "number" }, worstCase: { type: "number", field: "worst" }, unit: { type: "string" } },
    },
    comments: {
      type: "list",
      items: { type: "map", properties: { author: { type: "string" }, body: { type: "string" } } },
    },
    checklist: { type: "list", items: { type: "string" } },
  },
  indexes: {
    key: { pk: { field: "pk", composite: ["project"] }, sk: { field: "sk", composite: ["taskId"] } },
    by_employee: {
      index: "gsi1",
      collection: "workload",
      pk: { field: "gsi1pk", composite: ["employee"] },
      sk: { field: "gsi1sk", composite: ["status", "createdAt"] },
    },
  },
};

module.exports = { table: "app", schemas: { employees: employee, tasks: task }, functions: { newId, now } };
