// Defaults and rules of the generated TypeScript: what becomes of inputs, or what is said of them.
import { readFileSync } from "node:fs";

const { folder, cases } = JSON.parse(readFileSync(0, "utf8"));
const { withRules } = await import(`${folder}/rules.js`);

const outcomes = cases.map(({ rules, input }) => {
  try {
    return withRules("it", { rules }, input, 4102444800500);
  } catch (error) {
    return error.name;
  }
});
process.stdout.write(JSON.stringify(outcomes));
