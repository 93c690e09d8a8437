#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every table, view and column of the store is documented in schema and in the manual page, and the worked
# statements of both give rows (schema.py).
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q "$tmp/run"
python3 "${top_srcdir:-.}/tests/cli/schema.py" "$npuscope" "$tmp/run"
