"""Fails when a code of a rule is no finding, or a finding lacks its two programs, or a program is refused for another code."""
import os
import re
import subprocess
import sys

root = sys.argv[1]


def read(path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


findings = set(re.findall(r"^FINDING\((\w+)", read("include/cake/findings.def"), re.M))
of_rules = set(re.findall(r'^RULE\(\w+, "[^"]*", (\w+)', read("verifier/rules.def"), re.M))
text = read("verifier/catalogue.cake")
marks = re.findall(r"^// (\w+): (wrong|right)$", text, re.M)
faults = [f"{code} of a rule is no finding" for code in sorted(of_rules - findings)]
faults += [f"{code} has no {kind} program" for code in sorted(findings) for kind in ("wrong", "right") if (code, kind) not in marks]
for part in text.split("// -----\n"):
    mark = re.search(r"^// (\w+): wrong$", part, re.M)
    if not mark:
        continue
    result = subprocess.run(["cake-opt", "-"], input=part, capture_output=True, text=True, check=False)
    if f"[{mark.group(1)}]" not in result.stderr:
        faults.append(f"the wrong program of {mark.group(1)} is refused for another reason: {result.stderr[:200]}")
if faults:
    sys.exit("\n".join(faults))
