# SPDX-License-Identifier: Apache-2.0
# Input: bytes of a packed catalogue as od -tx1 prints them. Output: C, the catalogue as base/lang/tr.h declares it. -v
# language=zh_CN, -v bytes: how many they unpack to.
BEGIN {
    print "/* Made from po/" language ".po by po/table.awk and po/bytes.awk. */"
    print "#include \"config.h\"\n"
    print "#include \"base/lang/tr.h\"\n"
    print "static const unsigned char packed[] = {"
}
{
    line = "   "
    for (i = 1; i <= NF; i++) line = line " 0x" $i ","
    if (NF) print line
}
END {
    print "};"
    print "const struct tr_packed tr_" language " = { packed, sizeof packed, " bytes " };"
}
