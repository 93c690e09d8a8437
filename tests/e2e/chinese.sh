#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# zh_CN, which this host need not have: every view of every pane. A word of the pane bar, the tabs, the heads
# of tables (underlined) or the key bar that is left in English fails, but for names that stay (doc/glossary.md#chinese).
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

# Names of the field; keys by their names; titles of numbers that keep their English.
stay='FLOPs SQL Roofline CPU AI Core API UTC Rank rank TFLOPS GFLOPs MFLOPs GFLOP FLOP TFLOPs L2 TLB HBM DDR Free FP BP Cube Vector
Reduce Pid Unix ns us ms GiB MiB KiB
Enter Esc Tab Space Up Down PgUp PgDn Home End Del Left Right Backspace'

make_demo 2 "$test_dir/run"
keep "$test_dir/run"

# The text of underlined cells, one stretch a line.
underlined() {
    awk 'BEGIN { esc = sprintf("%c", 27) }
    {
        n = split($0, part, esc "[[]")
        for (i = 2; i <= n; i++) {
            match(part[i], /^[0-9;]*m/)
            codes = ";" substr(part[i], 1, RLENGTH - 1) ";"
            if (codes ~ /;(0|24|);/) on = 0
            if (codes ~ /;4;/) on = 1
            if (on) print substr(part[i], RLENGTH + 1)
        }
    }'
}

# English words of the standard input that are none of those that stay.
english() {
    grep -oE '[A-Za-z]{2,}' | sort -u >"$test_dir/words"
    echo "$stay" | tr ' ' '\n' | grep -vxFf - "$test_dir/words" || :
}

look() { # WHERE
    term_still "$test_dir/still" "$WAIT"
    term_capture -e | underlined | english >"$test_dir/found"
    # Of the tabs only what stands before the facts of the context row, which begin after three blanks.
    {
        sed -n 2p "$test_dir/still"
        sed -n '3s/   .*//p' "$test_dir/still"
        tail -n 1 "$test_dir/still"
    } | english >>"$test_dir/found"
    [ ! -s "$test_dir/found" ] || fail "left in English, $1: $(tr '\n' ' ' <"$test_dir/found")"
    looked=$((looked + 1))
}

tab() {
    sed -n '3s/.*\(\[[^]]*\]\).*/\1/p' "$test_dir/still"
}

sentences() { # WHERE: two words of an English sentence side by side, which no name of the data has
    term_still "$test_dir/still" "$WAIT"
    term_capture | grep -E '(^|[^-_./A-Za-z])(a|an|the|is|are|of|to|in|not|and|with|no|it) [a-z]{2,}([ ,.:;)]|$)' >"$test_dir/found"
    [ ! -s "$test_dir/found" ] || fail "left in English, $1: $(cat "$test_dir/found")"
}

TERM_LANG=zh_CN.UTF-8
looked=0
open_run 110 30 "$test_dir/run"
expect_line 2 '1 诊断'
for key in 1 2 3 4 5 6 7 8 9 0; do
    term_keys "$key"
    look "pane $key"
    first=$(tab)
    for nth in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        term_keys v
        look "pane $key, view $nth"
        [ "$(tab)" != "$first" ] || break
    done
done
[ "$looked" -ge 40 ] || fail "only $looked views were looked at"

# A finding is a sentence of the language with its own numbers.
kinds=$(cli triage --format=json "$test_dir/run" | sed -n 's/.*"\([0-9]*\) kinds of data not collected.*/\1/p' | head -n 1)
[ "$kinds" -gt 0 ] || fail "the demo has all kinds of data"
term_keys 1
term_keys G Enter
term_wait "有 $kinds 类数据未采集：" "$WAIT"

# Labels of a finding's card stand over each other: the values begin in one column, whatever the signs are.
term_keys Enter
term_wait '┌─ 发现 1' "$WAIT"
term_capture | grep -E '(规则|查看|过滤|命令)  ' >"$test_dir/labels"
sentences 'evidence of a finding'
[ "$(wc -l <"$test_dir/labels")" -eq 4 ] || fail "labels of a finding: $(cat "$test_dir/labels")"
! grep -vqE '^│ (规则|查看|过滤|命令) {8}[^ ]' "$test_dir/labels" || fail "$(cat "$test_dir/labels")"
term_keys q

# Titles of the blocks beside and below a table, and of the memory's chart.
term_resize 160 50
for key in 4 6 7; do
    term_keys "$key"
    term_still "$test_dir/still" "$WAIT"
    term_capture | grep -wE 'chart|histogram|roofline|alive|node|reserved' >"$test_dir/found" || continue
    fail "left in English, blocks of pane $key: $(cat "$test_dir/found")"
done
term_resize 110 30

# A filter by the title as it is drawn, and the sort menu.
term_keys 3
term_still "$test_dir/still"
term_keys F4
term_type '时间>1ms'
term_keys Enter
expect_line 3 '时间>1ms'
term_keys F6
term_wait '排序列'
term_keys Escape

# Empty states, and the form of the profiler's options.
make_demo 1 "$test_dir/bare" --raw --mode=gpu --size=1k
term_keys Q
expect_exit 0 "$WAIT"
open_run 80 24 "$test_dir/bare"
expect_line 2 '1 诊断' "$WAIT"
term_keys 7
term_wait '此运行没有内存数据。' "$WAIT"
term_capture | sed '1,2d;$d' | grep -vE 'memory|_mem|Profiler|true}|--for=' | english >"$test_dir/found"
[ ! -s "$test_dir/found" ] || fail "an empty state is left in English: $(tr '\n' ' ' <"$test_dir/found")"
term_keys :
term_type configure
term_keys Enter
term_wait '┌─ 配置采集' "$WAIT"
term_wait 'start：是否启动采集' "$WAIT"
term_wait '预计开销：低' "$WAIT"

# triage and report: text is Chinese, heads and values of a table begin in one column; json is the same in any language.
in_chinese() {
    LC_ALL=zh_CN.UTF-8 LANG=zh_CN.UTF-8 HOME=$test_dir/home XDG_CACHE_HOME=$test_dir/home/.cache NPUSCOPE_UTF8=1 "$NPUSCOPE" "$@"
}
for command in triage report; do
    in_chinese "$command" "$test_dir/run" >"$test_dir/zh.txt"
    grep -q '^发现$' "$test_dir/zh.txt" || fail "$command: no head of findings: $(cat "$test_dir/zh.txt")"
    grep -q "有 $kinds 类数据未采集：" "$test_dir/zh.txt" || fail "$command: no finding"
    in_chinese "$command" --format=json "$test_dir/run" >"$test_dir/zh.json"
    cli "$command" --format=json "$test_dir/run" >"$test_dir/en.json"
    ! LC_ALL=C grep -q '[^[:print:][:space:]]' "$test_dir/zh.json" || fail "$command --format=json has Chinese"
    sed 's/[0-9][0-9]* s ago//' "$test_dir/zh.json" >"$test_dir/zh.cut"
    sed 's/[0-9][0-9]* s ago//' "$test_dir/en.json" | cmp - "$test_dir/zh.cut" || fail "$command --format=json depends on the language"
done

# What --format writes is in English.
LC_ALL=zh_CN.UTF-8 LANG=zh_CN.UTF-8 HOME=$test_dir/home XDG_CACHE_HOME=$test_dir/home/.cache \
    "$NPUSCOPE" ops --format=csv "$test_dir/run" >"$test_dir/zh.csv"
cli ops --format=csv "$test_dir/run" >"$test_dir/en.csv"
cmp "$test_dir/zh.csv" "$test_dir/en.csv" || fail "--format depends on the language"

# What parsers noted of a job that died is English in the store and Chinese on the screen; so are its logs' meanings and prompts.
make_demo 2 "$test_dir/died" --raw --ranks=2 --steps=4 --fault=hang
open_run 110 30 "$test_dir/died"
expect_line 2 '1 诊断' "$WAIT"
sentences 'triage of a hang'
term_keys 2 v v
term_wait '一条记录被截断（' "$WAIT"
sentences 'notes'
term_keys p Enter
sentences 'a note'
term_keys q L
sentences 'log'
term_keys 1
term_keys J
sentences 'a key that does nothing'
term_keys F4
term_type 'nothing>1'
term_wait '没有列' "$WAIT"
term_keys Escape
term_keys :
term_type 'pane nothing'
term_keys Enter
term_wait '哪个窗格？' "$WAIT"
in_chinese files --by=notes --format=json "$test_dir/died" >"$test_dir/zh.json" 2>"$test_dir/err"
cli files --by=notes --format=json "$test_dir/died" >"$test_dir/en.json" 2>"$test_dir/err"
grep -q 'a record is cut ([0-9]* of [0-9]* bytes)' "$test_dir/en.json" || fail "no note of a cut record: $(cat "$test_dir/en.json")"
cmp "$test_dir/zh.json" "$test_dir/en.json" || fail "notes of --format depend on the language"

# Records of raw files: what they are, and what their fields mean.
term_keys Q
expect_exit 0 "$WAIT"
open_run 110 30 "$test_dir/died"
expect_line 2 '1 诊断' "$WAIT"
term_keys 2
term_keys :
term_type 'view files'
term_keys Enter
term_wait '[文件]' "$WAIT"
term_keys F4
term_type 'stars_soc.data'
term_keys Enter
term_keys x
term_wait 'stars 记录 1 / ' "$WAIT"
term_wait '任务开始' "$WAIT"
sentences 'records'
