"""Every cut and every changed byte of a bytecode file: cake-opt reads it or says what is wrong, and never crashes.

  damage.py CAKE_OPT FILE STEP    each STEP-th byte
"""
import subprocess
import sys

tool, path, step = sys.argv[1], sys.argv[2], int(sys.argv[3])
whole = open(path, "rb").read()
counts = {"refused": 0, "read": 0, "bad": 0}


def run(data, what):
    process = subprocess.run([tool, "--allow-unregistered-dialect", "-", "-o", "/dev/null"], input=data, capture_output=True)
    refused = process.returncode == 1 and b"error: " in process.stderr
    kind = "refused" if refused else "read" if process.returncode == 0 else "bad"
    counts[kind] += 1
    if kind == "bad":
        print(what, process.returncode, process.stderr[-300:])


for at in range(4, len(whole), step):
    run(whole[:at], "cut at %d" % at)
    run(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1:], "flipped at %d" % at)
print("%(refused)d refused, %(bad)d bad" % counts)
sys.exit(counts["bad"] != 0)
