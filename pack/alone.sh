#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# alone.sh ROOT yes|no CMD [ARG...]: runs CMD with ROOT as its root, as the only user, with /proc or without;
# no root is needed where name spaces for users are allowed.
set -eu
root=$1 proc=$2
shift 2
own=
unshare -m true 2>/dev/null || own=-r
mount=
[ "$proc" = no ] || mount='mount -t proc none proc && '
# shellcheck disable=SC2016 # the inner shell expands it
exec unshare ${own:+"$own"} -m ${mount:+-p -f} sh -c "cd '$root' && $mount"'exec env -i PATH="$PATH" HOME=/kept TERM="$TERM" LC_ALL=C chroot . "$@"' sh "$@"
