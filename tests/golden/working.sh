#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is left below sqlite/ of a PROF folder against its raw data. Skipped without Python.
top=${top_srcdir:-.}

command -v python3 >/dev/null || { echo "working: skipped, no python3"; exit 77; }
PYTHONDONTWRITEBYTECODE=1 exec python3 "$top/tests/golden/working.py" "${top_builddir:-.}/npuscope" "$@"
