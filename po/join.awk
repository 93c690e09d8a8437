# SPDX-License-Identifier: Apache-2.0
# Input: a catalogue as msgmerge writes it. Output: the same with each text in one line, as check.awk reads it; msgmerge
# begins a new one after each line break of a text. The head keeps its lines.

function flush() {
    if (what != "") print what " \"" text "\""
    what = text = ""
}

function quoted(s) {
    sub(/^[^"]*"/, "", s)
    sub(/"[ \t\r]*$/, "", s)
    return s
}

/^msg(ctxt|id|str) / {
    is_head = what == "msgid" && text == ""
    flush()
    if (is_head) print
    else {
        what = $1
        text = quoted($0)
    }
    next
}
/^"/ && what != "" { text = text quoted($0); next }
{ flush(); print }
END { flush() }
