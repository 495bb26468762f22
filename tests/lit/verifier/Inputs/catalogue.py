"""Fails when a code of the verifier is no finding, or a finding lacks its two programs, or a program is refused for another code.

Codes of the verifier: those of rules, those that a file of verifier/ reports, and all of the sections "linear values and pipelines" and "machine rules"
of codes.def.
"""
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
reported = set()
for name in os.listdir(os.path.join(root, "verifier")):
    if name.endswith(".c"):
        reported |= set(re.findall(r"\bCAKE_CODE_(\w+)", read("verifier/" + name)))
sections = re.split(r"^// --- ", read("include/cake/codes.def"), flags=re.M)
for section in sections:
    if section.startswith(("linear values", "machine rules")):
        reported |= set(re.findall(r"^CODE\((\w+)", section, re.M))
NO_FINDINGS = {"PROTOCOL_VERDICT",  # a remark: what was proved
               "PLUGIN_RULE",       # a plugin has its own
               "COUNT"}
faults = [f"{code} is no finding" for code in sorted((of_rules | reported) - NO_FINDINGS - findings)]
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
