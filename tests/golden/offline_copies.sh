#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What an analysis takes of msprof's files against msprof's own (offline_copies.py). Skipped without the samples
# or without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/msprof" ] || { echo "offline_copies: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "offline_copies: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/offline_copies.py" "${top_builddir:-.}/npuscope" "$samples" "$@"
