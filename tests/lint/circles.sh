#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No circle of files (circles.awk): what calls each other in a circle can only be understood together.
. "$(dirname "$0")/lib.sh"
lint_begin circles "$@"

sources c h >"$lint_tmp/files"
[ -s "$lint_tmp/files" ] || { echo "circles: no C files under $tree"; exit 1; }

# The circles there may be: all files of one belong to these folders. A line is a pattern of paths, then the
# reason.
cat >"$lint_tmp/allowed" <<'END'
^ui/(app|pane)/ the program shows its panes, and a pane asks, says and goes through the program: prompts, menus, other panes, ranks
END

# Names of headers lie in literals, those that code uses do not.
include='^[^:]+:[0-9]+:[[:space:]]*#[[:space:]]*include'
xargs awk -v keep_strings=1 -f "$lint_dir/strip.awk" <"$lint_tmp/files" | grep -E "$include" >"$lint_tmp/code"
xargs awk -f "$lint_dir/strip.awk" <"$lint_tmp/files" | grep -vE "$include" >>"$lint_tmp/code"

awk -f "$lint_dir/circles.awk" pass=1 "$lint_tmp/code" pass=2 "$lint_tmp/code" >"$lint_tmp/circles" || exit 99
allowed=0
while IFS= read -r circle; do
    while read -r pattern reason; do
        # shellcheck disable=SC2086
        if [ -n "$reason" ] && ! printf '%s\n' $circle | grep -qvE "$pattern"; then
            allowed=$((allowed + 1))
            continue 2
        fi
    done <"$lint_tmp/allowed"
    echo "${circle%% *}:1: in a circle: $circle" >>"$lint_tmp/breaches"
done <"$lint_tmp/circles"

lint_end "files: $(($(wc -l <"$lint_tmp/files"))), circles with a reason: $allowed"
