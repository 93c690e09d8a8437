/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of views that give one row. */
#include "config.h"

#include "model/view/facts.h"

#include <stdio.h>
#include <string.h>

static void bind(struct query *q, const struct view_part *p, const struct view_scope *s)
{
    query_bind_int(q, ":rank", p->rank);
    query_bind_int(q, ":first_step", s->first_step);
    if (s->step0 != INT64_MIN)
        query_bind_int(q, ":step0", s->step0);
    if (s->step1 != INT64_MAX)
        query_bind_int(q, ":step1", s->step1);
}

/* 1: the statement gives a number that is not 0 in one of the parts; -1: error. */
static int is_true(const char *sql, const struct view_part *parts, size_t n, const struct view_scope *scope,
                   struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        struct query *q = NULL;
        if (store_query(parts[i].store, &q, sql, e))
            return -1;
        bind(q, &parts[i], scope);
        int rc = query_step(q, e);
        bool yes = rc == 1 && query_int(q, 0) != 0;
        query_free(q);
        if (rc < 0)
            return -1;
        if (yes)
            return 1;
    }
    return 0;
}

int view_has_data(const struct view_def *d, const struct view_part *parts, size_t n,
                  const struct view_scope *scope, struct err *e)
{
    return n && !d->needs ? 1 : n ? is_true(d->needs, parts, n, scope, e) : 0;
}

bool view_ignores_steps(const struct view_def *d, const struct view_part *parts, size_t n,
                        const struct view_scope *scope)
{
    struct err ignored = ERR_INIT;

    if (!d->unsplit || view_scope_all(scope))
        return false;
    return is_true(d->unsplit, parts, n, scope, &ignored) == 1;
}

static const struct {
    const char *suffix;
    enum view_unit unit;
} suffixes[] = {
    { "_ts_ns", VU_TS },
    { "_ns", VU_NS },
    { "_bytes_per_s", VU_BYTES_S },
    { "_b", VU_BYTES },
    { "_pct", VU_PCT },
    { "_ratio", VU_RATIO },
    { "_flops_per_s", VU_FLOPS_S },
    { "_tflops_per_s", VU_TFLOPS_S },
    { "_mflops", VU_MFLOPS },
    { "_flops", VU_FLOPS },
    { "_mhz", VU_MHZ },
    { "_count", VU_COUNT },
};

enum view_unit view_unit_of_name(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
        if (str_ends(name, str_of(suffixes[i].suffix)))
            return suffixes[i].unit;
    return VU_NONE;
}

/* Texts move while the buffer grows: keep offsets first, set pointers at the end. */
static void take_row(struct query *q, struct facts *out)
{
    size_t at[ARRAY_LEN(out->f)] = { 0 };
    out->n = query_columns(q) < ARRAY_LEN(out->f) ? query_columns(q) : ARRAY_LEN(out->f);
    for (size_t i = 0; i < out->n; i++) {
        struct fact *f = &out->f[i];
        str_copy(str_of(query_name(q, i)), f->name, sizeof f->name);
        f->unit = view_unit_of_name(str_of(f->name));
        f->v = query_val(q, i);
        at[i] = out->texts.n;
        if (f->v.t == VAL_TEXT)
            buf_add(&out->texts, f->v.s);
    }
    for (size_t i = 0; i < out->n; i++)
        if (out->f[i].v.t == VAL_TEXT)
            out->f[i].v = buf_failed(&out->texts)
                              ? val_null()
                              : val_text((struct str){ buf_str(&out->texts).p + at[i], out->f[i].v.s.n });
}

static int query_facts(const char *sql, const struct view_part *part, const struct view_scope *scope,
                       struct facts *out, struct err *e)
{
    struct query *q;
    memset(out, 0, sizeof *out);
    buf_init(&out->texts, (size_t)1 << 20);
    if (store_query(part->store, &q, sql, e))
        return e->code;
    bind(q, part, scope);
    int rc = query_step(q, e);
    if (rc == 1)
        take_row(q, out);
    query_free(q);
    return rc < 0 ? e->code : OK;
}

int view_summary(const struct view_def *d, const struct view_part *parts, size_t n,
                 const struct view_scope *scope, struct facts *out, struct err *e)
{
    memset(out, 0, sizeof *out);
    buf_init(&out->texts, (size_t)1 << 20);
    if (!d->summary || !n)
        return OK;
    return query_facts(d->summary, &parts[0], scope, out, e);
}

bool facts_ops_in_steps(const struct view_part *part, const struct view_scope *scope)
{
    static const char sql[] = "SELECT 1 FROM op_exec WHERE rank = :rank AND step IS NOT NULL AND "
                              "(:step0 IS NULL OR step >= :step0) AND "
                              "(:step1 IS NULL OR step <= :step1) LIMIT 1";
    struct err ignored = ERR_INIT;
    struct query *q;

    if (store_query(part->store, &q, sql, &ignored))
        return false;
    bind(q, part, scope);
    int rc = query_step(q, &ignored);
    query_free(q);
    return rc == 1;
}

void facts_done(struct facts *f)
{
    buf_done(&f->texts);
    f->n = 0;
}
