#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Logs whose names and texts hold escape sequences, bidi controls, NUL and invalid UTF-8: see logs_hostile.py.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-logs-hostile.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
python3 "$top_srcdir/tests/cli/logs_hostile.py" "$NPUSCOPE" "$work"
