#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs inside the terminal of term.sh: DIR CMD [ARG...]. Writes to DIR the command's process id, its status
# and the terminal's modes before and after, then keeps the screen as it is until the terminal is ended.
dir=$1
shift
# A key that interrupts the command is not meant for this script; the command gets the default action.
trap : INT QUIT
until [ -e "$dir/go" ]; do sleep 0.02; done
stty -g >"$dir/tty.before"
sh -c 'echo $$ >"$0/pid"; exec "$@"' "$dir" "$@"
echo $? >"$dir/status.new"
stty -g >"$dir/tty.after"
mv "$dir/status.new" "$dir/status"
exec cat >/dev/null
