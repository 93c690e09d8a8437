# SPDX-License-Identifier: Apache-2.0
# Input: C text as tests/lint/strip.awk -v keep_strings=1 gives it (FILE:LINE:TEXT). Output: what is marked there for
# catalogues, one line "CONTEXT TAB MSGID TAB FILE:LINE" each, the msgid escaped as in C and in .po files. Marked are the
# literals (joined, both of a "? :") that are the first in
#     CMD_TEXT("id", ...), CMD_NUMBER("id", ...) (context "column"),
#     err_set(), log_message(), SAID_() and what makes notes, or is given to a problem or note (context "said"),
#     usage(), app_ask(), app_copy(), { ACT_X, can, "why not" },
#     tr(...), tr_CONTEXT(...), N_(...), app_say(...), app_show_text(...), fill_label(...), run_verdict_add(...) and labels of key bars, { ACT_X, ACT_Y, "label" }, context "key".

function file_end(  i, contexts) {
    if (name == "") return
    marks("(^|[^A-Za-z0-9_])(tr|N_|app_say|app_show_text|fill_label|run_verdict_add|usage|app_ask|app_copy|running_text)\\([^\";]*\"", "")
    said = "(err_set|err_sys|log_message|sink_note|parse_note|prof_note|lines_note|lines_bad|bundle_lack|config_say|broken|say_wrong|csv_bad_row|bad_line|set_bad|bad_quote|SAID_)\\("
    said = said "|(fail|bad)\\(j," # readers of JSON
    said = said "|NOTE_[A-Z_]+,|(problem|names_only|[*]why) =|note, sizeof [a-z]+->note,"
    marks("(^|[^A-Za-z0-9_])(" said ")[^\";]*\"", "said")
    marks("[.>]note =[ \n][^\";]*\"", "said")
    marks("CMD_(TEXT|NUMBER)\\(\"[a-z0-9_]+\",[ \n]*\"", "column")
    split("pane view column key unit", contexts, " ")
    for (i in contexts) marks("(^|[^A-Za-z0-9_])tr_" contexts[i] "\\([^\";]*\"", contexts[i])
    marks("{ ACT_[A-Z0-9_]+,[ \n]*[a-z_]+,[ \n]*\"", "") # why a key does nothing
    marks("ACT_[A-Z0-9_]+,[ \n]*ACT_[A-Z0-9_]+,[ \n]*\"", "key")
}

function marks(pattern, context,  rest, at, line, id) { # line: where the literal begins
    rest = all
    line = 1
    while (match(rest, pattern)) {
        at = RSTART + RLENGTH - 1
        line += lines(substr(rest, 1, at))
        rest = substr(rest, at)
        while (1) {
            id = literal(rest)
            if (has_words(id) || (context == "" && id ~ /[:;,] /)) print context "\t" id "\t" name ":" line
            rest = substr(rest, literal_end)
            if (!match(rest, /^[ \n]*:[ \n]*"/)) break
            rest = substr(rest, RLENGTH)
        }
    }
}

# Directives alone are in no language, but marks between them are.
function has_words(s) {
    gsub(/\\[a-z]/, "", s)
    gsub(/%[-+ #0-9.*$]*[hlzjt]*[a-zA-Z]/, "", s)
    return s ~ /[A-Za-z]/
}

function lines(s) { return gsub(/\n/, "", s) }

# The literals that s begins with, joined; macros of <inttypes.h> are what they are on 64-bit hosts.
function literal(s,  id, at, part) {
    at = 1
    while (1) {
        part = substr(s, at)
        if (match(part, /^[ \n]*"([^"\\]|\\.)*"/)) {
            at += RLENGTH
            part = substr(part, 1, RLENGTH)
            sub(/^[ \n]*"/, "", part)
            id = id substr(part, 1, length(part) - 1)
        } else if (match(part, /^[ \n]*PRI[diux](64|32|PTR)[^A-Za-z0-9_]/)) {
            at += RLENGTH - 1
            part = substr(part, 1, RLENGTH - 1)
            sub(/^[ \n]*PRI/, "", part)
            id = id (part ~ /64$/ ? "l" : "") substr(part, 1, 1)
        } else break
    }
    literal_end = at
    return id
}

{
    match($0, /^[^:]+:[0-9]+:/)
    at = substr($0, 1, RLENGTH - 1)
    file = at
    sub(/:[0-9]+$/, "", file)
    if (file != name) {
        file_end()
        name = file
        all = ""
    }
    all = all substr($0, RLENGTH + 1) "\n"
}

END { file_end() }
