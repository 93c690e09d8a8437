/* SPDX-License-Identifier: Apache-2.0 */
/* What the targets of groups share. */
#include "config.h"

#include "tests/fuzz/fuzz_group.h"

#include "store/sink_count.h"

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

void fuzz_group(const struct group_kind *k, struct group_member *m, size_t n, const struct runinfo *run,
                int rank, bool preview)
{
    struct seen seen = { NULL, 0 };
    struct arena *tmp = NULL;
    struct err e = ERR_INIT;

    FUZZ_CHECK(sink_count_new(&seen.count, &e) == OK && arena_new(&tmp, (size_t)64 << 20, &e) == OK);
    sink_count_on_row(seen.count, on_row, &seen);
    struct group_ctx c = { .kind = k,
                           .m = m,
                           .n = n,
                           .wanted = (1u << GROUP_TABLES) - 1,
                           .run = run,
                           .tmp = tmp,
                           .out = sink_count_sink(seen.count),
                           .rank = rank,
                           .preview = preview };
    for (size_t i = 0; i < n; i++)
        m[i].c = (struct parse_ctx){ .f = m[i].c.f, .run = run, .tmp = tmp, .out = c.out, .rank = rank };
    int rc = k->parse(&c, &e);
    FUZZ_CHECK(rc == e.code);
    FUZZ_CHECK(rc == OK || rc == ERR_FORMAT || rc == ERR_LIMIT);
    FUZZ_CHECK(rc == OK || e.text[0]);
    sink_count_free(seen.count);
    arena_free(tmp);
}
