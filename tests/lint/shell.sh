#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every shell script as shellcheck wants it; skipped without that tool.
. "$(dirname "$0")/lib.sh"
lint_begin shell "$@"

command -v shellcheck >/dev/null || { echo "shell: skipped, no shellcheck"; exit 77; }

every_file | grep -E '^(bootstrap|\.ci/run|.*\.sh)$' >"$lint_tmp/files"
tr '\n' '\0' <"$lint_tmp/files" | xargs -0 shellcheck -f gcc >"$lint_tmp/out"
sed -E 's/^([^:]+:[0-9]+):[0-9]+:/\1:/' "$lint_tmp/out" >"$lint_tmp/breaches"

lint_end "files: $(($(wc -l <"$lint_tmp/files")))"
