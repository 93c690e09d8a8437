#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Databases that analyse makes hold the rows of the text files that it makes of the same run (offline_db.py).
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "offline_db: skipped, no python3"; exit 77; }
mkdir "$tmp/runs"
python3 "${top_srcdir:-.}/tests/golden/offline_db.py" "$npuscope" "$tmp/runs" \
    "${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}"
