// Parses generated TypeScript, JavaScript and JSONata, and tells what is broken and where a name stands as code.
const ts = require("typescript");
const jsonata = require("jsonata");

let text = "";
process.stdin.on("data", (each) => (text += each));
process.stdin.on("end", () => {
  const { files, expressions, mark } = JSON.parse(text);
  const found = [];
  for (const [path, code] of Object.entries(files)) {
    const source = ts.createSourceFile(path, code, ts.ScriptTarget.ES2022, true);
    for (const each of source.parseDiagnostics) {
      found.push(`${path}: ${ts.flattenDiagnosticMessageText(each.messageText, " ")} near ${code.slice(each.start - 60, each.start + 60)}`);
    }
    const visit = (node) => {
      if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && node.text.includes(mark)) {
        found.push(`${path}: ${node.parent.getText().slice(0, 200)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  for (const each of expressions) {
    try {
      const visit = (node) => {
        if (Array.isArray(node)) return node.forEach(visit);
        if (node === null || typeof node !== "object") return;
        if (node.type === "variable" && node.value === mark) found.push(each);
        if (node.type === "function" && node.procedure.value === mark) found.push(each);
        if (node.type === "name" && node.value === mark) found.push(each);
        Object.values(node).forEach(visit);
      };
      visit(jsonata(each).ast());
    } catch (error) {
      found.push(`${error.message}: ${each}`);
    }
  }
  console.log(JSON.stringify(found));
});
