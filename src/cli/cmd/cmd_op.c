/* SPDX-License-Identifier: Apache-2.0 */
/*
 * op: what is known of op types and ops by name, as MindSpore's Profiler.op_analyse() answers it
 * (doc/formats/mindspore1.md#op_analyse).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/log.h"
#include "base/unit.h"
#include "base/words.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"
#include "model/views/colset.h"
#include "model/views/op_names.h"

#define NAMES_MAX 256
#define TEXT_MAX  ((size_t)64 << 20)
#define NEAR_MAX  3

/* Columns of the view (model/views/colset_op.c), as they are asked for. */
enum op_col {
    OC_NAME,
    OC_BY,
    OC_TYPE,
    OC_CORE,
    OC_CALLS,
    OC_TOTAL,
    OC_AVG,
    OC_MIN,
    OC_MAX,
    OC_SHARE,
    OC_SHAPE,
    N_OC
};
static const char *const op_cols[N_OC] = { "name",   "by",     "type",   "core",      "calls",    "total_ns",
                                           "avg_ns", "min_ns", "max_ns", "share_pct", "in_shapes" };

struct asked {
    struct str name;
    const char *by; /* what it matched: "type", "op"; NULL nothing */
    size_t rows;
    int64_t calls;
    double total, calls_total, share; /* calls_total: time of the rows that have calls */
    double least, most;               /* -1: not known */
    bool shared;
};

struct op_query {
    struct cli *c;
    struct asked asked[NAMES_MAX];
    size_t n;
    struct view_def def; /* only the rows that were asked for */
    struct buf where;
};

/* ---- which rows ---- */

static int read_names(struct op_query *q, struct err *e)
{
    struct str rest = str_of(cmd_arg(q->c, 0)), name;

    while (str_next(&rest, ',', &name)) {
        bool known = false;
        name = str_trim(name);
        for (size_t i = 0; i < q->n; i++)
            known |= str_eq(q->asked[i].name, name);
        if (!name.n || known)
            continue;
        if (q->n == NAMES_MAX)
            return err_set(e, ERR_USAGE, "'op' takes at most %d names at a time", NAMES_MAX);
        q->asked[q->n++] = (struct asked){ .name = name, .least = -1, .most = -1 };
    }
    if (!q->n)
        return err_set(e, ERR_USAGE, "'op' needs the name of an op type or of an op");
    buf_init(&q->where, TEXT_MAX);
    for (size_t i = 0; i < q->n; i++) {
        buf_puts(&q->where, i ? " OR " : "");
        op_names_any(&q->where, q->asked[i].name);
    }
    q->def = view_op_shape;
    q->def.where = buf_str(&q->where).p;
    return buf_failed(&q->where) ? err_nomem(e) : OK;
}

static bool is_asked(const struct asked *a, const struct val *const *v)
{
    struct str name = v[OC_NAME]->t == VAL_TEXT ? v[OC_NAME]->s : STR_NULL;

    if (str_eq(name, a->name))
        return true;
    return str_eq(v[OC_BY]->s, STR("op")) && name.n > a->name.n && str_ends(name, a->name) &&
           name.p[name.n - a->name.n - 1] == '/';
}

/* Call fn with every row that was asked for, of one rank. */
typedef void row_fn(void *arg, const struct val *const *v);
static int each_row(struct op_query *q, const struct view_part *part, row_fn *fn, void *arg, struct err *e)
{
    const struct view_scope scope = cmd_scope(q->c);
    const struct val *v[N_OC];
    struct view *view = NULL;
    struct page p;
    int col[N_OC];

    if (view_open(&view, &q->def, part, 1, &scope, e))
        return e->code;
    for (int k = 0; k < N_OC; k++)
        col[k] = view_find_col(view, op_cols[k]);
    int total = col[OC_TOTAL];
    (void)!view_sort(view, total, true, e);
    for (size_t at = 0; !e->code && at < view_rows(view); at += p.n) {
        if (view_page(view, at, 512, VIEW_STORED, &p, e) || !p.n)
            break;
        for (size_t r = 0; r < p.n; r++) {
            for (int k = 0; k < N_OC; k++)
                v[k] = page_val(&p, r, (size_t)col[k]);
            fn(arg, v);
        }
    }
    view_close(view);
    return e->code;
}

static void add_row(void *arg, const struct val *const *v)
{
    struct op_query *q = arg;

    for (size_t i = 0; i < q->n; i++) {
        struct asked *a = &q->asked[i];
        if (!is_asked(a, v))
            continue;
        a->by = str_eq(v[OC_BY]->s, STR("type")) ? "type" : "op";
        a->rows++;
        a->total += val_num(v[OC_TOTAL]);
        if (v[OC_CALLS]->t == VAL_INT && v[OC_TOTAL]->t != VAL_NULL) {
            a->calls += v[OC_CALLS]->i;
            a->calls_total += val_num(v[OC_TOTAL]);
        }
        if (v[OC_MIN]->t != VAL_NULL && (a->least < 0 || val_num(v[OC_MIN]) < a->least))
            a->least = val_num(v[OC_MIN]);
        if (v[OC_MAX]->t != VAL_NULL && val_num(v[OC_MAX]) > a->most)
            a->most = val_num(v[OC_MAX]);
        if (v[OC_SHARE]->t != VAL_NULL) {
            a->share += val_num(v[OC_SHARE]);
            a->shared = true;
        }
    }
}

/* ---- names that are not there ---- */

struct near_names {
    struct str wrong;
    char name[NEAR_MAX][160];
    unsigned score[NEAR_MAX];
    size_t n;
};

/* Less is nearer; 0: not near. */
static unsigned score_of(struct str wrong, struct str name)
{
    struct str last = str_after_last(name, '/');
    struct nearest near;
    char text[64];

    if (str_eq_nocase(wrong, name) || str_eq_nocase(wrong, last))
        return 1;
    str_copy(last, text, sizeof text);
    nearest_begin(&near, wrong);
    nearest_offer(&near, text);
    if (near.best)
        return 1 + near.distance;
    if (wrong.n >= 3 && str_find_nocase(last, wrong) != SIZE_MAX)
        return 10 + (unsigned)(last.n - wrong.n);
    return 0;
}

static void offer(struct near_names *x, struct str name)
{
    unsigned score = score_of(x->wrong, name);
    size_t at = 0;

    while (at < x->n && x->score[at] <= score)
        at++;
    if (!score || at == NEAR_MAX || name.n >= sizeof x->name[0])
        return;
    x->n += x->n < NEAR_MAX;
    for (size_t i = x->n - 1; i > at; i--) {
        x->score[i] = x->score[i - 1];
        memcpy(x->name[i], x->name[i - 1], sizeof x->name[0]);
    }
    x->score[at] = score;
    str_copy(name, x->name[at], sizeof x->name[at]);
}

/* Types first: of equally near names the first is kept. */
static int find_near(struct op_query *q, struct near_names *x, struct err *e)
{
    static const char *const sql[] = {
        "SELECT text FROM string WHERE id IN (SELECT type_id FROM op UNION SELECT type_id FROM op_stat)",
        "SELECT text FROM string WHERE id IN (SELECT name_id FROM op UNION SELECT name_id FROM op_stat) "
        "AND id NOT IN (SELECT type_id FROM op WHERE type_id IS NOT NULL)",
    };

    /* A type that differs in its case alone is what was meant. */
    for (size_t i = 0; i < ARRAY_LEN(sql) && !(x->n && x->score[0] == 1); i++) {
        struct query *s = NULL;
        int rc = store_query(q->c->parts[0].store, &s, sql[i], e) ? -1 : 0;
        while (rc >= 0 && (rc = query_step(s, e)) == 1)
            offer(x, query_str(s, 0));
        query_free(s);
        if (rc < 0)
            return e->code;
    }
    return OK;
}

/* The sentence for a name that is neither; in e when it is the only answer. */
static int report_unknown(struct op_query *q, const struct asked *a, bool alone, struct err *e)
{
    struct near_names x = { .wrong = a->name };
    char text[NEAR_MAX * 180] = "";
    struct err why = ERR_INIT;
    size_t used = 0;

    if (find_near(q, &x, e))
        return e->code;
    for (size_t i = 0; i < x.n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s'%s'", i ? ", " : "", x.name[i]);
    if (!x.n)
        err_set(&why, ERR_FORMAT, "no op type and no op of this run is named '%.*s'", (int)a->name.n,
                a->name.p);
    else
        err_set(&why, ERR_FORMAT, "no op type and no op of this run is named '%.*s'; did you mean %s?",
                (int)a->name.n, a->name.p, text);
    if (alone) {
        *e = why;
        return e->code;
    }
    log_message("%s", why.text);
    q->c->status = ST_FAILED;
    return OK;
}

static int check_names(struct op_query *q, struct err *e)
{
    size_t found = 0;

    for (size_t i = 0; i < q->n; i++)
        found += q->asked[i].by != NULL;
    for (size_t i = 0; i < q->n; i++)
        if (!q->asked[i].by && report_unknown(q, &q->asked[i], !found, e))
            return e->code;
    return OK;
}

/* What the name is, and its figures over all shapes. */
static void report_matches(const struct op_query *q)
{
    char mean[32], least[32], most[32], share[32];

    for (size_t i = 0; i < q->n; i++) {
        const struct asked *a = &q->asked[i];
        if (!a->by)
            continue;
        const bool is_op = !strcmp(a->by, "op");
        snprintf(share, sizeof share, tr(", %.2f %%"), a->share);
        if (a->calls)
            log_message(
                is_op ? "'%.*s' is an op: %" PRId64 " executions, mean %s, min %s, max %s%s"
                      : "'%.*s' is an op type: %" PRId64 " executions, mean %s, min %s, max %s%s",
                (int)a->name.n, a->name.p, a->calls,
                unit_time(mean, sizeof mean, a->calls_total / (double)a->calls, TIME_AUTO),
                a->least < 0 ? tr_message("unknown") : unit_time(least, sizeof least, a->least, TIME_AUTO),
                a->most < 0 ? tr_message("unknown") : unit_time(most, sizeof most, a->most, TIME_AUTO),
                a->shared && q->c->n_parts == 1 ? share : "");
        else
            log_message(is_op ? "'%.*s' is an op" : "'%.*s' is an op type", (int)a->name.n, a->name.p);
    }
}

/* ---- json: the document of op_analyse(), with more members ---- */

struct document {
    struct buf *b;
    const struct asked *a;
    size_t rows;
};

/* ns as us, as Python writes them after round(us, 4). */
static void add_us(struct buf *b, const char *key, const struct val *v)
{
    char t[64];

    buf_printf(b, ", \"%s(us)\": ", key);
    if (v->t == VAL_NULL) {
        buf_puts(b, "null");
        return;
    }
    int n = snprintf(t, sizeof t, "%.4f", val_num(v) / 1000);
    while (n > 2 && t[n - 1] == '0' && t[n - 2] != '.')
        n--;
    buf_add(b, (struct str){ t, (size_t)n });
}

static void add_member(struct buf *b, const char *key, const struct val *v)
{
    buf_printf(b, ", \"%s\": ", key);
    if (v->t == VAL_TEXT)
        write_json_string(b, v->s);
    else if (v->t == VAL_INT)
        buf_printf(b, "%" PRId64, v->i);
    else if (v->t == VAL_REAL)
        buf_printf(b, "%.4f", v->r);
    else
        buf_puts(b, "null");
}

static const char *side_of(const struct val *core)
{
    if (core->t == VAL_TEXT && str_eq(core->s, STR("GPU")))
        return "gpu";
    return core->t == VAL_TEXT && str_eq(core->s, STR("CPU")) ? "cpu" : "ascend";
}

static void add_entry(void *arg, const struct val *const *v)
{
    struct document *d = arg;

    if (!is_asked(d->a, v))
        return;
    buf_printf(d->b, "%s\n  {\"op_side\": \"%s\"", d->rows++ ? "," : "", side_of(v[OC_CORE]));
    add_member(d->b, "input_shape", v[OC_SHAPE]);
    add_member(d->b, "op_occurrences", v[OC_CALLS]);
    add_us(d->b, "op_total_time", v[OC_TOTAL]);
    add_us(d->b, "op_avg_time", v[OC_AVG]);
    add_us(d->b, "op_min_time", v[OC_MIN]);
    add_us(d->b, "op_max_time", v[OC_MAX]);
    add_member(d->b, "share_pct", v[OC_SHARE]);
    add_member(d->b, "matched", v[OC_BY]);
    add_member(d->b, "op_name", str_eq(v[OC_BY]->s, STR("op")) ? v[OC_NAME] : &(struct val){ .t = VAL_NULL });
    add_member(d->b, "op_type", v[OC_TYPE]);
    add_member(d->b, "core", v[OC_CORE]);
    buf_addc(d->b, '}');
}

static int write_document(struct op_query *q, struct err *e)
{
    struct cli *c = q->c;
    struct buf b;

    buf_init(&b, TEXT_MAX);
    buf_puts(&b, c->n_parts > 1 ? "[" : "");
    for (size_t p = 0; p < c->n_parts && !e->code; p++) {
        const struct session_rank *rank = session_rank(c->session, c->ranks[p]);
        buf_puts(&b, p ? ",\n{" : "{");
        for (size_t i = 0; i < q->n && !e->code; i++) {
            struct document d = { &b, &q->asked[i], 0 };
            if (!d.a->by)
                continue;
            buf_puts(&b, "\n");
            write_json_string(&b, d.a->name);
            buf_puts(&b, ": [");
            (void)!each_row(q, &c->parts[p], add_entry, &d, e);
            buf_puts(&b, d.rows ? "\n]," : "],");
        }
        if (c->n_parts > 1)
            buf_printf(&b, "\n\"rank\": %d,", rank->rank);
        buf_printf(&b, "\n\"device_id\": %d}", session_rank_device(rank));
    }
    buf_puts(&b, c->n_parts > 1 ? "]\n" : "\n");
    if (!e->code && buf_failed(&b))
        err_nomem(e);
    if (!e->code && cli_output(c, true, e) == OK)
        out_add(c->out, buf_str(&b));
    buf_done(&b);
    return e->code;
}

/* ---- the command ---- */

/* Options that shape a table have no meaning for the document. */
static bool wants_document(const struct cli *c)
{
    return opt_int(&c->opts, OPT_FORMAT, FMT_TEXT) == FMT_JSON && !opt_is(&c->opts, OPT_COLUMNS) &&
           !opt_is(&c->opts, OPT_ALL_COLUMNS) && !opt_is(&c->opts, OPT_FILTER) &&
           !opt_is(&c->opts, OPT_SORT) && !opt_is(&c->opts, OPT_TOP);
}

static int answer(struct op_query *q, struct err *e)
{
    struct cli *c = q->c;

    for (size_t i = 0; i < c->n_parts; i++)
        if (each_row(q, &c->parts[i], add_row, q, e))
            return e->code;
    if (check_names(q, e))
        return e->code;
    if (wants_document(c)) {
        if (write_document(q, e) == OK)
            cmd_check_damage(c, PANE_BIT(PANE_OPS), false);
        return e->code;
    }
    if (!opt_is(&c->opts, OPT_QUIET))
        report_matches(q);
    return cmd_print_view(c, &q->def, e);
}

int cmd_op(struct cli *c, struct err *e)
{
    struct op_query *q = calloc(1, sizeof *q);

    if (!q)
        return err_nomem(e);
    q->c = c;
    if (cmd_check_usage(c, e) == OK && read_names(q, e) == OK && run_open(c, cmd_arg(c, 1), e) == OK) {
        cmd_choose_language(c);
        if (cmd_choose_view(c, c->opts.cmd, NULL, e))
            (void)!answer(q, e);
    }
    buf_done(&q->where);
    free(q);
    return e->code;
}
