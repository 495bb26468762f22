"""Fails when a tile of a kernel of bench/kernels divides a size of which its contract has no shape `around` a tile."""
import glob
import os
import re
import sys

root, missing, seen = sys.argv[1], [], 0
with open(os.path.join(root, "bench/verifier/corpus.def")) as source:
    rows = re.findall(r'^KERNEL\("(\w+)", (?:NULL|"(\w+)"), "[^"]*", "[^"]*", "(\w+)"\)', source.read(), re.M)
for file, kernel, contract in rows:
    with open(os.path.join(root, "bench/kernels", file + ".cake")) as source:
        kernels = re.split(r"^(?=cake\.kernel @)", source.read(), flags=re.M)[1:]
    with open(os.path.join(root, "bench/contracts", contract + ".contract")) as source:
        shapes = source.read()
    for text in kernels:
        if kernel and not text.startswith("cake.kernel @%s(" % kernel):
            continue
        tiles = re.search(r"cake\.tiles.*?schedule", text, re.S).group()
        sizes = set(re.findall(r"\[([A-Z]\w*)\]x|x\[([A-Z]\w*)\]x", text.split(")")[0]))
        names = {name for pair in sizes for name in pair if name}
        for size in re.findall(r"ceildiv\(([A-Z]\w*),", tiles):
            seen += 1
            if size in names and not re.search(r"\b%s around \d" % size, shapes):
                missing.append("%s of %s" % (size, kernel or file))
if missing or seen < 40:
    sys.exit("no shape around a tile of " + ", ".join(missing or ["any kernel"]))
