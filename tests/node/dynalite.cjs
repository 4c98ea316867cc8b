// dynalite, unchanged, asked what is wrong with requests: its messages, as JSON.

const { readFileSync } = require("node:fs");
const http = require("node:http");
const dynalite = require("dynalite");

const { tables, requests } = JSON.parse(readFileSync(0, "utf8"));
const AUTHORIZATION =
  "AWS4-HMAC-SHA256 Credential=key/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0a";

function ask(port, action, params) {
  const headers = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": `DynamoDB_20120810.${action}`,
    "X-Amz-Date": "20261115T000000Z",
    Authorization: AUTHORIZATION,
  };
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, method: "POST", headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part) => { body += part; });
      response.on("end", () => resolve(JSON.parse(body || "{}")));
    });
    request.on("error", reject).end(JSON.stringify(params));
  });
}

const server = dynalite({ createTableMs: 0 });
server.listen(0, "127.0.0.1", async () => {
  const { port } = server.address();
  for (const table of tables) await ask(port, "CreateTable", table);
  for (const { TableName } of tables) {
    while ((await ask(port, "DescribeTable", { TableName })).Table?.TableStatus !== "ACTIVE") await new Promise(setImmediate);
  }
  const answers = [];
  for (const [action, params] of requests) answers.push((await ask(port, action, params)).message ?? null);
  process.stdout.write(JSON.stringify(answers), () => process.exit(0));
});
