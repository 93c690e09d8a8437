#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `npuscope export summary` without --compat: right where msprof is not. Skipped without the samples or
# without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/msprof" ] || { echo "msprof_exact: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "msprof_exact: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/msprof_exact.py" "${top_builddir:-.}/npuscope" "$samples"
