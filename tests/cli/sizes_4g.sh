#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files above 4 GiB: every row and event, in the memory of small ones. It needs 10 GB of disk and a minute or
# two, so that it runs only when it is asked for: NPUSCOPE_LARGE=1.
set -u
[ -n "${NPUSCOPE_LARGE:-}" ] || { echo "skipped, NPUSCOPE_LARGE is not set"; exit 77; }
. "${top_srcdir:-.}/tests/cli/lib.sh"
python3 "${top_srcdir:-.}/tests/cli/sizes_4g.py" "$npuscope" "$tmp"
