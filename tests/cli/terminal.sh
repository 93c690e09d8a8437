#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Commands on a terminal and under signals (terminal.py).
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"
case $npuscope in /*) ;; *) npuscope=$PWD/$npuscope ;; esac
case $check in /*) ;; *) check=$PWD/$check ;; esac

"$npuscope" demo -q --ranks=1 --steps=1 --size=3000 "$tmp/small"
"$npuscope" demo -q --ranks=1 --size=400000 "$tmp/big"
"$npuscope" demo -q --ranks=3 --size=200000 "$tmp/many"
cd "$tmp"
python3 "$check" --hostile "$npuscope" "$tmp/small" >/dev/null
python3 "${check%commands.py}terminal.py" "$npuscope" "$tmp/small" "$tmp/big" "$tmp/many"
