#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# :configure: switches are chosen, the text follows, every key of the key bar does what it says; the text is
# written to a file that is asked for, below the profile or over a file only after a question.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run"
cli import -q "$test_dir/run" >/dev/null || fail "cannot read the profile"
mkdir "$test_dir/out"
TERM_CWD=$test_dir/out

answer() { # TEXT: to the question that is asked, in place of what is offered
    term_keys C-u
    term_type "$1"
    term_keys Enter
}
write_to() { # NAME
    term_keys e
    expect_line -2 'write to: ' "$WAIT"
    answer "$1"
}
checks() { # FILE: the command finds nothing wrong
    cli configure -q --check "$test_dir/out/$1" >"$test_dir/checked" || fail "$1: $(cat "$test_dir/checked")"
}

for size in '80 24' '160 50'; do
    rm -rf "$test_dir/out"/*
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys :
    term_type 'configure'
    term_keys Enter
    term_wait 'Configure the profiler' "$WAIT"
    expect_line 5 'MS_PROFILER_OPTIONS  2.7  for overview' "$WAIT"
    expect_line 6 'start                    true'
    term_wait "export MS_PROFILER_OPTIONS='{\"start\": true" "$WAIT"
    expect_line -1 'Space change  Enter type  v form  p purpose  e write  q close'

    # Space goes through the values; d leaves the switch out; what is wrong is said.
    term_keys G
    expect_line -2 '20/20' "$WAIT"
    term_keys g
    expect_line -2 ' 1/20' "$WAIT"
    term_keys j j j Space
    expect_line 9 'profiler_level           Level1' "$WAIT"
    term_wait '"profiler_level": "Level1"' "$WAIT"
    term_keys h
    expect_line 9 'profiler_level           Level0' "$WAIT"
    term_keys j Space
    term_wait 'Level0 reads no counters' "$WAIT"
    term_keys d
    expect_no 'Level0 reads no counters' "$WAIT"
    expect_line 10 'aic_metrics              None' "$WAIT"

    # Enter asks for a value; a wrong one is refused with what it may be.
    term_keys k Enter
    expect_line -2 'profiler_level: Level0' "$WAIT"
    answer Level9
    expect_line -2 'is one of LevelNone, Level0, Level1, Level2' "$WAIT"
    term_keys Enter
    answer 2
    expect_line 9 'profiler_level           Level2' "$WAIT"
    term_wait 'Expected overhead: high' "$WAIT"

    # p: the next purpose; a: a question; V and f: another version, another framework; v: the next form.
    term_keys p
    expect_line 5 'for ops' "$WAIT"
    term_keys a
    expect_line -2 'question: ' "$WAIT"
    answer 'does the data pipeline starve in step 7'
    expect_line 5 'for data' "$WAIT"
    term_wait '"data_process": true' "$WAIT"
    term_keys v
    expect_line 5 'profiler_config.json of MindSpore  2.7' "$WAIT"
    expect_line 5 'without data_process' "$WAIT"
    term_wait '"start_step": 7' "$WAIT"
    term_keys V
    expect_line 5 'profiler_config.json of MindSpore  2.6' "$WAIT"
    term_keys V V V
    expect_line 5 'MindSpore  2.7' "$WAIT"
    term_keys f
    expect_line 5 'profiler_config.json of torch_npu' "$WAIT"
    term_keys g
    term_wait 'prof_dir: the folder below which' "$WAIT" # named as in the list above
    term_keys f
    expect_line 5 'profiler_config.json of MindSpore' "$WAIT"

    # e: where to. Esc leaves it; a new file is written at once.
    term_keys e
    expect_line -2 'write to: profiler_config.json' "$WAIT"
    term_keys Escape
    expect_no 'write to' "$WAIT"
    [ -z "$(ls "$test_dir/out")" ] || fail "written although it was left: $(ls "$test_dir/out")"
    write_to cfg.json
    expect_line -2 'wrote cfg.json' "$WAIT"
    checks cfg.json
    grep -q '"start_step": 7' "$test_dir/out/cfg.json" || fail "cfg.json: $(cat "$test_dir/out/cfg.json")"

    # One that is there is changed, and keeps what nobody chose.
    printf '{"mine": 1, "start_step": 3, "stop_step": 3}' >"$test_dir/out/cfg.json"
    write_to cfg.json
    expect_line -2 'it is there; change these values in it?' "$WAIT"
    answer no
    expect_line -2 'nothing was written' "$WAIT"
    [ "$(cat "$test_dir/out/cfg.json")" = '{"mine": 1, "start_step": 3, "stop_step": 3}' ] || fail "it was written"
    write_to cfg.json
    expect_line -2 'it is there' "$WAIT"
    answer yes
    expect_line -2 'changed cfg.json' "$WAIT"
    grep -qF '{"mine": 1, "start_step": 7, "stop_step": 7, "activities"' "$test_dir/out/cfg.json" ||
        fail "cfg.json: $(cat "$test_dir/out/cfg.json")"

    # Below the profile only after a question.
    write_to "$test_dir/run/cfg.json"
    expect_line -2 'this is below the profile; write it there?' "$WAIT"
    answer n
    expect_line -2 'nothing was written' "$WAIT"
    [ ! -e "$test_dir/run/cfg.json" ] || fail "written into the profile"
    write_to "$test_dir/run/cfg.json"
    expect_line -2 'below the profile' "$WAIT"
    answer y
    expect_line -2 'wrote ' "$WAIT"
    [ -f "$test_dir/run/cfg.json" ] || fail "not written into the profile"
    rm "$test_dir/run/cfg.json"
    write_to "$test_dir/none/cfg.json"
    expect_message 'No such file' "$WAIT"

    # The other forms.
    term_keys v
    expect_line 5 'mindspore.profiler  2.7' "$WAIT"
    write_to a.py
    expect_line -2 'wrote a.py' "$WAIT"
    checks a.py
    term_keys v
    expect_line 5 'msprof ' "$WAIT"
    write_to a.sh
    expect_line -2 'wrote a.sh' "$WAIT"
    checks a.sh
    term_keys v
    expect_line 5 'MS_PROFILER_OPTIONS' "$WAIT"
    write_to a.sh
    expect_line -2 'it is there; replace it?' "$WAIT"
    answer y
    expect_line -2 'wrote a.sh' "$WAIT"
    checks a.sh
    term_keys c
    expect_line -2 'copied' "$WAIT"

    term_keys q
    expect_no 'Configure the profiler' "$WAIT"
    term_keys :
    term_type 'configure memory'
    term_keys Enter
    term_wait '"profile_memory": true' "$WAIT"
    term_keys Escape
    expect_no 'Configure the profiler' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done

# Small terminals show what has room.
open_run 40 10 --no-state "$test_dir/run"
term_keys :
term_type 'configure'
term_keys Enter
term_wait 'start' "$WAIT"
term_keys j j j Space
term_wait 'Level1' "$WAIT"
term_keys Q q Q
expect_exit 0 "$WAIT"
