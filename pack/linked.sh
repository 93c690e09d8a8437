#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# linked.sh ARCH...: what is linked into the static files of these machines, by what the linker wrote about it
# (static/ARCH/build/npuscope.map): a line for each source package and version: name, version, licence by its name in SPDX,
# machine, package with the copyright, SHA-256 of it (of the compiler's part: of libgcc.a). An archive that is not known here is an error.
set -eu

# owner ARCHIVE: the source package it comes from. "-": a part of npuscope.
owner() {
    case $1 in
    libc.a | libm.a | libm-*.a | libmvec.a) echo glibc ;;
    libgcc.a | libgcc_eh.a) echo gcc ;;
    libncursesw.a | libtinfo.a) echo ncurses ;;
    libsqlite3.a) echo sqlite3 ;;
    libpcre2-8.a) echo pcre2 ;;
    libz.a) echo zlib ;;
    libzstd.a) echo libzstd ;;
    liblzma.a) echo xz-utils ;;
    libbz2.a) echo bzip2 ;;
    libarchive.a) echo libarchive ;;
    libcjson.a) echo cjson ;;
    *) [ -f "static/$arch/build/$1" ] && echo - ;;
    esac
}

licence() {
    case $1 in
    glibc) echo LGPL-2.1-or-later ;;
    gcc) echo GPL-3.0-or-later WITH GCC-exception-3.1 ;;
    ncurses) echo X11-distribute-modifications-variant ;;
    sqlite3) echo blessing ;;
    pcre2 | libzstd) echo BSD-3-Clause ;;
    zlib) echo Zlib ;;
    xz-utils) echo LicenseRef-xz-public-domain ;;
    bzip2) echo bzip2-1.0.6 ;;
    libarchive) echo BSD-2-Clause ;;
    cjson) echo MIT ;;
    esac
}

for arch in "$@"; do
    map=static/$arch/build/npuscope.map
    [ -s "$map" ] || { echo "linked.sh: no $map" >&2; exit 1; }
    # "DIR/libx.a(member.o)" at the beginning of a line: a member that was taken.
    sed -nE 's|^([^ ]*/)?(lib[^/ ]*\.a)\(.*|\2|p' "$map" | sort -u >"static/$arch/archives"
    [ -s "static/$arch/archives" ] || { echo "linked.sh: $map names no archives" >&2; exit 1; }
    while read -r archive; do
        name=$(owner "$archive") || { echo "linked.sh: whose is $archive?" >&2; exit 1; }
        [ "$name" = - ] || echo "$name"
    done <"static/$arch/archives" >"static/$arch/owners"
    sort -u -o "static/$arch/owners" "static/$arch/owners"
    while read -r name; do
        line=$(awk -v name="$name" '$3 == name || (name == "gcc" && $1 ~ /^libgcc-/) { print $3, $4, $1 "|" $5; exit }' "static/$arch/sys/packages")
        [ -n "$line" ] || { echo "linked.sh: no package $name" >&2; exit 1; }
        terms=$(licence "$name")
        [ -n "$terms" ] || { echo "linked.sh: under which terms is $name?" >&2; exit 1; }
        echo "$line" | sed "s/^\([^ ]*\) \([^ ]*\) \(.*\)/\1|\2|$terms|$arch|\3/"
    done <"static/$arch/owners"
done
