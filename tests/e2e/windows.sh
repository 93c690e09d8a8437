#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The windows of a dynamic profile as a list: offered at the start, opened by W and :window, chosen by keys and mouse;
# { and } and panes over all ranks keep to the window that is shown.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
TERM_CWD=$test_dir

# window START STOP STEPS: profiles of two ranks, in the folders of a window
window() {
    make_demo 2 "$test_dir/one" --ranks=2 --steps="$3" --size=2000
    rank=0
    for d in "$test_dir/one/"*_ascend_ms; do
        mkdir -p "$run/rank${rank}_start$1_stop$2"
        mv "$d" "$run/rank${rank}_start$1_stop$2/"
        rank=$((rank + 1))
    done
    rm -r "$test_dir/one"
}

window 2 5 4
window 20 21 2
window 100 102 3
rm -r "$run/rank1_start100_stop102"

for size in '80 24' '160 50'; do
    rm -rf "${test_dir:?}/home"
    # shellcheck disable=SC2086
    open_run $size --ascii --no-state run
    term_wait '> steps 2 to 5         ranks 0-1' "$WAIT"
    # All are read for the list, in the background.
    expect_no 'not read yet' "$WAIT"
    [ "$(term_capture | grep -c 'ms/step |')" = 3 ] || fail "not three windows with their step times"
    term_capture | grep 'steps 100 to 102' | grep -q 'rank  0 .*ANALYSED .*3 steps  [0-9.]* ms/step' ||
        fail "the third window"
    term_keys Down Enter
    expect_line 1 'rank 0 of 2  window 20-21  2 steps' "$WAIT"
    expect_line -2 'window of steps 20 to 21, rank 0' "$WAIT"
    expect_no 'Windows of' "$WAIT"

    # Ranks of this window alone.
    term_type '}'
    expect_line 1 'rank 1 of 2  window 20-21  2 steps' "$WAIT"
    term_type '}'
    expect_line 1 'rank 0 of 2  window 20-21' "$WAIT"
    term_keys 9
    term_wait '[9 Comm]' "$WAIT"
    ops=$(cli comm -q --window=20-21 --rank=all --by=op --format=csv --no-header "$run" | wc -l)
    [ "$ops" -gt 1 ] || fail "no ops"
    expect_line -2 ' 1/1 ' "$WAIT" # the type over both ranks
    term_keys v
    term_wait '[ops]' "$WAIT"
    expect_line -2 "$ops ops " "$WAIT"
    term_keys V

    # A range of steps is one of this window.
    term_keys 4
    term_type ':steps 12'
    term_keys Enter
    expect_line -2 '1/1' "$WAIT"
    term_type ':window 100-102'
    term_keys Enter
    expect_line 1 'rank 0  window 100-102  3 steps' "$WAIT"
    expect_line -2 '/3 ' "$WAIT"
    term_type '}'
    expect_line -2 'this window has one rank only; W lists the windows' "$WAIT"
    term_type ':window 7-9'
    term_keys Enter
    expect_line -2 'there is no window 7-9 here' "$WAIT"

    term_type ':set mouse=on'
    term_keys Enter
    # W has the cursor on the window that is shown; a double click chooses.
    term_keys W
    term_wait '> steps 100 to 102' "$WAIT"
    row=$(term_capture | grep -n 'steps 2 to 5' | cut -d: -f1)
    term_click $((${size% *} / 2)) "$row"
    term_click $((${size% *} / 2)) "$row"
    expect_line 1 'rank 0 of 2  window 2-5  4 steps' "$WAIT"
    # Esc leaves all as it was.
    term_keys W
    term_wait '> steps 2 to 5' "$WAIT"
    term_keys Escape
    expect_no 'Windows of' "$WAIT"
    expect_line 1 'window 2-5' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done

# The smallest screen has room for steps and state.
open_run 40 10 --ascii --no-state run
term_wait '> 2-5       ANALYSED' "$WAIT"
term_keys Down Enter
expect_line -1 'window of steps 20 to 21' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

# One that was chosen needs no list; the one shown last is where the cursor is the next time.
open_run 80 24 --ascii --window=100-102 run
expect_line 1 'window 100-102' "$WAIT"
expect_no 'Windows of' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
open_run 80 24 --ascii run
term_wait '> steps 100 to 102' "$WAIT"
term_keys Escape Q
expect_exit 0 "$WAIT"

# A profile that is no dynamic one.
make_demo 2 "$test_dir/plain" --size=2000
open_run 80 24 --ascii "$test_dir/plain"
term_keys W
expect_line -2 'this is one run, and no dynamic profile' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

# A window that comes while the job runs is named, with the one that is asked for next.
mkdir "$test_dir/later"
mv "$test_dir"/run/rank*_start100_stop102 "$test_dir/later"
printf '{"start_step": 200, "stop_step": 210}' >"$test_dir/run/profiler_config.json"
open_run 80 24 --ascii --no-state --follow --period=1 --window=2-5 run
expect_line 1 'window 2-5' "$WAIT"
mv "$test_dir"/later/rank0_start100_stop102 "$test_dir/run"
touch "$test_dir/run/rank0_start100_stop102"
term_wait 'window 100-102 of rank 0: ' "$WAIT"
term_wait '; next window 200-210: waiting' "$WAIT"
expect_line 1 'window 2-5'
term_keys Q
expect_exit 0 "$WAIT"

# The list says what the job is doing, and goes on while it is open: the window that is asked for comes, is collected,
# and can be chosen when it has a profile.

# wait_row PATTERN: until a line of the screen matches
wait_row() {
    for _ in $(seq "$((WAIT * 5))"); do
        term_capture | grep -q -- "$1" && return
        sleep 0.2
    done
    fail "no line like: $1"
}
for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --ascii --no-state --follow --period=1 run
    wait_row 'steps 200 to 210 .* waiting  .* next window |'
    term_keys End Enter
    expect_line -2 'window 200-210 is waiting: there is no profile of it yet' "$WAIT"
    term_wait 'Windows of this dynamic profile' "$WAIT"
    mkdir "$run/rank0_start200_stop210"
    wait_row 'steps 200 to 210 *rank  0 .* collecting  .* next window |'
    printf '{"start_step": 300, "stop_step": 301}' >"$run/profiler_config.json"
    wait_row 'steps 300 to 301 .* waiting  .* next window |'
    wait_row 'steps 200 to 210 *rank  0 .* collecting  .* no profile yet |'
    mv "$run"/rank0_start100_stop102/*_ascend_ms "$run/rank0_start200_stop210/"
    touch "$run"
    wait_row 'steps 200 to 210 *rank  0 *ANALYSED .* 3 steps  [0-9.]* ms/step'
    term_keys Enter
    expect_line 1 'window 200-210  3 steps' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
    mv "$run"/rank0_start200_stop210/*_ascend_ms "$run/rank0_start100_stop102/"
    rmdir "$run/rank0_start200_stop210"
    printf '{"start_step": 200, "stop_step": 210}' >"$run/profiler_config.json"
done
