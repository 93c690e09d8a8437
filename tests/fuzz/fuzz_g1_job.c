/*
 * The group that joins the raw files of a device, found in a folder of any files (fuzz_folder.h): discovery, slices, the joins. What is counted
 * holds together, and every text is read, so that the sanitizers see where it lies.
 */
#include "config.h"

#include "parsers/group_find.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz_folder.h"

struct seen {
    struct sink_count *count;
    unsigned sum;
};

static void on_row(void *arg, enum table_id t, const struct val *v, size_t n)
{
    struct seen *s = arg;

    FUZZ_CHECK((size_t)t < N_TABLES && n >= schema_tables[t].n_cols);
    for (size_t i = 0; i < n; i++) {
        bool id = i < schema_tables[t].n_cols && schema_tables[t].cols[i].type == CT_STR;
        FUZZ_CHECK(!id || v[i].t == VAL_NULL || sink_count_string(s->count, v[i].i).p);
        for (size_t k = 0; v[i].t == VAL_TEXT && k < v[i].s.n; k++)
            s->sum += (unsigned char)v[i].s.p[k];
    }
}

static void check_group(const struct unit *u, struct group_set *g)
{
    struct seen seen = { NULL, 0 };
    struct arena *tmp = NULL;
    struct err e = ERR_INIT;

    FUZZ_CHECK(sink_count_new(&seen.count, &e) == OK &&
               arena_new(&tmp, (size_t)64 << 20, &e) == OK);
    sink_count_on_row(seen.count, on_row, &seen);
    struct group_ctx c = { .kind = g->kind,
                           .m = g->m,
                           .n = g->n,
                           .wanted = (1u << GROUP_TABLES) - 1,
                           .run = &u->info,
                           .tmp = tmp,
                           .out = sink_count_sink(seen.count),
                           .rank = group_set_rank(g, u) };
    for (size_t i = 0; i < g->n; i++)
        g->m[i].c = (struct parse_ctx){
            .f = g->m[i].c.f, .run = c.run, .tmp = tmp, .out = c.out, .rank = c.rank
        };
    int rc = g->kind->parse(&c, &e);
    FUZZ_CHECK(rc == (int)e.code);
    FUZZ_CHECK(rc == OK || rc == ERR_FORMAT || rc == ERR_LIMIT);
    FUZZ_CHECK(rc == OK || e.text[0]);
    sink_count_free(seen.count);
    arena_free(tmp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct inventory_tables t = { registry_kinds, registry_n_kinds, &registry_unknown,
                                        expect_rules, expect_n_rules };
    struct job *j = NULL;
    struct err e = ERR_INIT;

    if (job_scan(&j, fuzz_folder(data, size), &t, &e))
        FUZZ_CHECK(e.code == ERR_FORMAT && e.text[0]);
    for (size_t i = 0; j && i < j->n_units; i++) {
        struct group_list l;
        FUZZ_CHECK(groups_find(&l, j->units[i], &e) == OK);
        for (size_t k = 0; k < l.n; k++)
            check_group(j->units[i], &l.sets[k]);
        groups_done(&l);
    }
    job_free(j);
    return 0;
}
