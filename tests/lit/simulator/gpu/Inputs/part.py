"""part.py FILE NUMBER: prints a part of a file that lines '// -----' divide; the first is 1."""
import sys

with open(sys.argv[1]) as source:
    sys.stdout.write(source.read().split("// -----\n")[int(sys.argv[2]) - 1])
