#!/usr/bin/env python3
"""Compares the times that cake-cost predicts with measured ones: the tables of docs/cost.md.

  accuracy.py BIN [--machine NAME|FILE] [FILE]    BIN: the folder with cake-cost; FILE: measured times (default h200.txt beside this script)

For each family: the mean absolute error of the predictions in per cent of the measured time, and Kendall's tau over its rows.
"""
import argparse
import itertools
import json
import os
import subprocess
import time

here = os.path.dirname(os.path.abspath(__file__))
kernels = os.path.join(here, "..", "kernels")


def rows(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if words:
                yield words[0], words[1], words[2], words[3], float(words[4])


def arguments(kernel, params, sizes):
    """The command line of cake-cost for one row."""
    file, _, name = kernel.partition("@")
    out = [os.path.join(kernels, file)]
    out += ["--kernel", "@" + name] if name else []
    out += ["--param", params] if params != "-" else []
    named = dict(pair.split("=") for pair in sizes.split(","))
    if "lengths" in named:
        batch, length = (int(word) for word in named.pop("lengths").split("x"))
        named.update(T=batch * length, S1=batch + 1, LMAX=length)
        out += ["--array", "cu=" + ",".join(str(length * i) for i in range(batch + 1))]
    return out + ["--size", ",".join(f"{name}={value}" for name, value in named.items())]


def predict(tool, machine, row):
    command = [tool, "--json", "--machine", machine] + arguments(*row[1:4])
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    return (json.loads(done.stdout) if done.returncode == 0 else None), seconds, done.stderr


def tau(pairs):
    """Kendall's tau-b of (measured, predicted)."""
    agree = differ = ties_a = ties_b = 0
    for (a, b), (c, d) in itertools.combinations(pairs, 2):
        x, y = (a > c) - (a < c), (b > d) - (b < d)
        agree += x * y > 0
        differ += x * y < 0
        ties_a += x == 0 and y != 0
        ties_b += y == 0 and x != 0
    whole = ((agree + differ + ties_a) * (agree + differ + ties_b)) ** 0.5
    return (agree - differ) / whole if whole else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin")
    parser.add_argument("file", nargs="?", default=os.path.join(here, "h200.txt"))
    parser.add_argument("--machine", default="h200")
    args = parser.parse_args()
    families, declined = {}, 0
    print("| kernel | parameters | sizes | measured, us | predicted, us | error | bound by | cake-cost, ms |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows(args.file):
        found, seconds, error = predict(os.path.join(args.bin, "cake-cost"), args.machine, row)
        measured = row[4] * 1000
        if not found:
            declined += 1
            print(f"| {row[1]} | {row[2]} | {row[3]} | {measured:.4g} | declined: {error[:200]} | | | |")
            continue
        predicted = found["microseconds"]
        families.setdefault(row[0], []).append((measured, predicted))
        print(f"| {row[1].split('@')[-1].replace('.cake', '')} | {row[2]} | {row[3]} | {measured:.4g} | {predicted:.4g} | "
              f"{100 * (predicted / measured - 1):+.0f} % | {found['bound'] or 'nothing alone'} | {1000 * seconds:.0f} |")
    print("\n| family | rows | mean absolute error | Kendall's tau |\n| --- | --- | --- | --- |")
    for family, pairs in list(families.items()) + [("all", sum(families.values(), []))]:
        if not pairs:
            continue
        error = sum(abs(b / a - 1) for a, b in pairs) / len(pairs)
        print(f"| {family} | {len(pairs)} | {100 * error:.1f} % | {tau(pairs):.2f} |")
    print(f"\n{declined} declined")


if __name__ == "__main__":
    main()
