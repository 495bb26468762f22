"""packed_problem.py FOLDER: 150 sequences of 0 to 30 rows, x.npy (layers.npy: three times so many) and where they begin, cu.npy."""
import os
import struct
import sys


def write(path, shape, kind, numbers):
    header = "{'descr': '<%s4', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    header += " " * ((-len(header) - 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack("<%d%s" % (len(numbers), kind), *numbers))


lengths = [(i * i * 7 + i) % 31 if i % 3 else i % 5 for i in range(150)]
os.makedirs(sys.argv[1], exist_ok=True)
write(sys.argv[1] + "/cu.npy", "(151,)", "i", [sum(lengths[:i]) for i in range(151)])
write(sys.argv[1] + "/x.npy", "(%d, 64)" % sum(lengths), "f", [float(i % 251) for i in range(64 * sum(lengths))])
write(sys.argv[1] + "/layers.npy", "(3, %d, 64)" % sum(lengths), "f", [float(i % 1021) for i in range(3 * 64 * sum(lengths))])
