// The installed versions of the packages whose names come as JSON on standard input.
const { readFileSync } = require("node:fs");

const names = JSON.parse(readFileSync(0, "utf8"));
const installed = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
process.stdout.write(JSON.stringify(Object.fromEntries(names.map((name) => [name, installed(name)]))));
