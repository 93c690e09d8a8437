# SPDX-License-Identifier: Apache-2.0
# Input: code as strip.awk gives it. Output: one line "LINES FILE LINE NAME" per function, from the line with
# its name to its closing brace. Relies on the house style: a function's braces stand alone in column 1.

{
    match($0, /^[^:]+:[0-9]+:/)
    head = substr($0, 1, RLENGTH - 1)
    text = substr($0, RLENGTH + 1)
    n = split(head, part, ":")
    line = part[2]
    if (part[1] != file) {
        file = part[1]
        start = open = 0
        name = ""
    }
    if (text ~ /^[A-Za-z_].*\(/ && !open) {
        # NAME( where a declarator begins; it may go on over several lines until "{" or ";".
        start = line
        name = text
        if (name ~ /^[^(]*__attribute__/) sub(/__attribute__[ \t]*\(\([^)]*\)\)/, "", name)
        sub(/[ \t]*\(.*$/, "", name)
        sub(/^.*[^A-Za-z0-9_]/, "", name)
    }
    if (text ~ /;[ \t]*$/ && !open) start = 0
    if (text ~ /^\{/ && start) open = 1
    if (text ~ /^\}/) {
        if (open) print line - start + 1, file, start, name
        start = open = 0
    }
}
