#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ./bootstrap where tools are missing: it names them, and neither leaves a half-made configure nor uses one.
# In a copy of what makes configure, with a PATH that has only what it is given.
set -u
from=$(cd "${top_srcdir:-.}" && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-bootstrap-XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
mkdir "$tmp/bin" "$tmp/src" "$tmp/none" "$tmp/src/m4"
for tool in sh cat dirname find grep head id make mkdir printf rm sed tail tr cc gcc as ld; do
    at=$(command -v "$tool") && ln -s "$at" "$tmp/bin/$tool"
done
cp "$from/bootstrap" "$from/configure.ac" "$from/Makefile.am" "$tmp/src" || exit 99
cd "$tmp/src" || exit 99
mkdir src parsers ui tests man doc

# says STATUS TEXT ARG...: bootstrap's status, and what it says
says() {
    want=$1 text=$2
    shift 2
    PATH=$tmp/bin ./bootstrap "$@" >"$tmp/said" 2>&1
    got=$?
    [ $got -eq "$want" ] && grep -q -e "$text" "$tmp/said" && return
    echo "bootstrap $*: status $got, wanted $want and '$text'; it says"
    sed 's/^/    /' "$tmp/said"
    failed=1
}
no_configure() {
    [ ! -e configure ] || { echo "$1: a configure is left"; failed=1; }
}

says 1 'missing: pkg-config autoreconf automake'
no_configure "without tools"
# Tools that are there and fail in the middle.
for tool in pkg-config automake; do
    printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/$tool"
done
printf '#!/bin/sh\necho PKG_PROG_PKG_CONFIG >configure\nexit 1\n' >"$tmp/bin/autoreconf"
chmod +x "$tmp/bin/pkg-config" "$tmp/bin/automake" "$tmp/bin/autoreconf"
says 1 'autoreconf failed, no configure was made'
no_configure "after a failure"
printf '#!/bin/sh\necho PKG_PROG_PKG_CONFIG >configure\n' >"$tmp/bin/autoreconf"
says 1 'no configure that can be used'
no_configure "after macros that were not expanded"

# One that is there and newer than all, but cannot be used, is made anew: that needs the tools.
rm "$tmp/bin/autoreconf"
for half in 'PKG_PROG_PKG_CONFIG' '#!/bin/sh' ''; do
    echo "$half" >configure
    : >Makefile.in
    says 1 'missing:.* autoreconf' run
done

# Also without bootstrap autoconf does not leave the macros of pkg-config as they are.
if command -v aclocal >/dev/null && command -v autoconf >/dev/null; then
    rm -f configure
    aclocal --system-acdir="$tmp/none" >"$tmp/said" 2>&1
    if autoconf >>"$tmp/said" 2>&1 || ! grep -q 'install pkg-config' "$tmp/said"; then
        echo "autoconf takes macros of pkg-config that are missing"
        sed 's/^/    /' "$tmp/said"
        failed=1
    fi
fi
exit $failed
