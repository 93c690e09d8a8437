#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Statements that never end or take all memory (query_limits.py).
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --gen=2 --steps=2 --ranks=2 --size=2000 "$tmp/run"
python3 "${top_srcdir:-.}/tests/cli/query_limits.py" "$npuscope" "$tmp/run"
