#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# npuscope.pot anew, of what is marked in the sources and what tables of the program hold, and catalogues brought up to it
# (msgmerge of gettext), each text in one line (join.awk). Run by `make update-po` in the build folder; with -p the .pot is
# printed and nothing written.
#
#   update.sh [-p] SRCDIR       MSGIDS: the program that reads the tables; empty: without it
set -eu
LC_ALL=C
export LC_ALL
print=
[ "$1" != -p ] || { print=yes; shift; }
src=$1
tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-po.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

(cd "$src" && find src parsers ui -name '*.c' -o -name '*.h' | grep -v '^src/base/lang/tr\.[ch]$' | sort |
    xargs awk -v keep_strings=1 -f tests/lint/strip.awk | awk -f po/collect.awk) >"$tmp/msgids"
[ -z "${MSGIDS=po/msgids}" ] || "$MSGIDS" >>"$tmp/msgids"

# One entry for each context and msgid, in their order; the first place is named.
{
    printf '%s\n' '# SPDX-License-Identifier: Apache-2.0' 'msgid ""' 'msgstr ""' '"Project-Id-Version: npuscope\n"' \
        '"MIME-Version: 1.0\n"' '"Content-Type: text/plain; charset=UTF-8\n"' '"Content-Transfer-Encoding: 8bit\n"'
    awk -F '\t' '!seen[$1 FS $2]++' "$tmp/msgids" | awk -F '\t' '{
        file = $3
        sub(/:[0-9]+$/, "", file) # lines of sources would change the file with each commit
        print "\n#: " file
        if ($2 ~ /%[-+0-9.*$]*[lhzj]*[a-zA-Z]/ && file ~ /\.[ch]$|^checks$/) print "#, c-format"
        if ($1 != "") print "msgctxt \"" $1 "\""
        print "msgid \"" $2 "\"\nmsgstr \"\""
    }'
} >"$tmp/npuscope.pot"
if [ -n "$print" ]; then
    cat "$tmp/npuscope.pot"
    exit 0
fi
cp "$tmp/npuscope.pot" "$src/po/npuscope.pot"
for po in "$src"/po/*.po; do
    msgmerge --quiet --no-fuzzy-matching --no-wrap --backup=none --update "$po" "$src/po/npuscope.pot"
    msgattrib --no-obsolete --no-wrap -o "$tmp/po" "$po"
    awk -f "$src/po/join.awk" "$tmp/po" >"$po"
done
