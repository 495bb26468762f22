"""Compares argv[2] (bf16 as float32 or as raw 16-bit words, .npy) with gelu(f32.npy + bias.npy) of the folder argv[1], in f64: within 1 % and 1/64."""
import math
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header, body = data[10 : 10 + length].decode(), data[10 + length :]
    if "'<f4'" in header:
        return struct.unpack("<%df" % (len(body) // 4), body)
    words = struct.unpack("<%dH" % (len(body) // 2), body)
    return [struct.unpack("<f", struct.pack("<I", word << 16))[0] for word in words]


def gelu(x):
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def main():
    exact, bias, found = read(sys.argv[1] + "/f32.npy"), read(sys.argv[1] + "/bias.npy"), read(sys.argv[2])
    wanted = [gelu(value + bias[i % len(bias)]) for i, value in enumerate(exact)]
    if len(wanted) != len(found):
        sys.exit("%d elements, but %d were expected" % (len(found), len(wanted)))
    for i, (x, y) in enumerate(zip(wanted, found)):
        if not abs(x - y) <= 0.01 * abs(x) + 1 / 64:
            sys.exit("element %d is %r, but %r was expected" % (i, y, x))


main()
