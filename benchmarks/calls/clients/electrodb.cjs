// ElectroDB's part in the race, with the AWS SDK's DynamoDBClient: node electrodb.cjs <endpoint>.
// Speaks as worker.py does. Node counts its own CPU time, compiler and garbage collector threads included.
const { createInterface } = require("node:readline");
const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");
const { Entity } = require("electrodb");

const { table, region, accessKeyId, secretAccessKey, orders, created } = JSON.parse(process.env.WORKLOAD);
const client = new DynamoDBClient({
  endpoint: process.argv[2],
  region,
  credentials: { accessKeyId, secretAccessKey },
});

const geo = { type: "map", properties: { lat: { type: "number" }, lon: { type: "number" } } };
const line = { type: "map", properties: { sku: { type: "string" }, qty: { type: "number" }, price: { type: "number" } } };
const address = {
  type: "map",
  properties: { street: { type: "string" }, city: { type: "string" }, zip: { type: "string" }, geo },
};

const Order = new Entity(
  {
    model: { entity: "order", version: "1", service: "shop" },
    attributes: {
      customer: { type: "string", required: true },
      orderId: { type: "string", required: true },
      status: { type: "string", required: true },
      total: { type: "number" },
      quantity: { type: "number" },
      createdAt: { type: "string" },
      paid: { type: "boolean" },
      tags: { type: "set", items: "string" },
      address,
      lines: { type: "list", items: line },
    },
    indexes: {
      key: { pk: { field: "pk", composite: ["customer"] }, sk: { field: "sk", composite: ["orderId"] } },
      byStatus: {
        index: "gsi1",
        pk: { field: "gsi1pk", composite: ["status"] },
        sk: { field: "gsi1sk", composite: ["createdAt"] },
      },
    },
  },
  { table, client },
);

const padded = (letter, number) => letter + String(number).padStart(5, "0");
const keyOf = (number) => ({ customer: padded("c", number), orderId: padded("o", number) });

const operations = {
  get: async (number) => (await Order.get(keyOf(number)).go()).data,
  update: async (number) =>
    (
      await Order.update(keyOf(number))
        .set({ status: "paid" })
        .data(({ address }, { set }) => set(address.city, `City ${number}`))
        .add({ quantity: 1 })
        .composite({ createdAt: created })
        .where(({ status }, { eq }) => eq(status, "pending"))
        .go({ response: "all_new" })
    ).data,
  query: async (number) => (await Order.query.key({ customer: padded("c", number) }).go()).data,
  bulk: (_) => Order.put(orders).go({ concurrent: 4 }),
};

const facts = (order) => {
  const last = order.lines[order.lines.length - 1];
  return [order.status, order.total, order.quantity, order.address.city, last.sku, last.qty, order.tags.length];
};

async function cpuMicroseconds(call, calls) {
  const before = process.cpuUsage();
  for (let number = 0; number < calls; number++) await call(number);
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / calls;
}

async function answer(command) {
  if (!command.check) return cpuMicroseconds(operations[command.operation], command.calls);
  const found = await operations.query(0);
  return { get: facts(await operations.get(0)), query: facts(found[0]), count: found.length };
}

async function main() {
  console.log(JSON.stringify("ready"));
  for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await answer(JSON.parse(line))));
}

main();
