"""Fails when a kernel of bench/kernels has no test here that holds it to a contract."""
import glob
import os
import sys

root = sys.argv[1]
tests = "".join(open(path, encoding="utf-8").read() for path in glob.glob(os.path.join(root, "tests/lit/contracts/*.test")))
kernels = sorted(os.path.basename(path) for path in glob.glob(os.path.join(root, "bench/kernels/*.cake")))
missing = [name for name in kernels if f"bench/kernels/{name} --contract" not in tests]
if missing or not kernels:
    sys.exit("no contract is tested for " + ", ".join(missing or ["any kernel"]))
