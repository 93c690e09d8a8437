#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --sort of every column of every table that a demo has: see sort.py.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
"$npuscope" demo -q --gen=1 --steps=3 --size=2000 "$tmp/one" || exit 1
"$npuscope" demo -q --gen=2 --steps=3 --size=2000 "$tmp/two" || exit 1
exec python3 "${top_srcdir:-.}/tests/cli/sort.py" "$npuscope" "$tmp/one" "$tmp/two"
