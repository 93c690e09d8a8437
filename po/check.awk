# SPDX-License-Identifier: Apache-2.0
# Input: npuscope.pot, then a catalogue. Output: what is wrong with the catalogue, FILE:LINE: breach. Every text of the
# template has a translation with the same directives, of the same types, and the same blanks and line breaks at
# both ends; there is none that the program no longer has. Entries are one line each (msgmerge --no-wrap).

function flush() {
    if (id == "") {
        text = context = ""
        return
    }
    key = context "\001" id
    if (FILENAME_of == ARGV[1]) wanted[key] = c_format ? 2 : 1
    else check()
    id = text = context = ""
    fuzzy = c_format = 0
}

function check() {
    seen[key] = 1
    if (!(key in wanted)) breach("the program has no such text: " id)
    else if (text == "" || fuzzy) breach("not translated: " id)
    else if (!same_ends()) breach("other blanks or line breaks at its ends: " id)
    else if (wanted[key] == 2 && directives(text) != directives(id)) breach("other directives: " id)
}

function breach(what) { print file ":" at ": " what }

# A wide sign such as "（" or "，" brings its own blank: at an end of a text it stands for one.
function same_ends(  want, wide) {
    want = ends(id)
    wide = "(（|）|，|；|：|。|、)"
    return ends(text) == want || (text ~ "^" wide && ends(" " text) == want) ||
        (text ~ wide "$" && ends(text " ") == want) ||
        (text ~ "^" wide && text ~ wide "$" && ends(" " text " ") == want)
}

function ends(s,  head, tail) {
    match(s, /^([ ]|\\n)*/)
    head = substr(s, 1, RLENGTH)
    match(s, /([ ]|\\n)*$/)
    tail = substr(s, RSTART)
    return head "|" tail
}

# Types by argument: "%2$s of %1$zu" is "zu s". A precision of 0 leaves an English plural out: it counts as the directive.
function directives(s,  n, part, type, list, place, i, out) {
    gsub(/%%/, "", s)
    n = 0
    while (match(s, /%[-+ #0-9.*$]*(hh|h|ll|l|z|j|t)?[a-zA-Z]/)) {
        part = substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART + RLENGTH)
        place = ++n
        if (match(part, /^%[0-9]+\$/)) place = substr(part, 2, RLENGTH - 2)
        type = part
        sub(/^%([0-9]+\$)?[-+ #0-9.]*/, "", type)
        if (part ~ /\.\*/) type = "*" type
        list[place] = type
    }
    for (i = 1; i <= n; i++) out = out " " list[i]
    return out
}

function quoted(s) {
    sub(/^[^"]*"/, "", s)
    sub(/"[ \t\r]*$/, "", s)
    return s
}

BEGIN { file = ARGV[2] }
FNR == 1 { flush(); FILENAME_of = FILENAME }
/^#,/ { fuzzy = /fuzzy/; c_format = /c-format/; next }
/^#~/ { print file ":" FNR ": an obsolete entry" }
/^msgctxt / { context = quoted($0); next }
/^msgid / { id = quoted($0); at = FNR; next }
/^msgstr / { text = quoted($0); flush(); next }
END { for (key in wanted) if (!(key in seen)) { sub(/^[^\001]*\001/, "", key); print file ":1: missing: " key } }
