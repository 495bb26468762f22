// Starts cake-lsp for Cake IR and MLIR text, and stops it with the editor.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const settings = vscode.workspace.getConfiguration("cake");
  client = new LanguageClient("cake", "Cake IR", { command: settings.get("server"), args: settings.get("arguments") }, {
    documentSelector: [{ language: "cake" }, { language: "mlir" }],
    initializationOptions: { allowUnregisteredDialect: settings.get("allowUnregisteredDialect") },
  });
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
