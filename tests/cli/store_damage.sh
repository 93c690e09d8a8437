#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A damaged store is read again by itself, in whatever way it is damaged and whenever it shows: each command
# gives the whole result, and says that the store was damaged.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
python3 "${top_srcdir:-.}/tests/cli/store_damage.py" "$npuscope" "$tmp"
