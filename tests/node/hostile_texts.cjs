// Evaluates literals of JavaScript and JSONata, and gives back what they mean.
const jsonata = require("jsonata");

let text = "";
process.stdin.on("data", (each) => (text += each));
process.stdin.on("end", async () => {
  const { scripts, expressions } = JSON.parse(text);
  const x = "value"; // what interpolated literals name
  console.log(
    JSON.stringify({
      scripts: scripts.map((each) => eval(`(${each})`)),
      expressions: await Promise.all(expressions.map((each) => jsonata(each).evaluate({}, { states: { input: {} } }))),
    }),
  );
});
