#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_rpm.sh TARBALL VERSION: builds the package of RPM with its unit tests, and once more with cJSON inside,
# whose source is Debian's; tries both.
set -eu
tarball=$(realpath "$1") version=$2 pack=$(cd "$(dirname "$0")" && pwd)
mkdir -p rpm/plain rpm/bundled
rm -f rpm/*/*.rpm
cd rpm
sh "$pack/apt.sh" "$(dpkg --print-architecture)" apt source --download-only cjson
(cd plain && sh "$pack/rpm.sh" "$tarball" "$version")
(cd bundled && RPM_OPTIONS=--without=check sh "$pack/rpm.sh" "$tarball" "$version" ../apt/fetched/cjson_*.orig.tar.gz)
machine=$(uname -m)
for way in plain bundled; do
    rpm -qp --requires "$way/npuscope-$version-1.$machine.rpm" >$way/requires
done
grep -q libcjson plain/requires || { echo "no need of cJSON"; exit 1; }
! grep libcjson bundled/requires || { echo "cJSON is not inside"; exit 1; }
for way in plain bundled; do
    sh "$pack/try_rpm.sh" "$way/npuscope-$version-1.$machine.rpm"
    sh "$pack/try_rpm.sh" --lint "$way/npuscope-$version-1.src.rpm"
done
