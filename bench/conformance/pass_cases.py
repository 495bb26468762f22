"""Small valid modules of func, arith, scf and cf at random, each from its own seed."""
import random

BINARY = "addi subi muli andi ori xori maxsi minsi maxui minui shli shrsi shrui divsi divui remsi remui".split()
PREDICATES = "eq ne slt sle sgt sge ult ule ugt uge".split()
TYPES = ("i32", "index", "i8")


class Maker:
    """One function; `scope` holds (name, type) of what may be used."""

    def __init__(self, rng, callees):
        self.rng, self.callees, self.lines, self.count = rng, callees, [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    def constant(self, scope, depth, kind):
        name = self.name()
        value = self.rng.choice((0, 1, 2, 3, 7, -1, 10)) if kind != "i1" else self.rng.choice(("true", "false"))
        self.emit(depth, f"{name} = arith.constant {value}" + ("" if kind == "i1" else f" : {kind}"))
        scope.append((name, kind))
        return name

    def value(self, scope, depth, kind):
        found = [name for name, of in scope if of == kind]
        return self.rng.choice(found) if found and self.rng.random() < 0.75 else self.constant(scope, depth, kind)

    def step(self, scope, depth, budget):
        kinds = ["binary"] * 5 + ["compare", "select", "again", "use"] + (["call"] if self.callees else [])
        if depth < 3 and budget > 2:
            kinds += ["if", "if value", "for", "for value"]
        getattr(self, self.rng.choice(kinds).replace(" ", "_"))(scope, depth, budget)

    def binary(self, scope, depth, _):
        kind, op = self.rng.choice(TYPES), self.rng.choice(BINARY)
        a, b = self.value(scope, depth, kind), self.value(scope, depth, kind)
        name = self.name()
        self.emit(depth, f"{name} = arith.{op} {a}, {b} : {kind}")
        scope.append((name, kind))

    def again(self, scope, depth, budget):
        """The same op once more."""
        made = [line.strip() for line in self.lines if " = arith." in line and "constant" not in line]
        line = self.rng.choice(made) if made else None
        known = {name for name, _ in scope}
        if not line or not set(part.strip(",") for part in line.split() if part.startswith("%")) <= known:
            return self.binary(scope, depth, budget)
        name = self.name()
        self.emit(depth, f"{name} = {line.split(' = ', 1)[1]}")
        scope.append((name, dict(scope)[line.split(" = ")[0]]))
        return None

    def compare(self, scope, depth, _):
        kind = self.rng.choice(TYPES)
        a, b = self.value(scope, depth, kind), self.value(scope, depth, kind)
        name = self.name()
        self.emit(depth, f"{name} = arith.cmpi {self.rng.choice(PREDICATES)}, {a}, {b} : {kind}")
        scope.append((name, "i1"))

    def select(self, scope, depth, _):
        kind = self.rng.choice(TYPES)
        c, a, b = self.value(scope, depth, "i1"), self.value(scope, depth, kind), self.value(scope, depth, kind)
        name = self.name()
        self.emit(depth, f"{name} = arith.select {c}, {a}, {b} : {kind}")
        scope.append((name, kind))

    def use(self, scope, depth, _):
        self.emit(depth, f"func.call @sink({self.value(scope, depth, 'i32')}) : (i32) -> ()")

    def call(self, scope, depth, _):
        callee = self.rng.choice(self.callees)
        a = self.value(scope, depth, "i32")
        name = self.name()
        self.emit(depth, f"{name} = func.call @{callee}({a}) : (i32) -> i32")
        scope.append((name, "i32"))

    def body(self, scope, depth, budget):
        for _ in range(self.rng.randrange(1, max(2, budget))):
            self.step(scope, depth, budget // 2)

    def branch(self, scope, depth, budget, kind):
        inner = list(scope)
        self.body(inner, depth + 1, budget)
        if kind:
            self.emit(depth + 1, f"scf.yield {self.value(inner, depth + 1, kind)} : {kind}")

    def if_(self, scope, depth, budget, kind):
        condition = self.value(scope, depth, "i1")
        name = self.name() if kind else None
        self.emit(depth, (f"{name} = " if kind else "") + f"scf.if {condition}" + (f" -> ({kind})" if kind else "") + " {")
        self.branch(scope, depth, budget, kind)
        if kind or self.rng.random() < 0.5:
            self.emit(depth, "} else {")
            self.branch(scope, depth, budget, kind)
        self.emit(depth, "}")
        if kind:
            scope.append((name, kind))

    def for_(self, scope, depth, budget, kind):
        low, high, step = self.value(scope, depth, "index"), self.value(scope, depth, "index"), self.name()
        self.emit(depth, f"{step} = arith.constant {self.rng.choice((1, 1, 2, 3))} : index")
        first = self.value(scope, depth, kind) if kind else None
        name, counter, carried = self.name(), self.name(), self.name()
        head = f"scf.for {counter} = {low} to {high} step {step}"
        self.emit(depth, (f"{name} = " if kind else "") + head + (f" iter_args({carried} = {first}) -> ({kind})" if kind else "") + " {")
        self.branch(scope + [(counter, "index")] + ([(carried, kind)] if kind else []), depth, budget, kind)
        self.emit(depth, "}")
        if kind:
            scope.append((name, kind))

    def if_value(self, scope, depth, budget):
        self.if_(scope, depth, budget, self.rng.choice(TYPES))

    def for_value(self, scope, depth, budget):
        self.for_(scope, depth, budget, self.rng.choice(TYPES))


setattr(Maker, "if", lambda self, scope, depth, budget: self.if_(scope, depth, budget, None))
setattr(Maker, "for", lambda self, scope, depth, budget: self.for_(scope, depth, budget, None))


def structured(rng, name, callees, visibility=""):
    maker = Maker(rng, callees)
    scope = [("%a", "i32"), ("%b", "i32"), ("%n", "index"), ("%c", "i1"), ("%s", "i8")] if not visibility else [("%a", "i32")]
    arguments = ", ".join(f"{value}: {kind}" for value, kind in scope)
    maker.body(scope, 0, rng.choice((3, 6, 10)))
    result = maker.value(scope, 0, "i32")
    lines = "\n".join(maker.lines)
    return f"func.func {visibility}@{name}({arguments}) -> i32 {{\n{lines}\n  return {result} : i32\n}}\n"


def blocks(rng, name):
    """A function of several blocks, each of which branches to later ones."""
    n = rng.randrange(2, 6)
    maker, text = Maker(rng, []), []
    for i in range(n):
        maker.lines = []
        scope = [("%a", "i32"), ("%c", "i1"), ("%b", "i32")] + ([(f"%p{i}", "i32")] if i else [])
        maker.body(scope, 3, 4)
        value, condition = maker.value(scope, 3, "i32"), maker.value(scope, 3, "i1")
        if i == n - 1:
            maker.emit(0, f"return {value} : i32")
        elif rng.random() < 0.4:
            j = rng.randrange(i + 1, n)
            maker.emit(0, f"cf.br ^bb{j}({value} : i32)")
        else:
            j, k, other = rng.randrange(i + 1, n), rng.randrange(i + 1, n), rng.choice([value, "%a"])
            maker.emit(0, f"cf.cond_br {condition}, ^bb{j}({value} : i32), ^bb{k}({other} : i32)")
        text += ([f"^bb{i}(%p{i}: i32):"] if i else []) + maker.lines
    return f"func.func @{name}(%a: i32, %c: i1, %b: i32) -> i32 {{\n" + "\n".join(text) + "\n}\n"


def module(seed, n):
    """A module of n functions f0 … and of private ones that they call."""
    rng = random.Random(seed)
    parts = ["func.func private @sink(i32)\n"]
    leaves = [f"g{i}" for i in range(max(1, n // 3))]
    for i, leaf in enumerate(leaves):
        parts.append(structured(rng, leaf, leaves[:i], "private "))
    for i in range(n):
        parts.append(blocks(rng, f"f{i}") if rng.random() < 0.3 else structured(rng, f"f{i}", leaves))
    return "".join(parts)
