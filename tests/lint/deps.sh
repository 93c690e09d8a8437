#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who may include whom: the folders (dependencies point one way) and the one owner of each library.
. "$(dirname "$0")/lib.sh"
lint_begin deps "$@"

sources c h >"$lint_tmp/files"
[ -s "$lint_tmp/files" ] || { echo "deps: no C files under $tree"; exit 1; }

# Only #include lines, literals kept: FILE:LINE:TEXT. Names with blanks do not occur in this tree.
xargs awk -v keep_strings=1 -f "$lint_dir/strip.awk" <"$lint_tmp/files" |
    grep -E '^[^:]+:[0-9]+:[[:space:]]*#[[:space:]]*include' >"$lint_tmp/includes"
awk -f "$lint_dir/deps.awk" "$lint_tmp/files" "$lint_tmp/includes" >"$lint_tmp/breaches" || exit 99

# Standard output belongs to one file of the command line; everything else hands it text.
xargs awk -f "$lint_dir/strip.awk" <"$lint_tmp/files" | grep -v '^src/cli/out\.c:' |
    awk '{
        match($0, /^[^:]+:[0-9]+:/); at = substr($0, 1, RLENGTH - 1); code = " " substr($0, RLENGTH + 1)
        if (match(code, /[^A-Za-z0-9_](printf|vprintf|puts|putchar)[ \t]*\(/) ||
            match(code, /[^A-Za-z0-9_](fprintf|vfprintf|fputs|fputc|putc|fwrite)[ \t]*\(.*[^A-Za-z0-9_]stdout[^A-Za-z0-9_]/) ||
            match(code, /[^A-Za-z0-9_]v?dprintf[ \t]*\([ \t]*(1|STDOUT_FILENO)[ \t]*,/))
            print at ": prints to standard output; only src/cli/out.c may"
    }' >>"$lint_tmp/breaches"

lint_end "files: $(($(wc -l <"$lint_tmp/files"))), includes: $(($(wc -l <"$lint_tmp/includes")))"
