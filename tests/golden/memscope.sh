#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Dumps of msMemScope as CSV and as database against a pool that is played in Python. Skipped without Python.
command -v python3 >/dev/null || { echo "memscope: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/memscope.py" "${top_builddir:-.}/npuscope"
