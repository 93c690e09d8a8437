#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# third_party.sh ARCH...: whose work is in the static files and under which terms, on standard output: Debian's copyright
# files of what linked.sh finds, and the common licences that these name.
set -eu
pack=$(cd "$(dirname "$0")" && pwd)
all=$(sh "$pack/linked.sh" "$@")
all=$(echo "$all" | sort -u -t '|' -k 1,2)
cat <<'END'
The static files of npuscope hold parts of other works, listed here with their terms. npuscope itself is under the Apache
License, version 2.0 (COPYING in its source).

The GNU C library is under the GNU Lesser General Public License, version 2.1 or later. Its source is beside this file,
npuscope-*-glibc-*-source.tar, and so is npuscope's own, npuscope-*.tar.xz: "make static" there links the files anew, also
with a C library that was changed (HACKING says how). What comes of GCC is under the GPL with the GCC Runtime Library
Exception, which allows it in programs under other terms.

END
echo "$all" | sort -u -t '|' -k 1,1 | while IFS='|' read -r name version terms _; do
    echo "  $name $version: $terms"
done
echo "$all" | while IFS='|' read -r name version _ arch package _; do
    printf '\n\n%s\n%s %s\n\n' "$(printf '%78s' '' | tr ' ' =)" "$name" "$version"
    file=static/$arch/sys/root/usr/share/doc/$package/copyright
    [ -s "$file" ] || { echo "third_party.sh: no $file" >&2; exit 1; }
    cat "$file"
done
echo "$all" | while IFS='|' read -r name version _ arch package _; do
    grep -oE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "static/$arch/sys/root/usr/share/doc/$package/copyright" || :
done | sort -u | while read -r file; do
    printf '\n\n%s\n%s\n\n' "$(printf '%78s' '' | tr ' ' =)" "$file"
    cat "$file"
done
