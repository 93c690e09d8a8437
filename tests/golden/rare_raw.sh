#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Raw files that no sample has: see rare_raw.py. Skipped without Python.
command -v python3 >/dev/null || { echo "rare_raw: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/rare_raw.py" "${top_builddir:-.}/npuscope"
