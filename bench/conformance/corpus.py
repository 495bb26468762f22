"""Where MLIR's test files come from, and which of their chunks are compared."""
import glob
import os
import subprocess
import sys

import judge
import mlir_tests

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CACHE = os.path.join(ROOT, ".cache", "mlir")


def download():
    """mlir/test from the source package of the mlir-opt that is installed."""
    folder = os.path.join(CACHE, "mlir", "test")
    if os.path.isdir(folder):
        return folder
    os.makedirs(CACHE, exist_ok=True)
    tars = glob.glob(os.path.join(CACHE, "llvm-toolchain-22_*.orig.tar.xz"))
    if not tars:
        # apt-get reports what it misses; only the original archive is wanted.
        subprocess.run(["apt-get", "source", "--download-only", "llvm-toolchain-22"], cwd=CACHE, check=False)
        tars = glob.glob(os.path.join(CACHE, "llvm-toolchain-22_*.orig.tar.xz"))
    if not tars:
        sys.exit(f"no source package: add a deb-src entry that has llvm-toolchain-22, or put Debian's "
                 f"llvm-toolchain-22_VERSION.orig.tar.xz of mlir-opt's version into {CACHE}, or name the folder of mlir/test")
    subprocess.run(["tar", "xf", tars[0], "--strip-components=1", "--wildcards", "*/mlir/test/*"], cwd=CACHE, check=True)
    return folder


def add_tools(parser):
    parser.add_argument("--cake-opt", default=os.path.join(ROOT, "build", "release", "bin", "cake-opt"))
    parser.add_argument("--mlir-opt", default="/usr/lib/llvm-22/bin/mlir-opt")


def add_arguments(parser):
    parser.add_argument("tests", nargs="?", help="mlir/test of llvm-project")
    add_tools(parser)


def select(args, with_own=False):
    """(chunks that are compared, how many there are in all, those left out by dialect, dialects that one tool has alone).
    `with_own`: chunks of the project's own tests, too."""
    dialects = judge.dialects(args.mlir_opt) + ["cake"]
    chunks = list(mlir_tests.read_chunks(args.tests or download()))
    if with_own:
        chunks += mlir_tests.read_chunks(os.path.join(ROOT, "tests", "lit"), mlir_tests.OWN_FOLDERS, "cake-opt")
    chosen, left_out = mlir_tests.select(chunks, dialects)
    return chosen, len(chunks), left_out, set(dialects) - mlir_tests.OURS
