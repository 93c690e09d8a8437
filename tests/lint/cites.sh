#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every citation of a page in doc/ names a page and a heading that exist (cites.awk).
. "$(dirname "$0")/lib.sh"
lint_begin cites "$@"

every_file >"$lint_tmp/files"
grep -E '^doc/.*\.md$' "$lint_tmp/files" >"$lint_tmp/pages"
grep -vE '^tests/lint/(cites|selftest)' "$lint_tmp/files" |
    grep -E '\.(c|h|md|sh|awk|py|mk|am|ac|[157])$|^(HACKING|README|NEWS)$' >"$lint_tmp/citing"
[ -s "$lint_tmp/pages" ] || { echo "cites: no pages under $tree"; exit 1; }

{
    printf 'pass=1\n'
    cat "$lint_tmp/pages"
    printf 'pass=2\n%s\npass=3\n' "$lint_tmp/files"
    cat "$lint_tmp/citing"
} | tr '\n' '\0' | xargs -0 -n 100000 awk -f "$lint_dir/cites.awk" >"$lint_tmp/breaches" || exit 99

lint_end "pages: $(($(wc -l <"$lint_tmp/pages"))), files: $(($(wc -l <"$lint_tmp/citing")))"
