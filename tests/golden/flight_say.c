/* SPDX-License-Identifier: Apache-2.0 */
/* flight_say DUMP...: what flight recorder dumps say together, a line for each group and for the roots, and
 * where the main thread of each rank is whose stack lies beside its dump. For golden tests. */
#include "config.h"

#include "parsers/logs/flight_compare.h"
#include "parsers/logs/pystack.h"
#include "tests/unit/parsers/rows.h"

static const char *const kinds[] = { "same", "missing", "mismatch", "stuck" };

static void say_group(const struct flight_found *f)
{
    printf("group|%.*s|%s|%" PRId64 "|", (int)f->name.n, f->name.p, kinds[f->kind], f->seq);
    for (size_t i = 0; i < f->n_culprits; i++)
        printf("%s%d", i ? "," : "", (int)f->culprits[i]);
    printf("|%.*s\n", (int)f->text.n, f->text.p);
}

/* One file with one of the readers. */
static int read_one(const char *path, struct flight_dump **dump, struct pystack **stack, struct err *e)
{
    struct rows r;

    rows_init(&r, "flight", path);
    struct parse_ctx c = { .f = &r.file, .run = &r.run, .tmp = r.tmp, .out = sink_count_sink(r.count) };
    int rc = dump ? flight_read(dump, &c, e) : pystack_read(stack, &c, e);
    if (r.text.n)
        printf("%s: %s", path, buf_str(&r.text).p);
    rows_done(&r);
    return rc;
}

static void say_stack(const char *dump)
{
    struct pystack *s = NULL;
    struct err e = ERR_INIT;
    char path[4096];

    snprintf(path, sizeof path, "%s_py_traceback", dump);
    if (read_one(path, NULL, &s, &e))
        return;
    const struct pystack_frame *f = pystack_last(s);
    if (f)
        printf("stack|%d|%.*s:%" PRId64 "|%.*s\n", s->rank, (int)f->file.n, f->file.p, f->line,
               (int)f->code.n, f->code.p ? f->code.p : "");
    pystack_free(s);
}

int main(int argc, char **argv)
{
    struct flight_dump **dump = calloc((size_t)argc, sizeof(struct flight_dump *));
    struct flight_compared *c = NULL;
    struct err e = ERR_INIT;
    char text[700];
    int n = 0;

    if (!dump)
        return 1;
    for (int i = 1; i < argc; i++) {
        struct err one = ERR_INIT;
        if (read_one(argv[i], &dump[n], NULL, &one))
            printf("error|%s\n", err_message(&one, text, sizeof text));
        else
            n++;
    }
    if (flight_compare(&c, (const struct flight_dump *const *)dump, (size_t)n, &e))
        printf("error|%s\n", err_message(&e, text, sizeof text));
    for (size_t i = 0; c && i < c->n_groups; i++)
        say_group(&c->groups[i]);
    printf("roots|");
    for (size_t i = 0; c && i < c->n_roots; i++)
        printf("%s%d", i ? "," : "", (int)c->roots[i]);
    printf("|%s\n", c && c->undecided ? "undecided" : "");
    for (int i = 1; i < argc; i++)
        say_stack(argv[i]);
    flight_compared_free(c);
    for (int i = 0; i < n; i++)
        flight_free(dump[i]);
    free(dump);
    return e.code != OK;
}
