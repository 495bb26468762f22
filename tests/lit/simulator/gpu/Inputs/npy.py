"""npy.py FILE i4|f4 NUMBER…: writes a .npy file of rank 1.  A number may be FIRST:COUNT, which counts up."""
import struct
import sys


def main():
    path, kind = sys.argv[1:3]
    numbers = []
    for word in sys.argv[3:]:
        first, colon, count = word.partition(":")
        value = int(first) if kind == "i4" else float(first)
        numbers += [value + i for i in range(int(count))] if colon else [value]
    header = "{'descr': '<%s', 'fortran_order': False, 'shape': (%d,), }" % (kind, len(numbers))
    header += " " * ((-len(header) - 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack("<%d%s" % (len(numbers), {"i4": "i", "f4": "f"}[kind]), *numbers))


main()
