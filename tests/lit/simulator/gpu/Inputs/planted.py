"""planted.py FOLDER: each kernel of a folder's .mlir files on the simulator of threads, and the code of what it reports."""
import os
import re
import subprocess
import sys


def verdict(path, kernel, takes_x):
    size = "N=32" if kernel.split("_")[0] in ("beyond", "within") else "N=64"
    command = ["cake-run", path, "--kernel", "@" + kernel, "--no-rules", "--level", "gpu", "--races", "--schedules", "5", "--size", size, "--out", "o=" + os.devnull]
    done = subprocess.run(command + (["--in", "x=random"] if takes_x else []), capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return "nothing"
    return " ".join(re.findall(r"error: .*\[(\w+)\]", done.stderr)) or done.stderr


def main():
    for name in sorted(os.listdir(sys.argv[1])):
        path = os.path.join(sys.argv[1], name)
        with open(path, encoding="utf-8") as file:
            kernels = re.findall(r"gpu\.func @(\w+)\((%x)?", file.read())
        for kernel, takes_x in kernels:
            print(f"{kernel}: {verdict(path, kernel, takes_x)}")


main()
