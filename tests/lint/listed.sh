#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every source and every test is named in a files.mk: what is not listed is neither built, run nor shipped.
. "$(dirname "$0")/lib.sh"
lint_begin listed "$@"

cat Makefile.am >"$lint_tmp/lists"
find src parsers ui tests man doc pack po -name '*.mk' -exec cat {} + >>"$lint_tmp/lists"
sed 's/#.*//' "$lint_tmp/lists" | tr -s '[:space:]\134' '[\n*]' | sort -u >"$lint_tmp/words"

every_file | grep -E '^(src|parsers|ui|man|po)/.*\.(c|h|1|5)$|^doc/.*\.md$|^tests/.*\.(c|h|sh|awk|py|supp)$' \
    >"$lint_tmp/files"
while IFS= read -r f; do
    # A header that came before its module is not asked for; without any module it is make distcheck that
    # misses it.
    [ "$f" = "${f%.h}" ] || [ -f "${f%.h}.c" ] || continue
    # Programs and tests are listed by their name without the suffix or with it.
    grep -qxF -e "$f" -e "${f%.c}" "$lint_tmp/words" || echo "$f:1: not in any files.mk"
done <"$lint_tmp/files" >"$lint_tmp/breaches"

lint_end "files: $(($(wc -l <"$lint_tmp/files")))"
