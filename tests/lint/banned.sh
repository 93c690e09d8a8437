#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Calls that are not used here, messages past the log, and format strings that are not literals.
. "$(dirname "$0")/lib.sh"
lint_begin banned "$@"

sources c h >"$lint_tmp/files"
[ -s "$lint_tmp/files" ] || { echo "banned: no C files under $tree"; exit 1; }

xargs awk -f "$lint_dir/strip.awk" <"$lint_tmp/files" >"$lint_tmp/code"
awk -f "$lint_dir/banned.awk" "$lint_tmp/code" >"$lint_tmp/breaches" || exit 99

# %n writes to memory; a text that needs these two characters side by side can be split in two literals.
xargs awk -v keep_strings=1 -f "$lint_dir/strip.awk" <"$lint_tmp/files" |
    sed 's/%%/  /g' | grep -E '"[^"]*%[-+ #0-9.*]*(hh|h|ll|l|z|j|t)?n' |
    sed -E 's/^([^:]+:[0-9]+):.*/\1: %n in a literal/' >>"$lint_tmp/breaches"

lint_end "files: $(($(wc -l <"$lint_tmp/files"))), lines: $(($(wc -l <"$lint_tmp/code")))"
