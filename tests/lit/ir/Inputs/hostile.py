# Writes one of the hostile texts of ../hostile.test to standard output.
import sys

N = 100000
OP = '"t.r"() : () -> () '
TEXTS = {
    "regions": '"t.r"() ({\n' * N,
    "custom": "func.func @f(%a: i1) {\n" + "scf.if %a {\n" * N,
    "deep": '"t.r"() ({\n' * 999 + "}) : () -> ()\n" * 999,
    "array": '"t.r"() {a = ' + "[" * N,
    "tuple": '"t.r"() {a = ' + "tuple<" * N,
    "callsite": '"t.r"() : () -> () loc(' + 'callsite("a" at ' * N,
    "opaque": '"t.r"() {a = !u.t' + "<" * N + ">" * N + "} : () -> ()",
    "alias": "#a0 = [1]\n" + "".join(f"#a{i + 1} = [#a{i}, #a{i}]\n" for i in range(40)),
    "line": OP * 500000 + "^",
    "string": '"t.r"() {a = "' + "x" * 10000000,
    "number": '"t.r"() {a = ' + "9" * 1000000 + "} : () -> ()",
    "shape": '"t.r"() {a = tensor<' + "2x" * N + "i8>} : () -> ()",
    "chunks": "// -----\n" * (N - 1) + "module {\n}\n// -----\n^",
    "groups": "// expected-error-re@+1 {{" + "(" * N + ")" * N + "}}\nt.r",
    "bytes": b'// fine: \xc3\xa9\n  "t.r"() {a = "\xff"} : () -> ()\n',
}
text = TEXTS[sys.argv[1]]
sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
