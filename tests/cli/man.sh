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

# The Chinese pages: no complaint either, every item of the English ones, and no sentence in English.
mkdir "$tmp/zh"
for page in npuscope.1 npuscope-config.5 npuscope-query.5 npuscope-records.5; do
    zh=$tmp/zh/$page
    LC_ALL=zh_CN.UTF-8 "$npuscope" help --utf8 --man="${page%.*}" -o "$zh" || exit 1
    for language in "$tmp/$page" "$zh"; do
        LC_ALL=C grep '^\.It' "$language" | LC_ALL=C grep -v '[^[:print:]]' | LC_ALL=C sort >"$language.items"
    done
    # What has a name in Chinese is among the items of the English page alone.
    LC_ALL=C comm -13 "$tmp/$page.items" "$zh.items" >"$tmp/differ"
    [ ! -s "$tmp/differ" ] || { echo "$page: items of the Chinese page alone:"; cat "$tmp/differ"; failed=1; }
    [ "$(grep -c '^\.It' "$tmp/$page")" -eq "$(grep -c '^\.It' "$zh")" ] || { echo "$page: the Chinese page has other items"; failed=1; }
    [ "$(wc -l <"$zh.items")" -gt 20 ] || { echo "$page: only $(wc -l <"$zh.items") items"; failed=1; }
    if command -v mandoc >/dev/null 2>&1; then
        mandoc -Tlint "$zh" 2>&1 | grep -v 'referenced manual not found: Xr npuscope' >"$tmp/lint" && {
            cat "$tmp/lint"
            failed=1
        }
    fi
    grep -nE '(^|[^-A-Za-z.])(a|an|the|is|are|of|to|in|not|and|with|no|it) [a-z]+([ ,.:;)]|$)' "$zh" |
        grep -v 'why is step 20\|^[0-9]*:\.\|^[0-9]*:slow\|^[0-9]*:\(says\|next\) = ' >"$tmp/left"
    [ ! -s "$tmp/left" ] || { echo "$page: left in English:"; cat "$tmp/left"; failed=1; }
done

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
