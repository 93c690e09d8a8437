/* SPDX-License-Identifier: Apache-2.0 */
/* parse_dump KIND FILE [GEN]: parse one file as a kind of the registry and print its rows as text
 * (tests/unit/parsers/rows.h); with GEN table NAME a table of a database as it is. For golden tests. */
#include "config.h"

#include "tests/unit/parsers/rows.h"

int main(int argc, char **argv)
{
    struct err e = ERR_INIT;
    struct rows r;
    char text[700];

    if (argc < 3) {
        fprintf(stderr, "usage: parse_dump KIND FILE [GEN [count | table NAME]]\n");
        return 2;
    }
    const struct file_kind *kind = registry_find(str_of(argv[1]));
    if (!kind || (!kind->parse && argc < 6)) {
        fprintf(stderr, "parse_dump: no parser for kind %s\n", argv[1]);
        return 2;
    }
    rows_init(&r, kind->id, argv[2]);
    r.file.kind = kind;
    r.quiet = argc == 5;
    r.part = argc > 5 ? argv[5] : NULL;
    for (int g = 0; argc > 3 && g < N_GENS; g++)
        if (strcmp(gen_id((enum gen)g), argv[3]) == 0)
            r.run.gen = (enum gen)g;
    int rc = rows_parse(&r, r.part ? parse_generic : kind->parse, &e);
    fwrite(buf_str(&r.text).p, 1, r.text.n, stdout);
    if (rc)
        printf("error|%s\n", err_message(&e, text, sizeof text));
    printf("end|rows=%" PRIu64 "|lost=%" PRIu64 "|state=%s\n", r.rows, r.lost, err_name(rc));
    if (r.quiet)
        printf("total|%" PRIu64 "|ops|%" PRIu64 "\n", sink_count_get(r.count)->total,
               sink_count_get(r.count)->ops);
    rows_done(&r);
    return 0;
}
