# SPDX-License-Identifier: Apache-2.0
# Input: a catalogue (.po). Output: C, its table sorted by msgid and context as strcmp() sorts (base/lang/tr.h). Entries
# that are fuzzy, obsolete or not translated are left out. Call it with LC_ALL=C and -v language=zh_CN.

BEGIN { n = 0 }

function flush() {
    if (have && id != "" && text != "" && !fuzzy) {
        key[n] = plain(id) "\001" plain(context)
        line[n++] = "    { \"" id "\",\n      \"" context "\",\n      \"" text "\" },"
    }
    have = fuzzy = 0
    id = context = text = ""
    in_what = ""
}

# The bytes that an escaped text stands for, for sorting.
function plain(s) {
    gsub(/\\n/, "\n", s)
    gsub(/\\t/, "\t", s)
    gsub(/\\"/, "\"", s)
    gsub(/\\\\/, "\\", s)
    return s
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
    print "/* Made from po/" language ".po by po/table.awk. */"
    print "#include \"config.h\"\n"
    print "#include \"base/lang/tr.h\"\n"
    print "const struct tr_entry tr_" language "[] = {"
    for (i = 0; i < n; i++) print line[order[i]]
    if (!n) print "    { \"\", \"\", \"\" },"
    print "};"
    print "const size_t tr_n_" language " = sizeof tr_" language " / sizeof tr_" language "[0];"
}
