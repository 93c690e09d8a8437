#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The compiler that does not build this tree (clang beside gcc, gcc beside clang) has nothing to warn about
# either. From make: CC, LINT_SOURCES (what the build compiles), LINT_CFLAGS, LINT_WARN, top_builddir.
. "$(dirname "$0")/lib.sh"
builddir=${top_builddir:+$(cd "$top_builddir" && pwd)}
lint_begin compiler "$@"

case $(${CC:-cc} --version 2>/dev/null) in *clang*) other=gcc ;; *) other=clang ;; esac
command -v "$other" >/dev/null || { echo "compiler: skipped, no $other"; exit 77; }
if [ ! -f "$builddir/config.h" ] || [ -z "${LINT_SOURCES:-}" ]; then
    echo "compiler: skipped, runs from make only"
    exit 77
fi

# Paths may come with the way from the build folder in front; what is generated there is not looked at.
for f in $LINT_SOURCES; do
    while [ "$f" != "${f#../}" ]; do f=${f#../}; done
    case $f in *.c) [ ! -f "$f" ] || echo "$f" ;; esac
done | sort -u >"$lint_tmp/files"

# shellcheck disable=SC2086 # lists of words
xargs -r "$other" -fsyntax-only -I"$builddir" -Isrc -I. ${LINT_CFLAGS:-} ${LINT_WARN:-} <"$lint_tmp/files" \
    >"$lint_tmp/out" 2>&1 ||
    echo "status $?" >"$lint_tmp/status"

sed -nE 's/^([^: ]+:[0-9]+):[0-9]+: (fatal error|error|warning): /\1: /p' "$lint_tmp/out" \
    >"$lint_tmp/breaches"
if [ -s "$lint_tmp/status" ] && [ ! -s "$lint_tmp/breaches" ]; then
    cat "$lint_tmp/out"
    exit 1
fi
lint_end "files: $(($(wc -l <"$lint_tmp/files"))), compiler: $other"
