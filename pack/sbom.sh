#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sbom.sh VERSION FOLDER [ARCH...]: what a release in FOLDER consists of, as SPDX 2.3 in its form of tags, on standard output:
# npuscope, each file with its sums, and what is linked into the static files of these machines. SOURCE_DATE_EPOCH is its date.
set -eu
version=$1 folder=$2 pack=$(cd "$(dirname "$0")" && pwd)
shift 2
linked=
[ $# -eq 0 ] || linked=$(sh "$pack/linked.sh" "$@")

# In a name of SPDX only letters, digits, dots and hyphens.
name_of() {
    printf '%s' "$1" | tr -c 'A-Za-z0-9.-' '-'
}

# licence_of FILE: of npuscope alone, or also of all that is linked into a static file.
licence_of() {
    case $1 in
    *-linux-x86_64) arch=amd64 ;;
    *-linux-aarch64) arch=arm64 ;;
    *-glibc-*-source.tar) echo LGPL-2.1-or-later; return ;;
    *-THIRD-PARTY.txt) echo NOASSERTION; return ;;
    *) echo Apache-2.0; return ;;
    esac
    printf Apache-2.0
    echo "$linked" | awk -F '|' -v arch=$arch '$4 == arch && !seen[$3]++ { printf " AND %s", $3 ~ / WITH / ? "(" $3 ")" : $3 }'
    echo
}

files=$(cd "$folder" && find . -type f ! -name 'SHA256SUMS*' ! -name '*.spdx' | sed 's,^\./,,' | LC_ALL=C sort)
[ -n "$files" ] || { echo "sbom.sh: no files in $folder" >&2; exit 1; }
sums=$(cd "$folder" && echo "$files" | tr '\n' '\0' | xargs -0 sha256sum)
# An id of these files and no others, in the form of a UUID of version 8.
id=$(printf '%s\n%s\n' "$sums" "$linked" | sha256sum | sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/\1-\2-8\3-8\4-\5/')
cat <<END
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: npuscope-$version
DocumentNamespace: urn:uuid:$id
Creator: Organization: The npuscope authors
Creator: Tool: sbom.sh-$version
Created: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)

PackageName: npuscope
SPDXID: SPDXRef-npuscope
PackageVersion: $version
PackageSupplier: Organization: The npuscope authors
PackageDownloadLocation: NOASSERTION
FilesAnalyzed: false
PackageLicenseConcluded: Apache-2.0
PackageLicenseDeclared: Apache-2.0
PackageCopyrightText: <text>Copyright The npuscope authors</text>
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-npuscope
END

echo "$linked" | sort -u -t '|' -k 1,2 | while IFS='|' read -r name v terms arch package sum; do
    [ -n "$name" ] || continue
    encoded=$(printf %s "$v" | sed 's/%/%25/g; s/+/%2B/g; s/:/%3A/g; s/~/%7E/g')
    cat <<END

PackageName: $name
SPDXID: SPDXRef-$(name_of "$name-$v")
PackageVersion: $v
PackageSupplier: Organization: Debian
PackageDownloadLocation: NOASSERTION
FilesAnalyzed: false
PackageLicenseConcluded: $terms
PackageLicenseDeclared: NOASSERTION
PackageCopyrightText: NOASSERTION
PackageComment: <text>Source package of Debian, linked from its package $package (SHA-256 $sum); its copyright file is in npuscope-$version-THIRD-PARTY.txt.</text>
ExternalRef: PACKAGE-MANAGER purl pkg:deb/debian/$name@$encoded?arch=source
END
done

echo "$files" | while IFS= read -r f; do
    terms=$(licence_of "$f")
    cat <<END

FileName: ./$f
SPDXID: SPDXRef-File-$(name_of "$f")
FileChecksum: SHA1: $(sha1sum "$folder/$f" | cut -d ' ' -f 1)
FileChecksum: SHA256: $(sha256sum "$folder/$f" | cut -d ' ' -f 1)
LicenseConcluded: $terms
LicenseInfoInFile: NOASSERTION
FileCopyrightText: NOASSERTION
Relationship: SPDXRef-npuscope CONTAINS SPDXRef-File-$(name_of "$f")
END
    case $f in
    *-linux-x86_64) arch=amd64 ;;
    *-linux-aarch64) arch=arm64 ;;
    *) continue ;;
    esac
    echo "$linked" | while IFS='|' read -r name v terms of _; do
        [ "$of" != "$arch" ] || echo "Relationship: SPDXRef-File-$(name_of "$f") STATIC_LINK SPDXRef-$(name_of "$name-$v")"
    done
done
case $linked in *LicenseRef-xz-public-domain*) ;; *) exit 0 ;; esac
cat <<'END'

LicenseID: LicenseRef-xz-public-domain
LicenseName: Public domain, as XZ Utils says
ExtractedText: <text>liblzma is in the public domain.</text>
END
