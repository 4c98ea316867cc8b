// For every regular expression: which of the texts it finds something in.
"use strict";
const { readFileSync } = require("node:fs");

const { regexes, texts } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(regexes.map(([source, flags]) => texts.map((text) => new RegExp(source, flags).test(text)))));
