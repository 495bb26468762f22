"""Small functions of one op each, for every op of arith and math that both tools have, with constants at the edges of each type."""
import itertools
import random

INTS = ("i1", "i7", "i8", "i16", "i32", "i64", "index")
FLOATS = ("f16", "bf16", "f32", "f64", "f8E5M2", "f8E4M3FN", "f8E4M3", "f8E3M4", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN", "tf32")
# (bits of the exponent, bits of the fraction)
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52), "f8E5M2": (5, 2), "f8E4M3FN": (4, 3),
           "f8E4M3": (4, 3), "f8E3M4": (3, 4), "f8E4M3FNUZ": (4, 3), "f8E5M2FNUZ": (5, 2), "f8E4M3B11FNUZ": (4, 3), "f6E2M3FN": (2, 3),
           "f6E3M2FN": (3, 2), "f4E2M1FN": (2, 1), "tf32": (8, 10)}
INT_BINARY = """addi subi muli divsi divui remsi remui ceildivsi ceildivui floordivsi andi ori xori shli shrsi shrui maxsi minsi
    maxui minui""".split()
FLOAT_BINARY = "addf subf mulf divf remf maximumf minimumf maxnumf minnumf".split()
EXTENDED = "addui_extended mulsi_extended mului_extended".split()
CMPI = "eq ne slt sle sgt sge ult ule ugt uge".split()
CMPF = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
MATH = "absf exp exp2 log log2 sqrt rsqrt tanh".split()


def width(kind):
    return 64 if kind == "index" else int(kind[1:]) if kind in INTS else sum(FORMATS[kind]) + 1


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def int_values(kind):
    bits = width(kind)
    near = [0, 1, 2, 3, 7, bits - 1, bits, bits + 1, 100]
    values = [signed(v, bits) for n in near for v in (n, -n, (1 << (bits - 1)) + n, (1 << (bits - 1)) - n)]
    return list(dict.fromkeys(values))


def float_values(kind):
    """Bits: zeros, ones, limits, infinities and NaNs, values that round, and powers of two at the limits of integers."""
    exponent, fraction = FORMATS[kind]
    bias, top = (1 << (exponent - 1)) - 1, (1 << exponent) - 1
    ones = (1 << fraction) - 1
    powers = [bias + p for p in (0, -1, 1, 2, 3, 7, 8, 15, 31, 62, 63, 64) if 0 < bias + p < top]
    positive = [0, 1, ones, 1 << fraction, (top - 1) << fraction | ones, top << fraction, top << fraction | ones,
                top << fraction | 1 << (fraction - 1), top << fraction | 1]
    positive += [p << fraction | f for p in powers for f in (0, 1, ones, 1 << (fraction - 1))]
    sign = 1 << (exponent + fraction)
    return list(dict.fromkeys(v | s for v in positive for s in (0, sign)))


def literal(kind, value):
    if kind in FLOATS:
        return f"0x{value:0{(width(kind) + 3) // 4}X}"
    return ("true" if value else "false") if kind == "i1" else str(value)


def constant(name, kind, values, lanes):
    if lanes == 1:
        return f"  %{name} = arith.constant {literal(kind, values[0])}{'' if kind == 'i1' else f' : {kind}'}\n"
    listed = ", ".join(literal(kind, v) for v in values)
    return f"  %{name} = arith.constant dense<[{listed}]> : vector<{lanes}x{kind}>\n"


def shape(kind, lanes):
    return kind if lanes == 1 else f"vector<{lanes}x{kind}>"


class Case:
    """A function without its name: its group, its parameters, its ops and what it returns."""

    def __init__(self, group, parameters, body, results):
        self.group, self.parameters, self.body, self.results = group, parameters, body, results

    def text(self, name):
        listed = ", ".join(f"%r#{i}" for i in range(len(self.results))) if len(self.results) > 1 else "%r"
        types = ", ".join(self.results)
        return f"func.func @{name}({self.parameters}) -> ({types}) {{\n{self.body}  return {listed} : {types}\n}}\n"


def operands(rng, kind, n, lanes):
    """Constants for n operands, as text."""
    values = float_values(kind) if kind in FLOATS else int_values(kind)
    return "".join(constant("abc"[i], kind, [rng.choice(values) for _ in range(lanes)], lanes) for i in range(n))


def pairs(rng, kind, count):
    values = float_values(kind) if kind in FLOATS else int_values(kind)
    all_pairs = list(itertools.product(values, repeat=2))
    return rng.sample(all_pairs, min(count, len(all_pairs)))


def binary(rng, count):
    for ops, kinds in ((INT_BINARY, INTS), (FLOAT_BINARY, FLOATS)):
        for op, kind in itertools.product(ops, kinds):
            for a, b in pairs(rng, kind, count):
                body = constant("a", kind, [a], 1) + constant("b", kind, [b], 1)
                yield Case(f"arith.{op}", "", body + f"  %r = arith.{op} %a, %b : {kind}\n", [kind])
            kind_of_vector = shape(kind, 2)
            yield Case(f"arith.{op} of vectors", "", operands(rng, kind, 2, 2) + f"  %r = arith.{op} %a, %b : {kind_of_vector}\n", [kind_of_vector])


def compared(rng, count):
    for op, predicates, kinds in (("cmpi", CMPI, INTS), ("cmpf", CMPF, FLOATS)):
        for predicate, kind in itertools.product(predicates, kinds):
            for a, b in pairs(rng, kind, count):
                body = constant("a", kind, [a], 1) + constant("b", kind, [b], 1)
                yield Case(f"arith.{op}", "", body + f"  %r = arith.{op} {predicate}, %a, %b : {kind}\n", ["i1"])


def extended(rng, count):
    for op, kind in itertools.product(EXTENDED, INTS):
        if op != "addui_extended" and kind == "index":
            continue
        second = "i1" if op == "addui_extended" else kind
        types = f"{kind}, i1" if op == "addui_extended" else kind
        for a, b in pairs(rng, kind, count):
            body = constant("a", kind, [a], 1) + constant("b", kind, [b], 1)
            yield Case(f"arith.{op}", "", body + f"  %r:2 = arith.{op} %a, %b : {types}\n", [kind, second])


FIXED = [kind for kind in INTS if kind != "index"]
CASTS = [("extsi", FIXED, FIXED), ("extui", FIXED, FIXED), ("trunci", FIXED, FIXED), ("index_cast", INTS, INTS),
         ("index_castui", INTS, INTS), ("extf", FLOATS, FLOATS), ("truncf", FLOATS, FLOATS), ("sitofp", FIXED, FLOATS),
         ("uitofp", FIXED, FLOATS), ("fptosi", FLOATS, FIXED), ("fptoui", FLOATS, FIXED), ("bitcast", FIXED + list(FLOATS), FIXED + list(FLOATS))]


def all_casts():
    """(op, from, to) of which both tools say that it is one."""
    def allowed(op, a, b):
        wide = width(b) > width(a)
        return {"extsi": wide, "extui": wide, "trunci": not wide and width(a) != width(b), "extf": wide, "truncf": width(a) > width(b),
                "index_cast": (a == "index") != (b == "index"), "index_castui": (a == "index") != (b == "index"),
                "bitcast": width(a) == width(b) and a != b}.get(op, True)

    for op, sources, targets in CASTS:
        yield from ((op, a, b) for a, b in itertools.product(sources, targets) if allowed(op, a, b))


def casts(rng, count):
    for op, a, b in all_casts():
        values = float_values(a) if a in FLOATS else int_values(a)
        for value in rng.sample(values, min(count, len(values))):
            yield Case(f"arith.{op}", "", constant("a", a, [value], 1) + f"  %r = arith.{op} %a : {a} to {b}\n", [b])
        yield Case(f"arith.{op} of vectors", "", operands(rng, a, 1, 2) + f"  %r = arith.{op} %a : {shape(a, 2)} to {shape(b, 2)}\n", [shape(b, 2)])


def cast_chains(_, __):
    """A cast of a cast of what is not known."""
    found = [cast for cast in all_casts() if not {"f8E4M3FN", "f8E4M3", "f8E3M4", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ"} & set(cast)]
    for (first, a, b), (second, c, d) in itertools.product(found, repeat=2):
        if b == c:
            body = f"  %y = arith.{first} %x : {a} to {b}\n  %r = arith.{second} %y : {b} to {d}\n"
            yield Case(f"{first}, {second}", f"%x: {a}", body, [d])


def flagged(_, __):
    """Identities that hold with flags."""
    for op, flags, kind in itertools.product(FLOAT_BINARY, ("nnan", "nsz", "nnan,nsz", "nnan,ninf", "fast"), ("f16", "f32")):
        for value in float_values(kind)[:8]:
            body = constant("c", kind, [value], 1)
            yield Case(f"arith.{op} x, c with flags", f"%x: {kind}", body + f"  %r = arith.{op} %x, %c fastmath<{flags}> : {kind}\n", [kind])
        yield Case(f"arith.{op} x, x with flags", f"%x: {kind}", f"  %r = arith.{op} %x, %x fastmath<{flags}> : {kind}\n", [kind])


def other(rng, count):
    for kind in INTS + FLOATS:
        for a, b in pairs(rng, kind, 4):
            body = constant("c", "i1", [a & 1], 1) + constant("a", kind, [a], 1) + constant("b", kind, [b], 1)
            yield Case("arith.select", "", body + f"  %r = arith.select %c, %a, %b : {kind}\n", [kind])
    for kind in FLOATS:
        for value in float_values(kind):
            body = constant("a", kind, [value], 1)
            yield Case("arith.negf", "", body + f"  %r = arith.negf %a : {kind}\n", [kind])
            if kind in ("f16", "bf16", "f32", "f64"):
                for op in MATH:
                    yield Case(f"math.{op}", "", body + f"  %r = math.{op} %a : {kind}\n", [kind])
        for _ in range(count):
            yield Case("math.fma", "", operands(rng, kind, 3, 1) + f"  %r = math.fma %a, %b, %c : {kind}\n", [kind])


def identities(rng, _):
    """One operand is not known, or both are the same one."""
    for ops, kinds in ((INT_BINARY, ("i1", "i8", "index")), (FLOAT_BINARY, ("f16", "f32", "f64"))):
        for op, kind in itertools.product(ops, kinds):
            values = float_values(kind) if kind in FLOATS else int_values(kind)
            for value in values:
                body = constant("c", kind, [value], 1)
                yield Case(f"arith.{op} x, c", f"%x: {kind}", body + f"  %r = arith.{op} %x, %c : {kind}\n", [kind])
                yield Case(f"arith.{op} c, x", f"%x: {kind}", body + f"  %r = arith.{op} %c, %x : {kind}\n", [kind])
            yield Case(f"arith.{op} x, x", f"%x: {kind}", f"  %r = arith.{op} %x, %x : {kind}\n", [kind])
    for op, predicates, kinds in (("cmpi", CMPI, ("i1", "i8", "index")), ("cmpf", CMPF, ("f16", "f32"))):
        for predicate, kind in itertools.product(predicates, kinds):
            values = float_values(kind) if kind in FLOATS else int_values(kind)
            for value in values:
                body = constant("c", kind, [value], 1)
                yield Case(f"arith.{op} x, c", f"%x: {kind}", body + f"  %r = arith.{op} {predicate}, %x, %c : {kind}\n", ["i1"])
                yield Case(f"arith.{op} c, x", f"%x: {kind}", body + f"  %r = arith.{op} {predicate}, %c, %x : {kind}\n", ["i1"])
            yield Case(f"arith.{op} x, x", f"%x: {kind}", f"  %r = arith.{op} {predicate}, %x, %x : {kind}\n", ["i1"])


def chains(rng, count):
    """Two ops behind one another, of one unknown and two constants."""
    for first, second in itertools.product(INT_BINARY, repeat=2):
        for _ in range(count // 20 + 1):
            kind = rng.choice(("i1", "i8", "i32", "index"))
            order = [("%x", "%a"), ("%a", "%x")][rng.random() < 0.3]
            again = [("%y", "%b"), ("%b", "%y")][rng.random() < 0.3]
            body = operands(rng, kind, 2, 1)
            body += f"  %y = arith.{first} {order[0]}, {order[1]} : {kind}\n  %r = arith.{second} {again[0]}, {again[1]} : {kind}\n"
            yield Case(f"{first}, {second}", f"%x: {kind}", body, [kind])


FAMILIES = (binary, compared, extended, casts, other, identities, chains, cast_chains, flagged)


def cases(seed, count):
    rng = random.Random(seed)
    for family in FAMILIES:
        yield from family(rng, count)
