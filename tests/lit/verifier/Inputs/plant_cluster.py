"""Plants a fault into gemm_cluster at the thread level: plant_cluster.py KIND < text."""
import re
import sys

kind, text = sys.argv[1], sys.stdin.read()
lines = text.splitlines(keepends=True)
remote = [i for i, line in enumerate(lines) if "gpu.mbarrier_arrive_remote" in line]
meets = [i for i, line in enumerate(lines) if "gpu.cluster_barrier" in line]
assert len(remote) == 4 and len(meets) == 2, (remote, meets)
if kind == "local":  # each slot is given back twice to its own CTA, and never to the other
    for i in remote:
        lines[i] = re.sub(r"_remote (\S+) at \S+ relaxed", r" \1", lines[i])
elif kind == "half":  # to CTA 0 alone
    for i in remote[1::2]:
        lines[i] = "\n"
elif kind == "exit":
    lines[meets[1]] = "\n"
elif kind == "start":
    lines[meets[0]] = lines[meets[0]].replace("cluster_barrier", "barrier")
elif kind == "mask":  # the own CTA alone gets each share
    lines[meets[0]] = "      %alone = arith.constant 1 : i32\n" + lines[meets[0]]
    lines = [re.sub(r"(tma_load_multicast .*) to \S+", r"\1 to %alone", line) for line in lines]
else:
    sys.exit("no fault " + kind)
sys.stdout.write("".join(lines))
