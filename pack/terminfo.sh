#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# terminfo.sh ROOT NAME...: compiled terminfo entries (term(5)) below ROOT as tables in C, on standard
# output, for ui/widget/term_builtin.c.
set -eu
root=$1
shift
echo "/* Made by pack/terminfo.sh. */"
n=0
for name in "$@"; do
    file=
    for folder in "$root"/usr/share/terminfo "$root"/lib/terminfo; do
        at=$folder/$(echo "$name" | cut -c1)/$name
        [ ! -f "$at" ] || file=$at
    done
    [ -n "$file" ] || { echo "terminfo.sh: no entry $name below $root" >&2; exit 1; }
    n=$((n + 1))
    echo "static const unsigned char entry_${n}[] = {"
    od -An -v -tu1 "$file" | sed 's/  */, /g; s/^, /    /; s/$/,/'
    echo "};"
done
echo "static const struct builtin builtins[] = {"
n=0
for name in "$@"; do
    n=$((n + 1))
    echo "    { \"$name\", entry_$n, sizeof entry_$n },"
done
echo "};"
