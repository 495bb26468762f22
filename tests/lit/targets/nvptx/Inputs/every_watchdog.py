"""Translates every kernel of a folder for each of its targets with bounded waits; fails when one cannot be."""

import os
import re
import subprocess
import sys

folder, count, faults = sys.argv[1], 0, []
for entry in sorted(os.listdir(folder)):
    path = os.path.join(folder, entry)
    with open(path, encoding="utf-8") as file:
        kernels = re.findall(r"cake\.kernel @(\w+).*?target\(([^)]*)\)", file.read(), re.S)
    for name, targets in kernels:
        for target in re.findall(r'"(\w+)"', targets):
            done = subprocess.run(["cake-translate", path, "--kernel", "@" + name, "--target", target, "--watchdog", "2", "-o", os.devnull],
                                  capture_output=True, text=True, check=False)
            count += 1
            if done.returncode:
                faults.append(f"{entry} @{name} {target}: {done.stderr}")
print(f"{count} translations, {len(faults)} refused")
if faults:
    sys.exit("\n".join(faults))
