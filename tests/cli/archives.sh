#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Archives as profiles: see archives.py.
. "${top_srcdir:-.}/tests/cli/lib.sh"
mkdir "$tmp/in" "$tmp/tmp" || exit 99
TMPDIR=$tmp/tmp XDG_CACHE_HOME=$tmp/in/cache
export TMPDIR XDG_CACHE_HOME
case $npuscope in /*) ;; *) npuscope=$PWD/$npuscope ;; esac
python3 "${top_srcdir:-.}/tests/cli/archives.py" "$npuscope" "$tmp/in"
