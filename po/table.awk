# SPDX-License-Identifier: Apache-2.0
# Input: a catalogue (.po). Output: its entries as base/lang/tr.c unpacks them: msgid, context and text, each ended by the
# byte 31, sorted by msgid and context as strcmp() sorts. Entries that are fuzzy, obsolete or not translated are left out.
# Call it with LC_ALL=C.

BEGIN { n = 0 }

function flush() {
    if (have && id != "" && text != "" && !fuzzy) {
        key[n] = plain(id) "\001" plain(context)
        entry[n++] = plain(id) "\037" plain(context) "\037" plain(text) "\037"
    }
    have = fuzzy = 0
    id = context = text = ""
    in_what = ""
}

# The bytes that an escaped text stands for.
function plain(s,  out, at, c) {
    out = ""
    while (at = index(s, "\\")) {
        c = substr(s, at + 1, 1)
        out = out substr(s, 1, at - 1) (c == "n" ? "\n" : c == "t" ? "\t" : c)
        s = substr(s, at + 2)
    }
    return out s
}

function quoted(s) {
    sub(/^[^"]*"/, "", s)
    sub(/"[ \t\r]*$/, "", s)
    return s
}

/^#,.*fuzzy/ { flush(); fuzzy = 1; next }
/^#/ { next }
/^msgctxt / { if (have) flush(); context = quoted($0); in_what = "context"; next }
/^msgid / { if (have) flush(); id = quoted($0); in_what = "id"; next }
/^msgstr / { text = quoted($0); in_what = "text"; have = 1; next }
/^"/ {
    if (in_what == "context") context = context quoted($0)
    else if (in_what == "id") id = id quoted($0)
    else if (in_what == "text") text = text quoted($0)
}

END {
    flush()
    for (i = 0; i < n; i++) order[i] = i
    for (gap = int(n / 2); gap > 0; gap = int(gap / 2)) # Shell's sort
        for (i = gap; i < n; i++) {
            at = order[i]
            for (j = i; j >= gap && key[order[j - gap]] > key[at]; j -= gap) order[j] = order[j - gap]
            order[j] = at
        }
    for (i = 0; i < n; i++) printf "%s", entry[order[i]]
}
