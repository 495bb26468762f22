"""elements.py [WHAT]: a module with long elements, long enough to be mapped; WHAT is what is wrong in it (damage), else all is fine."""
import sys

COUNT = 3000


def words(step, count=COUNT, size=4):
    return b"".join((i * step % (1 << 8 * size)).to_bytes(size, "little") for i in range(count))


def digits(data, is_large=True):
    text = data.hex()
    return '"0x%s"' % (text.upper() if is_large else text)


def decimal(data, size=4):
    return "[%s]" % ", ".join(str(int.from_bytes(data[i:i + size], "little", signed=True)) for i in range(0, len(data), size))


def function(name, *elements):
    print("func.func @%s() {" % name)
    for text, shape in elements:
        print('  "t.use"() {a = dense<%s> : tensor<%s>} : () -> ()' % (text, shape))
    print("  return\n}")


def constants(name, op, *elements):
    """Two constants and an op on them."""
    shape = elements[0][1]
    print("func.func @%s() -> tensor<%s> {" % (name, shape))
    for i, (text, _) in enumerate(elements):
        print("  %%%d = arith.constant dense<%s> : tensor<%s>" % (i, text, shape))
    print("  %%r = %s %%0, %%1 : tensor<%s>\n  return %%r : tensor<%s>\n}" % (op, shape, shape))


def good():
    print("// " + "x" * (32 << 10))
    data, other = words(0x9E3779B1), words(0x85EBCA6B)
    # One and the same, however they are spelled: the second is unique with the first, whichever kind came first.
    function("spellings", (digits(data), "3000xi32"), (digits(data, False), "3000xi32"), (decimal(data), "3000xi32"))
    function("decimal_first", (decimal(other), "3000xi32"), (digits(other, False), "3000xi32"), (digits(other), "60x50xi32"))
    constants("same", "arith.subi", (digits(words(7)), "3000xi32"), (digits(words(7), False), "3000xi32"))
    constants("decimal", "arith.subi", (digits(words(9)), "3000xi32"), (decimal(words(9)), "3000xi32"))
    constants("hexadecimal", "arith.subi", (decimal(words(11)), "3000xi32"), (digits(words(11), False), "3000xi32"))
    constants("sum", "arith.addi", (digits(words(7)), "3000xi32"), (decimal(words(5)), "3000xi32"))
    # Alike where a few bytes are looked at, but not the same; and the same as one of those.
    alike = [bytes(4 * i) + b"\1" + bytes(4 * COUNT - 4 * i - 1) for i in (50, 60, 70)]
    function("alike", *((digits(data), "3000xi32") for data in alike))
    constants("alike_first", "arith.subi", (digits(alike[0]), "3000xi32"), (digits(alike[1]), "3000xi32"))
    constants("alike_second", "arith.subi", (digits(alike[2]), "3000xi32"), (decimal(alike[2]), "3000xi32"))
    # So long that they are printed from where they stand, if they stand there as they are printed.
    function("long", (digits(words(13, 9000)), "9000xi32"), (digits(words(17, 9000), False), "9000xi32"))
    # The same bytes as elements of other types.
    bits = bytes(i * i % 7 & 1 for i in range(2048))
    packed = bytes(sum(bits[8 * i + k] << k for k in range(8)) for i in range(256))
    function("types", (digits(data), "1500xi64"), (digits(data, False), "12000xi8"), (digits(bits), "2048xi8"), (digits(packed), "2048xi1"),
             (digits(data), "1500xcomplex<f32>"), (digits(words(3, 150, 8)), "75xcomplex<f64>"))
    # All equal, and all but one, in elements whose size divides no block.
    for size, bits_of in ((5, 40), (7, 56), (4, 32)):
        one = words(0x1234567, 2, size)[size:]
        function("splat%d" % bits_of, (digits(one * 2000), "2000xi%d" % bits_of), (digits(one * 1999 + words(1, 2, size)[:size]), "2000xi%d" % bits_of),
                 (digits(words(1, 2, size)[:size] + one * 1999, False), "2000xi%d" % bits_of), (digits(one), "2000xi%d" % bits_of))
    # Where brackets are looked for in long texts, an arrow is none, wherever it stands.
    for i in range(100, 300):
        print('"t.arrow"() {a = #t.arrow<%s->%s>} : () -> ()' % ("a" * i, "b" * 300))
    # As what a type is made of; the type is printed again and again.
    print('func.func private @encoded(tensor<4xi32, dense<%s> : tensor<3000xi32>>, tensor<4xi32, dense<%s> : tensor<3000xi32>>)'
          % (digits(data), digits(data, False)))


def damage(what):
    print("// " + "x" * (32 << 10))
    data = words(0x9E3779B1)
    text = digits(data)
    if what == "odd":
        text = text[:-2] + '"'
    elif what == "digit":
        text = text[:9000] + "G" + text[9001:]
    elif what == "size":
        text = text[:-3] + '"'
    elif what == "count":
        text = decimal(data + data[:400])
    elif what == "few":
        text = decimal(data[:-4])
    elif what == "range":
        text = decimal(data)[:-1] + "0000000000]"
    elif what == "inside":
        text = text[:9000] + "\xc3" + text[9001:]
    function("f", (text, "3000xi32"))
    if what == "behind":
        print("// caf\xe9")


sys.stdout.reconfigure(encoding="latin-1")
if len(sys.argv) > 1:
    damage(sys.argv[1])
else:
    good()
