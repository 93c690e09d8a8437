#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sysroot.sh ARCH DIR: the libraries of Debian that a static npuscope is linked with, for ARCH (amd64,
# arm64), below DIR. No root is needed, and nothing is installed: packages are fetched by apt, checked by its
# keys, and unpacked. cJSON and cmocka, of which Debian has no static libraries, are compiled from their
# source packages, and so is libarchive, without what npuscope does not use of it: nettle (LGPL), libxml2, acl.
# DIR/packages lists what is linked: package, version, source package, its version, SHA-256 of what was fetched.
#
# The C library and its headers are here, too, so that a file does not depend on what the host has of it.
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

packages='libc6-dev linux-libc-dev libncurses-dev libsqlite3-dev libpcre2-dev zlib1g-dev libzstd-dev liblzma-dev
    libbz2-dev'
sources='cjson cmocka libarchive'

mkdir -p "$dir/fetched" "$dir/root"
dir=$(cd "$dir" && pwd)
apt=$(cd "$(dirname "$0")" && pwd)/apt.sh
sum() {
    sha256sum "$1" | cut -d ' ' -f 1
}
rm -f "$dir"/fetched/*.deb "$dir"/fetched/*.dsc
# shellcheck disable=SC2086 # a list of words
sh "$apt" "$arch" "$dir" download $packages ncurses-base ncurses-term
# shellcheck disable=SC2086
sh "$apt" "$arch" "$dir" source --download-only $sources
cd "$dir/fetched"
for deb in *.deb; do
    dpkg-deb -x "$deb" "$dir/root"
    # shellcheck disable=SC2016 # dpkg expands it
    dpkg-deb -W --showformat='${Package} ${Version} ${source:Package} ${source:Version}' "$deb"
    echo " $(sum "$deb")"
done >"$dir/packages.new"
for name in $sources; do
    rm -rf "${dir:?}/$name"
    dpkg-source -x "${name}_"*.dsc "$dir/$name" >/dev/null
    mkdir -p "$dir/root/usr/share/doc/$name"
    cp "$dir/$name/debian/copyright" "$dir/root/usr/share/doc/$name/"
    v=$(sed -n 's/^Version: //p' "${name}_"*.dsc)
    echo "$name $v $name $v $(sum "${name}_"*.dsc)"
done >>"$dir/packages.new"
# Whose terms are told by another package.
find "$dir/root/usr/share/doc" -mindepth 1 -maxdepth 1 -xtype l | while read -r link; do
    name=$(basename "$(readlink "$link")")
    rm -rf "$dir/told"
    mkdir -p "$dir/told"
    sh "$apt" "$arch" "$dir" download "$name" >/dev/null </dev/null
    dpkg-deb -x "$dir/fetched/${name}"_*.deb "$dir/told"
    mkdir -p "$dir/root/usr/share/doc/$name"
    cp "$dir/told/usr/share/doc/$name/copyright" "$dir/root/usr/share/doc/$name/"
done
# The compiler's own part.
libgcc=$(${CC:-cc} -print-libgcc-file-name)
package=$(dpkg -S "$(realpath "$libgcc")" | cut -d : -f 1)
mkdir -p "$dir/root/usr/share/doc/$package"
cp "/usr/share/doc/$package/copyright" "$dir/root/usr/share/doc/$package/"
# shellcheck disable=SC2016 # dpkg expands it
dpkg-query -W --showformat='${Package} ${Version} ${source:Package} ${source:Version}' "$package" >>"$dir/packages.new"
echo " $(sum "$libgcc")" >>"$dir/packages.new"

root=$dir/root/usr
lib=$root/lib/$triplet
# The linker would prefer shared libraries.
find "$lib" -name '*.so*' -delete
flags="-O2 -fPIE -fstack-protector-strong -ffile-prefix-map=$dir=."
archive() { # NAME FILE FLAG...
    name=$1 file=$2
    shift 2
    # shellcheck disable=SC2086 # a list of words
    ${CC:-cc} --sysroot="$dir/root" $flags "$@" -c -o "$dir/$name.o" "$file"
    ${AR:-ar} crD "$lib/lib$name.a" "$dir/$name.o"
}
archive cjson "$dir/cjson/cJSON.c" -D_FORTIFY_SOURCE=2
archive cmocka "$dir/cmocka/src/cmocka.c" "-I$dir/cmocka/include" -DHAVE_INTTYPES_H -DHAVE_STDINT_H -DHAVE_STRUCT_TIMESPEC \
    -DHAVE_SIGNAL_H -DHAVE_MALLOC_H -DHAVE_TIME_H -DHAVE_CLOCK_REALTIME -DHAVE_UNISTD_H -DHAVE_STRINGS_H
mkdir -p "$root/include/cjson"
cp "$dir/cjson/cJSON.h" "$root/include/cjson/"
cp "$dir/cmocka/include/cmocka.h" "$root/include/"

# Of libarchive: tar and zip, with gzip, bzip2, xz and zstd.
cd "$dir/libarchive"
{
    ./configure -q --host="$triplet" --disable-shared --disable-bsdtar --disable-bsdcpio --disable-bsdcat --disable-acl --disable-xattr \
        --without-nettle --without-openssl --without-mbedtls --without-xml2 --without-expat --without-lz4 --without-lzo2 --without-libb2 \
        --without-cng --without-iconv CC="${CC:-cc} --sysroot=$dir/root" AR="${AR:-ar}" CFLAGS="$flags -ffunction-sections -fdata-sections" \
        CPPFLAGS=-D_FORTIFY_SOURCE=2 LDFLAGS=-static
    make -s -j"${JOBS:-2}" ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=: libarchive.la # Debian patches its tests
} >"$dir/libarchive.log" 2>&1 || { tail -n 30 "$dir/libarchive.log" >&2; exit 1; }
cp .libs/libarchive.a "$lib/"
cp libarchive/archive.h libarchive/archive_entry.h "$root/include/"

# Nothing unwinds: 0.3 MB of tables that would be in the file.
for name in ncursesw tinfo sqlite3 pcre2-8 z zstd lzma bz2 archive cjson; do
    ${OBJCOPY:-objcopy} -D --remove-section .eh_frame --remove-section .rela.eh_frame "$lib/lib$name.a"
done
mv "$dir/packages.new" "$dir/packages"
