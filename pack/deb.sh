#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb.sh TARBALL VERSION: builds the package of Debian from a release's tarball; *.deb, *.changes and
# *.buildinfo come into this folder. DEBFULLNAME and DEBEMAIL name the maintainer, SOURCE_DATE_EPOCH the
# date, DEB_BUILD_OPTIONS is that of dpkg-buildpackage (nocheck leaves out the unit tests).
set -eu
tarball=$(realpath "$1") version=$2 here=$PWD
date=$(date -Ru -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")
who="${DEBFULLNAME:-The npuscope authors} <${DEBEMAIL:-npuscope@$(hostname -f)}>"
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-deb-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cp "$tarball" "$work/npuscope_$version.orig.tar.xz"
tar -xf "$tarball" -C "$work"
cd "$work/npuscope-$version"
cp -r pack/debian debian
sed -i "s|@VERSION@|$version|; s|@MAINTAINER@|$who|; s|@DATE@|$date|" debian/control debian/changelog
dpkg-buildpackage -us -uc -j"${JOBS:-2}"
cd ..
rm -f ./*.orig.tar.xz
cp ./npuscope*_* "$here/"
