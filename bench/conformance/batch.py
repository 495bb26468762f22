"""Asks mlir-opt about many texts in one process: it starts in 25 ms and judges a short text in less than one."""
import bisect
import re

import judge

IN, OUT = b"// -----\n", "//@@ next @@"
SECONDS = 10


class Tools(judge.Tools):
    """judge.Tools whose answers are looked up for many texts at once, and forgotten after."""

    def __init__(self, cake, mlir):
        super().__init__(cake, mlir, None)
        self.answers = {}

    def run_cake(self, flags, text):
        key = (tuple(flags), text)
        if key not in self.answers:
            self.answers[key] = super().run_cake(flags, text)
        return self.answers[key]

    def forget(self):
        self.known, self.answers = {}, {}

    def look_up(self, flags, texts):
        """Fills in what run_mlir answers; what one process cannot tell apart is left to a process of its own."""
        texts = [text for text in dict.fromkeys(texts) if self.key(flags, text) not in self.known and IN.strip() not in text]
        if not texts:
            return
        status, out, errors = self.call([self.mlir, *flags, "--split-input-file", "--output-split-marker=" + OUT, "-"],
                                        IN.join(texts), SECONDS)
        if status in (0, 1):
            parts = out.split(OUT.encode() + b"\n")
            for text, start, part, found in zip(texts, starts(texts), parts, first_errors(texts, errors)):
                if found or part.strip():
                    self.known[self.key(flags, text)] = (1, b"", found) if found else (0, moved(part.lstrip(b"\n"), start, text), b"")
        elif len(texts) == 1:
            self.known[self.key(flags, texts[0])] = (status, out, errors)
        else:
            self.look_up(flags, texts[:len(texts) // 2])
            self.look_up(flags, texts[len(texts) // 2:])

    def judge(self, subjects):
        """judge.check's verdict on each of these (flags, text)."""
        groups = {}
        for flags, text in subjects:
            groups.setdefault(flags, []).append(text)
        for flags, texts in groups.items():
            self.look_up_all(list(flags), texts)
        verdicts = [judge.check(self, list(flags), text) for flags, text in subjects]
        self.forget()
        return verdicts

    def look_up_all(self, flags, texts):
        """What judge.check will ask about these texts."""
        generic, debug = ["--mlir-print-op-generic"], ["--mlir-print-debuginfo"]
        self.look_up(flags, texts)
        texts = [text for text in texts if self.known.get(self.key(flags, text), [1])[0] == 0]
        ours = [self.run_cake(flags + judge.GENERIC, text)[1] for text in texts]
        custom = [self.run_cake(flags, text)[1] for text in texts]
        self.look_up(flags + generic + debug, texts + ours)
        self.look_up(flags + generic, texts + custom)


def starts(texts):
    """The line in front of each text."""
    lines = [0]
    for text in texts:
        lines.append(lines[-1] + text.count(b"\n") + 1)
    return lines


def moved(output, start, text):
    """What mlir-opt printed, with the locations that it would give in a file of its own."""
    if b'"<stdin>"' in text:
        return output
    # The module that is made around a text without one is where the text begins: at the end of the line in front of it.
    output = output.replace(b'"<stdin>":%d:%d' % (start, len(IN)), b'"<stdin>":0:0')
    return re.sub(rb'"<stdin>":([1-9]\d*):', lambda match: b'"<stdin>":%d:' % (int(match.group(1)) - start), output)


def first_errors(texts, errors):
    """For each text the line of its first error as its own process would print it; None where there is none, or none for sure."""
    lines = starts(texts)
    found, last, doubt = [None] * len(texts), 0, []
    unknown = False
    for match in re.finditer(rb"^(?:<stdin>:(\d+):(\d+)|\S*): (error: .*)$", errors, re.M):
        if match.group(1) is None:
            unknown = True
            continue
        line = int(match.group(1))
        i = min(bisect.bisect_left(lines, line) - 1, len(texts) - 1)
        if unknown:
            doubt.extend(range(last, i + 1))
        unknown, last = False, i
        if found[i] is None:
            found[i] = b"<stdin>:%d:%s: %s\n" % (line - lines[i], match.group(2), match.group(3))
    for i in doubt + (list(range(last, len(texts))) if unknown else []):
        found[i] = None
    return found
