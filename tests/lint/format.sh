#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The C files look as .clang-format says. Needs clang-format 14 (other versions differ in details): skipped
# without it.
. "$(dirname "$0")/lib.sh"
lint_begin format "$@"

tool=
for t in clang-format-14 clang-format; do
    case $($t --version 2>/dev/null) in *"version 14."*) tool=$t && break ;; esac
done
[ -n "$tool" ] || { echo "format: skipped, no clang-format 14"; exit 77; }

sources c h >"$lint_tmp/files"
[ -d tests ] && find tests -name '*.[ch]' -type f | sort >>"$lint_tmp/files"
# The first place in each file is enough: the tool mends all of them.
tr '\n' '\0' <"$lint_tmp/files" | xargs -0 "$tool" --style=file --dry-run 2>&1 |
    sed -nE 's/^([^:]+:[0-9]+):[0-9]+: (warning|error): .*/\1: not as .clang-format says/p' |
        sort -t: -k1,1 -s -u >"$lint_tmp/breaches"
[ ! -s "$lint_tmp/breaches" ] ||
    echo "format: to mend: $tool -i $(sed 's/:.*//' "$lint_tmp/breaches" | tr '\n' ' ')"

lint_end "files: $(($(wc -l <"$lint_tmp/files"))), tool: $tool"
