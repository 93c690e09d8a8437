#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""+COLUMN is ascending and -COLUMN descending for every column, and COLUMN without a sign is the one of the
two that `help columns` says. What has no value comes last or first in both alike, and is left out here.

sort.py NPUSCOPE RUN...
"""
import csv
import io
import os
import re
import subprocess
import sys

program, runs = sys.argv[1], sys.argv[2:]
# Where programs are slow, every eighth column; every third in CI.
STEP = 8 if os.environ.get("NPUSCOPE_TEST_SLOW") else 3 if os.environ.get("NPUSCOPE_TEST_SHORT") else 1


def call(*args):
    r = subprocess.run([program, *args], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return r.returncode, r.stdout


def described():
    """View -> column -> whether it sorts descending without a sign."""
    views, view, column = {}, None, None
    for line in call("help", "columns")[1].splitlines():
        if re.match(r"^[a-z0-9_]+\.[a-z0-9_]+$", line):
            view = views.setdefault(line, {})
        elif view is not None and re.match(r"^  [a-z]", line):
            column = line.split()[0]
            view[column] = line
        elif view is not None and line.startswith("   ") and column:
            view[column] += " " + line.strip()
        elif not line:
            column = None
    return {v: {c: "(sorts descending)" in re.sub(r"\s+", " ", t) for c, t in cols.items()}
            for v, cols in views.items()}


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def values(view, run, column, sign):
    command, by = view.split(".")
    args = [command, "-q", "--by=" + by, "-F", "csv", "--no-header", "-C", column]
    status, out = call(*args, "--sort=" + sign + column, run)
    if status:
        return None
    return [r[0] for r in csv.reader(io.StringIO(out)) if r and r[0] != ""]


def judge(view, column, desc, up, down, plain):
    if up != down[::-1]:
        return "-%s is not +%s turned round" % (column, column)
    numbers = [number(x) for x in up]
    if None not in numbers and numbers != sorted(numbers):
        return "+%s is not ascending: %s" % (column, up[:4])
    if plain != (down if desc else up):
        return "%s is not %s, as help says: %s" % (column, "descending" if desc else "ascending", plain[:4])
    return None


def main():
    wrong = tried = seen = 0
    for view, columns in described().items():
        if view.split(".")[0] == "triage":
            continue  # no command prints it
        for column, desc in columns.items():
            seen += 1
            if seen % STEP:
                continue
            for run in runs:
                sorted_by = [values(view, run, column, sign) for sign in ("+", "-", "")]
                if None in sorted_by or len(set(sorted_by[0])) < 2:
                    continue
                tried += 1
                what = judge(view, column, desc, *sorted_by)
                if what:
                    wrong += 1
                    print("%s: %s" % (view, what))
                break
    print("%d columns with more than one value, %d wrong" % (tried, wrong))
    sys.exit(wrong != 0 or tried < 80 // STEP)


main()
