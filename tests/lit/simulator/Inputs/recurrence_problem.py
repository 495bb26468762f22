"""A chunked recurrence over packed sequences, and whether an answer is right.

    recurrence_problem.py make FOLDER LENGTH…       writes q, k, w, u (bf16 numbers), g, cu, ch, s0, and the answer o and s1; one head
    recurrence_problem.py check FOLDER O S1         compares .npy files with it

A chunk of 64 tokens: v = u - w S, o = q S + tril(q k^T) v, S <- diag(g) S + k^T v. State, v and the scores are rounded to bf16 on the way, which
the bound allows for.
"""
import random
import sys

from attention_problem import read, round_to_bf16, write

D, CHUNK = 128, 64


def matmul(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def transposed(a):
    return [list(row) for row in zip(*a)]


def chunk(state, q, k, w, u, g):
    """o of the chunk's tokens, and the state behind it."""
    v = [[a - b for a, b in zip(x, y)] for x, y in zip(u, matmul(w, state))]
    scores = [[x if j <= i else 0.0 for j, x in enumerate(row)] for i, row in enumerate(matmul(q, transposed(k)))]
    o = [[a + b for a, b in zip(x, y)] for x, y in zip(matmul(q, state), matmul(scores, v))]
    added = matmul(transposed(k), v)
    return o, [[g[i] * s + a for s, a in zip(state[i], added[i])] for i in range(D)]


def make(folder, lengths):
    source = random.Random(5)
    t = sum(lengths)
    chunks = [-(-length // CHUNK) for length in lengths]

    def tokens(scale):
        return [[round_to_bf16(source.gauss(0, scale)) for _ in range(D)] for _ in range(t)]

    q, k, w, u = tokens(0.1), tokens(0.1), tokens(0.05), tokens(1.0)
    g = [[0.8 + 0.2 * source.random() for _ in range(D)] for _ in range(sum(chunks))]
    first = [[[round_to_bf16(source.gauss(0, 0.3)) for _ in range(D)] for _ in range(D)] for _ in lengths]
    o, last = [], []
    for s, length in enumerate(lengths):
        start, state = sum(lengths[:s]), first[s]
        for c in range(chunks[s]):
            span = slice(start + c * CHUNK, min(start + (c + 1) * CHUNK, start + length))
            out, state = chunk(state, q[span], k[span], w[span], u[span], g[sum(chunks[:s]) + c])
            o += out
        last.append(state)
    for name, rows in ("q", q), ("k", k), ("w", w), ("u", u), ("o", o):
        write(folder + "/" + name + ".npy", (t, 1, D), [x for row in rows for x in row])
    write(folder + "/g.npy", (len(g), 1, D), [x for row in g for x in row])
    for name, states in ("s0", first), ("s1", last):
        write(folder + "/" + name + ".npy", (len(lengths), 1, D, D), [x for state in states for row in state for x in row])
    write(folder + "/cu.npy", (len(lengths) + 1,), [sum(lengths[:i]) for i in range(len(lengths) + 1)], "i")
    write(folder + "/ch.npy", (len(lengths),), [sum(chunks[:i]) for i in range(len(lengths))], "i")


def check(folder, o, s1):
    for name, path in ("o", o), ("s1", s1):
        wanted, found = read(folder + "/" + name + ".npy"), read(path)
        if len(wanted) != len(found):
            sys.exit("%s has %d elements, not %d" % (name, len(found), len(wanted)))
        norm = sum(x * x for x in wanted) ** 0.5
        error = sum((a - b) * (a - b) for a, b in zip(wanted, found)) ** 0.5 / norm
        print("%s: %d elements, relative error %.2e" % (name, len(wanted), error))
        if not error < 2.0 ** -7:
            sys.exit(1)


if sys.argv[1] == "make":
    make(sys.argv[2], [int(x) for x in sys.argv[3:]])
else:
    check(*sys.argv[2:])
