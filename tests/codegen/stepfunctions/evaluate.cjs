// Evaluates the JSONata of state machines as Step Functions would: variables first, then the arguments of the task; or,
// for what DynamoDB answered, its output.
const { createRequire } = require("node:module");

const NOW = () => 4102444800 * 1000; // proofs happen in the year 2100
let text = "";
process.stdin.on("data", (each) => (text += each));
process.stdin.on("end", async () => {
  const { modules, runs } = JSON.parse(text);
  const jsonata = createRequire(modules)("jsonata");
  const evaluated = async (value, bindings) => {
    if (typeof value === "string" && value.startsWith("{%")) return jsonata(value.slice(2, -2)).evaluate({}, bindings);
    if (Array.isArray(value)) return Promise.all(value.map((each) => evaluated(each, bindings)));
    if (value === null || typeof value !== "object") return value;
    const pairs = await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await evaluated(each, bindings)]));
    return Object.fromEntries(pairs);
  };
  const results = [];
  for (const { machine, input, result } of runs) {
    const { WriteKeys, Send } = machine.States;
    try {
      if (result !== undefined) {
        results.push({ output: await evaluated(Send.Output, { states: { result }, millis: NOW }) });
        continue;
      }
      const variables = await evaluated(WriteKeys.Assign, { states: { input }, millis: NOW });
      results.push({ resource: Send.Resource, arguments: await evaluated(Send.Arguments, { ...variables, states: { input }, millis: NOW }) });
    } catch (error) {
      results.push({ error: String(error.message) });
    }
  }
  console.log(JSON.stringify(results));
});
