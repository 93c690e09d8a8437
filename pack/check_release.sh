#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_release.sh FOLDER VERSION TARBALL: a release is whole: every file is in SHA256SUMS and is as that says; the tarball is
# TARBALL, made once more; the SBOM names every file with its sum, and for every static file what it is linked with.
set -eu
folder=$1 version=$2 tarball=$3
fail() {
    echo "check_release: $*"
    exit 1
}

cmp "$tarball" "$folder/npuscope-$version.tar.xz" || fail "the tarball, made again, is another one"
tar -tvJf "$tarball" | awk '$2 != "0/0" { bad = 1; print } END { exit bad }' || fail "in the tarball: files of a user"
(cd "$folder" && sha256sum --quiet --strict -c SHA256SUMS) || fail "sums do not match"
sbom=$folder/npuscope-$version.spdx
files=0 static=0
for f in "$folder"/*; do
    name=${f##*/}
    case $name in
    SHA256SUMS*) continue ;;
    esac
    grep -q "^[0-9a-f]*  $name\$" "$folder/SHA256SUMS" || fail "$name is not in SHA256SUMS"
    files=$((files + 1))
    [ "$f" != "$sbom" ] || continue
    sum=$(sha256sum "$f" | cut -d ' ' -f 1)
    grep -A 4 -Fx "FileName: ./$name" "$sbom" | grep -q "SHA256: $sum" || fail "the SBOM does not have $name as it is"
    case $name in
    *-linux-*) static=$((static + 1)) ;;
    *) continue ;;
    esac
    for part in glibc ncurses sqlite3 pcre2 zlib libarchive cjson; do
        grep -q "^Relationship: SPDXRef-File-[^ ]*-linux-[^ ]* STATIC_LINK SPDXRef-$part-[0-9]" "$sbom" || fail "the SBOM: $name without $part"
        grep -q "^  $part [0-9]" "$folder/npuscope-$version-THIRD-PARTY.txt" || fail "THIRD-PARTY: no $part"
    done
done
# Every relationship joins what the SBOM describes.
sed -n 's/^Relationship: \([^ ]*\) [A-Z_]* \([^ ]*\)$/\1\n\2/p' "$sbom" | sort -u | while read -r id; do
    grep -qx "SPDXID: $id" "$sbom" || fail "the SBOM speaks of $id and does not describe it"
done
! grep -E '^(SPDXID|FileName): ' "$sbom" | sort | uniq -d | grep . || fail "the SBOM says that twice"
if [ -f "$folder/SHA256SUMS.asc" ]; then
    gpg --batch --verify "$folder/SHA256SUMS.asc" "$folder/SHA256SUMS" || fail "the signature is not good"
fi
echo "check_release: $files files, $static static, all with their sums and in the SBOM"
