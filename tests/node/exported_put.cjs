// The requests of the entities in exported.cjs for one item.
"use strict";
const { readFileSync } = require("node:fs");
const { service } = require("./exported.cjs");

const given = JSON.parse(readFileSync(0, "utf8"));
const tasks = service.entities.tasks;
const put = tasks.put(given).params();
const done = tasks.put({ ...given, status: "done" }).params();
process.stdout.write(JSON.stringify({ put, done, parsed: tasks.parse({ Item: put.Item }) }));
