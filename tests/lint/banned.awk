# SPDX-License-Identifier: Apache-2.0
# Input: code as strip.awk gives it (FILE:LINE:TEXT, literals blanked). Output: FILE:LINE: breach.

BEGIN {
    split("strcpy strcat sprintf vsprintf gets strtok strtok_r strncpy atoi atol atoll atof " \
          "scanf fscanf sscanf vscanf vfscanf vsscanf system popen tmpnam tempnam mktemp alloca " \
          "setjmp sigsetjmp longjmp siglongjmp", names, " ")
    for (i in names) banned[names[i]] = 1

    # Functions with a format -> which argument it is. The compiler (-Wformat=2) checks our own ones as well.
    format["printf"] = 1
    format["fprintf"] = format["dprintf"] = format["asprintf"] = format["syslog"] = 2
    format["snprintf"] = 3
}

{
    match($0, /^[^:]+:[0-9]+:/)
    at = substr($0, 1, RLENGTH - 1)
    file = at
    sub(/:[0-9]+$/, "", file)
    text = substr($0, RLENGTH + 1)

    if (pending != "" && file != pending_file) pending = ""
    if (text ~ /^[ \t]*#[ \t]*include/) next
    if (text ~ /#[ \t]*pragma.*diagnostic|_Pragma.*diagnostic/) print at ": a compiler warning is switched off"
    # GCC 12 for aarch64 takes it for a comparison of signed numbers where only the sign is asked for.
    if (text ~ /\([^()]* > [^()]*\) - \([^()]* < [^()]*\)/) print at ": (a > b) - (a < b) is a < b ? -1 : a > b here"
    if (file != "src/base/log.c" && (" " text " ") ~ /[^A-Za-z0-9_](stderr|perror|psignal)[^A-Za-z0-9_]/)
        print at ": prints to standard error; only src/base/log.c may"
    if (file != "src/base/log.c" && (" " text) ~ /[^A-Za-z0-9_]v?dprintf[ \t]*\([ \t]*(2|STDERR_FILENO)[ \t]*,/)
        print at ": prints to standard error; only src/base/log.c may"

    calls()
    arguments(text "\n")
}

# Every word directly before "(".
function calls(rest, word) {
    rest = text
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
        word = substr(rest, RSTART, RLENGTH)
        sub(/[ \t]*\($/, "", word)
        if (word in banned) print at ": " word "() is not used here"
        if (word in format && pending == "") begin(word, substr(rest, RSTART + RLENGTH) "\n")
        rest = substr(rest, RSTART + RLENGTH)
    }
}

# A call with a format begins; its arguments may go on over several lines.
function begin(word, after) {
    pending = word
    pending_file = file
    pending_at = at
    depth = 1
    nth = 1
    first = ""
    scan(after)
    fresh = 1
}

function arguments(line) {
    if (fresh) fresh = 0
    else if (pending != "") scan(line)
}

# Walks over the arguments; at the end of the one that is the format, looks at its first character.
function scan(s, i, c) {
    for (i = 1; i <= length(s) && pending != ""; i++) {
        c = substr(s, i, 1)
        if (c == "(" || c == "[" || c == "{") depth++
        if (c == ")" || c == "]" || c == "}") depth--
        if (depth == 0 || (c == "," && depth == 1)) {
            if (nth == format[pending]) verdict()
            else if (depth == 0) pending = ""
            nth++
            first = ""
        } else if (first == "" && c !~ /[ \t\n\\]/) {
            # A sentence of the catalogues: its directives are compared by tests/lint/po.sh.
            first = substr(s, i, 4) == "tr(\"" ? "\"" : c
        }
    }
}

function verdict() {
    # PRI macros are upper case words that stand between literals, never first.
    if (first != "\"") print pending_at ": the format of " pending "() is not a literal"
    pending = ""
}
