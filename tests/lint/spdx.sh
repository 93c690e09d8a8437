#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every source says in its first three lines under which licence it stands.
. "$(dirname "$0")/lib.sh"
lint_begin spdx "$@"

every_file | grep -E '(\.(c|h|mk|am|ac|sh|py|awk)|/run|^bootstrap)$' >"$lint_tmp/files"
[ -s "$lint_tmp/files" ] || { echo "spdx: no sources under $tree"; exit 1; }

# REUSE-IgnoreStart
while IFS= read -r file; do
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2\.0' ||
        echo "$file:1: no SPDX-License-Identifier in the first three lines"
done <"$lint_tmp/files" >"$lint_tmp/breaches"
# REUSE-IgnoreEnd

lint_end "files: $(($(wc -l <"$lint_tmp/files")))"
