// Drives cake-lsp (argument 1) on a kernel (argument 2) with the protocol's reference client: open, diagnostics, hover, definition,
// references, completion, rename, code action, formatting, cancel, malformed messages, shutdown.
const assert = require("assert");
const { spawn } = require("child_process");
const { readFileSync } = require("fs");
const lsp = require("vscode-languageserver-protocol/node");

const [server, kernel] = process.argv.slice(2);
const URI = "file:///kernel.cake";
let checks = 0;

function check(actual, wanted, what) {
  assert.deepStrictEqual(actual, wanted, what);
  checks++;
}

// A connection to a new server. Messages that no request waits for are in `strays`.
function connect() {
  const child = spawn(server, ["--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const strays = [];
  const reader = new lsp.StreamMessageReader(child.stdout);
  const connection = lsp.createProtocolConnection(reader, new lsp.StreamMessageWriter(child.stdin), {
    error: (text) => strays.push(text), warn() {}, info() {}, log() {},
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  connection.listen();
  return { child, connection, strays, ended };
}

class Text {
  constructor(text) { this.text = text; }
  position(offset) {
    const before = this.text.slice(0, offset);
    return { line: before.split("\n").length - 1, character: offset - before.lastIndexOf("\n") - 1 };
  }
  offset(position) {
    return this.text.split("\n").slice(0, position.line).reduce((sum, line) => sum + line.length + 1, 0) + position.character;
  }
  find(needle, nth = 0) {
    let at = -1;
    for (let i = 0; i <= nth; i++) at = this.text.indexOf(needle, at + 1);
    assert(at >= 0, needle);
    return at;
  }
  at(needle, nth = 0, inside = 0) {
    return { textDocument: { uri: URI }, position: this.position(this.find(needle, nth) + inside) };
  }
  range(needle, nth = 0) {
    const at = this.find(needle, nth);
    return { start: this.position(at), end: this.position(at + needle.length) };
  }
  spelled(range) { return this.text.slice(this.offset(range.start), this.offset(range.end)); }
  applied(edits) {
    const sorted = [...edits].sort((a, b) => this.offset(b.range.start) - this.offset(a.range.start));
    return sorted.reduce((text, edit) =>
      text.slice(0, this.offset(edit.range.start)) + edit.newText + text.slice(this.offset(edit.range.end)), this.text);
  }
}

async function rejected(promise, code) {
  const error = await promise.then(() => assert.fail("an answer came"), (found) => found);
  check(error.code, code, error.message);
}

async function main() {
  const { child, connection, ended } = connect();
  const published = [];
  let wake = () => {};
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => { published.push(params); wake(); });
  const diagnostics = async (version) => {
    for (;;) {
      const last = published[published.length - 1];
      if (last && last.version >= version) return last.diagnostics;
      await new Promise((resolve) => { wake = resolve; });
    }
  };

  const started = await connection.sendRequest(lsp.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
  check(started.serverInfo.name, "cake-lsp");
  connection.sendNotification(lsp.InitializedNotification.type, {});

  const text = new Text(readFileSync(kernel, "utf8"));
  connection.sendNotification(lsp.DidOpenTextDocumentNotification.type,
    { textDocument: { uri: URI, languageId: "cake", version: 1, text: text.text } });
  check(await diagnostics(1), []);

  const hover = await connection.sendRequest(lsp.HoverRequest.type, text.at("%xs", 1));
  assert(hover.contents.value.includes("!cake.shared<256x[D]xbf16, sw128>"));
  const page = await connection.sendRequest(lsp.HoverRequest.type, text.at("cake.acquire"));
  assert(page.contents.value.includes("Waits for an empty slot of a pipeline."));
  const definition = await connection.sendRequest(lsp.DefinitionRequest.type, text.at("@ring", 1));
  check([text.spelled(definition.range), definition.range.start.line], ["@ring", text.position(text.find("@ring")).line]);
  const uses = await connection.sendRequest(lsp.ReferencesRequest.type, { ...text.at("@ring"), context: { includeDeclaration: true } });
  check(uses.map((one) => text.spelled(one.range)), ["@ring", "@ring", "@ring"]);
  const outline = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument: { uri: URI } });
  check(outline.map((one) => one.name), ["@kmeans_assign"]);
  assert(outline[0].children.some((one) => one.name === "@load"));

  const completion = await connection.sendRequest(lsp.CompletionRequest.type, text.at("via(tma)", 0, 4));
  check(completion.items.map((item) => item.label).sort(), ["bulk", "cp_async", "tma"]);
  const rename = await connection.sendRequest(lsp.RenameRequest.type, { ...text.at("@ring", 2), newName: "stages" });
  check(text.applied(rename.changes[URI]), text.text.replaceAll("@ring", "@stages"));
  await rejected(connection.sendRequest(lsp.RenameRequest.type, { ...text.at("@ring", 2), newName: "points" }), lsp.LSPErrorCodes.RequestFailed);
  check(await connection.sendRequest(lsp.DocumentFormattingRequest.type, { textDocument: { uri: URI }, options: { tabSize: 2, insertSpaces: true } }), []);

  // An incremental change, its diagnostics, and what can be done about them.
  connection.sendNotification(lsp.DidChangeTextDocumentNotification.type,
    { textDocument: { uri: URI, version: 2 }, contentChanges: [{ range: text.range("cake.commit %s"), text: "" }] });
  const faults = await diagnostics(2);
  check(faults.map((one) => one.code), ["TOKEN_NOT_USED"]);
  const actions = await connection.sendRequest(lsp.CodeActionRequest.type,
    { textDocument: { uri: URI }, range: faults[0].range, context: { diagnostics: faults } });
  check(actions.map((one) => one.title), ["`cake.commit %s` once its parts are filled"]);
  const changed = new Text(text.text.replace("cake.commit %s", ""));
  assert(changed.applied(actions[0].edit.changes[URI]).includes("cake.commit %s\n"));

  // Cancelled while it waits: the server reads a large text for the request in front.
  const large = "func.func private @f(i32)\n// -----\n".repeat(5000);
  const source = new lsp.CancellationTokenSource();
  connection.sendNotification(lsp.DidOpenTextDocumentNotification.type,
    { textDocument: { uri: "file:///large.mlir", languageId: "mlir", version: 1, text: large } });
  const first = connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument: { uri: "file:///large.mlir" } });
  const second = connection.sendRequest(lsp.HoverRequest.type, text.at("%x"), source.token);
  source.cancel();
  check((await first).length, 5000);
  await rejected(second, lsp.LSPErrorCodes.RequestCancelled);

  // Malformed bytes are answered, and the connection lives.
  child.stdin.write("Content-Length: -1\r\n\r\n");
  child.stdin.write("Content-Length: 9\r\n\r\n{\"broken\"");
  await rejected(connection.sendRequest("cake/unknown"), lsp.ErrorCodes.MethodNotFound);
  await rejected(connection.sendRequest(lsp.HoverRequest.type, {}), lsp.ErrorCodes.InvalidParams);

  await connection.sendRequest(lsp.ShutdownRequest.type);
  connection.sendNotification(lsp.ExitNotification.type);
  check(await ended, 0);
  console.log(`${checks} checks`);
}

main().catch((error) => { console.error(error); process.exit(1); });
