#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# release.sh SOURCE VERSION TARBALL: all of a release in ./release: TARBALL, static files of both machines and the source of
# the C library in them, packages of Debian and RPM, what is in the static files (SPDX 2.3) and under which terms, sums.
# SIGN_KEY: a key of gpg that signs the sums.
#
# What cannot be made here is said, and the status is 1; RELEASE_WITHOUT is a list of what is to be left out: amd64, arm64,
# libc-source, deb, rpm. CJSON, DEB_BUILD_OPTIONS and RPM_OPTIONS are those of deb.sh and rpm.sh. Files of an earlier release
# in the folder go.
set -eu
source=$(cd "$1" && pwd) version=$2 tarball=$(realpath "$3") pack=$(cd "$(dirname "$0")" && pwd) here=$PWD
SOURCE_DATE_EPOCH=$(sh "$pack/epoch.sh" "$source")
export SOURCE_DATE_EPOCH
umask 022
rm -rf release release.made
mkdir release release.made
missing=

# make_part NAME "TOOL..." CMD...: runs CMD unless NAME is to be left out or a tool is not there.
make_part() {
    name=$1 tools=$2
    shift 2
    case " ${RELEASE_WITHOUT:-} " in
    *" $name "*)
        echo "release: $name: left out, as asked"
        return 0
        ;;
    esac
    for tool in $tools; do
        command -v "$tool" >/dev/null || {
            echo "release: $name: left out, no $tool"
            missing="$missing $name"
            return 0
        }
    done
    echo "release: $name"
    "$@"
}

# compiler ARCH: its compiler's name here.
compiler() {
    case $1 in
    "$(dpkg --print-architecture 2>/dev/null || :)") echo gcc ;;
    amd64) echo x86_64-linux-gnu-gcc ;;
    arm64) echo aarch64-linux-gnu-gcc ;;
    esac
}

linked=
static() {
    sh "$pack/static.sh" "$source" "$version" "$1"
    linked="$linked $1"
}

# Of the static files, in the version that is in them (the LGPL asks for it): exactly what Debian's package was built from.
libc_source() {
    for arch in $linked; do
        v=$(awk '$3 == "glibc" { print $4; exit }' "static/$arch/sys/packages")
        [ ! -f "release/npuscope-$version-glibc-$v-source.tar" ] || continue
        rm -rf "$here/static/$arch/libc-source"
        mkdir "$here/static/$arch/libc-source"
        sh "$pack/apt.sh" "$arch" "static/$arch/sys" source --download-only "glibc=$v"
        cp "static/$arch/sys/fetched/glibc_"* "static/$arch/libc-source/"
        (cd "static/$arch/libc-source" &&
            tar --sort=name --owner=0 --group=0 --numeric-owner --mode=644 --mtime="@$SOURCE_DATE_EPOCH" --format=ustar \
                -cf "$here/release/npuscope-$version-glibc-$v-source.tar" ./*)
    done
}

deb() {
    (cd release.made && sh "$pack/deb.sh" "$tarball" "$version")
    cp release.made/npuscope_*.deb release/
}

# A package built on Debian has Debian's libraries; its source package is for everybody.
rpm_package() {
    (cd release.made && sh "$pack/rpm.sh" "$tarball" "$version" ${CJSON:+"$CJSON"})
    cp release.made/npuscope-*.src.rpm release/
    command -v dpkg >/dev/null || cp release.made/npuscope-*.rpm release/
}

cp "$tarball" release/
for arch in amd64 arm64; do
    cc=$(compiler $arch)
    make_part $arch "apt-get dpkg-source ${cc:-gcc-of-Debian}" static $arch
done
for arch in $linked; do
    case $arch in amd64) machine=x86_64 ;; arm64) machine=aarch64 ;; esac
    cp "npuscope-$version-linux-$machine" release/
done
[ -z "$linked" ] || make_part libc-source apt-get libc_source
make_part deb "dpkg-buildpackage dh" deb
make_part rpm rpmbuild rpm_package
rm -rf release.made
# shellcheck disable=SC2086 # a list of words
[ -z "$linked" ] || sh "$pack/third_party.sh" $linked >"release/npuscope-$version-THIRD-PARTY.txt"
chmod 644 release/*
chmod 755 release/npuscope-*-linux-* 2>/dev/null || :
# shellcheck disable=SC2086
sh "$pack/sbom.sh" "$version" release $linked >release.spdx
mv release.spdx "release/npuscope-$version.spdx"
(cd release && sha256sum ./* | sed 's, \./, ,' >../release.sums && mv ../release.sums SHA256SUMS)
if [ -n "${SIGN_KEY:-}" ]; then
    gpg --batch --yes --local-user "$SIGN_KEY" --armor --detach-sign --output release/SHA256SUMS.asc release/SHA256SUMS
fi
ls -l release
[ -z "$missing" ] || { echo "release: not whole:$missing is missing"; exit 1; }
