#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# analyse on damaged rank folders: see offline_damage.py. ROUNDS and SEED for more than a check needs.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"
python3 "${top_srcdir:-.}/tests/cli/offline_damage.py" "$npuscope" "$tmp/runs" "${ROUNDS:-20}" "${SEED:-1}"
