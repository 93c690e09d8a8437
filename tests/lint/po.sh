#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Languages: what the screen says is in po/npuscope.pot, nothing is drawn that did not go through tr() (po/bare.awk), and
# every catalogue has all of it, with the same directives and blanks (doc/architecture.md#languages). The tables of the
# program are read by po/msgids of the build; without a build only what is marked in the sources is compared.
. "$(dirname "$0")/lib.sh"
builddir=${top_builddir:+$(cd "$top_builddir" && pwd)}
lint_begin po "$@"

entries() {
    awk '/^msgctxt / { context = $0 } /^msgid / { print context " " $0; context = "" }' "$1" | sort
}

msgids=
[ -z "$builddir" ] || [ ! -x "$builddir/po/msgids" ] || msgids=$builddir/po/msgids
MSGIDS=$msgids sh po/update.sh -p . >"$lint_tmp/now" || exit 99
entries "$lint_tmp/now" >"$lint_tmp/now.ids"
entries po/npuscope.pot >"$lint_tmp/pot.ids"
comm -23 "$lint_tmp/now.ids" "$lint_tmp/pot.ids" |
    sed 's|^|po/npuscope.pot:1: lacks a text of the program (make update-po):|' >>"$lint_tmp/breaches"
[ -z "$msgids" ] || comm -13 "$lint_tmp/now.ids" "$lint_tmp/pot.ids" |
    sed 's|^|po/npuscope.pot:1: no text of the program (make update-po):|' >>"$lint_tmp/breaches"

find ui -name '*.c' | sort | xargs awk -v keep_strings=1 -f tests/lint/strip.awk | awk -f po/bare.awk >>"$lint_tmp/breaches"

for po in po/*.po; do
    awk -f po/check.awk po/npuscope.pot "$po" >>"$lint_tmp/breaches"
    ! command -v msgfmt >"$lint_tmp/which" || msgfmt --check-format -o "$lint_tmp/mo" "$po" 2>>"$lint_tmp/breaches" || :
done

lint_end "texts: $(($(wc -l <"$lint_tmp/pot.ids"))), tables: $([ -n "$msgids" ] && echo read || echo not built)"
