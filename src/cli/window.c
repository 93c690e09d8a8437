/* SPDX-License-Identifier: Apache-2.0 */
/* Times people write, as expressions over the store. */
#include "config.h"

#include "cli/window.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/unit.h"
#include "model/views/colset.h"

#define ABSOLUTE_NS INT64_C(1000000000000000) /* plain numbers from here on are absolute ns */

bool window_is_given(const struct cli *c)
{
    return opt_is(&c->opts, OPT_FROM) || opt_is(&c->opts, OPT_TO) || opt_is(&c->opts, OPT_TRACK);
}

static bool has_step(const struct cli *c, int64_t step)
{
    for (size_t i = 0; i < c->n_parts; i++)
        if (store_int(c->parts[i].store, 0,
                      "SELECT count(*) FROM step WHERE rank = :rank AND step = :step AND start_ns IS "
                      "NOT NULL",
                      ":rank", (int64_t)c->parts[i].rank, ":step", step, NULL) > 0)
            return true;
    return false;
}

/* A time as somebody wrote it. */
struct moment {
    enum { SINCE_FIRST, ABSOLUTE, STEP } kind;
    int64_t n; /* ns, or the step */
};

static int parse_moment(const char *option, const char *text, struct moment *m, struct err *e)
{
    struct str s = str_trim(str_of(text));
    double ns;
    char kind;

    if (str_starts(s, STR("step"))) {
        m->kind = STEP;
        if (str_i64(str_trim(str_sub(s, 4, s.n)), &m->n))
            return OK;
        return err_set(e, ERR_USAGE, "'step' needs a number: --%s='step 17'", option);
    }
    if (s.n && s.p[0] == '+')
        s = str_sub(s, 1, s.n);
    m->kind = ABSOLUTE;
    if (str_i64(s, &m->n) && m->n >= ABSOLUTE_NS)
        return OK;
    m->kind = SINCE_FIRST;
    if (!unit_parse(s, &ns, &kind) || kind != 't' || ns > 9e18 || ns < -9e18)
        return err_set(e, ERR_USAGE,
                       "--%s takes a time such as 1.5s, 300us, step 17 or absolute ns, not '%s'", option,
                       text);
    m->n = (int64_t)ns;
    return OK;
}

int window_check(const struct cli *c, struct err *e)
{
    const char *from = opt_text(&c->opts, OPT_FROM), *to = opt_text(&c->opts, OPT_TO);
    struct moment a, b;

    if ((from && parse_moment("from", from, &a, e)) || (to && parse_moment("to", to, &b, e)))
        return e->code;
    /* A step ends after it begins. */
    if (from && to && a.kind == b.kind && a.n >= b.n + (a.kind == STEP))
        return err_set(e, ERR_USAGE, "--from=%s is not before --to=%s", from, to);
    return OK;
}

/* As a stored instant: relative times count from the rank's first instant; a step has a start and an end. */
static int add_time(const struct cli *c, const char *option, const char *text, bool end, struct buf *out,
                    struct err *e)
{
    struct moment m;

    if (parse_moment(option, text, &m, e))
        return e->code;
    if (m.kind == STEP && !has_step(c, m.n))
        return err_set(e, ERR_IO, "there is no step %" PRId64 " with a time in this run", m.n);
    if (m.kind == STEP)
        buf_printf(out, "(SELECT %s FROM step WHERE rank = :rank AND step = %" PRId64 ")",
                   end ? "max(ifnull(end_ns, start_ns + total_ns))" : "min(start_ns)", m.n);
    else if (m.kind == ABSOLUTE)
        buf_printf(out, "(%" PRId64 " - ifnull((SELECT origin_ns FROM rank WHERE rank = :rank), 0))", m.n);
    else
        buf_printf(out, "(ifnull((SELECT first_ns FROM rank WHERE rank = :rank), 0) + %" PRId64 ")", m.n);
    return OK;
}

static void add_quoted(struct buf *out, const char *text)
{
    buf_addc(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            buf_addc(out, '\'');
        buf_addc(out, *text);
    }
    buf_addc(out, '\'');
}

/* A text of the track contains this one; ASCII letters in any case. */
static void add_contains(struct buf *out, const char *expr, const char *text)
{
    buf_printf(out, "instr(lower(ifnull(%s, '')), lower(", expr);
    add_quoted(out, text);
    buf_puts(out, ")) > 0");
}

void window_track(const struct cli *c, struct buf *out)
{
    const char *track = opt_text(&c->opts, OPT_TRACK);

    if (!track)
        return;
    buf_puts(out, " AND (");
    add_contains(out, COLSET_TRACK, track);
    buf_puts(out, " OR ");
    add_contains(out, COLSET_TEXT("t.process_id"), track);
    buf_puts(out, " OR instr(lower(t.tid), lower(");
    add_quoted(out, track);
    buf_puts(out, ")) > 0)");
}

int window_times(const struct cli *c, const char *ev, bool has_dur, struct buf *out, struct err *e)
{
    const char *from = opt_text(&c->opts, OPT_FROM), *to = opt_text(&c->opts, OPT_TO);

    if ((from || to) && !ev)
        return err_set(e, ERR_USAGE, "this table has no times for --from and --to");
    if (from) {
        buf_printf(out, " AND (%s.ts_ns >= ", ev);
        if (add_time(c, "from", from, false, out, e))
            return e->code;
        if (has_dur) {
            buf_printf(out, " OR %s.ts_ns + %s.dur_ns > ", ev, ev);
            (void)!add_time(c, "from", from, false, out, e);
        }
        buf_addc(out, ')');
    }
    if (to) {
        buf_printf(out, " AND %s.ts_ns < ", ev);
        if (add_time(c, "to", to, true, out, e))
            return e->code;
    }
    return buf_failed(out) ? err_nomem(e) : OK;
}

/* One option as a stored instant of a rank; none where the rank lacks the step it names. */
static int time_of(const struct cli *c, const struct view_part *p, const char *option, const char *text,
                   bool end, int64_t none, int64_t *out, struct err *e)
{
    struct buf sql;

    buf_init(&sql, 1 << 16);
    buf_puts(&sql, "SELECT ");
    if (add_time(c, option, text, end, &sql, e) == OK && buf_failed(&sql))
        err_nomem(e);
    if (!e->code)
        *out = store_int(p->store, none, buf_str(&sql).p, ":rank", (int64_t)p->rank, NULL);
    buf_done(&sql);
    return e->code;
}

int window_of(const struct cli *c, const struct view_part *p, int64_t *from, int64_t *to, struct err *e)
{
    const char *a = opt_text(&c->opts, OPT_FROM), *b = opt_text(&c->opts, OPT_TO);

    *from = INT64_MIN;
    *to = INT64_MAX;
    if ((a && time_of(c, p, "from", a, false, INT64_MAX, from, e)) ||
        (b && time_of(c, p, "to", b, true, INT64_MIN, to, e)))
        return e->code;
    return OK;
}
