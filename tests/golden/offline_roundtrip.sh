#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo --raw --gen=2 analysed gives the files of demo --gen=2; killed at every tenth it gives what is whole
# (offline_roundtrip.py).
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"
mkdir "$tmp/runs"
python3 "${top_srcdir:-.}/tests/golden/offline_roundtrip.py" "$npuscope" \
    "${top_builddir:-.}/tests/golden/demo_make" "$tmp/runs"
