#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# configure: the forms are what shell, JSON and Python readers take; presets; what --check says and its status;
# edits of a file that is polled. CONFIGURE_EDITS=10000 edits so often.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0

fail() {
    echo "configure: $*"
    sed 's/^/    /' "$tmp/err" "$tmp/out" 2>/dev/null | head -20
    failed=$((failed + 1))
}
# run STATUS OPTION...: configure ends so
run() {
    want=$1
    shift
    "$npuscope" configure "$@" >"$tmp/out" 2>"$tmp/err"
    got=$?
    [ $got -eq "$want" ] || fail "configure $*: status $got, not $want"
}
says() {
    grep -qF -e "$1" "$tmp/out" "$tmp/err" || fail "it does not say '$1'"
}
python=$(command -v python3) || python=
parse() { # WHAT: standard input is what a Python reader takes
    [ -z "$python" ] || python3 -c "$2" <"$1" 2>"$tmp/err" || fail "$1 cannot be read by Python"
}

# What is printed for a shell sets a variable with a JSON object.
for what in overview ops memory communication data everything 'why is step 20 slow' "it's \"odd\" \$HOME"; do
    run 0 --for="$what"
    value=$(unset MS_PROFILER_OPTIONS; eval "$(cat "$tmp/out")"; printf '%s' "$MS_PROFILER_OPTIONS")
    printf '%s' "$value" >"$tmp/value"
    parse "$tmp/value" 'import json, sys; assert json.load(sys.stdin)["start"] is True'
    case $what in everything | communication | it*) versions='2.3 2.4 2.5 2.6 2.7' ;; *) versions=2.7 ;; esac
    for version in $versions; do
        for form in env json python msprof; do
            [ "$version$form" != 2.3json ] || continue
            run 0 -q --for="$what" --as=$form --job-version="$version" -o "$tmp/$form"
            run 0 -q --check --job-version="$version" "$tmp/$form"
        done
        parse "$tmp/json" 'import json, sys; json.load(sys.stdin)'
        parse "$tmp/python" 'import ast, sys; ast.parse(sys.stdin.read())'
    done
    for form in json python msprof; do
        run 0 -q --for="$what" --as=$form --framework=torch -o "$tmp/$form"
        run 0 -q --check --framework=torch "$tmp/$form"
    done
    parse "$tmp/json" 'import json, sys; json.load(sys.stdin)'
    parse "$tmp/python" 'import ast, sys; ast.parse(sys.stdin.read())'
done
run 0 --for='why is step 20 slow' --as=json
grep -qF '"start_step": 20' "$tmp/out" || fail "step 20 is not in the window"
says 'Expected overhead: low'
run 0 --for=everything
says 'Expected overhead: high, for profiler_level=Level2'
run 0 --for=data --as=json
says 'Not in profiler_config.json of MindSpore: data_process'
run 0 --for='why is the loss not a number'
says 'no word of the question is known'
run 0 --list
says 'profile_memory'

# Usage.
run 2 --as=env --framework=torch
run 2 --as=json --job-version=2.3
says 'came with MindSpore 2.4'
run 2 --for=overveiw
says "did you mean 'overview'"
run 2 --for=xyzzy
says 'there are overview, ops, '
run 2 --set profiler_lvel=Level1
says 'did you mean profiler_level'
run 2 --set profiler_level=Level9
says 'is one of LevelNone, Level0, Level1, Level2'
run 2 --as=toml
run 2 --set step_num=3 --as=json
says 'start_step=N'
run 2 "$tmp/json"
run 1 --set start_step=3 "$tmp/none.json"
run 1 --check "$tmp/none.json"
run 1 --check "$tmp"

# --check: place, remedy, status.
printf '{\n    "start_step": 10,\n    "stop_step": "12",\n    "profiler_lvel": 1\n}\n' >"$tmp/bad.json"
run 4 --check "$tmp/bad.json"
says 'bad.json:3:18: wrong: "12" is a text'
says 'bad.json:4:5: wrong: profiler_lvel is no key, so that it does nothing: write profiler_level'
run 4 --check - <"$tmp/bad.json"
says 'standard input:3:18: wrong'
run 4 --check '{"profiler_level": "Level1"}' --as=env
says 'text:1:1: wrong: nothing is profiled without it'
MS_PROFILER_OPTIONS='{"start": true}' run 0 --check
says 'start = true'
(unset MS_PROFILER_OPTIONS; "$npuscope" configure --check) >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ] || fail "--check without a text"
printf '{"start_step": 1, "\033[31m": 2}' >"$tmp/bad.json"
run 4 --check "$tmp/bad.json"
grep -q "$(printf '\033')" "$tmp/out" && fail "an escape sequence reaches the terminal"

# What editors add and people write, though JSON has it not.
{
    printf '\357\273\277{\r\n  // why\r\n'
    printf '  "start_step": 2, /* from\r\n here */\r\n  "stop_step": 1\r\n}\r\n'
} >"$tmp/bom.json"
run 4 --check "$tmp/bom.json"
says 'bom.json:1:1: wrong: a byte order mark, which JSON does not have: save'
says 'bom.json:2:3: wrong: JSON has no comments'
says 'bom.json:3:20: wrong: JSON has no comments'
says 'start_step = 2'
says 'bom.json:5:3: wrong: the window ends before it begins'
cp "$tmp/bom.json" "$tmp/bom.before"
run 1 --set start_step=3 "$tmp/bom.json"
says 'line 1, column 1: a byte order mark'
cmp "$tmp/bom.json" "$tmp/bom.before" || fail "a file that no job reads was edited"
printf '{\r\n  "start_step": 2,\r\n  "stop_step": 3\r\n}\r\n' >"$tmp/crlf.json"
run 0 --set stop_step=4 "$tmp/crlf.json"
printf '{\r\n  "start_step": 2,\r\n  "stop_step": 4\r\n}\r\n' | cmp - "$tmp/crlf.json" ||
    fail "line ends of Windows"
run 4 --check '{"start": true' --as=env
if grep -q 'nothing is collected' "$tmp/out"; then fail "a text that nobody can read has a start_step"; fi

# A switch that the version does not have is named.
run 0 --set sys_io=true --job-version=2.5
says 'MindSpore 2.5 does not know sys_io: it came with 2.7'
run 0 --set sys_io=true
if grep -q 'does not know' "$tmp/err"; then fail "2.7 knows sys_io"; fi

# --set FILE: what would be wrong is not written, a link stays one, unknown keys stay.
printf '{"b": 1, "start_step": 1, "stop_step": 3, "a": [2]}' >"$tmp/real.json"
ln -s real.json "$tmp/link.json"
run 2 --set stop_step=0 "$tmp/link.json"
says 'nothing was written: line 1, column 27'
run 0 --set start_step=5 --set step_num=5 "$tmp/link.json"
[ "$(cat "$tmp/real.json")" = '{"b": 1, "start_step": 5, "stop_step": 9, "a": [2]}' ] || fail "the edit: $(cat "$tmp/real.json")"
[ -h "$tmp/link.json" ] || fail "the link was replaced"
run 0 --set start_step=5 "$tmp/link.json"
says 'says so already'
run 2 --set start_step=5 "$tmp/python"
chmod 400 "$tmp/real.json"
[ "$(id -u)" = 0 ] || run 1 --set start_step=6 "$tmp/link.json"

if [ -n "$python" ]; then
    mkdir "$tmp/polled"
    edits=${CONFIGURE_EDITS:-${NPUSCOPE_TEST_SLOW:+60}}
    python3 "${top_srcdir:-.}/tests/cli/configure.py" "$npuscope" "$tmp/polled" "${edits:-300}" \
        2>"$tmp/err" || fail "editing while a reader polls"
fi
[ $failed -eq 0 ]
