#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Memory snapshots of torch, written by Python's pickle in protocols 2 to 5 and as torch's own writer does,
# against what was played in Python. Skipped without Python.
command -v python3 >/dev/null || { echo "snapshot: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/snapshot.py" "${top_builddir:-.}/npuscope"
