#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import of several units: one that cannot be read or kept is named with its reason, the others are read, the
# exit status is honest.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0

# t STATUS ARG...: run npuscope; what it printed in $tmp/out, what it said in $tmp/err
t() {
    want=$1
    shift
    "$@" <"/dev/null" >"$tmp/out" 2>"$tmp/err"
    got=$?
    [ $got -eq "$want" ] || wrong "$*: status $got, not $want"
}
wrong() {
    echo "$1"
    sed 's/^/    /' "$tmp/out" "$tmp/err"
    failed=$((failed + 1))
}
# states WORD...: the states that were printed, in order
states() {
    got=$(python3 -c 'import csv, sys; print(*[r["state"] for r in csv.DictReader(sys.stdin)])' <"$tmp/out")
    [ "$got" = "$*" ] || wrong "states are '$got', not '$*'"
}
says() {
    grep -qF -e "$1" "$tmp/err" || wrong "does not say: $1"
}

"$npuscope" demo -q --ranks=4 --steps=2 --size=2000 "$tmp/run" || exit 1
t 0 "$npuscope" import -F csv "$tmp/run"
states ok ok ok ok
[ ! -s "$tmp/err" ] || wrong "says something where all is well"

# Two stores that cannot be put into their places.
find "$tmp/cache" -name '*.npus' | sort | sed -n '2p;3p' >"$tmp/two"
while read -r store; do rm "$store" && mkdir "$store"; done <"$tmp/two"
for jobs in 1 3; do
    t 1 "$npuscope" import -F csv --jobs=$jobs "$tmp/run"
    states ok FAILED FAILED ok
    says "not read: "
    [ "$(grep -c 'not read: ' "$tmp/err")" -eq 2 ] || wrong "two units failed"
    grep -q '\.tmp\.' <<END && wrong "temporary files are left"
$(find "$tmp/cache")
END
done
while read -r store; do rmdir "$store"; done <"$tmp/two"

# No store can be kept at all: that is what import is for.
echo file >"$tmp/file"
XDG_CACHE_HOME=$tmp/file/x t 1 "$npuscope" import -F csv "$tmp/run"
states FAILED FAILED FAILED FAILED

# Damage in one of them is not a failure.
for cut in "$tmp/run/"*_ascend_ms/ASCEND_PROFILER_OUTPUT/kernel_details.csv; do break; done
head -c 3000 "$cut" >"$cut.new" && mv "$cut.new" "$cut"
t 4 "$npuscope" import -F csv "$tmp/run"
states DAMAGED ok ok ok
says "kernel_details.csv is TORN"

# Runs far down are found; what is not entered is said, and why, without being a failure.
deep=$tmp/home/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15
mkdir -p "$deep/16/17" "$tmp/home/.hidden" "$tmp/elsewhere"
for one in "$tmp/run/"*_ascend_ms; do :; done
cp -R "$one" "$deep/"
ln -s "$tmp/elsewhere" "$tmp/home/link"
t 0 "$npuscope" import -F csv "$tmp/home"
states ok SKIPPED SKIPPED
says "$deep/16/17: more than 16 folders deep, 1 in all: not searched, there may be more profiles"
says "home/link: a link to a folder elsewhere: not followed"
says "home/.hidden: its name begins with a point: not searched"
t 0 "$npuscope" steps -q "$tmp/home"
[ ! -s "$tmp/err" ] || wrong "says something although it shall be quiet"

# Every run below the folder, of each the ranks that are asked for; of a path in one run only that.
"$npuscope" demo -q --ranks=2 --steps=2 --size=2000 "$tmp/jobs/new/a" &&
    "$npuscope" demo -q --ranks=1 --steps=2 --size=2000 "$tmp/jobs/b" || exit 1
t 0 "$npuscope" import -F csv "$tmp/jobs"
states ok ok ok
[ "$(find "$tmp/jobs" -name '*_ascend_ms' | grep -cFf - "$tmp/out")" -eq 3 ] || wrong "other folders"
t 0 "$npuscope" import -F csv --rank=0 "$tmp/jobs"
states ok ok
t 0 "$npuscope" import -F csv --rank=1 "$tmp/jobs"
states ok
t 1 "$npuscope" import -F csv --rank=7 "$tmp/jobs"
t 0 "$npuscope" import -F csv "$tmp/jobs/b"
states ok
t 0 "$npuscope" import -F csv --rank=0 --db="$tmp/one.npus" "$tmp/jobs"
states ok
t 0 "$npuscope" steps -q --run=2 "$tmp/jobs"

# A folder that may not be opened is not passed over in silence.
if [ "$(id -u)" != 0 ] || command -v setpriv >/dev/null; then
    chmod 711 "$tmp"
    cp "$npuscope" "$tmp/npuscope" && chmod 755 "$tmp/npuscope"
    chmod -R a+rX "$tmp/run"
    mkdir "$tmp/nobody"
    [ "$(id -u)" != 0 ] || chown 65534 "$tmp/nobody"
    as_nobody() {
        want=$1
        shift
        if [ "$(id -u)" = 0 ]; then
            set -- setpriv --reuid=65534 --regid=65534 --clear-groups env XDG_CACHE_HOME="$tmp/nobody" \
                "$tmp/npuscope" "$@"
        else
            set -- "$npuscope" "$@"
        fi
        t "$want" "$@"
    }
    for closed in "$tmp/run/"*_ascend_ms; do :; done
    chmod 000 "$closed"
    as_nobody 1 import -F csv "$tmp/run"
    states DAMAGED ok ok FAILED
    says "$closed: cannot open the folder: Permission denied"
    as_nobody 4 steps -F csv --rank=all "$tmp/run"
    says "$closed: cannot open the folder: Permission denied"
    as_nobody 0 steps -F csv --rank=1 "$tmp/run"
    says "$closed: cannot open the folder: Permission denied"
    as_nobody 1 steps -F csv --rank=3 "$tmp/run"
    says "there is no rank 3 here, only 0-2"
    says "$closed: cannot open the folder: Permission denied"
    as_nobody 1 steps "$closed"
    says "Permission denied"
    mkdir -p "$tmp/above/x_ascend_ms" && chmod 000 "$tmp/above/x_ascend_ms"
    as_nobody 1 steps "$tmp/above"
    says "no profile found in what may be read: x_ascend_ms: cannot open the folder: Permission denied"
    chmod 700 "$closed" "$tmp/above/x_ascend_ms"
fi

echo "import: $failed not as expected"
[ "$failed" -eq 0 ]
