"""Writes arrays and their sum as .npy files: x (argv[2] arrays of argv[3] rows of 64), y (first values), and, for each element type, y behind the additions of
x[0], x[1], … in this order, each rounded once: f32, bf16, f16 and i32 (which wraps around) in the folder argv[1]; xi and yi are the integers.
"""
import random
import struct
import sys

folder, parts, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def write(name, shape, kind, values):
    header = "{'descr': '<%s4', 'fortran_order': False, 'shape': (%s,), }" % (kind, ", ".join(map(str, shape)))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(folder + "/" + name + ".npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%d%s" % (len(values), kind), *values))


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def bf16(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000  # to nearest, ties to even
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def f16(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def i32(value):
    return (value + 2**31) % 2**32 - 2**31


def summed(first, arrays, rounded):
    for array in arrays:
        first = [rounded(a + b) for a, b in zip(first, array)]
    return first


source = random.Random(11)
count = rows * 64
# Multiples of 1/8 that every type holds; sums beyond 256 do not fit bf16, those beyond 2048 not f16, and eighths beside 2^21 not f32.
x = [[source.randrange(-15, 60) / 8 for _ in range(count)] for _ in range(parts)]
y = [source.choice((0.0, 256.0, -1024.0, 2048.0)) for _ in range(count)]
far = [float(2**21) if i % 5 == 0 else value for i, value in enumerate(y)]
write("x", (parts, rows, 64), "f", [value for array in x for value in array])
write("y", (rows, 64), "f", y)
write("far", (rows, 64), "f", far)
write("f32", (rows, 64), "f", summed(far, x, f32))
write("bf16", (rows, 64), "f", summed(y, x, bf16))
write("f16", (rows, 64), "f", summed(y, x, f16))
xi = [[source.randrange(-2**31, 2**31) for _ in range(count)] for _ in range(parts)]
yi = [source.randrange(-2**31, 2**31) for _ in range(count)]
write("xi", (parts, rows, 64), "i", [value for array in xi for value in array])
write("yi", (rows, 64), "i", yi)
write("i32", (rows, 64), "i", summed(yi, xi, i32))
