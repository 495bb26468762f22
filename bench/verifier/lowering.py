#!/usr/bin/env python3
"""Compares what synchronises in a kernel before and behind each pass of the lowering.

  lowering.py BIN [KERNEL…]             a table in Markdown, a row a kernel and pass; exit 1 when two programs differ
  lowering.py BIN --mutants KERNEL…     leaves each synchronising op out of each program in turn, and counts what the comparison sees

BIN is the folder of cake-opt. A program is an automaton: loops run any number of times, conditions go either way, a warp takes one role or none. A
letter is an op with the place (line and column) in the source that it was made of. The words of both programs must be equal:

  cake-inline-calls, cake-unroll, cake-assign-shared, cake-expand-roles   of all synchronising ops of the cake dialect
  cake-expand-pipelines   of the places that wait (acquire, wait, take, meet); what is done in a row at one place is one letter. Arrivals are not
                          compared: a deferred release moves into the next round. That it is right is what the protocol checker proves on both sides
  cake-expand-fragments   of the synchronising gpu ops that were there before
  canonicalize, cse, dce  of all synchronising gpu ops
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "kernels")
PASSES = ("cake-instantiate", "cake-inline-calls", "cake-unroll", "cake-assign-shared", "cake-expand-roles", "cake-expand-pipelines",
          "cake-expand-fragments", "canonicalize", "cse", "dce")
CAKE = {"cake." + op for op in "acquire commit wait release take pass meet arrive sync fence await depend".split()}
CAKE_WAITS = {"cake.acquire", "cake.wait", "cake.take", "cake.meet"}
GPU_WAITS = {"gpu.mbarrier_wait", "gpu.bulk_wait_read", "gpu.named_barrier"}
GPU = re.compile(r"gpu\.(mbarrier_\w+|barrier|named_barrier\w*|fence_proxy_async|bulk_\w+|cp_async_\w+|setmaxnreg|wgmma_(fence|commit|wait)|warp_sync"
                 r"|tcgen05_(alloc|dealloc|fence|commit|wait_ld)|griddep\w*)$")
OP = re.compile(r"^(?:%[^=]*= )?([a-z]\w*\.[\w.]+)")
PLACE = re.compile(r' loc\((.*)\)$')


# ---- Programs ------------------------------------------------------------------------------------------------------------

def parse(lines):
    """A tree: [op, place], or [op, line, blocks]."""
    stack = [[]]
    for line in lines:
        text = line.strip()
        name = OP.match(text)
        if text.startswith("}"):
            stack.pop()
            if not text.endswith("{"):
                continue
            stack[-1][-1][2].append([])
            stack.append(stack[-1][-1][2][-1])
        elif text.endswith("{"):
            stack[-1].append([name.group(1) if name else "module", text, [[]]])
            stack.append(stack[-1][-1][2][0])
        elif name:
            place = PLACE.search(text)
            is_grid = name.group(1) == "cake.tiles" and "schedule(grid)" in text
            stack[-1].append(["grid" if is_grid else name.group(1), re.sub(r'"[^"]*"', "", place.group(1)) if place else "?"])
    return stack[0]


class Automaton:
    def __init__(self, tree, letter):
        self.has_one_item = any(name == "grid" for name, _ in leaves(tree))  # a CTA
        self.letter_of, self.next, self.letters = letter, [set(), set()], [None, None]  # 0: the start, 1: the end
        self.join({0} if not tree else self.block(tree, {0}), 1)

    def node(self, letter):
        self.next.append(set())
        self.letters.append(letter)
        return len(self.next) - 1

    def join(self, ends, node):
        for end in ends:
            self.next[end].add(node)

    def block(self, ops, ends):
        for op in ops:
            ends = self.leaf(op, ends) if len(op) == 2 else self.region(op, ends)
        return ends

    def leaf(self, op, ends):
        letter = self.letter_of(*op)
        if letter is None:
            return ends
        node = self.node(letter)
        self.join(ends, node)
        return {node}

    def region(self, op, ends):
        name, text, blocks = op
        if name == "cake.kernel":
            roles = [inner for inner in blocks[0] if inner[0] == "cake.role"]
            return set(ends).union(*(self.block(role[2][0], ends) for role in roles))
        if name == "cake.unroll":
            low, high = re.search(r"= (\d+) to (\d+)", text).groups()
            for _ in range(int(high) - int(low)):
                ends = self.block(blocks[0], ends)
            return ends
        if name == "cake.items" and self.has_one_item:
            return self.block(blocks[0], ends)
        if name in ("cake.items", "cake.steps", "scf.for", "scf.while"):
            head = self.node(None)
            self.join(ends, head)
            for block in blocks:
                self.join(self.block(block, {head}), head)
            return {head}
        if name in ("scf.if", "scf.index_switch"):
            outs = [self.block(block, ends) for block in blocks]
            return set().union(*outs) if len(blocks) > 1 else outs[0] | set(ends)
        if name in ("module", "gpu.module", "gpu.func"):
            return self.block(blocks[0], ends)
        return ends  # func.func: what is called

    def reach(self, nodes):
        """Letters and the end that come next: {letter: nodes}; the end is letter None."""
        out, seen, todo = {}, set(), list(nodes)
        while todo:
            for node in self.next[todo.pop()]:
                if node in seen:
                    continue
                seen.add(node)
                if node == 1 or self.letters[node] is not None:
                    out.setdefault(self.letters[node], set()).add(node)
                else:
                    todo.append(node)
        return out

    def step(self, state):
        """Deterministic: what comes behind (last, nodes); `last` is None where letters in a row are not one."""
        last, nodes = state
        nodes = set(nodes)
        while last is not None:
            more = self.reach(nodes).get(last, set()) - nodes
            if not more:
                break
            nodes |= more
        out = self.reach(nodes)
        if last is not None:
            out.pop(last, None)
        return out


def compare(a, b, is_stuttering):
    """(pairs that were looked at, what differs or None)"""
    start = (None, frozenset({0}))
    todo, seen = [(start, start, ())], {(start, start)}
    while todo:
        x, y, path = todo.pop()
        next_x, next_y = a.step(x), b.step(y)
        if set(next_x) != set(next_y):
            odd = sorted(str(letter or "the end") for letter in set(next_x) ^ set(next_y))
            return len(seen), "behind %s: %s on one side only" % (" ".join(map(str, path[-3:])) or "the start", ", ".join(odd[:3]))  # letters are (op, place)
        for letter in next_x:
            if letter is None:
                continue
            last = letter if is_stuttering else None
            pair = ((last, frozenset(next_x[letter])), (last, frozenset(next_y[letter])))
            if pair not in seen:
                seen.add(pair)
                todo.append(pair + (path + (letter,),))
    return len(seen), None


# ---- Passes --------------------------------------------------------------------------------------------------------------

def cake_letter(name, place):
    return (name, place) if name in CAKE else None


def gpu_letter(name, place):
    return (name, place) if GPU.match(name) else None


def waits_letter(waits):
    return lambda name, place: place if (name in CAKE_WAITS or name in GPU_WAITS) and place in waits else None


def leaves(tree):
    for op in tree:
        if len(op) == 2:
            yield op
        else:
            for block in op[2]:
                yield from leaves(block)


def compare_pass(name, before, after):
    """(letters, pairs, what differs or None)"""
    stutters = name == "cake-expand-pipelines"
    if stutters:
        letter = waits_letter({place for op, place in leaves(before) if op in CAKE_WAITS})
    elif name in PASSES[1:5]:
        letter = cake_letter
    else:
        known = {gpu_letter(*op) for op in leaves(before)} if name == "cake-expand-fragments" else None
        letter = lambda op, place: gpu_letter(op, place) if known is None or (op, place) in known else None
    a, b = Automaton(before, letter), Automaton(after, letter)
    pairs, fault = compare(a, b, stutters)
    return sum(x is not None for x in b.letters), pairs, fault


def programs(binaries, file, kernel):
    """The tree behind each pass."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(KERNELS, file), os.path.join(folder, "out.mlir")
        with open(path) as source:
            text = source.read()
        if kernel:  # the others are left out; the places stay
            parts = re.split(r"(?m)^(?=cake\.kernel )", text)
            text = "".join(part if "@" + kernel + "(" in part or not part.startswith("cake.kernel") else "\n" * part.count("\n") for part in parts)
        source_path = os.path.join(folder, file)
        with open(source_path, "w") as source:
            source.write(text)
        for i in range(len(PASSES)):
            pipeline = "builtin.module(%s)" % ",".join(PASSES[:i + 1])
            subprocess.run([os.path.join(binaries, "cake-opt"), source_path, "--no-verify", "--print-debuginfo", "--print-local-scope", "-o", out,
                            "--pass-pipeline=" + pipeline], check=True)
            with open(out) as result:
                yield PASSES[i], parse(result.read().splitlines())


def corpus():
    for file in sorted(os.listdir(KERNELS)):
        with open(os.path.join(KERNELS, file)) as source:
            kernels = re.findall(r"^cake\.kernel @(\w+)", source.read(), re.M)
        for kernel in kernels:
            yield (kernel if len(kernels) > 1 else file[:-len(".cake")]), file, kernel if len(kernels) > 1 else None


def without(tree, number):
    """The tree without its leaf of that number, which is counted in place."""
    out = []
    for op in tree:
        if len(op) == 2:
            if number[0] != 0:
                out.append(op)
            number[0] -= 1
        else:
            out.append([op[0], op[1], [without(block, number) for block in op[2]]])
    return out


def count_mutants(name, before, after):
    """(ops that were left out, how many of these the comparison saw)"""
    waits = {place for op, place in leaves(before) if op in CAKE_WAITS}
    letters = {gpu_letter(*op) for op in leaves(before)}
    count = seen = 0
    for i, op in enumerate(leaves(after)):
        if name in PASSES[1:5]:
            is_letter = cake_letter(*op)
        elif name == "cake-expand-pipelines":
            is_letter = op[1] in waits and op[0] == "gpu.mbarrier_wait"
        else:
            is_letter = gpu_letter(*op) if name != "cake-expand-fragments" or gpu_letter(*op) in letters else None
        if is_letter:
            count += 1
            seen += compare_pass(name, before, without(after, [i]))[2] is not None
    return count, seen


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    has_mutants = "--mutants" in sys.argv
    wanted, failed = [arg for arg in sys.argv[2:] if arg != "--mutants"], 0
    print("| kernel | pass | letters | pairs | %s |\n| --- | --- | --- | --- | --- |" % ("left out, seen" if has_mutants else "words"))
    for name, file, kernel in corpus():
        if wanted and name not in wanted:
            continue
        before = None
        for passed, after in programs(sys.argv[1], file, kernel):
            if before is not None:
                letters, pairs, fault = compare_pass(passed, before, after)
                said = "**" + fault + "**" if fault else "equal"
                failed += fault is not None
                if has_mutants:
                    count, seen = count_mutants(passed, before, after)
                    said = "%d, %d" % (count, seen)
                    failed += seen < count
                print("| %s | %s | %d | %d | %s |" % (name, passed, letters, pairs, said), flush=True)
            before = after
    sys.exit(1 if failed else 0)


main()
