"""A kernel's text, sorted, without the names of values, roles, pipelines and the kernel: equal for schedules that differ in them alone."""

import re
import sys

lines = (re.sub(r"[%@]\w+", "_", re.sub(r" as \w+", "", line)).strip() for line in sys.stdin)
print("\n".join(sorted(lines)))
