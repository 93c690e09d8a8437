#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# clang's static analyser over the program's sources; what it finds must be in analyze.known, with a reason. Run by CI,
# not by make check: it takes minutes. Needs compile_commands.json (`make compile-commands`) in the build folder.
. "$(dirname "$0")/lib.sh"
build=${top_builddir:-$PWD}
lint_begin analyze "$@"

command -v clang >/dev/null || { echo "analyze: skipped, no clang"; exit 77; }
[ -f "$build/compile_commands.json" ] || { echo "analyze: no compile_commands.json in $build"; exit 99; }

# One command a line, of each source once; the options are clang's, the compiler's own warnings are another test's.
sed -n 's/.*"directory": "\([^"]*\)", "file": "\([^"]*\)", "command": "\(.*\)" },*$/\2\t\1\t\3/p' \
    "$build/compile_commands.json" | grep -E "^$tree/(src|parsers|ui)/" | sort -u -k1,1 |
    awk -F'\t' '{
        gsub(/\\"/, "\"", $3)
        sub(/^[^ ]+/, "", $3)
        sub(/ -c [^ ]+$/, "", $3)
        print "cd " $2 " && clang --analyze -w --analyzer-output text -Xanalyzer -analyzer-config -Xanalyzer " \
            "max-nodes=60000 -Xanalyzer -analyzer-disable-checker=deadcode.DeadStores" $3 " " $1 " -o /dev/null"
    }' >"$lint_tmp/commands"
[ -s "$lint_tmp/commands" ] || { echo "analyze: no commands for $tree"; exit 99; }
tr '\n' '\0' <"$lint_tmp/commands" | xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c >/dev/null \
    2>"$lint_tmp/out"

sed -nE "s#^($tree/|\.\./)##; s#^([a-z][^: ]*):([0-9]+):[0-9]+: (fatal error|error|warning): (.*)#\1:\2: \4#p" \
    "$lint_tmp/out" | sort -u >"$lint_tmp/found"
grep -v '^#' "$lint_dir/analyze.known" >"$lint_tmp/known"
while IFS= read -r line; do
    grep -qxF "$(printf '%s\n' "$line" | sed -E 's/^([^:]+):[0-9]+: /\1: /')" "$lint_tmp/known" || printf '%s\n' "$line"
done <"$lint_tmp/found" >"$lint_tmp/breaches"

lint_end "files: $(($(wc -l <"$lint_tmp/commands"))), found: $(($(wc -l <"$lint_tmp/found"))), known: $(($(wc -l <"$lint_tmp/known")))"
