"""replays.py CAKE_SRC: every refutation of the protocol checker in the catalogue is run, and the simulator fails where the checker says.

An arrival that is counted in another phase may do no harm in the schedule that shows it: then a random schedule must fail.
"""
import os
import re
import subprocess
import sys
import tempfile

PROTOCOL = ("SYNC_DEADLOCK", "SYNC_PHASE_LAP", "SYNC_ARRIVAL_COUNT", "SYNC_NOT_READY", "SYNC_UNDRAINED")


def command_of(path, text):
    command = ["cake-run", path, "--no-rules"]
    for name in sorted(set(re.findall(r"\[([A-Z]\w*)\]", text))):
        command += ["--size", name + "=8"]
    if "gpu.func" in text:
        return command + ["--level", "gpu", "--protocol"]
    for name in re.findall(r"%(\w+): !cake.global", text):
        command += ["--in", name + "=random"]
    return command


def main():
    found = 0
    with open(os.path.join(sys.argv[1], "verifier", "catalogue.cake")) as source:
        parts = source.read().split("// -----\n")
    for part in parts:
        mark = re.search(r"^// (SYNC_\w+): wrong$", part, re.M)
        if not mark or mark.group(1) not in PROTOCOL:
            continue
        text = part.replace("grid = 1 : i64", "grid = #cake.expr<1>")
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(text)
            file.flush()
            command = command_of(file.name, text)
            for more in (["--replay"], ["--schedules", "200"]):
                result = subprocess.run(command + more, capture_output=True, text=True, check=False)
                code = re.search(r"error: .*\[(\w+)\]", result.stderr)
                if code:
                    break
        print(mark.group(1), more[0], code.group(1) if code else "does not fail: " + result.stderr[:300])
        found += 1
    sys.exit(found < len(PROTOCOL))


main()
