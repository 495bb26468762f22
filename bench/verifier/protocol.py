#!/usr/bin/env python3
"""How many states the protocol checker needs, and how long it takes.

  protocol.py BIN                  tables in Markdown: the kernels of the corpus, and how both grow with stages and roles
  protocol.py --kernel ROLES STAGES    prints the kernel of that growth

BIN is the folder of cake-opt and cake-translate (a release build). A time is CPU time of the pass verify-protocol, in ms: building the model and
exploring it; the least of 5 runs of a pipeline of 20 of them, less one without. Both levels are the same program, the thread level behind the whole
lowering.
"""
import os
import re
import subprocess
import sys
import tempfile

RUNS, PASSES = 5, 20
HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "kernels")
VERDICT = re.compile(r"(proved|refuted|bounded)[^;]*?: .*?; (\d+) state\(s\), (\d+) move\(s\)")
SHAPE = re.compile(r"(\d+) process\(es\), (\d+) object\(s\)")


def chain(roles, stages):
    """A kernel of so many roles: each waits for a slot of the one before, and fills one of the next."""
    lines = ['cake.kernel @chain(%x: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {']
    for i in range(roles - 1):
        lines.append("  cake.pipeline @p%d stages(%d) from(@r%d) to(@r%d) slot(x: !cake.shared<16x64xbf16, sw128>)"
                     % (i, stages, i, i + 1))
    lines.append("  cake.tiles @work (n = ceildiv(N, 16)) schedule(persistent)")
    for i in range(roles):
        lines.append("  cake.role @r%d warps(1) {\n    cake.items (%%n) in @work {" % i)
        if i > 0:
            lines.append("      %%s, %%xs = cake.wait @p%d" % (i - 1))
        if i < roles - 1:
            lines.append("      %%t, %%xt = cake.acquire @p%d" % i)
            lines.append("      cake.copy %x[%n * 16, 0] -> %xt via(tma) pad(0.0)\n      cake.commit %t")
        if i > 0:
            lines.append("      cake.release %s")
        lines.append("    }\n  }")
    return "\n".join(lines) + "\n}\n"


def run(binaries, path, passes):
    """What cake-opt says, and its CPU time in ms."""
    pipeline = "builtin.module(%s)" % ",".join(["cake-instantiate"] + ["verify-protocol"] * passes)
    command = [os.path.join(binaries, "cake-opt"), path, "--no-verify", "-o", os.devnull, "--pass-pipeline=" + pipeline]
    with tempfile.TemporaryFile("w+") as report:
        child = subprocess.Popen(command, stderr=report)
        _, status, usage = os.wait4(child.pid, 0)
        report.seek(0)
        text = report.read()
    if status != 0:
        sys.exit("%s\n%s" % (" ".join(command), text))
    return text, 1000 * (usage.ru_utime + usage.ru_stime)


def check(binaries, path):
    """(verdict, processes, objects, states, moves, milliseconds) of the one kernel of a file."""
    without = min(run(binaries, path, 0)[1] for _ in range(RUNS))
    reports = [run(binaries, path, PASSES) for _ in range(RUNS)]
    report, best = reports[0][0], (min(ms for _, ms in reports) - without) / PASSES
    verdict = VERDICT.search(report)
    if not verdict:
        sys.exit("no verdict about %s:\n%s" % (path, report))
    shape = SHAPE.search(report)
    processes, objects = shape.groups() if shape else ("?", "?")
    return verdict.group(1), processes, objects, verdict.group(2), verdict.group(3), max(best, 0)


def lower(binaries, path, kernel, out):
    command = [os.path.join(binaries, "cake-translate"), path, "--emit=gpu", "-o", out]
    subprocess.run(command + (["--kernel", "@" + kernel] if kernel else []), check=True)


def corpus():
    """(name, path, text of one kernel) of each kernel of the corpus."""
    for name in sorted(os.listdir(KERNELS)):
        path = os.path.join(KERNELS, name)
        if not name.endswith(".cake"):
            continue
        with open(path) as source:
            kernels = re.findall(r"^cake\.kernel @(\w+)", source.read(), re.M)
        for kernel in kernels:
            alone = len(kernels) == 1
            yield name[:-5] if alone else kernel, path, None if alone else kernel


def alone(path, kernel, folder):
    """A file with no other kernel than that one."""
    with open(path) as source:
        text = source.read()
    for other in re.findall(r"^cake\.kernel @(\w+)", text, re.M):
        if other != kernel:
            text = re.sub(r"^cake\.kernel @%s\(.*?^}\n" % other, "", text, flags=re.M | re.S)
    path = os.path.join(folder, kernel + ".cake")
    with open(path, "w") as file:
        file.write(text)
    return path


def row(binaries, name, path, kernel, folder):
    lowered = os.path.join(folder, "lowered.mlir")
    path = alone(path, kernel, folder) if kernel else path
    lower(binaries, path, kernel, lowered)
    cells = [name]
    for file in (path, lowered):
        verdict, processes, objects, states, moves, ms = check(binaries, file)
        cells.append("%s, %s processes, %s objects" % (verdict, processes, objects))
        cells += [states, moves, "%.2f" % ms]
    print("| " + " | ".join(cells) + " |")


HEAD = """| {0} | schedule level | states | moves | ms | thread level | states | moves | ms |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--kernel":
        sys.stdout.write(chain(int(sys.argv[2]), int(sys.argv[3])))
        return
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    binaries = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        print(HEAD.format("kernel"))
        for kernel, path, choice in corpus():
            row(binaries, kernel, path, choice, folder)
        print("\n" + HEAD.format("roles, stages"))
        for roles in range(2, 7):
            for stages in (2, 4, 6, 8):
                path = os.path.join(folder, "chain.cake")
                with open(path, "w") as file:
                    file.write(chain(roles, stages))
                row(binaries, "%d, %d" % (roles, stages), path, None, folder)


if __name__ == "__main__":
    main()
