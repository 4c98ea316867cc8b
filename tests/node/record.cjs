// What ElectroDB makes of cases that were made up a moment ago; those that lie in files are recorded by
// tests/conformance/record.js, which knows how.
//
// Standard input: {"models": {name: schema}, "cases": [case, ...]}. The answer lists what comes out, case by case.
"use strict";
const { readFileSync } = require("node:fs");
const { record } = require("../conformance/record.js");

console.warn = () => undefined; // deprecations are no part of what comes out

async function main() {
  const { models, cases } = JSON.parse(readFileSync(0, "utf8"));
  const expected = [];
  for (const each of cases) expected.push(await record(each, models));
  process.stdout.write(JSON.stringify(expected));
}

main();
