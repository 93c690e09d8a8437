#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sysroot.sh ARCH DIR: the libraries of Debian that a static npuscope is linked with, for ARCH (amd64,
# arm64), below DIR. No root is needed, and nothing is installed: packages are fetched by apt, checked by its
# keys, and unpacked. cJSON and cmocka, of which Debian has no static libraries, are compiled from their
# source packages. DIR/packages lists names and versions.
#
# They come from where this machine's apt has its own from.
set -eu
arch=$1 dir=$2
case $arch in
amd64) triplet=x86_64-linux-gnu ;;
arm64) triplet=aarch64-linux-gnu ;;
*) echo "sysroot.sh: amd64 or arm64, not $arch" >&2; exit 2 ;;
esac
[ ! -s "$dir/packages" ] || exit 0

packages='libncurses-dev libsqlite3-dev libpcre2-dev zlib1g-dev libarchive-dev libzstd-dev liblzma-dev libbz2-dev
    nettle-dev'

mkdir -p "$dir/fetched" "$dir/root"
dir=$(cd "$dir" && pwd)
apt=$(cd "$(dirname "$0")" && pwd)/apt.sh
# shellcheck disable=SC2086 # a list of words
sh "$apt" "$arch" "$dir" download $packages ncurses-base ncurses-term
sh "$apt" "$arch" "$dir" source --download-only cjson cmocka
cd "$dir/fetched"
for deb in *.deb; do
    dpkg-deb -x "$deb" "$dir/root"
    # shellcheck disable=SC2016 # dpkg expands it
    dpkg-deb -W --showformat='${Package} ${Version}\n' "$deb"
done >"$dir/packages.new"
for name in cjson cmocka; do
    rm -rf "${dir:?}/$name"
    dpkg-source -x ${name}_*.dsc "$dir/$name" >/dev/null
    echo "$name $(sed -n 's/^Version: //p' ${name}_*.dsc)"
done >>"$dir/packages.new"

root=$dir/root/usr
lib=$root/lib/$triplet
# The linker would prefer shared libraries.
find "$lib" -name '*.so*' -delete
archive() { # NAME FILE FLAG...
    name=$1 file=$2
    shift 2
    ${CC:-cc} -O2 -fPIE -fstack-protector-strong "-ffile-prefix-map=$dir=." "$@" -c -o "$dir/$name.o" "$file"
    ${AR:-ar} crD "$lib/lib$name.a" "$dir/$name.o"
}
archive cjson "$dir/cjson/cJSON.c" -D_FORTIFY_SOURCE=2
archive cmocka "$dir/cmocka/src/cmocka.c" "-I$dir/cmocka/include" -DHAVE_INTTYPES_H -DHAVE_STDINT_H -DHAVE_STRUCT_TIMESPEC \
    -DHAVE_SIGNAL_H -DHAVE_MALLOC_H -DHAVE_TIME_H -DHAVE_CLOCK_REALTIME -DHAVE_UNISTD_H -DHAVE_STRINGS_H
mkdir -p "$root/include/cjson"
cp "$dir/cjson/cJSON.h" "$root/include/cjson/"
cp "$dir/cmocka/include/cmocka.h" "$root/include/"
mv "$dir/packages.new" "$dir/packages"
