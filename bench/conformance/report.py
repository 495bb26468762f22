"""Writes what bench/conformance/run found."""
import collections


def count(results):
    n = collections.Counter(verdict for _, (verdict, _, _) in results)
    judged = len(results) - n["crash"]
    agreed = judged - n["differ"]
    return n, judged, agreed


def summary(results, out):
    """Prints all that is not fine; returns the share on which the tools agree."""
    n, judged, agreed = count(results)
    for chunk, (verdict, reason, detail) in results:
        if verdict in ("differ", "text", "crash"):
            print(f"{verdict:7} {chunk.name()} (line {chunk.line}): {reason}: {detail}", file=out)
        elif verdict == "rejected" and reason != "same column":
            print(f"place   {chunk.name()} (line {chunk.line}): {reason}: {detail}", file=out)
    places = collections.Counter(reason for _, (verdict, reason, _) in results if verdict == "rejected")
    share = agreed / judged if judged else 0.0
    print(f"{len(results)} chunks, {agreed} of {judged} agree ({100 * share:.2f} %); "
          f"{n['accepted']} of {n['accepted'] + n['text']} accepted ones make the round trip; "
          f"rejected: {dict(places)}", file=out)
    return share


BEGIN, END = "<!-- chunks: bench/conformance/run -->", "<!-- end of chunks -->"


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")[:240]


def chunk_lines(results, generated, total, left_out):
    n, judged, agreed = count(results)
    places = collections.Counter(reason for _, (verdict, reason, _) in results if verdict == "rejected")
    rejected = sum(places.values())
    yield (f"{total} chunks in the folders; {len(results)} of them need no dialect that only mlir-opt has "
           f"(`builtin`, `func`, `arith`, `scf`, `cf` and `math` are common, `gpu` is a name of both but not the same "
           f"dialect). Left out most often for: "
           + ", ".join(f"`{name}` {k}" for name, k in sorted(left_out.items(), key=lambda e: -e[1])[:8]) + ".")
    yield ""
    yield f"| what | chunks |\n|---|---|"
    yield f"| both accept or both reject | **{agreed} of {judged} ({100 * agreed / max(judged, 1):.2f} %)** |"
    if n["crash"]:
        yield f"| mlir-opt crashes or hangs (not counted above) | {n['crash']} |"
    yield f"| accepted by both, all round trips give the same text | {n['accepted']} of {n['accepted'] + n['text']} |"
    yield f"| rejected by both, first error on the same line | {places['same line'] + places['same column']} of {rejected} |"
    yield f"| … and in the same column | {places['same column']} |"
    yield f"| … on another line, with only spaces and comments between the two places | {places['blanks apart']} |"
    yield f"| … on another line, where cake-opt has a later error | {places['not the first']} |"
    n_generated = count(generated)[0]
    yield (f"| generated modules (`bench/compiler/families.py`), all round trips give the same text | "
           f"{n_generated['accepted']} of {len(generated)} |")
    for verdict, title in (("differ", "Accepted by one tool only"), ("text", "Accepted by both, but read or printed differently"),
                           ("crash", "mlir-opt does not end well")):
        rows = [(chunk, reason, detail) for chunk, (v, reason, detail) in results + generated if v == verdict]
        if not rows:
            continue
        yield f"\n### {title}\n\n| chunk | line | what | detail |\n|---|---|---|---|"
        for chunk, reason, detail in rows:
            yield f"| {chunk.name()} | {chunk.line} | {cell(reason)} | {cell(detail)} |"
    rows = [(chunk, detail) for chunk, (v, reason, detail) in results if v == "rejected" and reason == "another line"]
    if rows:
        yield "\n### Rejected by both, first error on another line\n\n| chunk | line | mlir-opt / cake-opt |\n|---|---|---|"
        for chunk, detail in rows:
            yield f"| {chunk.name()} | {chunk.line} | {cell(detail)} |"


def write(path, results, generated, total, left_out):
    """Replaces the part of the document between the marks."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "\n" + "\n".join(chunk_lines(results, generated, total, left_out)) + "\n" + END + after)
