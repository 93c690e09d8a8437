#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# epoch.sh SOURCE: the date of a release in seconds since 1970: SOURCE_DATE_EPOCH, else that of the newest version in
# NEWS, "0.1.0 (2026-11-28)"; before it has one, that of the last commit, and without a checkout that of NEWS itself.
set -eu
if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
    echo "$SOURCE_DATE_EPOCH"
    exit 0
fi
day=$(sed -n '/^[0-9]/ { s/^[^(]*(\([0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\)).*/\1/p; q; }' "$1/NEWS")
if [ -n "$day" ]; then
    date -u -d "$day" +%s
elif [ -e "$1/.git" ]; then
    git -C "$1" log -1 --format=%ct
else
    stat -c %Y "$1/NEWS"
fi
