"""Causal attention over packed sequences, and whether an answer is right.

    attention_problem.py make FOLDER H G LENGTH…     writes q, k, v (bf16 numbers), cu, and the answer o and lse
    attention_problem.py check FOLDER O LSE          compares .npy files with it

c = log2(e) / sqrt(128) is the scale of the scores. An element of o may be off by what rounding the weights and itself to bf16 allows.
"""
import array
import math
import random
import struct
import sys

D = 128


def write(path, shape, values, kind="f"):
    header = "{'descr': '<%s4', 'fortran_order': False, 'shape': (%s), }" % (kind, ", ".join(map(str, shape)) + "," * (len(shape) == 1))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(array.array(kind, values).tobytes())


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return array.array("f", data[10 + (data[8] | data[9] << 8):])


def round_to_bf16(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def row(q, keys, values, c):
    """The output of a query, and the logarithm to base 2 of the sum of its weights."""
    scores = [c * sum(a * b for a, b in zip(q, key)) for key in keys]
    most = max(scores)
    weights = [2.0 ** (s - most) for s in scores]
    total = sum(weights)
    out = [sum(w * value[d] for w, value in zip(weights, values)) / total for d in range(D)]
    return out, most + math.log2(total)


def make(folder, h, g, lengths):
    source = random.Random(11)
    t, c = sum(lengths), math.log2(math.e) / math.sqrt(D)
    cu = [sum(lengths[:i]) for i in range(len(lengths) + 1)]

    def tensor(heads, scale):
        return [[[round_to_bf16(source.gauss(0, scale)) for _ in range(D)] for _ in range(heads)] for _ in range(t)]

    q, k, v = tensor(h, 1.5), tensor(g, 1.0), tensor(g, 1.0)
    o, lse = [], [[0.0] * t for _ in range(h)]
    for s, length in enumerate(lengths):
        for i in range(length):
            at = cu[s] + i
            for head in range(h):
                group = head // (h // g)
                keys, values = ([x[j][group] for j in range(cu[s], at + 1)] for x in (k, v))
                out, lse[head][at] = row(q[at][head], keys, values, c)
                o += out
    for name, value, heads in ("q", q, h), ("k", k, g), ("v", v, g):
        write(folder + "/" + name + ".npy", (t, heads, D), [x for token in value for head in token for x in head])
    write(folder + "/cu.npy", (len(cu),), cu, "i")
    write(folder + "/o.npy", (t, h, D), o)
    write(folder + "/lse.npy", (h, t), [x for head in lse for x in head])


def check(folder, o, lse):
    for name, path, bound in ("o", o, 2.0 ** -7), ("lse", lse, 1e-3):
        wanted, found = read(folder + "/" + name + ".npy"), read(path)
        if len(wanted) != len(found):
            sys.exit("%s has %d elements, not %d" % (name, len(found), len(wanted)))
        worst = max((abs(a - b) - bound * max(1.0, abs(a)) if a == a and b == b else math.inf, i)
                    for i, (a, b) in enumerate(zip(wanted, found)))
        if worst[0] > 0:
            sys.exit("%s differs at element %d: %r, not %r" % (name, worst[1], found[worst[1]], wanted[worst[1]]))
        print("%s: %d elements, the largest difference is %.2e" % (name, len(wanted), max(abs(a - b) for a, b in zip(wanted, found))))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), [int(x) for x in sys.argv[5:]])
    else:
        check(*sys.argv[2:])
