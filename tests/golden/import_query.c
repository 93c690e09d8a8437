/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import_query DIR SQL: read the unit at DIR into memory and print the rows of a statement, columns separated
 * by TAB. For golden tests. Names, raw bytes, must not hold TAB or line ends.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "import/import.h"
#include "store/store.h"

static void print_val(const struct val *v)
{
    if (v->t == VAL_TEXT)
        fwrite(v->s.p, 1, v->s.n, stdout);
    else if (v->t == VAL_INT)
        printf("%" PRId64, v->i);
    else if (v->t == VAL_UINT)
        printf("%" PRIu64, v->u);
    else if (v->t == VAL_REAL)
        printf("%.17g", v->r);
}

static int print_rows(struct store *s, const char *sql, struct err *e)
{
    struct query *q = NULL;

    if (store_query(s, &q, sql, e))
        return e->code;
    while (query_step(q, e) == 1)
        for (size_t i = 0; i < query_columns(q); i++) {
            struct val v = query_val(q, i);
            print_val(&v);
            putchar(i + 1 < query_columns(q) ? '\t' : '\n');
        }
    query_free(q);
    return e->code;
}

int main(int argc, char **argv)
{
    const struct import_opts o = { .store_path = NULL };
    struct err e = ERR_INIT;
    struct job *job = NULL;
    struct store *s = NULL;
    char text[700];

    if (argc != 3) {
        fprintf(stderr, "usage: import_query DIR SQL\n");
        return 2;
    }
    if (import_scan(&job, argv[1], &e) == OK && job->n_units != 1)
        err_set(&e, ERR_USAGE, "%zu units, not one", job->n_units);
    if (!e.code && import_unit(job->units[0], &o, &s, NULL, &e) == OK)
        (void)print_rows(s, argv[2], &e);
    if (e.code)
        fprintf(stderr, "import_query: %s\n", err_message(&e, text, sizeof text));
    store_close(s);
    job_free(job);
    return e.code ? 1 : 0;
}
