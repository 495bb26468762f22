#!/usr/bin/env python3
"""Measures figures of a machine file that are estimates: copies by TMA and products by wgmma.

  measure.py BIN [--clock MHZ]    on a machine with the GPU; BIN is the folder of cake-run; MHZ is the clock under load

Each figure is a difference of two launches, so that what a launch takes anyhow falls out. Prints what analysis/machines/*.xml may take over, with the
launches that it comes from.
"""
import argparse
import os
import re
import subprocess

here = os.path.dirname(os.path.abspath(__file__))
SMS, TILE = 132, 128 * 64 * 2


def launch(binaries, name, sizes, params=""):
    """Cold median of a launch in microseconds."""
    arrays = {"copies": ("a", "out"), "products": ("a", "b", "c")}[name]
    command = [os.path.join(binaries, "cake-run"), os.path.join(here, name + ".cake"), "--device", "gpu", "--time"]
    command += ["--size", ",".join(f"{key}={value}" for key, value in sizes.items())]
    command += ["--param", params] if params else []
    for array in arrays:
        command += ["--in", f"{array}={'zeros' if array in ('out', 'c') else 'random'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"cold median ([\d.]+) ms", done.stdout + done.stderr)
    if not found:
        raise SystemExit(f"{' '.join(command)} gave no time:\n{done.stdout}{done.stderr}")
    return float(found[1]) * 1000


def cycles_a_step(binaries, clock, name, few, many, params="", **sizes):
    """Cycles of a step, from launches of few and of many."""
    first = launch(binaries, name, dict(sizes, K=few), params)
    second = launch(binaries, name, dict(sizes, K=many), params)
    print(f"  {name} {params} {sizes}: K={few} {first:.1f} us, K={many} {second:.1f} us")
    return (second - first) * clock / (many - few)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin")
    parser.add_argument("--clock", type=float, default=1740)
    args = parser.parse_args()
    all_sms = cycles_a_step(args.bin, args.clock, "copies", 2000, 10000, R=16384, P=64, I=SMS)
    across = cycles_a_step(args.bin, args.clock, "copies", 2000, 10000, R=16384, P=72, I=SMS)
    one_sm = cycles_a_step(args.bin, args.clock, "copies", 2000, 10000, R=16384, P=64, I=1)
    alone = cycles_a_step(args.bin, args.clock, "copies", 2000, 10000, "S=1", R=16384, P=64, I=1)
    product = cycles_a_step(args.bin, args.clock, "products", 2000, 10000, I=SMS)
    few = cycles_a_step(args.bin, args.clock, "products", 2000, 10000, I=4)
    print(f"l2: {SMS * TILE / all_sms:.0f} B/cycle for all multiprocessors, {TILE / all_sms:.1f} for each")
    print(f"rows of 144 bytes, of which 128 are copied: {across / all_sms:.2f} times as long")
    print(f"l2-port: {TILE / one_sm:.1f} B/cycle for one alone")
    print(f"a copy of {TILE} bytes from its issue to that of the next: {alone:.0f} cycles, of which {TILE / 64:.0f} at 64 B/cycle")
    print(f"wgmma.16-bit: {128 * 256 * 64 / product:.0f} mac/cycle on all multiprocessors, {128 * 256 * 64 / few:.0f} on four")


if __name__ == "__main__":
    main()
