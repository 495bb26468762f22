"""npy.py FILE i4|f4 NUMBER…: writes a .npy file of rank 1.  A number may be FIRST:COUNT, which counts up,
or NUMBER*COUNT, which does not."""
import struct
import sys


def main():
    path, kind = sys.argv[1:3]
    numbers = []
    for word in sys.argv[3:]:
        first, sign, count = word.partition("*" if "*" in word else ":")
        value = int(first) if kind == "i4" else float(first)
        step = sign == ":"
        numbers += [value + i * step for i in range(int(count))] if sign else [value]
    header = "{'descr': '<%s', 'fortran_order': False, 'shape': (%d,), }" % (kind, len(numbers))
    header += " " * ((-len(header) - 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack("<%d%s" % (len(numbers), {"i4": "i", "f4": "f"}[kind]), *numbers))


main()
