#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# try_root.sh DEB SOURCE SUITE[=MIRROR]...: the package in a clean root of each suite (bookworm, trixie, noble=URL), made by
# debootstrap from where this machine's apt has its packages from, or from MIRROR: it installs, passes its tests by
# autopkgtest (where that is here) and by itself, and leaves nothing when it is purged. For root. ROOT_DIR: a folder with 2 GB
# of room; a suite that cannot be had is said and fails.
set -eu
deb=$(realpath "$1") source=$(cd "$2" && pwd)
shift 2
base=$(mktemp -d "${ROOT_DIR:-${TMPDIR:-/tmp}}/npuscope-root-XXXXXX")
trap 'rm -rf "$base"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2016 # apt expands it
here=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Component: main' |
    awk '$2 !~ /-(security|updates|backports)$/ && $1 ~ /debian/ { print $1; exit }')

# inside CMD...: in the root, with /proc and terminals, and nothing of the host's environment.
inside() {
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare -m -p -f sh -c 'mount -t proc none "$0/proc" && mount -t devpts -o newinstance,ptmxmode=666 none "$0/dev/pts" &&
        mount --bind "$0/dev/pts/ptmx" "$0/dev/ptmx" && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nowhere \
        TERM=xterm-256color LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$0" "$@"' "$root" "$@"
}

# All files but those where package management keeps what it did, and caches that are made anew.
listing() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
        -o -path ./var/cache -o -path ./var/log \) -prune -o -print | LC_ALL=C sort)
}

try() {
    suite=${1%%=*} mirror=$here
    case $1 in *=*) mirror=${1#*=} ;; esac
    root=$base/$suite
    # Of Ubuntu, whose libcjson is in universe, an old debootstrap does not know the newest names; all are made in one way.
    components=main script=
    case $mirror in
    *ubuntu*)
        components=main,universe
        [ -e "/usr/share/debootstrap/scripts/$suite" ] || script=/usr/share/debootstrap/scripts/gutsy
        ;;
    esac
    debootstrap --variant=minbase --components=$components "$suite" "$root" "$mirror" ${script:+"$script"} >"$base/log" 2>&1 || {
        tail -n 5 "$base/log"
        echo "try_root: $suite: no root from $mirror"
        return 1
    }
    # A mirror that keeps a state of testing is not wrong because that is old.
    echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/90old"
    inside apt-get -q install -y --no-install-recommends tmux >"$base/log" 2>&1 || { tail "$base/log"; return 1; }
    cp "$deb" "$root/tmp/npuscope.deb"
    cp "$source/pack/debian/tests/demo" "$root/tmp/"
    listing >"$base/before"
    inside apt-get -q install -y --no-install-recommends /tmp/npuscope.deb >"$base/log" 2>&1 || {
        tail "$base/log"
        echo "try_root: $suite: does not install"
        return 1
    }
    inside sh /tmp/demo || return 1
    inside apt-get -q purge -y --autoremove npuscope >"$base/log" 2>&1 || { tail "$base/log"; return 1; }
    listing >"$base/after"
    # A library that another package recommends may stay, as a package.
    cat "$root"/var/lib/dpkg/info/*.list | LC_ALL=C sort -u >"$base/packaged"
    LC_ALL=C comm -3 "$base/before" "$base/after" | sed 's/^\t*\.//' | LC_ALL=C sort | LC_ALL=C comm -23 - "$base/packaged" >"$base/left"
    ! grep . "$base/left" || { echo "try_root: $suite: that is left, or gone"; return 1; }
    echo "try_root: $suite: installs, works, and leaves nothing"
    command -v autopkgtest >/dev/null || { echo "try_root: $suite: no autopkgtest"; return 0; }
    mkdir -p "$base/tree"
    cp -r "$source/pack/debian" "$base/tree/debian"
    sed -i 's/@VERSION@/0/; s/@MAINTAINER@/Nobody <nobody@localhost>/; s/@DATE@/Thu, 01 Jan 1970 00:00:00 +0000/' \
        "$base/tree/debian/control" "$base/tree/debian/changelog"
    unshare -m sh -c 'mount -t proc none "$0/proc" && mount -t devpts -o newinstance,ptmxmode=666 none "$0/dev/pts" &&
        mount --bind "$0/dev/pts/ptmx" "$0/dev/ptmx" && exec autopkgtest -B "$1" "$2/" -- chroot "$0"' \
        "$root" "$deb" "$base/tree" >"$base/log" 2>&1 || {
        tail -n 40 "$base/log"
        echo "try_root: $suite: its tests fail"
        return 1
    }
    grep -qE '^(autopkgtest.*: )?demo +PASS' "$base/log" || { tail "$base/log"; return 1; }
    rm -rf "$base/tree"
    echo "try_root: $suite: passes its tests by autopkgtest"
}
status=0
for wanted in "$@"; do
    try "$wanted" || status=1
    rm -rf "${base:?}/${wanted%%=*}" "$base/tree"
done
exit $status
