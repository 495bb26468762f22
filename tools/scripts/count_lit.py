"""Prints "passed failed skipped" from the JSON file that lit --output wrote; exit 1 where there is no test in it."""
import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            codes = [test["code"] for test in json.load(file)["tests"]]
    except (OSError, ValueError, KeyError) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 1
    good = sum(code in PASSED for code in codes)
    left = sum(code in SKIPPED for code in codes)
    print(good, len(codes) - good - left, left)
    return 0 if codes else 1


if __name__ == "__main__":
    sys.exit(main())
