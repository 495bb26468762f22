"""Compares what cake-opt and mlir-opt make of one text."""
import hashlib
import os
import pickle
import re
import subprocess

SECONDS = 60
GENERIC = ["--print-op-generic", "--print-debuginfo"]


class Tools:
    """Runs the two tools on text. The judge's answers are kept in a file between runs, if there is a folder for it."""

    def __init__(self, cake, mlir, cache):
        self.cake, self.mlir, self.known = cake, mlir, {}
        self.store = cache and os.path.join(cache, "judge.pickle")
        try:
            if cache:
                with open(self.store, "rb") as file:
                    self.known = pickle.load(file)
        except (OSError, EOFError, pickle.PickleError):
            self.known = {}

    def save(self):
        os.makedirs(os.path.dirname(self.store), exist_ok=True)
        with open(self.store, "wb") as file:
            pickle.dump(self.known, file)

    @staticmethod
    def call(command, text, seconds=SECONDS):
        """(exit status, output, errors); a status below 0 is a signal, 'hang' past the time limit."""
        try:
            done = subprocess.run(command, input=text, capture_output=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return "hang", b"", b""
        return done.returncode, done.stdout, done.stderr

    def run_cake(self, flags, text):
        return self.call([self.cake, *flags, "-"], text)

    def key(self, flags, text):
        return hashlib.sha256("\0".join([self.mlir, *flags]).encode() + b"\0" + text).digest()

    def run_mlir(self, flags, text):
        key = self.key(flags, text)
        if key not in self.known:
            self.known[key] = self.call([self.mlir, *flags, "-"], text)
        return self.known[key]


def all_errors(errors):
    """(line, column, message) of each error; (0, 0, message) where the place is unknown."""
    found = re.finditer(r"^(?:\S+?:(\d+):(\d+): |\S*: )?error: (.*)$", errors.decode(errors="replace"), re.M)
    return [(int(match.group(1) or 0), int(match.group(2) or 0), match.group(3)) for match in found]


def first_error(errors):
    return next(iter(all_errors(errors)), None)


def offset(text, error):
    """Where an error is in the text."""
    lines = text.split(b"\n")
    return sum(len(line) + 1 for line in lines[:error[0] - 1]) + error[1] - 1


def nothing_between(text, a, b):
    """Whether only spaces and comments are between two errors: the end of one token and the beginning of the next."""
    start, end = sorted((offset(text, a), offset(text, b)))
    return a[0] > 0 < b[0] and not re.sub(rb"//[^\n]*", b"", text[start:end]).strip()


def compare_places(text, theirs, ours):
    """How the place of mlir-opt's first error compares with those of cake-opt's errors."""
    a, b = theirs[0], ours[0]
    if a[:2] == b[:2]:
        return "same column"
    if a[0] == b[0]:
        return "same line"
    if nothing_between(text, a, b):
        return "blanks apart"
    return "not the first" if a[0] in [error[0] for error in ours] else "another line"


def first_difference(before, after):
    for a, b in zip(before.decode(errors="replace").strip().split("\n"), after.decode(errors="replace").strip().split("\n")):
        if a != b:
            return f"{a.strip()[:150]} ≠ {b.strip()[:150]}"
    return "one text is longer"


def check_text(tools, flags, text):
    """What is wrong with the round trip of an accepted chunk; None: nothing."""
    generic, mlir_generic = GENERIC, ["--mlir-print-op-generic", "--mlir-print-debuginfo"]
    status, once, errors = tools.run_cake(flags + generic, text)
    if status != 0:
        return "cake-opt cannot print it", errors.decode(errors="replace")[:300]
    status, through, errors = tools.run_mlir(flags + mlir_generic, once)
    if status != 0:
        return "mlir-opt does not read it back", str(first_error(errors))
    status, twice, errors = tools.run_cake(flags + generic, through)
    if status != 0:
        return "cake-opt does not read it back", str(first_error(errors))
    if once != twice:
        return "not a fixed point", first_difference(once, twice)
    status, theirs, errors = tools.run_mlir(flags + mlir_generic, text)
    status, ours, errors = tools.run_cake(flags + generic, theirs)
    if status != 0:
        return "cake-opt does not read mlir-opt's generic form", str(first_error(errors))
    if ours != once:
        return "the two read different things", first_difference(once, ours)
    return check_custom_forms(tools, flags, text)


def check_custom_forms(tools, flags, text):
    """The same without locations, which custom forms do not print for all block arguments."""
    once = tools.run_cake(flags + ["--print-op-generic"], text)[1]
    pretty = tools.run_mlir(flags, text)[1]
    status, again, errors = tools.run_cake(flags + ["--print-op-generic"], pretty)
    if status != 0:
        return "cake-opt does not read mlir-opt's custom form", str(first_error(errors))
    if again != once:
        return "cake-opt reads mlir-opt's custom form differently", first_difference(once, again)
    once = tools.run_mlir(flags + ["--mlir-print-op-generic"], text)[1]
    pretty = tools.run_cake(flags, text)[1]
    status, again, errors = tools.run_mlir(flags + ["--mlir-print-op-generic"], pretty)
    if status != 0:
        return "mlir-opt does not read cake-opt's custom form", str(first_error(errors))
    if again.strip() != once.strip():
        return "mlir-opt reads cake-opt's custom form differently", first_difference(once, again)
    return None


def check(tools, flags, text):
    """(verdict, reason, detail): verdict is 'accepted', 'rejected', 'differ' (accept against reject) or 'text'."""
    theirs, ours = tools.run_mlir(flags, text), tools.run_cake(flags, text)
    if ours[0] not in (0, 1):
        return "differ", f"cake-opt ends with {ours[0]}", ours[2].decode(errors="replace")[-300:]
    if theirs[0] not in (0, 1):
        return "crash", f"mlir-opt ends with {theirs[0]}", "cake-opt " + ("accepts" if ours[0] == 0 else "rejects")
    if theirs[0] == 0 and ours[0] != 0:
        return "differ", "cake-opt rejects", str(first_error(ours[2]))
    if theirs[0] != 0 and ours[0] == 0:
        return "differ", "cake-opt accepts", str(first_error(theirs[2]))
    if theirs[0] != 0:
        theirs, ours = all_errors(theirs[2]), all_errors(ours[2])
        return "rejected", compare_places(text, theirs, ours), f"{theirs[0]} / {ours[0]}"
    wrong = check_text(tools, flags, text)
    return ("text", *wrong) if wrong else ("accepted", "", "")


def dialects(mlir):
    """The dialects that this mlir-opt has."""
    shown = subprocess.run([mlir, "--show-dialects"], capture_output=True, text=True, check=True).stdout
    return re.split(r"[,\s]+", shown.split(":", 1)[1].strip())
