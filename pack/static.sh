#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# static.sh SOURCE VERSION [ARCH]: builds ./npuscope-VERSION-linux-MACHINE, one file that needs nothing
# beside it, for ARCH (amd64, arm64; default: this machine's). Libraries come from Debian (sysroot.sh); trees
# are kept in ./static/ARCH.
#
# Two builds are equal byte for byte, wherever they are made, while compiler and packages are.
set -eu
source=$(cd "$1" && pwd) version=$2 host=$(dpkg --print-architecture)
arch=${3:-$host}
case $arch in
amd64) machine=x86_64 ;;
arm64) machine=aarch64 ;;
*) echo "static.sh: amd64 or arm64, not $arch" >&2; exit 2 ;;
esac
triplet=$machine-linux-gnu
prefix=
[ "$arch" = "$host" ] || prefix=$triplet-
command -v "${prefix}gcc" >/dev/null || { echo "static.sh: needs ${prefix}gcc" >&2; exit 1; }

mkdir -p "static/$arch/build"
work=$PWD
sys=$work/static/$arch/sys
CC=${prefix}gcc AR=${prefix}ar OBJCOPY=${prefix}objcopy sh "$source/pack/sysroot.sh" "$arch" "$sys"
lib=$sys/root/usr/lib/$triplet

set -- CC="${CCACHE:+ccache }${prefix}gcc --sysroot=$sys/root" AR="${prefix}ar" RANLIB="${prefix}ranlib" \
    CFLAGS="-O2 -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables -ffile-prefix-map=$source=. -ffile-prefix-map=$work=." \
    LDFLAGS="-static-pie -L$lib -Wl,-z,pack-relative-relocs -Wl,-Map=npuscope.map" \
    NCURSES_CFLAGS=-D_GNU_SOURCE NCURSES_LIBS='-lncursesw -ltinfo' SQLITE_CFLAGS=' ' SQLITE_LIBS='-lsqlite3 -lm' \
    PCRE2_CFLAGS=' ' PCRE2_LIBS=-lpcre2-8 CJSON_CFLAGS="-I$sys/root/usr/include/cjson" CJSON_LIBS=-lcjson ZLIB_CFLAGS=' ' ZLIB_LIBS=-lz \
    LIBARCHIVE_CFLAGS=' ' LIBARCHIVE_LIBS='-larchive -llzma -lzstd -lbz2 -lz' CMOCKA_CFLAGS=' ' CMOCKA_LIBS=-lcmocka
if [ -n "$prefix" ]; then
    set -- --build=x86_64-linux-gnu --host="$triplet" "$@"
    [ "$host" = amd64 ] || set -- --build=aarch64-linux-gnu "$@"
fi
cd "static/$arch/build"
[ -f Makefile ] || "$source/configure" -q --enable-static-program --with-terminfo="$sys/root" "$@"
make -s -j"${JOBS:-2}" npuscope
"${prefix}strip" -o "$work/npuscope-$version-linux-$machine" npuscope
cd "$work"
ls -l "npuscope-$version-linux-$machine"
