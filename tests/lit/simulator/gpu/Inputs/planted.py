"""planted.py FOLDER KERNELS OUT: each kernel of a folder's .mlir files, and the corpus with ops left out, on the simulator of threads: the code of
what it reports. OUT: a folder for files."""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import cut  # noqa: E402


def verdict(path, options):
    command = ["cake-run", path, "--no-rules", "--level", "gpu", "--races", "--schedules", "5"] + options.split()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return "nothing"
    return " ".join(re.findall(r"error: .*\[(\w+)\]", done.stderr)) or done.stderr


def main():
    folder, kernels, out = sys.argv[1:]
    for name in sorted(name for name in os.listdir(folder) if name.endswith(".mlir")):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            found = re.findall(r"gpu\.func @(\w+)\((%x)?", file.read())
        for kernel, takes_x in found:
            size = "N=32" if kernel.split("_")[0] in ("beyond", "within") else "N=64"
            options = f"--kernel @{kernel} --size {size} --out o=/dev/null" + (" --in x=random" if takes_x else "")
            print(f"{kernel}: {verdict(path, options)}")
    for row in cut.CUTS:
        print(f"{cut.name_of(row)}: {verdict(cut.make(row, kernels, 'cake-translate', out), row.options)}")


main()
