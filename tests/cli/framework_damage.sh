#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Damaged folders of MindSpore 2.x and torch_npu: see framework_damage.py. ROUNDS and SEED for more than a
# check needs.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-framework-damage.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
XDG_CACHE_HOME=$work/cache python3 "$top_srcdir/tests/cli/framework_damage.py" "$NPUSCOPE" "$work/runs" \
    "${ROUNDS:-20}" "${SEED:-1}"
