"""The inputs of bench/compiler/hostile: one generator a row. A case is (group, what it is, text, options of cake-opt, options of mlir-opt).

Options None for mlir-opt: it has nothing of the kind (the cake dialect, passes of ours)."""
import random

N = 100000
ANY = ["--allow-unregistered-dialect"]
CASES = []


def case(group, what, text, cake=(), mlir=()):
    """`text` is str, bytes, or a function that makes one (large inputs are made only when their turn comes)."""
    CASES.append((group, what, text, ANY + list(cake), None if mlir is None else ANY + list(mlir)))


def same(group, what, text, options):
    case(group, what, text, options, options)


def attr(text):
    return '"t.r"() {a = ' + text + "} : () -> ()\n"


def function(body, args="", results=""):
    return "func.func @f(%s)%s {\n%s\n}\n" % (args, " -> " + results if results else "", body)


# ---- Depth -----------------------------------------------------------------------------------------------------------
DEEP = "depth"
case(DEEP, "regions in the generic form, 100,000 deep", lambda: '"t.r"() ({\n' * N)
case(DEEP, "regions in the generic form, 100,000 deep, closed", lambda: '"t.r"() ({\n' * N + "}) : () -> ()\n" * N)
case(DEEP, "`scf.if`, 100,000 deep", lambda: "func.func @f(%a: i1) {\n" + "scf.if %a {\n" * N + "}\n" * N + "return }")
case(DEEP, "`module {`, 10,000 deep", lambda: "module {" * 10000 + "}" * 10000)
case(DEEP, "`[[[…]]]`, 100,000 deep", lambda: attr("[" * N + "]" * N))
case(DEEP, "dictionaries, 10,000 deep", lambda: attr("{a = " * 10000 + "1" + "}" * 10000))
case(DEEP, "`dense<[[…]]>`, 100,000 deep", lambda: attr("dense<" + "[" * N + "1" + "]" * N + "> : tensor<1xi32>"))
case(DEEP, "`tuple<tuple<…>>`, 100,000 deep", lambda: attr("tuple<" * N + "i1" + ">" * N))
case(DEEP, "`complex<complex<…>>`, 100,000 deep", lambda: attr("complex<" * N + "f32" + ">" * N))
case(DEEP, "`memref` in `memref`, 100,000 deep", lambda: attr("memref<1x" * N + "f32" + ">" * N))
case(DEEP, "function types, 100,000 deep", lambda: attr("() -> (" * N + "i1" + ")" * N))
case(DEEP, "`callsite(…)`, 100,000 deep", lambda: '"t.r"() : () -> () loc(' + 'callsite("a" at ' * N + '"b"' + ")" * N + ")")
case(DEEP, "`fused[…]`, 100,000 deep", lambda: '"t.r"() : () -> () loc(' + "fused[" * N + '"b"' + "]" * N + ")")
case(DEEP, "named locations, 100,000 deep", lambda: '"t.r"() : () -> () loc(' + '"a"(' * N + '"b"' + ")" * N + ")")
case(DEEP, "opaque `!u.t<<<…>>>`, 100,000 deep", lambda: attr("!u.t" + "<" * N + ">" * N))
case(DEEP, "opaque `#u.a<([{…}])>`, 100,000 deep", lambda: attr("#u.a<" + "([{" * N + "}])" * N + ">"))
case(DEEP, "`@a::@b::…`, 100,000 names", lambda: attr("@a" + "::@b" * N))
case(DEEP, "affine `((…))`, 100,000 deep", lambda: attr("affine_map<(d0) -> (" + "(" * N + "d0" + ")" * N + ")>"))
case(DEEP, "affine minus signs, 100,000", lambda: attr("affine_map<(d0) -> (" + "-" * N + "d0)>"))
case(DEEP, "affine sum of 100,000 `floordiv`", lambda: attr("affine_map<(d0) -> (" + " + ".join("d0 floordiv %d" % (i + 2) for i in range(N)) + ")>"))
case(DEEP, "a chain of 100,000 attribute aliases", lambda: "#a0 = [1]\n" + "".join("#a%d = [#a%d]\n" % (i + 1, i) for i in range(N)) + attr("#a%d" % N))
case(DEEP, "a chain of 100,000 type aliases", lambda: "!a0 = i1\n" + "".join("!a%d = tuple<!a%d>\n" % (i + 1, i) for i in range(N)) + attr("!a%d" % N))
case(DEEP, "100,000 opening parentheses", lambda: "(" * N)
case(DEEP, "1,000,000 `<`", lambda: "<" * 1000000)
case(DEEP, "`{-# {{{…`, 100,000 deep", lambda: "{-# a: {" + "b: {" * N)
case(DEEP, "expressions of the cake dialect, 100,000 deep", lambda: 'cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") guard(' + "(" * N, mlir=None)

# ---- Numbers ---------------------------------------------------------------------------------------------------------
NUMBER = "numbers"
for digits in (1000, 10000, 20000, 40000):
    case(NUMBER, "an integer of %d digits" % digits, lambda digits=digits: attr("9" * digits))
    case(NUMBER, "an integer of %d digits for i16777215" % digits, lambda digits=digits: attr("9" * digits + " : i16777215"))
case(NUMBER, "an integer of 1,000,000 digits", lambda: attr("9" * 1000000))
case(NUMBER, "an integer of 100,000 hexadecimal digits", lambda: attr("0x" + "F" * N + " : i16777215"))
case(NUMBER, "an integer of 1,000,000 hexadecimal digits", lambda: attr("0x" + "F" * 1000000 + " : i16777215"))
case(NUMBER, "a float of 50,000 digits", lambda: attr("1" + "2" * 50000 + ".5 : f64"))
case(NUMBER, "a float of 50,000 digits behind the point", lambda: attr("0." + "0" * 50000 + "5 : f64"))
case(NUMBER, "`1.0e999999999` and `1.0e-999999999`", attr("[1.0e999999999 : f64, 1.0e-999999999 : f64]"))
case(NUMBER, "an exponent of 100,000 digits", lambda: attr("1.0e" + "9" * N + " : f64"))
case(NUMBER, "`tensor<9223372036854775807xi8>`", attr("dense<1> : tensor<9223372036854775807xi8>"))
case(NUMBER, "`tensor<4611686018427387904x4xi32>`, splat", attr("dense<1> : tensor<4611686018427387904x4xi32>"))
case(NUMBER, "the same, hexadecimal", attr('dense<"0x01000000"> : tensor<4611686018427387904x4xi32>'))
case(NUMBER, "the same, sparse", attr("sparse<[[0, 0]], [1]> : tensor<4611686018427387904x4xi32>"))
case(NUMBER, "`sparse` with an index out of range", attr("sparse<[[9223372036854775807, 9]], [1]> : tensor<4x4xi32>"))
case(NUMBER, "a dimension of 30 digits", attr("tensor<999999999999999999999999999999xi8>"))
case(NUMBER, "a shape of 100,000 dimensions", lambda: attr("tensor<" + "2x" * N + "i8>"))
case(NUMBER, "`memref` strides that overflow", attr("memref<4x4xf32, strided<[9223372036854775807, 9223372036854775807], offset: 9223372036854775807>>"))
case(NUMBER, "`i16777216`", attr("i16777216"))
case(NUMBER, "`i99999999999999999999`", attr("i99999999999999999999"))
case(NUMBER, "`%0:4294967297`", '%0:4294967297 = "t.r"() : () -> i1')
case(NUMBER, "`%0#99999999999`", '%0 = "t.r"() : () -> i1\n"t.u"(%0#99999999999) : (i1) -> ()')
case(NUMBER, "line 4294967296 in a location", '"t.r"() : () -> () loc("f":4294967296:1)')
case(NUMBER, "a location range that goes backwards", '"t.r"() : () -> () loc("f":9:9 to 1:1)')
case(NUMBER, "`-9223372036854775808` and one less", attr("[-9223372036854775808 : i64, -9223372036854775809 : i64]"))
case(NUMBER, "affine `floordiv 0`, `mod 0`, `ceildiv -1`", attr("[affine_map<(d0) -> (d0 floordiv 0)>, affine_map<(d0) -> (d0 mod 0)>, affine_map<(d0) -> (d0 ceildiv -1)>]"))
case(NUMBER, "affine `9223372036854775807 * 9223372036854775807`", attr("affine_map<() -> (9223372036854775807 * 9223372036854775807)>"))
case(NUMBER, "`array<index: 1>`", attr("array<index: 1>"))
case(NUMBER, "`array<i1: 2, -3>`", attr("array<i1: 2, -3>"))
case(NUMBER, "`arith.divsi` of the smallest integer by -1, and by 0",
     function("%m = arith.constant -9223372036854775808 : i64 %n = arith.constant -1 : i64 %z = arith.constant 0 : i64\n"
              "%a = arith.divsi %m, %n : i64 %b = arith.divsi %m, %z : i64 %c = arith.remsi %m, %n : i64\nreturn %a, %b, %c : i64, i64, i64", "", "(i64, i64, i64)"),
     ["--canonicalize"], ["--canonicalize"])
case(NUMBER, "shifts by more than the width",
     function("%m = arith.constant 1 : i32 %n = arith.constant 77 : i32\n%a = arith.shli %m, %n : i32 %b = arith.shrsi %m, %n : i32\nreturn %a, %b : i32, i32", "", "(i32, i32)"),
     ["--canonicalize"], ["--canonicalize"])
case(NUMBER, "`scf.for` from the smallest to the largest integer",
     function("%l = arith.constant -9223372036854775808 : i64 %u = arith.constant 9223372036854775807 : i64 %s = arith.constant 9223372036854775807 : i64\n"
              "scf.for %i = %l to %u step %s : i64 { \"t.u\"(%i) : (i64) -> () }\nreturn"), ["--canonicalize"], ["--canonicalize"])

# ---- Size ------------------------------------------------------------------------------------------------------------
SIZE = "size"
case(SIZE, "10 MB on one line: a string", lambda: attr('"' + "x" * 10000000 + '"'))
case(SIZE, "10 MB on one line: 500,000 ops", lambda: '"t.r"() : () -> () ' * 500000)
case(SIZE, "10 MB on one line: names", lambda: " ".join('%%%s = "t.r"() : () -> i1' % ("n%d" % i * 10) for i in range(120000)))
case(SIZE, "10 MB on one line: a comment", lambda: "//" + "x" * 10000000)
case(SIZE, "10 MB on one line: blanks", lambda: " " * 10000000)
case(SIZE, "100 MB on one line: a string", lambda: attr('"' + "x" * 100000000 + '"'))
case(SIZE, "100 MB on one line: a comment", lambda: "//" + "x" * 100000000)
case(SIZE, "100 MB on one line: blanks", lambda: " " * 100000000)
case(SIZE, "100 MB of empty lines", lambda: "\n" * 100000000)
case(SIZE, "an error on a line of 10 MB", lambda: '"t.r"() : () -> () ' * 500000 + "^")
case(SIZE, "an error behind a string of 100 MB", lambda: attr('"' + "x" * 100000000 + '"') + " ^")
case(SIZE, "1,000,000 operands", lambda: '%0 = "t.r"() : () -> i1\n"t.u"(' + ", ".join(["%0"] * 1000000) + ") : (" + ", ".join(["i1"] * 1000000) + ") -> ()")
case(SIZE, "1,000,000 results", lambda: '%0:1000000 = "t.r"() : () -> (' + ", ".join(["i1"] * 1000000) + ")")
case(SIZE, "300,000 attributes", lambda: '"t.r"() {' + ", ".join("a%d" % i for i in range(300000)) + "} : () -> ()")
case(SIZE, "300,000 function arguments", lambda: function("return", ", ".join("%%a%d: i1" % i for i in range(300000))))
case(SIZE, "300,000 block arguments", lambda: function('"t.t"()[^b] : () -> ()\n^b(' + ", ".join("%%a%d: i1" % i for i in range(300000)) + "):\nreturn"))
case(SIZE, "100,000 successors", lambda: function('"t.t"()[' + ", ".join(["^b"] * N) + "] : () -> ()\n^b:\nreturn"))

def listed(form, count=N):
    """The form for 0, 1, … with commas between; `#` stands for the number."""
    return ", ".join(form.replace("#", str(i)) for i in range(count))


case(SIZE, "`cf.br` with 100,000 operands", lambda: function("cf.br ^b(" + listed("%a") + " : " + listed("i32") + ")\n^b(" + listed("%y#: i32") + "):\nreturn", "%a: i32"))
case(SIZE, "`cf.cond_br` with 100,000 operands on both sides", lambda: function("cf.cond_br %c, ^b(" + listed("%a") + " : " + listed("i32") + "), ^b(" + listed("%a") + " : " + listed("i32") + ")\n^b(" + listed("%y#: i32") + "):\nreturn", "%a: i32, %c: i1"))
case(SIZE, "`cf.switch` of 100,000 cases with an operand each", lambda: function("cf.switch %a : i32, [ default: ^b(%a : i32), " + listed("#: ^b(%a : i32)") + " ]\n^b(%x: i32):\nreturn", "%a: i32"))
case(SIZE, "`scf.index_switch` of 50,000 cases", lambda: function("scf.index_switch %a\n" + "".join("case %d { scf.yield }\n" % i for i in range(50000)) + "default { scf.yield }\nreturn", "%a: index"))
case(SIZE, "`scf.for` that carries 100,000 values", lambda: function("%r:100000 = scf.for %i = %n to %n step %n iter_args(" + listed("%x# = %a") + ") -> (" + listed("i32") + ") {\nscf.yield " + listed("%x#") + " : " + listed("i32") + "\n}\nreturn", "%a: i32, %n: index"))
case(SIZE, "`scf.while` that carries 100,000 values", lambda: function("%r:100000 = scf.while (" + listed("%x# = %a") + ") : (" + listed("i32") + ") -> (" + listed("i32") + ") {\nscf.condition(%c) " + listed("%x#") + " : " + listed("i32") + "\n} do {\n^b(" + listed("%z#: i32") + "):\nscf.yield " + listed("%z#") + " : " + listed("i32") + "\n}\nreturn", "%a: i32, %c: i1"))
case(SIZE, "`scf.parallel` over 50,000 dimensions", lambda: function("scf.parallel (" + listed("%i#", 50000) + ") = (" + listed("%n", 50000) + ") to (" + listed("%n", 50000) + ") step (" + listed("%n", 50000) + ") {\nscf.reduce\n}\nreturn", "%n: index"))
case(SIZE, "`scf.forall` over 100,000 dimensions", lambda: function("scf.forall (" + listed("%i#") + ") in (" + listed("%n") + ") {\n}\nreturn", "%n: index"))
case(SIZE, "`func.call_indirect` with 100,000 operands", lambda: function("%r = func.call_indirect %g(" + listed("%a") + ") : (" + listed("i32") + ") -> i32\nreturn", "%a: i32, %g: (" + listed("i32") + ") -> i32"))
case(SIZE, "100,000 regions of one op", lambda: '"t.r"() (' + ", ".join(["{}"] * N) + ") : () -> ()")
case(SIZE, "100,000 affine dimensions", lambda: attr("affine_map<(" + ", ".join("d%d" % i for i in range(N)) + ") -> (d0)>"))
case(SIZE, "100,000 affine results", lambda: attr("affine_map<(d0) -> (" + ", ".join(["d0 + 1"] * N) + ")>"))
case(SIZE, "an op name of 1,000,000 letters", lambda: '"t.' + "x" * 1000000 + '"() : () -> ()')
case(SIZE, "a value name of 1,000,000 letters", lambda: "%" + "x" * 1000000 + ' = "t.r"() : () -> i1')
case(SIZE, "a value number of 1,000,000 digits", lambda: "%" + "9" * 1000000 + ' = "t.r"() : () -> i1')
case(SIZE, "1,000,000 escapes in a string", lambda: attr('"' + "\\0A" * 1000000 + '"'))
case(SIZE, "100,000 unused aliases", lambda: "".join("#a%d = %d\n" % (i, i) for i in range(N)))
case(SIZE, "100,000 chunks", lambda: "// -----\n" * N, ["--split-input-file"], ["--split-input-file"])
case(SIZE, "100,000 expectations that nothing fulfils", lambda: "// expected-error {{x}}\n" * N, ["--verify-diagnostics"], ["--verify-diagnostics"])
case(SIZE, "a resource of 10 MB", lambda: '{-# dialect_resources: { builtin: { r: "0x04000000' + "AB" * 5000000 + '" } } #-}')
case(SIZE, "dense elements, 1,000,000 of them", lambda: attr("dense<[" + ", ".join(["7"] * 999999 + ["8"]) + "]> : tensor<1000000xi32>"))
for levels in (24, 26, 28, 32, 100):
    case(SIZE, "aliases that double, %d levels" % levels,
         lambda levels=levels: "#a0 = [1]\n" + "".join("#a%d = [#a%d, #a%d]\n" % (i + 1, i, i) for i in range(levels)) + attr("#a%d" % levels))
case(SIZE, "type aliases that double, 32 levels", lambda: "!a0 = tuple<i1>\n" + "".join("!a%d = tuple<!a%d, !a%d>\n" % (i + 1, i, i) for i in range(32)) + attr("!a32"))
case(SIZE, "location aliases that double, 32 levels",
     lambda: '"t.r"() : () -> () loc(#l32)\n#l0 = loc("a")\n' + "".join("#l%d = loc(fused[#l%d, #l%d])\n" % (i + 1, i, i) for i in range(32)))

# ---- Bytes -----------------------------------------------------------------------------------------------------------
BYTES = "bytes"
case(BYTES, "an empty file", "")
case(BYTES, "one NUL", b"\0")
case(BYTES, "1 MB of random bytes", lambda: random.Random(7).randbytes(1000000))
case(BYTES, "1 MB of `#`", lambda: "#" * 1000000)
case(BYTES, "1 MB of `@`", lambda: "@" * 1000000)
case(BYTES, "1 MB of carriage returns", lambda: "\r" * 1000000 + "^")
case(BYTES, "invalid UTF-8 in a string", b'"t.r"() {a = "\xff\xc3"} : () -> ()')
case(BYTES, "invalid UTF-8 in a comment", b"// \xff\xfe\n")
case(BYTES, "invalid UTF-8 in an op's name", b'"t.\xff"() : () -> ()')
case(BYTES, "invalid UTF-8 in an identifier", b"t.\xff\n")
case(BYTES, "an overlong and a surrogate sequence", b'"t.r"() {a = "\xc0\x80\xed\xa0\x80"} : () -> ()')
case(BYTES, "a byte order mark", b"\xef\xbb\xbfmodule {}")
case(BYTES, "UTF-16", "module {}".encode("utf-16"))
case(BYTES, "NUL in a string", b'"t.r"() {a = "x\0y"} : () -> ()')
case(BYTES, "NUL between ops", b'"t.r"() : () -> ()\0"t.r"() : () -> ()')
case(BYTES, "NUL in a comment", b"// a\0b\nmodule {}")
case(BYTES, "bytecode's magic number", b"ML\xefR\x06" + b"\xff" * 100)

# ---- Names -----------------------------------------------------------------------------------------------------------
NAMES = "names"
case(NAMES, "a symbol twice", "func.func private @a()\nfunc.func private @a()")
case(NAMES, "a symbol 100,000 times", lambda: "func.func private @a()\n" * N)
case(NAMES, "a value twice", '%0 = "t.r"() : () -> i1\n%0 = "t.r"() : () -> i1')
case(NAMES, "a block twice", function("^b:\n cf.br ^b\n^b:\n return"))
case(NAMES, "a key twice", attr("{b, b}"))
case(NAMES, "a key 100,000 times", lambda: attr("{" + "b, " * N + "b}"))
case(NAMES, "an alias twice", "#a = 1\n#a = 2")
case(NAMES, "an alias of itself", "#a = [#a]\n" + attr("#a"))
case(NAMES, "two aliases of one another", "!a = tuple<!b>\n!b = tuple<!a>\n" + attr("!a"))
case(NAMES, "location aliases in a cycle", '"t.r"() : () -> () loc(#a)\n#a = loc(fused[#b])\n#b = loc(fused[#a])')
case(NAMES, "an SSA cycle in a graph region", '%0 = "t.r"(%1) : (i1) -> i1\n%1 = "t.r"(%0) : (i1) -> i1')
case(NAMES, "an SSA cycle in a function", function("%0 = arith.addi %1, %1 : i32 %1 = arith.addi %0, %0 : i32\nreturn"))
case(NAMES, "100,000 undefined values", lambda: "".join('"t.u"(%%x%d) : (i1) -> ()\n' % i for i in range(N)))
case(NAMES, "100,000 undefined blocks", lambda: function("".join('"t.t"()[^x%d] : () -> ()\n^c%d:\n' % (i, i) for i in range(N)) + "return"))
case(NAMES, "100,000 unknown ops", lambda: "t.r\n" * N)
case(NAMES, '`@""`', attr('@""'))
case(NAMES, 'a function named `""`', 'func.func private @""()')
case(NAMES, "a call of itself, inlined", "func.func @f() { call @f() : () -> () return }", ["--inline"], ["--inline"])
case(NAMES, "calls of one another, inlined", "func.func @f() { call @g() : () -> () return }\nfunc.func @g() { call @f() : () -> () return }", ["--inline"], ["--inline"])
case(NAMES, "a chain of 10,000 calls, inlined",
     lambda: "func.func private @f0()\n" + "".join("func.func private @f%d() { call @f%d() : () -> () return }\n" % (i + 1, i) for i in range(10000)) + "func.func @m() { call @f10000() : () -> () return }",
     ["--inline"], ["--inline"])
case(NAMES, "two calls a level, 30 levels, inlined",
     lambda: "func.func private @f0()\n" + "".join("func.func private @f%d() { call @f%d() : () -> () call @f%d() : () -> () return }\n" % (i + 1, i, i) for i in range(30)) + "func.func @m() { call @f30() : () -> () return }",
     ["--inline"], ["--inline"])
case(NAMES, "100,000 private symbols in a cycle",
     lambda: "".join("func.func private @f%d() { call @f%d() : () -> () return }\n" % (i, (i + 1) % 30000) for i in range(30000)), ["--symbol-dce"], ["--symbol-dce"])

# ---- Unterminated ----------------------------------------------------------------------------------------------------
OPEN = "unterminated"
for text in ('"t.r', '"t.r"(', '"t.r"() ({', '"t.r"() {a = ', '"t.r"() {a = [1', '"t.r"() {a = "x\\', '"t.r"() : (i1', '"t.r"() <{', "%", "^", "@", "#", "!", "module {", "func.func @f(%a: i1",
             'loc(', '"t.r"() : () -> () loc("f":', "#a = ", "!a = ", "{-#", "{-# x: {", "// comment", "-", "affine_map<(d0", "/", '"t.r"() {a = dense<', '"t.r"() {a = sparse<[', '"t.r"() {a = array<i32',
             '"t.r"() {a = tensor<2x', '"t.r"() {a = !u.t<"', '"t.r"() {a = 0x', '"t.r"() {a = 1.0e'):
    case(OPEN, "`%s`" % text, text)

# ---- Structure -------------------------------------------------------------------------------------------------------
SHAPE = "structure"
case(SHAPE, "properties that are no dictionary", '"t.r"() <{1}> : () -> ()')
case(SHAPE, "properties of another type", '"arith.constant"() <{value = "x"}> : () -> i32')
case(SHAPE, "too few operands", '"arith.addi"() : () -> i32')
case(SHAPE, "too many results", '%0:3 = "arith.constant"() <{value = 1 : i32}> : () -> (i32, i32, i32)')
case(SHAPE, "negative segment sizes", function('"cf.cond_br"(%c)[^b, ^b] <{operandSegmentSizes = array<i32: 1, -1, 1>}> : (i1) -> ()\n^b:\nreturn', "%c: i1"))
case(SHAPE, "huge segment sizes", function('"cf.cond_br"(%c)[^b, ^b] <{operandSegmentSizes = array<i32: 2147483647, 2147483647, 3>}> : (i1) -> ()\n^b:\nreturn', "%c: i1"))
case(SHAPE, "segment sizes of another type", function('"cf.cond_br"(%c)[^b, ^b] <{operandSegmentSizes = "x"}> : (i1) -> ()\n^b:\nreturn', "%c: i1"))
case(SHAPE, "no terminator", '"func.func"() <{function_type = () -> (), sym_name = "f"}> ({ %0 = arith.constant 1 : i32 }) : () -> ()')
case(SHAPE, "a terminator in the middle", function("return\n%0 = arith.constant 1 : i32\nreturn"))
case(SHAPE, "a function type that is none", '"func.func"() <{function_type = i32, sym_name = "f"}> ({}) : () -> ()')
case(SHAPE, "a branch to the entry", function("^a:\n cf.br ^a"))
case(SHAPE, "an `scf.for` whose body has two blocks", '"func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({ ^e(%i: index): "scf.for"(%i, %i, %i) ({ ^a(%k: index): "cf.br"()[^b] : () -> () ^b: "scf.yield"() : () -> () }) : (index, index, index) -> () "func.return"() : () -> () }) : () -> ()')
case(SHAPE, "an `scf.while` without regions", '"scf.while"() : () -> ()')
case(SHAPE, "a cake pipeline of 2^62 stages", 'cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") { cake.pipeline @r stages(4611686018427387904) from(@a) to(@b) slot(c: !cake.shared<128x64xbf16, sw128>) cake.role @a warps(1) {} cake.role @b warps(1) {} }', mlir=None)
case(SHAPE, "a template parameter of 2^62 choices", 'cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") { cake.param @S = 1 in 1..4611686018427387904 cake.role @a warps(1) {} }', ["--cake-instantiate"], None)

# ---- Passes ----------------------------------------------------------------------------------------------------------
PASS = "passes"
D04 = """func.func @f(%cond: i1, %init: i32) {
  %true = arith.constant true %c1 = arith.constant 1 : i32
  cf.cond_br %true, ^exit, ^header(%init : i32)
^header(%iv: i32):
  cf.cond_br %cond, ^exit, ^latch
^latch:
  %next = arith.addi %iv, %c1 : i32
  cf.br ^header(%next : i32)
^exit:
  return
}"""
MERGE = """func.func @f() {
  %c0 = arith.constant 0 : i32 %c1 = arith.constant 1 : i32 %c2 = arith.constant 2 : i32
  %enter = arith.cmpi sgt, %c2, %c0 : i32
  cf.cond_br %enter, ^exit, ^header(%c2 : i32)
^header(%iv: i32):
  %done = arith.cmpi eq, %iv, %c2 : i32
  cf.cond_br %done, ^exit, ^latch
^latch:
  %next = arith.addi %iv, %c1 : i32
  cf.br ^header(%next : i32)
^exit:
  return
}"""
same(PASS, "canonicalize: a loop that is cut off (LLVM #221152)", D04, ["--canonicalize"])
same(PASS, "canonicalize: merging the blocks of such a loop (#221037)", MERGE, ["--canonicalize"])
same(PASS, "canonicalize: an op that uses itself (#161145)", "%c0 = arith.constant 0 : index\n%0 = arith.addi %c0, %0 : index", ["--canonicalize"])
same(PASS, "canonicalize: a loop of empty blocks (#159743)", function("%false = arith.constant false\ncf.cond_br %false, ^a, ^b\n^a:\ncf.br ^b\n^b:\ncf.br ^a"), ["--canonicalize"])
same(PASS, "canonicalize: a cycle of three in a graph region, and a user",
     "%c1 = arith.constant 1 : i32\n%u = arith.addi %a, %c1 : i32\n\"t.u\"(%u) : (i32) -> ()\n%a = arith.addi %b, %c1 : i32\n%b = arith.addi %c, %c1 : i32\n%c = arith.addi %a, %c1 : i32", ["--canonicalize"])


def ladder(count):
    blocks = ["cf.br ^b0(%x : i32)"]
    for i in range(count):
        blocks.append("^b%d(%%v%d: i32):\ncf.cond_br %%c, ^b%d(%%v%d : i32), ^b%d(%%x : i32)" % (i, i, i + 1, i, min(i + 2, count)))
    return function("\n".join(blocks) + "\n^b%d(%%r: i32):\nreturn %%r : i32" % count, "%c: i1, %x: i32", "i32")


def branches(count):
    return function("cf.br ^b0\n" + "\n".join("^b%d:\ncf.br ^b%d" % (i, i + 1) for i in range(count)) + "\n^b%d:\nreturn" % count)


def constant_branches(count):
    """Each condition is known when the branch before it was folded."""
    text = ["%t = arith.constant true", "cf.br ^b0(%t : i1)"]
    for i in range(count):
        text.append("^b%d(%%c%d: i1):\ncf.cond_br %%c%d, ^b%d(%%c%d : i1), ^d%d\n^d%d:\ncf.br ^b%d(%%x : i1)" % (i, i, i, i + 1, i, i, i, i + 1))
    return function("\n".join(text) + "\n^b%d(%%r: i1):\nreturn %%r : i1" % count, "%x: i1", "i1")


def loops(depth, body=""):
    return function("".join("scf.for %%i%d = %%a to %%b step %%s {\n" % i for i in range(depth)) + body + "}\n" * depth + "return", "%a: index, %b: index, %s: index")


for name in ("canonicalize", "cse", "sccp"):
    same(PASS, "%s: 30,000 blocks, two ways on from each" % name, lambda: ladder(30000), ["--" + name])
    same(PASS, "%s: a chain of 30,000 blocks" % name, lambda: branches(30000), ["--" + name])
same(PASS, "canonicalize: 2,000 branches, each known behind the one before", lambda: constant_branches(2000), ["--canonicalize"])
same(PASS, "sccp: 2,000 branches, each known behind the one before", lambda: constant_branches(2000), ["--sccp"])
case(PASS, "loop-unroll: 2^31 rounds", function("%l = arith.constant 0 : index %u = arith.constant 2147483647 : index %s = arith.constant 1 : index\nscf.for %i = %l to %u step %s { \"t.u\"(%i) : (index) -> () }\nreturn"), ["--loop-unroll=full-limit=4294967296"], None)
for name in ("canonicalize", "cse", "loop-invariant-code-motion", "sccp", "inline", "symbol-dce"):
    same(PASS, "%s: loops, 900 deep" % name, lambda: loops(900, '"t.u"(%i0) : (index) -> ()\n'), ["--" + name])
same(PASS, "loop-invariant-code-motion: 500 ops through 100 loops",
     lambda: loops(100, "".join("%%x%d = arith.muli %%a, %%%s : index\n" % (i, "b" if i == 0 else "x%d" % (i - 1)) for i in range(500)) + '"t.u"(%x499) : (index) -> ()\n'), ["--loop-invariant-code-motion"])
same(PASS, "cse: 100,000 equal ops", lambda: function("".join("%%x%d = arith.addi %%a, %%a : i32\n" % i for i in range(N)) + "return", "%a: i32"), ["--cse"])
same(PASS, "canonicalize: a chain of 100,000 additions of 1",
     lambda: function("%c = arith.constant 1 : i32\n%x0 = arith.addi %a, %c : i32\n" + "".join("%%x%d = arith.addi %%x%d, %%c : i32\n" % (i + 1, i) for i in range(N - 1)) + "return %%x%d : i32" % (N - 1), "%a: i32", "i32"), ["--canonicalize"])
same(PASS, "canonicalize: 100,000 dead ops in a chain",
     lambda: function("%x0 = arith.addi %a, %a : i32\n" + "".join("%%x%d = arith.addi %%x%d, %%a : i32\n" % (i + 1, i) for i in range(N)) + "return", "%a: i32"), ["--canonicalize"])
same(PASS, "canonicalize: one value with 100,000 users that fold",
     lambda: function("%z = arith.constant 0 : i32\n" + "".join("%%x%d = arith.addi %%a, %%z : i32\n\"t.u\"(%%x%d) : (i32) -> ()\n" % (i, i) for i in range(N)) + "return", "%a: i32"), ["--canonicalize"])
same(PASS, "canonicalize: 3,000 dead users of a value that one op uses 100,000 times",
     lambda: function("%x = arith.addi %a, %a : i32\n\"t.u\"(" + listed("%x") + ") : (" + listed("i32") + ") -> ()\n" + "".join("%%d%d = arith.muli %%x, %%a : i32\n" % i for i in range(3000)) + "return", "%a: i32"), ["--canonicalize"])
same(PASS, "canonicalize: a dead op with one operand 100,000 times",
     lambda: function("%x = arith.addi %a, %a : i32\ncf.br ^b(" + listed("%x") + " : " + listed("i32") + ")\n^b(" + listed("%y#: i32") + "):\nreturn", "%a: i32"), ["--canonicalize"])
same(PASS, "sccp: `cf.br` with 100,000 operands", lambda: function("cf.br ^b(" + listed("%a") + " : " + listed("i32") + ")\n^b(" + listed("%y#: i32") + "):\nreturn", "%a: i32"), ["--sccp"])
same(PASS, "sccp: `scf.for` that carries 100,000 values", lambda: function("%r:100000 = scf.for %i = %n to %n step %n iter_args(" + listed("%x# = %a") + ") -> (" + listed("i32") + ") {\nscf.yield " + listed("%x#") + " : " + listed("i32") + "\n}\nreturn", "%a: i32, %n: index"), ["--sccp"])
case(PASS, "cake-unroll: 2^40 rounds", 'cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") { cake.role @a warps(1) { cake.unroll %i = 0 to 1099511627776 { } } }', ["--cake-unroll"], None)
case(PASS, "cake-unroll: 256 rounds, four deep", 'cake.kernel @k(%x: !cake.global<[N]xf32>) target("sm_90a") { cake.tiles @w (n = N) schedule(grid) cake.role @a warps(1) { cake.items (%n) in @w { ' + "cake.unroll %i = 0 to 256 { " * 4 + "cake.yield } " * 4 + "} } }", ["--cake-unroll"], None)
for what, text in (("unknown", "builtin.module(nope)"), ("unclosed", "builtin.module(func.func(cse"), ("closed twice", "builtin.module(cse))"), ("empty", ""), ("an option without its end", "builtin.module(canonicalize{max-iterations=1"),
                   ("an unknown option", "builtin.module(cse{x=1})"), ("a number out of range", "builtin.module(canonicalize{max-iterations=99999999999999999999})"), ("quotes open", "builtin.module(canonicalize{max-iterations='1})")):
    same(PASS, "a pipeline: " + what, "module {}", ["--pass-pipeline=" + text])
same(PASS, "a pipeline, 8,000 deep", "module {}", ["--pass-pipeline=" + "builtin.module(" * 8000 + ")" * 8000])
same(PASS, "a pipeline of 20,000 passes", "module {}", ["--pass-pipeline=builtin.module(" + ",".join(["cse"] * 20000) + ")"])
same(PASS, "a pass name of 100,000 letters", "module {}", ["--pass-pipeline=builtin.module(" + "x" * N + ")"])
same(PASS, "`expected-error-re` with a pattern that is none", "// expected-error-re@+1 {{((((}}\nt.r", ["--verify-diagnostics"])
same(PASS, "`expected-error-re` with 100,000 groups", lambda: "// expected-error-re@+1 {{" + "(" * N + ")" * N + "}}\nt.r", ["--verify-diagnostics"])
same(PASS, "an expectation without its end", "// expected-error@+1 {{x\nt.r", ["--verify-diagnostics"])
same(PASS, "an expectation at line -5", "// expected-error@-5 {{x}}\n", ["--verify-diagnostics"])
