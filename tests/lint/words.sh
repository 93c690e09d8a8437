#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No paths of somebody's machine, no notes to oneself, no control bytes in the project's text files.
. "$(dirname "$0")/lib.sh"
lint_begin words "$@"

every_file | grep -vE '^(COPYING|tests/(fuzz/corpus|golden)/.*)$' >"$lint_tmp/files"
[ -s "$lint_tmp/files" ] || { echo "words: no files under $tree"; exit 1; }

# The patterns are put together so that this file does not match itself. A line that has to hold such a path
# (the text of a profile in a test) ends in a comment with the words "lint: path".
start='(^|[^A-Za-z0-9_.~)}*-])'
scan() {
    tr '\n' '\0' <"$lint_tmp/files" | xargs -0 grep -nIE "$1" /dev/null | grep -v 'lint: path' |
        sed -E "s/^([^:]+:[0-9]+):.*/\1: $2/"
}
{
    scan "$start/(wor""k|hom""e|roo""t|User""s)(/|\$|[^A-Za-z0-9_])" 'a path of one machine'
    scan '(^|[^A-Za-z0-9_])(TO''DO|FIX''ME|XX''X|HA''CK)([^A-Za-z0-9_]|$)' 'a note to oneself'
    scan "$(printf '[\001-\010\013-\037\177]')" 'a control byte'
} >"$lint_tmp/breaches"

lint_end "files: $(($(wc -l <"$lint_tmp/files")))"
