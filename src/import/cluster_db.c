/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks in the database of a cluster analysis. */
#include "config.h"

#include "import/cluster_db.h"

#include "base/sig.h"
#include "store/foreign.h"

#define ROWS_MAX 1000000 /* of a table: its first steps have all ranks */

enum form {
    NUMBER,    /* 3 */
    OF_A_RANK, /* the same, where the other column is "rank"; else it is about a stage */
    LIST       /* "(0, 1, 2)" or "[0, 1]" */
};

/* Best first. */
static const struct place {
    const char *table, *col, *other;
    enum form form;
} places[] = {
    { "ClusterStepTraceTime", "index", "type", OF_A_RANK },
    { "ClusterCommAnalyzerTime", "rank_id", NULL, NUMBER },
    { "ClusterCommunicationTime", "rank_id", NULL, NUMBER },
    { "ClusterCommAnalyzerBandwidth", "rank_id", NULL, NUMBER },
    { "ClusterCommunicationBandwidth", "rank_id", NULL, NUMBER },
    { "ClusterCommAnalyzerMatrix", "src_rank", NULL, NUMBER },
    { "ClusterCommunicationMatrix", "src_rank", NULL, NUMBER },
    { "RankDeviceMap", "rankId", NULL, NUMBER },
    { "CommunicationGroup", "rank_set", NULL, LIST },
    { "CommunicationGroupMapping", "rank_set", NULL, LIST },
};

struct found {
    void (*add)(void *arg, int rank);
    void *arg;
    enum form form;
    size_t rows;
    bool any;
};

static void take(struct found *f, int64_t rank)
{
    if (rank < 0 || rank > 99999999)
        return;
    f->add(f->arg, (int)rank);
    f->any = true;
}

static void take_text(struct found *f, struct str s)
{
    int64_t n;

    if (str_i64(str_trim(s), &n))
        take(f, n);
}

static void take_list(struct found *f, struct str s)
{
    for (size_t i = 0; i < s.n;) {
        size_t end = i;

        while (end < s.n && s.p[end] >= '0' && s.p[end] <= '9')
            end++;
        take_text(f, str_sub(s, i, end - i));
        i = end > i ? end : i + 1;
    }
}

static int on_row(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct found *f = arg;
    bool is_rank = f->form != OF_A_RANK || (n > 1 && v[1].t == VAL_TEXT && str_eq(v[1].s, STR("rank")));

    if (v[0].t == VAL_INT && is_rank)
        take(f, v[0].i);
    else if (v[0].t == VAL_TEXT && f->form == LIST)
        take_list(f, v[0].s);
    else if (v[0].t == VAL_TEXT && is_rank)
        take_text(f, v[0].s);
    return ++f->rows < ROWS_MAX ? OK : err_set(e, ERR_LIMIT, "enough rows");
}

static size_t find_table(const struct foreign *db, const char *name)
{
    for (size_t i = 0; i < foreign_n(db); i++)
        if (str_eq_nocase(foreign_table(db, i), str_of(name)))
            return i;
    return SIZE_MAX;
}

static void look_into(struct foreign *db, const struct place *p, struct found *f)
{
    const struct str cols[] = { str_of(p->col), str_of(p->other) };
    struct err ignored = ERR_INIT;
    size_t table = find_table(db, p->table);

    f->form = p->form;
    f->rows = 0;
    if (table != SIZE_MAX &&
        foreign_read_columns(db, table, cols, p->other ? 2 : 1, on_row, f, &ignored) == ERR_CANCELLED)
        f->any = true; /* nothing more is wanted */
}

static bool is_stopped(void *arg)
{
    (void)arg;
    return sig_stop() != 0;
}

void cluster_db_ranks(const char *path, void (*add)(void *arg, int rank), void *arg)
{
    struct found f = { .add = add, .arg = arg };
    struct err ignored = ERR_INIT;
    struct foreign *db = NULL;

    if (foreign_open(&db, path, is_stopped, NULL, &ignored) == OK)
        for (size_t i = 0; i < sizeof places / sizeof *places && !f.any; i++)
            look_into(db, &places[i], &f);
    foreign_close(db);
}
