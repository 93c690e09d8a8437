# SPDX-License-Identifier: Apache-2.0
# Input: C text of ui/ as for collect.awk. Output: what is drawn as it stands, FILE:LINE: breach. Looked at is the first literal of
# a call, unless tr() goes before it: of one that draws any word but names that stay, of one that makes a text (which may be for
# the state of the screen or a statement) two words of a sentence side by side.

function file_end(  rest, at, line, call, id) {
    if (name == "") return
    rest = all
    line = 1
    while (match(rest, /(^|[^A-Za-z0-9_])(draw_puts|draw_printf|draw_box|draw_message_row|draw_right|buf_puts|buf_printf|snprintf)\([^";]*"/)) {
        call = substr(rest, RSTART, RLENGTH)
        at = RSTART + RLENGTH - 1
        line += gsub(/\n/, "\n", call)
        line += newlines(substr(rest, 1, RSTART - 1))
        rest = substr(rest, at)
        if (!match(rest, /^"([^"\\]|\\.)*"/)) break
        id = substr(rest, 2, RLENGTH - 2)
        rest = substr(rest, RLENGTH + 1)
        if (call !~ /(^|[^a-z_])tr(_[a-z]+)?\(|[^A-Za-z]N_\(/ && (call ~ /draw_/ ? is_word(id) : is_sentence(id)))
            print name ":" line ": drawn without tr(): " id
    }
}

function newlines(s) { return gsub(/\n/, "", s) }

function is_sentence(s) {
    gsub(/npuscope [a-z]+|^go step|option mouse/, "", s) # commands, the state of the screen
    return s ~ /(^|[^a-z_%])[a-z][a-z]+ [a-z][a-z]+/
}

function is_word(s) {
    gsub(/\\[a-z]/, "", s)
    gsub(/%[-+ #0-9.*$]*[hlzjt]*[a-zA-Z]/, "", s)
    return s ~ /[A-Za-z][A-Za-z]/ && s !~ /^ *(npuscope|rank|FLOP\/B)[ ]*$/
}

{
    file = substr($0, 1, index($0, ":") - 1)
    text = substr($0, length(file) + 2)
    text = substr(text, index(text, ":") + 1)
    if (file != name) {
        file_end()
        name = file
        all = ""
    }
    all = all text "\n"
}
END { file_end() }
