# SPDX-License-Identifier: Apache-2.0
# C text without comments and without what is inside string and character literals (the quotes stay), so that
# the other lint scripts see code only. Every input line gives one line "FILE:LINE:TEXT"; columns are kept.
# With keep_strings=1 literals stay as they are. A comment "lint: ..." or "long: ..." is no code either: read
# it from the file.

FNR == 1 { in_comment = 0; in_string = "" }
{
    line = $0
    out = ""
    n = length(line)
    for (i = 1; i <= n; i++) {
        c = substr(line, i, 1)
        two = substr(line, i, 2)
        if (in_comment) {
            if (two == "*/") {
                in_comment = 0
                out = out " "
                i++
            }
            out = out " "
        } else if (in_string != "") {
            if (c == "\\") {
                out = out (keep_strings ? two : "  ")
                i++
            } else if (c == in_string) {
                in_string = ""
                out = out c
            } else {
                out = out (keep_strings ? c : " ")
            }
        } else if (two == "/*") {
            in_comment = 1
            out = out "  "
            i++
        } else if (two == "//") {
            break
        } else {
            # A quote between hexadecimal digits is C23's digit separator; C17 has none, so every quote opens
            # a literal.
            if (c == "\"" || c == "'") in_string = c
            out = out c
        }
    }
    # A literal goes on in the next line only after a backslash.
    if (in_string != "" && substr(line, n, 1) != "\\") in_string = ""
    print FILENAME ":" FNR ":" out
}
