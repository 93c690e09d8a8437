#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command on synthetic profiles of both generations against an independent reading in Python
# (commands.py); hostile names.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --gen=2 --steps=2 --seed=7 "$tmp/run2"
"$npuscope" demo -q --gen=1 --steps=3 --seed=7 --model=transformer "$tmp/run1"
python3 "$check" "$npuscope" "$tmp/run2" "$tmp/run1"
"$npuscope" demo -q --gen=2 --ranks=1 --steps=1 --size=3000 "$tmp/hostile"
python3 "$check" --hostile "$npuscope" "$tmp/hostile"
