#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Databases by the names that tools give them. Skipped without Python.
command -v python3 >/dev/null || { echo "database_kinds: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/database_kinds.py" "${top_builddir:-.}/npuscope"
