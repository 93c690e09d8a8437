#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rpm.sh TARBALL VERSION [CJSON]: builds the package of RPM and its source package from a release's tarball;
# both come into this folder. With CJSON, the tarball (gzip) of a release of cJSON's source, the package has
# cJSON inside. SOURCE_DATE_EPOCH is its date; RPM_OPTIONS are more words for rpmbuild
# (--without=check leaves out the unit tests).
#
# Its options are for two builds that are equal byte for byte where compiler, libraries and SOURCE_DATE_EPOCH are.
set -eu
umask 022 # what is copied and written is in the package with its mode
tarball=$(realpath "$1") version=$2 cjson=${3:+$(realpath "$3")} here=$PWD
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date +%s)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-rpm-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/SOURCES" "$work/SPECS" "$work/unpacked"
cp "$tarball" "$work/SOURCES/"
tar -xOf "$tarball" "npuscope-$version/pack/npuscope.spec" >"$work/SPECS/npuscope.spec"
grep -qx "Version: *$version" "$work/SPECS/npuscope.spec" || { echo "rpm.sh: npuscope.spec is not of $version" >&2; exit 1; }
set -- --without=bundled_cjson
if [ -n "$cjson" ]; then
    tar -xf "$cjson" -C "$work/unpacked"
    folder=$(cd "$work/unpacked" && echo cJSON-*)
    [ -f "$work/unpacked/$folder/cJSON.c" ] || { echo "rpm.sh: $cjson is no release of cJSON" >&2; exit 1; }
    cp "$cjson" "$work/SOURCES/$folder.tar.gz"
    set -- --with=bundled_cjson --define "cjson_version ${folder#cJSON-}"
fi
# Where packages are Debian's, rpm knows nothing of what is installed, and its sh cannot run what compresses pages.
if command -v dpkg >/dev/null; then
    set -- --nodeps --define "__os_install_post bash /usr/lib/rpm/brp-compress" "$@"
    LDFLAGS="${LDFLAGS:-} -s"
    export LDFLAGS
fi
build() { # WORD...: rpmbuild with what makes two builds equal
    # shellcheck disable=SC2086 # a list of words
    rpmbuild "$@" ${RPM_OPTIONS:-} \
        --define "_smp_mflags -j${JOBS:-2}" \
        --define "_buildhost reproducible" --define "use_source_date_epoch_as_buildtime 1" \
        --define "clamp_mtime_to_source_date_epoch 1" --define "source_date_epoch_from_changelog 0" \
        --define "_source_payload w9.gzdio" --define "_binary_payload w9.gzdio" SPECS/npuscope.spec
}
cd "$work"
# A source package has its spec with all that is expanded in it: the folder may not be named.
build -bs "$@" --define "_topdir ."
build -bb "$@" --define "_topdir $work" --define "optflags $(rpm --eval '%{optflags}') -ffile-prefix-map=$work=."
cp "$work"/RPMS/*/npuscope-*.rpm "$work"/SRPMS/npuscope-*.rpm "$here/"
