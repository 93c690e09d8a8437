#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Damaged demo profiles: see damage.py.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-damage.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
python3 "$top_srcdir/tests/cli/damage.py" "$NPUSCOPE" "$work" 20
