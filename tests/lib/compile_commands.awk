# SPDX-License-Identifier: Apache-2.0
# compile_commands.json for editors and analysers, from what `make -n` would run; see the target compile-commands.
# -v build=DIR -v source=DIR, both absolute.

function quoted(s) {
    gsub(/\\/, "\\\\", s)
    gsub(/"/, "\\\"", s)
    return "\"" s "\""
}

BEGIN { printf "[" }

match($0, / -c -o [^ ]+ /) {
    command = $0
    sub(/ *&& *\\?$/, "", command)
    sub(/ *-MT .* -c -o /, " -c -o ", command)
    sub(/^.*depbase=[^;]*;[ \\]*/, "", command)
    file = command
    sub(/^.* -c -o [^ ]+ /, "", file)
    sub(/^`[^`]*`/, "", file)
    sub(/^\.\.\//, "", file)
    if (file !~ /^\//) file = source "/" file
    sub(/ -c -o .*$/, "", command)
    printf "%s\n{ \"directory\": %s, \"file\": %s, \"command\": %s }", sep, quoted(build), quoted(file),
        quoted(command " -c " file)
    sep = ","
}

END { print "\n]" }
