#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rank folders of MindSpore 2.5 on and torch_npu that were never analysed, against the frameworks' own
# analysis of them. Skipped without the samples or without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/gen2" ] || { echo "offline: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "offline: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/offline.py" "${top_builddir:-.}/npuscope" "$samples" "$@"
