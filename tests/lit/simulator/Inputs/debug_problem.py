"""Writes x.npy into the folder argv[1]: 128 rows of 64 numbers, of which element [r, c] is r + c / 64."""
import sys

from attention_problem import write

write(sys.argv[1] + "/x.npy", (128, 64), [r + c / 64 for r in range(128) for c in range(64)])
