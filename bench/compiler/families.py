"""Families of modules for timing compilers: each function yields the text of about `n` operations, the same for every call.

  chain     straight-line functions of 100 ops
  nested    scf.for and scf.if 16 deep, with invariant and variant arithmetic at each level
  cse       half of the expressions are duplicates
  dce       nine of ten results are unused
  fold      every function folds to one constant
  cfg       functions of 1,000 blocks with two block arguments
  cfg1      the same blocks in a single function
  calls     private leaves and callers of them
  unreg     chain in the generic form, with ops that nobody registered
  lists     constants of 16 numbers each
  attributes  what ops carry: constants, flags, dictionaries of all kinds of attributes, on ops that are registered and that are not
  locations   chain with a location behind each op: places, aliases, names, call sites
  dense     constants of 10,000 decimal elements a function (n counts elements)
  densehex  the same elements as a string of hexadecimal digits
"""
import random

INT_OPS = ("addi", "subi", "muli", "andi", "ori", "xori")


def header(name, args, results="i32", visibility=""):
    listed = ", ".join("%%a%d: %s" % (i, t) for i, t in enumerate(args))
    return "func.func %s@%s(%s) -> %s {\n" % (visibility, name, listed, results)


def chain(n):
    rng = random.Random(1)
    for f in range(max(1, n // 100)):
        lines = [header("f%d" % f, ("i32", "i32"))]
        values = ["%a0", "%a1"]
        for i in range(98):
            a, b = values[-1], values[rng.randrange(max(0, len(values) - 8), len(values))]
            lines.append("  %%%d = arith.%s %s, %s : i32\n" % (i, rng.choice(INT_OPS[:3]), a, b))
            values.append("%%%d" % i)
        lines.append("  return %s : i32\n}\n" % values[-1])
        yield "".join(lines)


def unreg(n):
    for f in range(max(1, n // 100)):
        lines = ['"t.func"() ({\n^bb0(%a0: i32, %a1: i32):\n']
        last, before = "%a1", "%a0"
        for i in range(98):
            lines.append('  %%%d = "t.op%d"(%s, %s) {k = %d : i32} : (i32, i32) -> i32\n' % (i, i % 7, last, before, i % 5))
            last, before = "%%%d" % i, last
        lines.append('  "t.return"(%s) : (i32) -> ()\n}) {sym = "f%d"} : () -> ()\n' % (last, f))
        yield "".join(lines)


def nested(n):
    """A function has 16 levels (a loop, an if, a loop, ...), six ops a level: about 100 ops."""
    for f in range(max(1, n // 102)):
        lines = [header("f%d" % f, ("index", "index", "index", "i32", "i1", "memref<?xi32>"), "()")]
        value = "%a3"
        for level in range(16):
            pad = "  " * (level + 1)
            if level % 2 == 0:
                lines.append("%sscf.for %%i%d = %%a0 to %%a1 step %%a2 {\n" % (pad, level))
                lines.append("%s  %%c%d = arith.index_cast %%i%d : index to i32\n" % (pad, level, level))
            else:
                lines.append("%sscf.if %%a4 {\n" % pad)
                lines.append("%s  %%c%d = arith.subi %s, %%a3 : i32\n" % (pad, level, value))
            lines.append("%s  %%p%d = arith.muli %%a3, %%a3 : i32\n" % (pad, level))
            lines.append("%s  %%q%d = arith.addi %%c%d, %%p%d : i32\n" % (pad, level, level, level))
            lines.append("%s  %%r%d = arith.xori %%q%d, %s : i32\n" % (pad, level, level, value))
            value = "%%r%d" % level
        lines.append("  " * 17 + 'func.call @sink(%s) : (i32) -> ()\n' % value)
        for level in reversed(range(16)):
            lines.append("  " * (level + 1) + "}\n")
        lines.append("  return\n}\n")
        yield "".join(lines)
    yield "func.func private @sink(i32)\n"


def cse(n):
    rng = random.Random(2)
    for f in range(max(1, n // 100)):
        lines = [header("f%d" % f, ("i32", "i32"))]
        values, last = ["%a0", "%a1"], None
        for i in range(98):
            if i % 2 == 0:
                last = (rng.choice(INT_OPS), values[-1], values[rng.randrange(max(0, len(values) - 8), len(values))])
            lines.append("  %%%d = arith.%s %s, %s : i32\n" % ((i,) + last))
            values.append("%%%d" % i)
        lines.append("  return %s : i32\n}\n" % values[-1])
        yield "".join(lines)


def dce(n):
    for f in range(max(1, n // 100)):
        lines = [header("f%d" % f, ("i32", "i32"))]
        live = "%a0"
        for i in range(98):
            lines.append("  %%%d = arith.%s %s, %%a1 : i32\n" % (i, INT_OPS[i % 3], live))
            if i % 10 == 0:
                live = "%%%d" % i
        lines.append("  return %s : i32\n}\n" % live)
        yield "".join(lines)


def fold(n):
    for f in range(max(1, n // 100)):
        lines = [header("f%d" % f, (), "i32")]
        values = []
        for i in range(49):
            lines.append("  %%c%d = arith.constant %d : i32\n" % (i, (f * 7919 + i * 104729) % 65521))
            values.append("%%c%d" % i)
        last = values[0]
        for i in range(1, 50):
            lines.append("  %%%d = arith.%s %s, %s : i32\n" % (i, INT_OPS[i % len(INT_OPS)], last, values[i % 49]))
            last = "%%%d" % i
        lines.append("  return %s : i32\n}\n" % last)
        yield "".join(lines)


def blocks(name, n_blocks):
    """A function of `n_blocks` blocks with two arguments each, three ops a block."""
    lines = [header(name, ("i32", "i32", "i1")), "  cf.br ^bb1(%a0, %a1 : i32, i32)\n"]
    for b in range(1, n_blocks):
        last = b == n_blocks - 1
        lines.append("^bb%d(%%x%d: i32, %%y%d: i32):\n" % (b, b, b))
        lines.append("  %%s%d = arith.addi %%x%d, %%y%d : i32\n" % (b, b, b))
        lines.append("  %%t%d = arith.xori %%s%d, %%a0 : i32\n" % (b, b))
        if last:
            lines.append("  return %%t%d : i32\n" % b)
        elif b % 3 == 0 or b + 2 >= n_blocks:
            lines.append("  cf.br ^bb%d(%%s%d, %%t%d : i32, i32)\n" % (b + 1, b, b))
        else:
            lines.append("  cf.cond_br %%a2, ^bb%d(%%s%d, %%t%d : i32, i32), ^bb%d(%%t%d, %%y%d : i32, i32)\n"
                         % (b + 1, b, b, b + 2, b, b))
    lines.append("}\n")
    return "".join(lines)


def cfg(n):
    for f in range(max(1, n // 3000)):
        yield blocks("f%d" % f, min(1000, max(4, n // 3)))


def cfg1(n):
    yield blocks("f", max(4, n // 3))


def calls(n):
    """Sixteen ops: a private leaf of four, a caller of three calls."""
    for f in range(max(1, n // 16)):
        yield ("func.func private @leaf%d(%%a: i32, %%b: i32) -> i32 {\n"
               "  %%0 = arith.addi %%a, %%b : i32\n  %%1 = arith.muli %%0, %%a : i32\n"
               "  %%2 = arith.xori %%1, %%b : i32\n  return %%2 : i32\n}\n"
               "func.func @caller%d(%%a: i32, %%b: i32) -> i32 {\n"
               "  %%0 = call @leaf%d(%%a, %%b) : (i32, i32) -> i32\n"
               "  %%1 = arith.addi %%0, %%b : i32\n"
               "  %%2 = call @leaf%d(%%1, %%0) : (i32, i32) -> i32\n"
               "  %%3 = arith.subi %%2, %%1 : i32\n"
               "  %%4 = call @leaf%d(%%3, %%2) : (i32, i32) -> i32\n"
               "  %%5 = arith.muli %%4, %%0 : i32\n  %%6 = arith.addi %%5, %%1 : i32\n  %%7 = arith.xori %%6, %%3 : i32\n"
               "  return %%7 : i32\n}\n" % (f, f, f, f, f))


def lists(n):
    """Constants of 16 numbers each."""
    rng = random.Random(4)
    for f in range(max(1, n // 50)):
        yield "func.func @f%d() {\n%s  return\n}\n" % (f, "".join(
            "  %%%d = arith.constant dense<[%s]> : tensor<16xi32>\n" % (i, ", ".join(str(rng.randrange(-1000, 1000)) for _ in range(16)))
            for i in range(49)))


ATTRIBUTES = ("k = {0} : i32", "scale = {0}.5 : f32", "eps = {0}.25", 'name = "layer_{0}"', "callee = @f{0}", "strides = array<i64: {1}, 1>",
              "pads = [{1}, {1}, 0]", "hot", "mode = {{deep = {{level = {1} : i8}}, tile = [8, {1}]}}", "elt = tensor<{1}x4xf32>", "map = #map",
              "layout = #t.layout<{1}, row>", "bias = dense<{0}> : tensor<8xi32>", "taps = dense<[{1}, 2, {0}, 4]> : tensor<4xi64>", "axis = -1",
              "exact = true", "kind = f32", 'dialects = ["a", "b{1}"]')


def dictionary(rng, least, most):
    chosen = rng.sample(range(len(ATTRIBUTES)), rng.randint(least, most))
    return "{%s}" % ", ".join(ATTRIBUTES[c].format(rng.randrange(1, 2000), rng.randrange(1, 8)) for c in chosen)


def attribute_op(rng, i, last, number):
    """The text of one op that defines %i, of the type that `last` has: i32, or f32 where `last` begins with %f."""
    kind = i % 14
    if kind == 0:
        return "%%c%d = arith.constant %d : i32" % (i, number), "%%c%d" % i
    if kind == 1:
        return "%%f%d = arith.constant %d.25 : f32" % (i, number), last
    if kind == 2:
        return "%%f%d = arith.addf %%f%d, %%f%d fastmath<%s> : f32" % (i, i - 1, i - 1, rng.choice(("fast", "nnan,ninf", "contract"))), last
    if kind == 3:
        return "%%d%d = arith.constant dense<%d> : tensor<4xi32>" % (i, number), last
    if kind == 4:
        return "%%d%d = arith.constant dense<[%d, 2, 3, %d]> : vector<4xi64>" % (i, number, -i), last
    if kind == 5:
        return "%%d%d = arith.constant dense<[1.5, %d.0, 2.0, -0.5]> : tensor<4xf32>" % (i, number), last
    if kind == 6:
        return "%%v%d = arith.muli %s, %s overflow<nsw, nuw> : i32" % (i, last, last), "%%v%d" % i
    if kind == 7:
        return "%%v%d = arith.addi %s, %s %s : i32" % (i, last, last, dictionary(rng, 1, 2)), "%%v%d" % i
    if kind == 8:
        return '%%v%d = "arith.subi"(%s, %s) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32' % (i, last, last), "%%v%d" % i
    if kind == 9:
        return '%%v%d = "t.call"(%s) <{callee = @f%d, n = %d : i64}> %s : (i32) -> i32' % (i, last, number, i, dictionary(rng, 1, 3)), "%%v%d" % i
    return '%%v%d = "t.op%d"(%s) %s : (i32) -> i32' % (i, kind, last, dictionary(rng, 2, 6)), "%%v%d" % i


def attributes(n):
    rng = random.Random(5)
    yield "#map = affine_map<(d0, d1) -> (d1, d0)>\n"
    for f in range(max(1, n // 100)):
        lines, last = ['func.func @f%d(%%a0: i32) -> i32 attributes {target = "gpu", version = %d : i32} {\n' % (f, f % 7)], "%a0"
        for i in range(98):
            text, last = attribute_op(rng, i, last, rng.randrange(1, 5000))
            lines.append("  %s\n" % text)
        lines.append("  return %s : i32\n}\n" % last)
        yield "".join(lines)


def locations(n):
    rng = random.Random(6)
    yield "".join('#at%d = loc("a.py":%d:1)\n' % (i, i) for i in range(1, 100))
    for f in range(max(1, n // 100)):
        lines = [header("f%d" % f, ("i32", "i32"))]
        last, before = "%a1", "%a0"
        for i in range(98):
            line, column = rng.randrange(1, 4000), rng.randrange(1, 80)
            where = ('"model.py":%d:%d' % (line, column), "#loc%d" % rng.randrange(1, 500), '"model.py":%d:%d' % (line, column),
                     "#loc%d" % rng.randrange(1, 500), '"conv%d"("model.py":%d:%d)' % (i, line, column),
                     'callsite("lib.py":%d:%d at "model.py":%d:1)' % (line, column, f + 1), "unknown", 'fused["a.py":%d:1, #at%d]' % (line, i + 1))[i % 8]
            lines.append("  %%%d = arith.%s %s, %s : i32 loc(%s)\n" % (i, INT_OPS[i % 3], last, before, where))
            last, before = "%%%d" % i, last
        lines.append("  return %s : i32 loc(#loc)\n} loc(#loc)\n" % last)
        yield "".join(lines)
    yield '#loc = loc("model.py":0:0)\n' + "".join('#loc%d = loc("lib.py":%d:%d)\n' % (i, i * 3, i % 70 + 1) for i in range(1, 500))


def elements(n, text):
    rng = random.Random(3)
    for f in range(max(1, n // 10000)):
        yield ("func.func @f%d() -> tensor<10000xi32> {\n  %%0 = arith.constant dense<%s> : tensor<10000xi32>\n"
               "  return %%0 : tensor<10000xi32>\n}\n" % (f, text([rng.randrange(1 << 31) for _ in range(10000)])))


def dense(n):
    return elements(n, lambda values: "[" + ", ".join(map(str, values)) + "]")


def densehex(n):
    return elements(n, lambda values: '"0x' + b"".join(v.to_bytes(4, "little") for v in values).hex().upper() + '"')


FAMILIES = {f.__name__: f for f in (chain, nested, cse, dce, fold, cfg, cfg1, calls, unreg, lists, attributes, locations, dense,
                                    densehex)}


def write(family, n, path):
    """Writes the module; returns its size in bytes."""
    size = 0
    with open(path, "w", encoding="ascii") as out:
        for text in FAMILIES[family](n):
            size += out.write(text)
    return size


if __name__ == "__main__":  # families.py FAMILY N: the module on standard output
    import sys
    for part in FAMILIES[sys.argv[1]](int(sys.argv[2])):
        sys.stdout.write(part)
