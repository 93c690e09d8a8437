#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# try_reproducible.sh SOURCE VERSION RELEASE: the release in the folder RELEASE is made once more from a copy of SOURCE, in
# another folder, later, with another umask, time zone and, where root runs this, by another user; every file must be the
# same, byte for byte. RELEASE_WITHOUT and the other variables of release.sh hold for both. REPRODUCIBLE_DIR: a folder on a
# disk with 2 GB of room.
set -eu
source=$(cd "$1" && pwd) version=$2 release=$(cd "$3" && pwd)
date=$(sh "$source/pack/epoch.sh" "$source")
base=$(mktemp -d "${REPRODUCIBLE_DIR:-${TMPDIR:-/tmp}}/npuscope-again-XXXXXX")
trap 'rm -rf "$base"' EXIT
trap 'exit 1' HUP INT TERM
work="$base/somewhere/else"
mkdir -p "$work/home" "$work/source"

# The files of a checkout; of a tarball all that it has.
if [ -e "$source/.git" ]; then
    (cd "$source" && git ls-files -z | tar --null -T - -chf -) | tar -C "$work/source" -xf -
else
    tar -C "$work/source" --strip-components=1 -xf "$release/npuscope-$version.tar.xz"
fi
as=
if [ "$(id -u)" -eq 0 ]; then
    chown -R 54321:54321 "$base"
    as='setpriv --reuid=54321 --regid=54321 --clear-groups'
fi
cat >"$work/again" <<'END'
umask 002
cd "$1"
[ -x source/configure ] || (cd source && ./bootstrap)
mkdir build made
cd build
# What the tarball has from a program must not depend on how that was built.
../source/configure -q CFLAGS=-O0
make -s -j"${JOBS:-2}" dist
cd ../made
sh ../source/pack/release.sh ../source "$2" "../build/npuscope-$2.tar.xz"
END
# shellcheck disable=SC2086 # a list of words
env HOME="$work/home" TMPDIR="$work/home" TZ=Asia/Shanghai LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH="$date" $as \
    sh -eu "$work/again" "$work" "$version" >"$work/log" 2>&1 || {
    tail -n 40 "$work/log"
    echo "try_reproducible: the second build fails"
    exit 1
}
status=0 same=0
for f in "$release"/* "$work"/made/release/*; do
    name=${f##*/}
    case $name in *.asc) continue ;; esac
    if cmp "$release/$name" "$work/made/release/$name"; then
        same=$((same + 1))
    else
        status=1
        [ -z "${REPRODUCIBLE_KEEP:-}" ] || cp "$work/made/release/$name" "$REPRODUCIBLE_KEEP/"
    fi
done
[ $status -ne 0 ] || echo "try_reproducible: $((same / 2)) files, ${as:+made by two users, }the same in two builds"
exit $status
