#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The configuration file: first pane, units, columns, sort and keys of it hold on the screen, the command line
# goes before it, what was chosen for a run before its sort; a wrong line is named and harms nothing; :set and
# :bind keep their line with --save. `npuscope config` prints what is in force.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
file=$test_dir/home/.config/npuscope/config
make_demo 1 "$run"
keep "$run"

# without a file
[ ! -e "$file" ] || fail "there is a file already"
cli config -F csv --no-header >"$test_dir/out" || fail "config without a file: $?"
grep -q '^theme,default,default,default,' "$test_dir/out" || fail "no defaults: $(cat "$test_dir/out")"

mkdir -p "$(dirname "$file")"
cat >"$file" <<'END'
# kept
first-pane = ops
time-unit = us
them = light
bind K page-down
bind timeline w zoom-out
columns ops.type type,calls,total_ns
sort ops.type calls
END
cli config -F csv --no-header >"$test_dir/out" 2>"$test_dir/err"
[ $? = 4 ] || fail "a wrong line and status other than 4"
grep -q "config: line 4: there is no setting 'them'; did you mean 'theme'?" "$test_dir/err" || fail "$(cat "$test_dir/err")"
grep -q '^first-pane,ops,triage,line 2,' "$test_dir/out" || fail "$(cat "$test_dir/out")"

# what the file says is not what was chosen here: nothing of it is kept for the run
open_run 100 24 "$run"
term_wait 'Calls ▾' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
grep -E 'ops.type (sort|columns)' "$test_dir/home/.cache/npuscope/state" && fail 'settings are kept as chosen for the run'

open_run 100 24 "$run"
term_wait '[3 Ops]' "$WAIT"
expect_line 3 'unit us' "$WAIT"
term_capture | sed -n 4p | grep -qE 'Type +Calls.* Time' || fail "columns in another order"
term_capture | sed -n 4p | grep -q 'Calls ▾' || fail "sorted by something else"
term_capture | grep -q "config, line 4: there is no setting 'them'" || fail "the wrong line is not named"
term_keys K
expect_line -1 ' back' "$WAIT"
term_keys : && term_type 'bind timeline w zoom-in --save' && term_keys Enter
term_wait "kept in $file" "$WAIT"
term_keys : && term_type 'set theme=light --save' && term_keys Enter
term_wait "kept in $file" "$WAIT"
term_keys : && term_type 'bind timeline nosuch zoom-in' && term_keys Enter
term_wait "'nosuch' is not the name of a key" "$WAIT"
term_keys : && term_type 'sort type' && term_keys Enter
term_wait 'Type ▴' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
sed 's/bind timeline w zoom-out/bind timeline w zoom-in/' "$file" | cmp -s - "$file" || fail "another line was changed"
grep -qx 'theme = light' "$file" || fail "theme is not kept"
head -1 "$file" | grep -qx '# kept' || fail "the comment is gone"

# what was chosen for the run goes before, and so does the command line
open_run 100 24 --pane=ops "$run"
term_wait 'Type ▴' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
open_run 100 24 --no-state --pane=files "$run"
term_wait '[2 Files]' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

# a file that cannot be read is no reason not to start
rm "$file" && mkdir "$file"
open_run 80 24 --no-state "$run"
term_wait '[1 Triage]' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
