#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Targets of make that lack their tool end with a status that is no success, and say that they were not run.
set -u
tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-notrun-XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
make=$(command -v make) || { echo "skipped, no make"; exit 77; }
for tool in sh bash dash; do
    at=$(command -v $tool) && ln -s "$at" "$tmp/$tool"
done
unset MAKEFLAGS MFLAGS MAKELEVEL
failed=0
unset TERM_TMUX
for target in check-valgrind:valgrind screens:tmux check-kill:python3; do
    # --assume-old: nothing of the build is made anew here
    PATH=$tmp "$make" -C "${top_builddir:-.}" -o Makefile -o config.status "${target%:*}" >"$tmp/said" 2>&1
    got=$?
    [ $got -ne 0 ] && grep -q "^${target%:*}: not run, no ${target#*:}\$" "$tmp/said" && continue
    echo "make ${target%:*}: status $got; it says"
    sed 's/^/    /' "$tmp/said" | head -n 20
    failed=1
done
exit $failed
