#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every header compiles on its own, and a second time in the same file (include guard), with the compiler of
# the build. From make: CC, LINT_CFLAGS (the flags of the libraries), top_builddir (where config.h is); each
# has a default.
. "$(dirname "$0")/lib.sh"
builddir=${top_builddir:+$(cd "$top_builddir" && pwd)}
lint_begin headers "$@"

# shellcheck disable=SC2086 # lists of words
set -- ${CC:-cc} -std=c17 -Wall -Wextra -Werror -Isrc -I. ${LINT_CFLAGS:-}
if [ -f "$builddir/config.h" ]; then
    set -- "$@" -include "$builddir/config.h"
else
    set -- "$@" -D_GNU_SOURCE
fi

sources h >"$lint_tmp/files"
while IFS= read -r h; do
    printf '#include "%s"\n#include "%s"\ntypedef int lint_not_empty;\n' "$h" "$h" >"$lint_tmp/one.c"
    if ! "$@" -fsyntax-only "$lint_tmp/one.c" >"$lint_tmp/out" 2>&1; then
        grep -E 'error|warning' "$lint_tmp/out" | head -n 1 | sed "s|^|$h:1: does not compile alone: |"
    fi
done <"$lint_tmp/files" >"$lint_tmp/breaches"

lint_end "headers: $(($(wc -l <"$lint_tmp/files"))), compiler: ${CC:-cc}"
