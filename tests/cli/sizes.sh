#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Wide rows, long cells and long lines as large networks have them are loaded whole; what is above a limit is
# called LIMIT with its size and place, and the rest is kept.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
python3 "${top_srcdir:-.}/tests/cli/sizes.py" "$npuscope" "$tmp"
