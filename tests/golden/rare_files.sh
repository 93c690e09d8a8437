#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kinds of files that no sample has, by their real names: see rare_files.py. Skipped without Python.
command -v python3 >/dev/null || { echo "rare_files: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/rare_files.py" "${top_builddir:-.}/npuscope"
