#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# try_deb.sh VERSION: the package of Debian in this folder has no fault that lintian knows, installs, passes
# its own test, and leaves nothing when it is purged. For root; the package must not be installed before.
set -eu
version=$1 source=$(cd "$(dirname "$0")" && pwd)
deb=$(realpath "npuscope_$version-1_$(dpkg --print-architecture).deb")
! dpkg -s npuscope >/dev/null 2>&1 || { echo "npuscope is installed here already"; exit 1; }
# Where it comes from is not Debian, so there is no bug of Debian's that it closes.
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$deb"
files=$(dpkg-deb -c "$deb" | awk '$1 !~ /^d/ { sub(/^\./, "", $6); print $6 }')
[ -n "$files" ]
apt-get -q install -y --no-install-recommends "$deb"
status=0
sh "$source/debian/tests/demo" || status=1
apt-get -q purge -y npuscope
for f in $files; do
    [ ! -e "$f" ] || { echo "left behind: $f"; status=1; }
done
[ $status -eq 0 ] && echo "try_deb: installs, works, and leaves nothing"
exit $status
