// ElectroDB's side of the benchmark. Reads commands, one in a line, and answers each with one line of JSON:
//   {"cases": [...]}                      the values of the calls, once
//   {"scenario": "query", "calls": 200}   CPU microseconds per call
//   {"scenario": "query", "show": true}   the request of the first case
const { createInterface } = require("node:readline");
const { Entity } = require("electrodb");

const Task = new Entity(
  {
    model: { entity: "task", version: "1", service: "taskapp" },
    attributes: {
      project: { type: "string", required: true },
      taskId: { type: "string", required: true },
      employee: { type: "string" },
      status: { type: ["open", "in-progress", "completed"], required: true },
      createdAt: { type: "string", required: true },
      title: { type: "string" },
      points: { type: "number" },
      views: { type: "number" },
    },
    indexes: {
      key: { pk: { field: "pk", composite: ["project"] }, sk: { field: "sk", composite: ["taskId"] } },
      byEmployee: {
        index: "gsi1",
        pk: { field: "gsi1pk", composite: ["employee"] },
        sk: { field: "gsi1sk", composite: ["status", "createdAt"] },
      },
    },
  },
  { table: "app" },
);

const builders = {
  query: (one) =>
    Task.query
      .byEmployee({ employee: one.employee, status: "open" })
      .where(({ points }, { gte }) => gte(points, one.points))
      .params(),
  update: (one) =>
    Task.update({ project: one.project, taskId: one.task_id })
      .set({ status: "completed", title: one.title, points: one.points })
      .add({ views: 1 })
      .composite({ createdAt: one.created_at })
      .where(({ employee }, { eq }) => eq(employee, one.employee))
      .params(),
};

let cases = [];

function cpuMicroseconds(build, calls) {
  const before = process.cpuUsage();
  for (let at = 0; at < calls; at++) build(cases[at % cases.length]);
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / calls;
}

function answer(command) {
  if (command.cases) {
    cases = command.cases;
    return require("electrodb/package.json").version;
  }
  const build = builders[command.scenario];
  return command.show ? build(cases[0]) : cpuMicroseconds(build, command.calls);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n");
});
