#!/usr/bin/env python3
"""The verifier's score: counts what cake-bench-mutate wrote.

  score.py LIST…       tables in Markdown of one or more lists (shards), and every mutant that needs a word
  score.py --join LIST…   the lines of lists (shards) in the order of the corpus
  score.py --corpus    whether corpus.def has a row for each kernel of bench/kernels; exit 1 otherwise

A mutant is really wrong when running it failed or broke the contract, or when the verifier names a limit that the simulator has not: of the machine
(a finding of the category hardware conformance), of the lowering (LOWER_UNSUPPORTED), or what the language leaves undefined (ROLE_STRUCTURE,
PARAM_CHOICE). One that is refused, and ran to the same bits under a contract that holds, is a false alarm unless it breaks such a limit.
"""
import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
Line = collections.namedtuple("Line", "verdict code sight seen place number operator edit message")
CLASSES = (("PROTOCOL", "protocol, resource and form"), ("MEANING", "meaning"))


def rows(path, pattern):
    with open(os.path.join(ROOT, path)) as source:
        return re.findall(pattern, source.read(), re.M)


def read(paths):
    lines = []
    for path in paths:
        with open(path) as source:
            lines += [Line(*line.rstrip("\n").split("\t")) for line in source if not line.startswith("#")]
    return lines


LIMITS = set(rows("include/cake/findings.def", r"^FINDING\((\w+), HARDWARE,")) | {"LOWER_UNSUPPORTED", "ROLE_STRUCTURE", "PARAM_CHOICE"}
OPERATORS = dict(rows("bench/verifier/mutations.def", r"^MUTATION\((\w+), (\w+),"))


def is_typed(line):
    """Refused before there is a program whose rules could be asked: types, operands, attributes."""
    return line.sight == "not run"


def is_wrong(line):
    if line.verdict == "refused":
        return line.sight in ("fails", "breaks the contract") or line.code in LIMITS
    return line.verdict == "fails" or line.sight == "breaks the contract"


def is_false_alarm(line):
    return line.verdict == "refused" and line.sight in ("nothing", "other bits") and line.code not in LIMITS


COLUMNS = (
    ("mutants", lambda line: True),
    ("refused", lambda line: line.verdict == "refused"),
    ("of these seen to fail or break the contract", lambda line: line.verdict == "refused" and line.sight in ("fails", "breaks the contract")),
    ("no program for the core", lambda line: line.verdict == "refused" and is_typed(line)),
    ("break a limit", lambda line: line.verdict == "refused" and not is_typed(line) and line.sight in ("nothing", "other bits") and line.code in LIMITS),
    ("harmless when run", is_false_alarm),
    ("pass and fail when run", lambda line: line.verdict == "fails"),
    ("pass and break the contract", lambda line: line.verdict == "differs" and is_wrong(line)),
    ("pass with other bits, contract kept", lambda line: line.verdict == "differs" and not is_wrong(line)),
    ("equivalent", lambda line: line.verdict == "equivalent"),
    ("tools crashed", lambda line: line.verdict == "crash"),
)


def share(lines):
    """How many of the really wrong ones are refused."""
    wrong = [line for line in lines if is_wrong(line) or (line.verdict == "refused" and is_typed(line))]
    refused = sum(line.verdict == "refused" for line in wrong)
    return "%.1f %%" % (100 * refused / len(wrong)) if wrong else "–"


def print_table(title, groups):
    print("\n| %s | %s | refused of the wrong |\n|%s" % (title, " | ".join(name for name, _ in COLUMNS), " --- |" * (len(COLUMNS) + 2)))
    for name, lines in groups:
        cells = ["%d" % sum(map(test, lines)) for _, test in COLUMNS]
        print("| %s | %s | %s |" % (name, " | ".join(cells), share(lines)))


def print_mutants(title, lines):
    print("\n### %s\n\n%s" % (title, "None." if not lines else "| mutant | operator | edit | code | what was seen |\n| --- | --- | --- | --- | --- |"))
    for line in lines:
        edit = line.edit.replace("|", "\\|")
        seen = line.message or line.sight
        print("| %s | %s | %s | %s | %s |" % (line.place, line.operator, edit, line.code, seen.replace("|", "\\|")))


def of_all(part, whole):
    return "%d of %d (%.1f %%)" % (len(part), len(whole), 100 * len(part) / len(whole)) if whole else "0 of 0"


def refused(lines):
    return [line for line in lines if line.verdict == "refused"]


def print_summary(lines):
    protocol, meaning = ([line for line in lines if OPERATORS[line.operator] == key] for key, _ in CLASSES)
    fail = [line for line in protocol if line.sight == "fails" or line.verdict == "fails"]
    limits = [line for line in protocol if line.code in LIMITS and line.sight != "fails"]
    wrong = [line for line in protocol if is_wrong(line) or (line.verdict == "refused" and is_typed(line))]
    bad = [line for line in meaning if is_wrong(line) or (line.verdict == "refused" and is_typed(line))]
    by_contract = [line for line in bad if line.verdict == "differs"]
    print("\n### Summary\n")
    print("%d mutants of %d kernels. False alarms: %d. Tools crashed: %d." % (
        len(lines), len({line.place.split(":")[0] for line in lines}), sum(map(is_false_alarm, lines)),
        sum(line.verdict == "crash" for line in lines)))
    print("\n- Class protocol, %d mutants: refused are %s of those that hang, race or touch what they may not, all %d that break a limit, and %s of all "
          "that are really wrong." % (len(protocol), of_all(refused(fail), fail), len(limits), of_all(refused(wrong), wrong)))
    print("- Class meaning, %d mutants: of those that are wrong, %s are refused before they run; the contract sees %d more, and %d fail when run. Other bits "
          "and a contract that holds: %d." % (len(meaning), of_all(refused(bad), bad), len(by_contract), sum(line.verdict == "fails" for line in bad),
                                              sum(line.verdict == "differs" and not is_wrong(line) for line in meaning)))


def report(lines):
    print_summary(lines)
    for key, title in CLASSES:
        mine = [line for line in lines if OPERATORS[line.operator] == key]
        kernels = list(dict.fromkeys(line.place.split(":")[0] for line in mine))
        print("\n### Class: %s" % title)
        print_table("kernel", [(name, [line for line in mine if line.place.split(":")[0] == name]) for name in kernels] + [("**all**", mine)])
        print_table("operator", [(name, [line for line in mine if line.operator == name]) for name, of in OPERATORS.items() if of == key])
    protocol = [line for line in lines if OPERATORS[line.operator] == "PROTOCOL"]
    print_mutants("Missed in the class protocol", [line for line in protocol if line.verdict in ("fails", "differs")])
    print_mutants("Refused and harmless when run", list(filter(is_false_alarm, lines)))
    print_mutants("Meaning: other bits, and the contract holds",
                  [line for line in lines if OPERATORS[line.operator] == "MEANING" and line.verdict == "differs" and not is_wrong(line)])
    print_mutants("Meaning: fails when run", [line for line in lines if OPERATORS[line.operator] == "MEANING" and line.verdict == "fails"])


def check_corpus():
    known = {kernel or file for file, kernel in rows("bench/verifier/corpus.def", r'^KERNEL\("(\w+)", (?:NULL|"(\w+)")')}
    missing = 0
    for name in sorted(os.listdir(os.path.join(ROOT, "bench/kernels"))):
        kernels = rows(os.path.join("bench/kernels", name), r"^cake\.kernel @(\w+)")
        for kernel in kernels:
            if (kernel if len(kernels) > 1 else name[:-len(".cake")]) not in known:
                print("no row in corpus.def: %s @%s" % (name, kernel))
                missing += 1
    return missing


def join(paths):
    """The lines of shards in the order of the corpus."""
    order = [kernel or file for file, kernel in rows("bench/verifier/corpus.def", r'^KERNEL\("(\w+)", (?:NULL|"(\w+)")')]
    lines = sorted(read(paths), key=lambda line: (order.index(line.place.split(":")[0]), int(line.number)))
    return ["\t".join(line) + "\n" for line in lines]


def main():
    if sys.argv[1:] == ["--corpus"]:
        sys.exit(1 if check_corpus() else 0)
    if sys.argv[1:2] == ["--join"]:
        sys.stdout.writelines(join(sys.argv[2:]))
        return
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    report(read(sys.argv[1:]))


main()
