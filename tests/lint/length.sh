#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lines of at most 110 columns, functions of at most 60 lines (40 wanted), files of at most 800. A function
# that is one table or one flat switch may be longer when the line before it says so: /* long: table */ or /*
# long: switch */.
. "$(dirname "$0")/lib.sh"
lint_begin length "$@"

max_function=60
max_file=800
max_columns=110

sources c h >"$lint_tmp/files"
[ -d tests ] && find tests -name '*.c' -type f | sort >>"$lint_tmp/files"
[ -s "$lint_tmp/files" ] || { echo "length: no C files under $tree"; exit 1; }

# One line "LINES FILE LINE NAME" per function, by length; --list prints just that.
xargs awk -f "$lint_dir/strip.awk" <"$lint_tmp/files" | awk -f "$lint_dir/functions.awk" |
    sort -k1,1n -k2,2 -k3,3n >"$lint_tmp/functions"
[ "${LINT_LIST:-}" = "" ] || cat "$lint_tmp/functions"

while read -r lines file line name; do
    [ "$lines" -gt "$max_function" ] || continue
    above=$([ "$line" -gt 1 ] && sed -n "$((line - 1))p" "$file")
    case $above in *"/* long: table */"* | *"/* long: switch */"*) continue ;; esac
    echo "$file:$line: $name() has $lines lines, the most is $max_function"
done <"$lint_tmp/functions" >"$lint_tmp/breaches"

xargs awk -v max=$max_file '
    FNR == 1 && file != "" && n > max { print file ":1: " n " lines, the most is " max }
    { file = FILENAME; n = FNR }
    END { if (n > max) print file ":1: " n " lines, the most is " max }' <"$lint_tmp/files" >>"$lint_tmp/breaches"

# Columns are characters: the later bytes of one in UTF-8 do not count.
{
    cat "$lint_tmp/files"
    [ ! -d tests ] || find tests -name '*.h' -type f
} | xargs awk -v max=$max_columns '
    {
        gsub(/[\200-\277]/, "")
        if (length($0) > max) print FILENAME ":" FNR ": " length($0) " columns, the most is " max
    }' >>"$lint_tmp/breaches"

lint_end "files: $(($(wc -l <"$lint_tmp/files"))), $(awk '
    { n[NR] = $1; if ($1 > 60) long++ }
    END {
        printf "functions: %d", NR
        if (NR) printf " (median %d lines, 9 of 10 up to %d, longest %d, above 60: %d)", n[int((NR + 1) / 2)], n[int((NR * 9 + 9) / 10)], n[NR], long
    }' "$lint_tmp/functions")"
