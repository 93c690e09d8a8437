# SPDX-License-Identifier: Apache-2.0
"""Compare the files of two analyses.

usage: analyse_roundtrip.py WANT GOT RAW    every file of WANT must be in GOT, or in RAW when the run itself
leaves it
"""
import csv
import json
import os
import re
import sys

want, got, raw = sys.argv[1:]
LEFT_OUT = re.compile(r"profiler_info_\d+\.json|host_info")
AS_SETS = re.compile(r"hccl_raw_\d+\.csv|flops_scope_\d+\.json")
csv.field_size_limit(1 << 28)
same, sets, wrong = [], [], []


def read(path):
    with open(path, "rb") as f:
        return f.read()


def plain(v):
    """Order of keys and nodes does not count, nor does the last digit of a sum."""
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, list):
        v = [plain(x) for x in v]
        return sorted(v, key=str) if v and all(isinstance(x, dict) for x in v) else v
    return "%.12g" % v if isinstance(v, float) else v


def parsed(name, data):
    if name.endswith(".json"):
        return plain(json.loads(data))
    rows = list(csv.reader(data.decode().splitlines()))
    return [rows[0]] + [
        [
            plain(json.loads(c)) if c[:1] in "{[" else plain(float(c)) if i in (1, 2) else c
            for i, c in enumerate(r)
        ]
        for r in rows[1:]
    ]


for name in sorted(os.listdir(want)):
    if LEFT_OUT.match(name):
        continue
    place = next((d for d in (got, raw) if os.path.exists(os.path.join(d, name))), None)
    if not place:
        wrong.append("%s: not written" % name)
        continue
    a, b = read(os.path.join(want, name)), read(os.path.join(place, name))
    if AS_SETS.match(name):
        sets.append(name)
        if parsed(name, a) != parsed(name, b):
            wrong.append("%s: other values" % name)
    elif a == b:
        same.append(name)
    else:
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        start = max(0, at - 60)
        wrong.append(
            "%s: byte %d of %d and %d:\n  want %r\n  got  %r"
            % (name, at, len(a), len(b), a[start : at + 60], b[start : at + 60])
        )
print(
    "analyse_roundtrip: %d files have the same bytes, %d the same values, %d differ"
    % (len(same), len(sets), len(wrong))
)
for w in wrong[:12]:
    print(w)
sys.exit(1 if wrong or not same else 0)
