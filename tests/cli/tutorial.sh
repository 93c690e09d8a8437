#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands of the tutorial print what it shows. After a change: python3 tests/cli/tutorial.py NPUSCOPE
# doc/tutorial.md EMPTY_FOLDER --update, then read the page again.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
mkdir "$tmp/work" || exit 1
exec python3 "${top_srcdir:-.}/tests/cli/tutorial.py" "$(realpath "$npuscope")" "${top_srcdir:-.}/doc/tutorial.md" "$tmp/work"
