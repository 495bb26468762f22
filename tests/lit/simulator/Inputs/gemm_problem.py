"""Writes a matrix product and its answer as .npy files: a, b, c in the folder argv[1], and bias, relu (c + bias, not below 0), f16 (c in f16), f32 (c not
rounded), and first and sum (numbers, and f32 + first).

argv[2:5] are M, N, K; argv[5] are the letters of the operands (default nt): a is M×K (n) or K×M (t), b is K×N (n) or N×K (t). The values are
multiples of 1/8 below 2, exact in bf16, f16 and e4m3, and every sum is exact in f32: the answer is the exact sum, rounded once to bf16.
"""
import random
import struct
import sys


def write(path, shape, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % (", ".join(map(str, shape)) + "," * (len(shape) == 1))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%df" % len(values), *values))


def round_to_bf16(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000  # to nearest, ties to even
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def round_to_f16(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def transposed(rows):
    return [list(row) for row in zip(*rows)]


def main():
    folder, (m, n, k) = sys.argv[1], map(int, sys.argv[2:5])
    letters = sys.argv[5] if len(sys.argv) > 5 else "nt"
    source = random.Random(7)
    a = [[source.randrange(-15, 16) for _ in range(k)] for _ in range(m)]
    b = [[source.randrange(-15, 16) for _ in range(k)] for _ in range(n)]  # N×K
    bias = [source.randrange(-99, 100) / 8 for _ in range(n)]
    exact = [sum(x * y for x, y in zip(row, column)) / 64 for row in a for column in b]
    stored_a = transposed(a) if letters[0] == "t" else a
    stored_b = transposed(b) if letters[1] == "n" else b
    for name, rows in ("a", stored_a), ("b", stored_b):
        write(folder + "/" + name + ".npy", (len(rows), len(rows[0])), [value / 8 for row in rows for value in row])
    write(folder + "/c.npy", (m, n), [round_to_bf16(value) for value in exact])
    write(folder + "/f16.npy", (m, n), [round_to_f16(value) for value in exact])
    write(folder + "/f32.npy", (m, n), exact)
    first = [source.randrange(-99, 100) / 8 for _ in exact]
    write(folder + "/first.npy", (m, n), first)
    write(folder + "/sum.npy", (m, n), [value + more for value, more in zip(exact, first)])
    write(folder + "/bias.npy", (n,), bias)
    write(folder + "/relu.npy", (m, n), [round_to_bf16(max(value + bias[i % n], 0.0)) for i, value in enumerate(exact)])


main()
