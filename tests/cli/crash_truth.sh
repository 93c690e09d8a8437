#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is said of crashed runs of several ranks is true: see crash_truth.py.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-crash.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
XDG_CACHE_HOME=$work/cache python3 "$top_srcdir/tests/cli/crash_truth.py" "$NPUSCOPE" "$work"
