#!/usr/bin/env python3
"""Compares the effects in the tables of the gpu and the cake dialect with lists that say what the PTX ISA and the language say.

  effects.py             prints what differs; exit 1 then
  effects.py --mutants   flips each effect of the tables in each way and counts the flips that the comparison sees
"""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DIALECTS = {"gpu": "effects.txt", "cake": "effects_cake.txt"}
ROW = re.compile(r'^EFFECT\((\w+), (\w+), (\w+), (\w+), (?:"(\w+)"|NULL), (?:"([\w=.]+)"|NULL)\)$', re.M)
MOVE = re.compile(r'^MOVE\((\w+), (\w+), (\w+), (\w+), "(\w+)", "\w+", (?:"\w+"|NULL)\)$', re.M)  # an effect on all of a memory
KINDS, SPACES = ("READ", "WRITE", "SYNC", "ALLOC", "FREE"), ("ANY", "GLOBAL", "SHARED", "REGISTERS", "TMEM")
PROXIES = ("GENERIC", "ASYNC")


def table(dialect):
    """(op, kind, space, proxy, operand, when) of each row."""
    folder = os.path.join(HERE, "..", "..", "dialects", dialect)
    text = ""
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.def"), recursive=True)):
        with open(path) as source:
            text += source.read()
    rows = ROW.findall(text) + [row + ("",) for row in MOVE.findall(text)]
    if len(rows) != len(re.findall(r"^(?:EFFECT|MOVE)\(", text, re.M)):
        sys.exit("a row of %s is not understood" % folder)
    return rows


def truth(dialect):
    """The same of the list: `op: effect of operand by proxy when attribute=word, …` up to three spaces."""
    rows = []
    with open(os.path.join(HERE, DIALECTS[dialect])) as source:
        for line in source:
            found = re.match(r"(\w+): (.*?)(?:   |$)", line)
            for effect in found.group(2).strip().split(", ") if found else ():
                words, when = effect.split(), ""
                if len(words) > 2 and words[-2] == "when":
                    words, when = words[:-2], words[-1]
                proxy = "ASYNC" if words[-1] == "async" else "GENERIC"
                words = words[:-1] if words[-1] == "async" else words
                operand = words[2] if len(words) > 2 else ""
                rows.append((found.group(1), words[0].upper(), words[1].upper(), proxy, operand, when))
    return rows


def flips(row, conditions):
    """The row with one thing changed, and None: left out."""
    op, kind, space, proxy, operand, when = row
    yield None
    for other in KINDS:
        yield (op, other, space, proxy, operand, when)
    for other in SPACES:
        yield (op, kind, other, proxy, operand, when)
    for other in PROXIES:
        yield (op, kind, space, other, operand, when)
    for other in conditions if when else ():
        yield (op, kind, space, proxy, operand, other)


def mutants(dialect, rows, wanted):
    count = missed = 0
    conditions = sorted({row[5] for row in rows})
    for i, row in enumerate(rows):
        for flip in flips(row, conditions):
            if flip == row:
                continue
            mutant = rows[:i] + ([flip] if flip else []) + rows[i + 1:]
            count += 1
            if sorted(mutant) == sorted(wanted):
                print("not seen: %s instead of %s" % (flip, row))
                missed += 1
    print("%s: %d effects, %d flips, %d seen" % (dialect, len(rows), count, count - missed))
    return missed


def main():
    if sys.argv[1:] not in ([], ["--mutants"]):
        sys.exit(__doc__)
    faults = 0
    for dialect in DIALECTS:
        rows, wanted = table(dialect), truth(dialect)
        if sys.argv[1:]:
            faults += mutants(dialect, rows, wanted)
            continue
        for row in sorted(set(rows) ^ set(wanted)):
            print("%s: %s.%s" % ("only in the table" if row in rows else "only in the list", dialect, " ".join(row)))
        faults += sorted(rows) != sorted(wanted)
    sys.exit(1 if faults else 0)


main()
