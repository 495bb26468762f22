"""Rows to normalise and their answers, and a check of answers against fp64.

  rows_problem.py make rmsnorm|softmax FOLDER ROWS COLUMNS       writes x.npy (and w.npy), values exact in bf16
  rows_problem.py check rmsnorm|softmax FOLDER [EPS]             compares y.npy with fp64 on the same rows

An output may differ from the exact value v by a rounding to bf16 (half a unit is at most 2^-8 |v|) of a value that f32 arithmetic with
pairwise sums has off by 2^-18 |v| at most.
"""
import math
import random
import struct
import sys

TYPES = {"f": "<f4", "i": "<i4", "H": "<u2"}


def write(path, code, shape, values):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (TYPES[code], ", ".join(map(str, shape)) + ",")
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%d%s" % (len(values), code), *values))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + size])
    count = math.prod(header["shape"])
    code = {"<f4": "f", "<u2": "H"}[header["descr"]]
    values = struct.unpack("<%d%s" % (count, code), data[10 + size:])
    if code == "H":
        values = [struct.unpack("<f", struct.pack("<I", value << 16))[0] for value in values]
    return header["shape"], values


def exact_bf16(source):
    return source.randrange(-255, 256) / 64


def make(kind, folder, rows, cols):
    source = random.Random(11)
    write(folder + "/x.npy", "f", (rows, cols), [exact_bf16(source) for _ in range(rows * cols)])
    write(folder + "/w.npy", "f", (cols,), [exact_bf16(source) for _ in range(cols)])


def rmsnorm(row, weights, eps):
    factor = 1 / math.sqrt(math.fsum(value * value for value in row) / len(row) + eps)
    return [value * factor * weight for value, weight in zip(row, weights)]


def softmax(row):
    most = max(row)
    powers = [math.exp(value - most) for value in row]
    total = math.fsum(powers)
    return [power / total for power in powers]


def check(kind, folder, eps):
    (rows, cols), x = read(folder + "/x.npy")
    shape, y = read(folder + "/y.npy")
    weights = read(folder + "/w.npy")[1]
    assert shape == (rows, cols), shape
    worst = 0.0
    for r in range(rows):
        row = x[r * cols:(r + 1) * cols]
        exact = rmsnorm(row, weights, eps) if kind == "rmsnorm" else softmax(row)
        for c, (value, found) in enumerate(zip(exact, y[r * cols:(r + 1) * cols])):
            bound = abs(value) * (2.0 ** -8 + 2.0 ** -18) + 2.0 ** -133
            if not abs(found - value) <= bound:
                sys.exit("y[%d, %d] is %g, not %g" % (r, c, found, value))
            worst = max(worst, abs(found - value) / bound)
    print("%d elements, the worst at %.2f of its bound" % (rows * cols, worst))


if sys.argv[1] == "make":
    make(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
else:
    check(sys.argv[2], sys.argv[3], float(sys.argv[4]) if len(sys.argv) > 4 else 0.0)
