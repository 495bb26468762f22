#!/usr/bin/env python3
"""Compares the effects in dialects/gpu/gpu.def with effects.txt, which says what the PTX ISA says.

  effects.py             prints what differs; exit 1 then
  effects.py --mutants   flips each effect of the table in each way and counts the flips that the comparison sees
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "dialects", "gpu", "gpu.def")
ROW = re.compile(r'^EFFECT\((\w+), (\w+), (\w+), (\w+), (?:"(\w+)"|NULL), (?:"\w+"|NULL)\)$', re.M)
KINDS, SPACES = ("READ", "WRITE", "SYNC", "ALLOC", "FREE"), ("ANY", "GLOBAL", "SHARED", "REGISTERS", "TMEM")
PROXIES = ("GENERIC", "ASYNC")


def table():
    """(op, kind, space, proxy, operand) of each row."""
    with open(TABLE) as source:
        text = source.read()
    rows = ROW.findall(text)
    if len(rows) != len(re.findall(r"^EFFECT\(", text, re.M)):
        sys.exit("a row of %s is not understood" % TABLE)
    return rows


def truth():
    rows = []
    with open(os.path.join(HERE, "effects.txt")) as source:
        for line in source:
            found = re.match(r"(\w+): (.*?)(?:   |$)", line)
            for effect in found.group(2).split(", ") if found else ():
                words = effect.split()
                proxy = "ASYNC" if words[-1] == "async" else "GENERIC"
                words = words[:-1] if words[-1] == "async" else words
                operand = words[2] if len(words) > 2 else ""
                rows.append((found.group(1), words[0].upper(), words[1].upper(), proxy, operand))
    return rows


def flips(row):
    """The row with one thing changed, and None: left out."""
    op, kind, space, proxy, operand = row
    yield None
    for other in KINDS:
        yield (op, other, space, proxy, operand)
    for other in SPACES:
        yield (op, kind, other, proxy, operand)
    for other in PROXIES:
        yield (op, kind, space, other, operand)


def mutants(rows, wanted):
    count = missed = 0
    for i, row in enumerate(rows):
        for flip in flips(row):
            if flip == row:
                continue
            mutant = rows[:i] + ([flip] if flip else []) + rows[i + 1:]
            count += 1
            if sorted(mutant) == sorted(wanted):
                print("not seen: %s instead of %s" % (flip, row))
                missed += 1
    print("%d effects, %d flips, %d seen" % (len(rows), count, count - missed))
    return missed


def main():
    rows, wanted = table(), truth()
    if sys.argv[1:] == ["--mutants"]:
        sys.exit(1 if mutants(rows, wanted) else 0)
    if sys.argv[1:]:
        sys.exit(__doc__)
    for row in sorted(set(rows) ^ set(wanted)):
        print("%s: %s" % ("only in the table" if row in rows else "only in effects.txt", " ".join(row)))
    sys.exit(0 if sorted(rows) == sorted(wanted) else 1)


main()
