#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Clocks and frequencies that a PROF folder lost, from another one of the run: see other_folder.py.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-other.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
python3 "$top_srcdir/tests/cli/other_folder.py" "$NPUSCOPE" "$work"
