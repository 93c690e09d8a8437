#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual pages as the program makes them: no complaint by mandoc, every option and
# command is in them, and the commands it begins with work.
set -u
npuscope=${NPUSCOPE:-${top_builddir:-.}/npuscope}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-man-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

for page in npuscope.1 npuscope-config.5 npuscope-query.5 npuscope-records.5; do
    "$npuscope" help --man="${page%.*}" -o "$tmp/$page" || exit 1
done

if command -v mandoc >/dev/null 2>&1; then
    # That the pages refer to each other is no mistake while they are not installed.
    mandoc -Tlint "$tmp"/npuscope*.[15] 2>&1 |
        grep -v 'referenced manual not found: Xr npuscope' >"$tmp/lint" && {
        cat "$tmp/lint"
        failed=1
    }
    mandoc -Tutf8 "$tmp/npuscope.1" | sed 's/.\x08//g' >"$tmp/page.txt"
    for option in $("$npuscope" help | grep -oE ' --[a-z0-9-]+' | sort -u); do
        grep -qF -e "$option" "$tmp/page.txt" || { echo "npuscope.1 says nothing of $option"; failed=1; }
    done
    for command in $("$npuscope" help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\).*/\1/p'); do
        grep -qE "^     $command( |\$)" "$tmp/page.txt" ||
            { echo "npuscope.1 says nothing of $command"; failed=1; }
    done
else
    echo "man: the pages are not looked at, no mandoc"
fi

# -h fits a terminal of 80x24, names every command and where more is said; of a command it has every option of its own.
"$npuscope" -h >"$tmp/brief" || failed=1
[ "$(wc -l <"$tmp/brief")" -le 24 ] || { echo "-h has $(wc -l <"$tmp/brief") lines"; failed=1; }
! grep -E '.{81}' "$tmp/brief" || { echo "-h has lines of more than 80 columns"; failed=1; }
for command in $("$npuscope" --help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\).*/\1/p'); do
    grep -qw "$command" "$tmp/brief" || { echo "-h does not name $command"; failed=1; }
done
[ "$("$npuscope" --help | wc -l)" -gt 100 ] || { echo "--help is short"; failed=1; }
for command in ops timeline demo; do
    "$npuscope" help $command | sed '/^Options of all commands/,$d' | grep -oE '^  (-[A-Za-z],|   ) --[a-z0-9-]+' | sort >"$tmp/all"
    "$npuscope" $command -h | grep -oE '^  (-[A-Za-z],|   ) --[a-z0-9-]+' | sort | cmp -s - "$tmp/all" ||
        { echo "$command -h has other options than help $command"; failed=1; }
    [ "$("$npuscope" $command -h | wc -l)" -lt "$("$npuscope" help $command | wc -l)" ] ||
        { echo "$command -h is as long as help $command"; failed=1; }
done

# The Chinese page: no complaint either, and every command, option and key of the English one.
zh=${top_srcdir:-.}/man/zh_CN/man1/npuscope.1
if command -v mandoc >/dev/null 2>&1; then
    mandoc -Tlint "$zh" 2>&1 | grep -v 'referenced manual not found: Xr npuscope' >"$tmp/lint" && {
        cat "$tmp/lint"
        failed=1
    }
fi
items() { # SECTION PAGE
    sed -n "/^\.Sh $1\$/,/^\.Sh SWITCHES\|^\.Sh ENVIRONMENT/{/^\.Sh \($1\|OPTIONS\|KEYS\)\$/!{/^\.It/p;};}" "$2" | sort -u
}
items COMMANDS "$tmp/npuscope.1" >"$tmp/en.items"
items COMMANDS "$zh" | comm -3 "$tmp/en.items" - >"$tmp/differ"
[ "$(wc -l <"$tmp/en.items")" -gt 150 ] || { echo "items: only $(wc -l <"$tmp/en.items")"; failed=1; }
[ ! -s "$tmp/differ" ] || { echo "npuscope.1 and its Chinese page differ (English left, Chinese right):"; cat "$tmp/differ"; failed=1; }

# The ten commands with which npuscope(1) begins do what they promise.
mkdir "$tmp/runs" && "$npuscope" demo -q --ranks=2 --steps=2 --size=2000 "$tmp/runs/resnet50" || exit 1
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
sed -n '/^\.Sh TEN PROBLEMS/,/^\.El/s/^\.It Sy "\\&\(.*\)"$/\1/p' "$tmp/npuscope.1" | sed 's/\\-/-/g; s/^npuscope //' >"$tmp/ten"
[ "$(wc -l <"$tmp/ten")" -eq 10 ] || { echo "there are not ten"; cat "$tmp/ten"; failed=1; }
while read -r command; do
    case $command in runs/*) command="report $command" ;; esac # the first is the screen's
    # shellcheck disable=SC2086 # words
    (cd "$tmp" && "$npuscope" $command >out 2>err </dev/null) || { echo "npuscope $command: status $?"; cat "$tmp/err"; failed=1; }
    [ -s "$tmp/out" ] || { echo "npuscope $command: printed nothing"; failed=1; }
done <"$tmp/ten"

exit $failed
