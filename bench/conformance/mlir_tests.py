"""Selects chunks of MLIR's own test files by rule: no list of files or chunks is kept by hand."""
import glob
import os
import re
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "compiler"))
import families

FOLDERS = ["IR", "Dialect/Builtin", "Dialect/Func", "Dialect/Arith", "Dialect/SCF", "Dialect/ControlFlow", "Transforms"]
# The project's own tests of what both tools read.
OWN_FOLDERS = ["ir"] + [f"dialects/{name}" for name in ("arith", "cf", "func", "math", "scf")] + ["passes"]
# Dialects that both tools have. `gpu` is a name of both, but not the same dialect.
OURS = {"builtin", "func", "arith", "scf", "cf", "math"}


class Chunk:
    """One `// -----` part of a file: `number` counts from 1; `line` is the file's line in front of it."""

    def __init__(self, path, number, line, text, unregistered):
        self.path, self.number, self.line, self.text, self.unregistered = path, number, line, text, unregistered

    def name(self):
        return f"{self.path}#{self.number}"

    def flags(self):
        return ["--allow-unregistered-dialect"] if self.unregistered else []

    def bytes(self):
        return self.text.encode(errors="surrogateescape")


def without_comments(text):
    """Comments out, strings kept: the name of a generic op is a string."""
    return re.sub(r'("(?:\\.|[^"\\\n])*")|//[^\n]*', lambda m: m.group(1) or "", text)


def prefixes(text):
    """Everything that could be the name of a dialect: `name.` and the `name<` of types and attributes."""
    text = without_comments(text)
    return set(re.findall(r"(?<![\w$.@%^])([A-Za-z_][\w$]*)\.[A-Za-z_]", text)) | set(re.findall(r"[!#]([A-Za-z_][\w$]*)<", text))


def run_lines(text):
    """The commands of a file; continued lines joined."""
    lines = re.findall(r"//\s*RUN:\s*(.*)", text)
    return re.sub(r"\\\n", " ", "\n".join(lines)).split("\n")


def split(text):
    """(line, chunk) as --split-input-file takes them apart."""
    parts, start, line = [], 0, 0
    for match in re.finditer(r"^// -----[ \t]*$", text, re.M):
        parts.append((line, text[start:match.start()]))
        line = text.count("\n", 0, match.end())
        start = match.end()
    return parts + [(line, text[start:])]


def read_chunks(root, folders=FOLDERS, tool="mlir-opt"):
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(root, folder, "**", "*.mlir"), recursive=True)):
            with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
                text = file.read()
            runs = [run for run in run_lines(text) if tool in run]
            unregistered = any("allow-unregistered-dialect" in run for run in runs)
            parts = split(text) if any("split-input-file" in run for run in runs) else [(0, text)]
            for number, (line, part) in enumerate(parts, 1):
                yield Chunk(os.path.relpath(path, root), number, line, part, unregistered)


def select(chunks, mlir_dialects):
    """Chunks whose dialects are ours or unknown to mlir-opt as well; the others with the reason."""
    foreign, chosen, left_out = set(mlir_dialects) - OURS, [], {}
    for chunk in chunks:
        found = prefixes(chunk.text) & foreign
        if found:
            for name in found:
                left_out[name] = left_out.get(name, 0) + 1
        elif without_comments(chunk.text).strip():
            chosen.append(chunk)
    return chosen, left_out


def generated_chunks(n):
    """One module of about n ops of every family that bench/compiler times."""
    for name in families.FAMILIES:
        with tempfile.NamedTemporaryFile("r", suffix=".mlir", encoding="utf-8") as file:
            families.write(name, n, file.name)
            yield Chunk(f"generated/{name}", 1, 0, file.read(), True)
