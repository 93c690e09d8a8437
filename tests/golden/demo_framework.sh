#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# FRAMEWORK/ of demo --raw --gen=2 against the list of what its generator recorded (demo_framework.py), of all
# versions, whole and killed at tenths of the run.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"
command -v python3 >/dev/null 2>&1 || { echo "demo_framework: skipped, no python3"; exit 77; }
mkdir "$tmp/runs"
PYTHONDONTWRITEBYTECODE=1 python3 "${top_srcdir:-.}/tests/golden/demo_framework.py" "$npuscope" \
    "${top_builddir:-.}/tests/golden/demo_make" "$tmp/runs"
