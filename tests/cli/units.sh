#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Text for people: one unit of time in a column, and wall clock times with their zone (units.py).
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --gen=1 --steps=4 "$tmp/gen1"
"$npuscope" demo -q --gen=2 --steps=4 "$tmp/gen2"
"$npuscope" demo -q --gen=1 --raw --crashed=60% --ranks=2 --steps=4 "$tmp/raw1"
"$npuscope" demo -q --gen=2 --raw --ranks=1 --steps=3 "$tmp/raw2"
python3 "${top_srcdir:-.}/tests/cli/units.py" "$npuscope" "$tmp"
