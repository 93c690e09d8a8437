/* Times people write, as expressions over the store. */
#include "config.h"

#include "cli/window.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/unit.h"

#define ABSOLUTE_NS INT64_C(1000000000000000) /* plain numbers from here on are absolute ns */

bool window_is_given(const struct cli *c)
{
    return opt_is(&c->opts, OPT_FROM) || opt_is(&c->opts, OPT_TO) || opt_is(&c->opts, OPT_TRACK);
}

static bool has_step(const struct cli *c, int64_t step)
{
    for (size_t i = 0; i < c->n_parts; i++)
        if (store_int(
                c->parts[i].store, 0,
                "SELECT count(*) FROM step WHERE rank = :rank AND step = :step AND start_ns IS "
                "NOT NULL",
                ":rank", (int64_t)c->parts[i].rank, ":step", step, NULL) > 0)
            return true;
    return false;
}

/* "17" behind "step": its start, or its end. */
static int step_time(const struct cli *c, struct str number, bool end, struct buf *out,
                     struct err *e)
{
    int64_t step;

    if (!str_i64(str_trim(number), &step))
        return err_set(e, ERR_USAGE, "'step' needs a number: step 17");
    if (!has_step(c, step))
        return err_set(e, ERR_IO, "there is no step %" PRId64 " with a time in this run", step);
    buf_printf(out,
               end ? "(SELECT max(ifnull(end_ns, start_ns + total_ns)) FROM step WHERE rank = "
                     ":rank AND step = %" PRId64 ")"
                   : "(SELECT min(start_ns) FROM step WHERE rank = :rank AND step = %" PRId64 ")",
               step);
    return OK;
}

/* A time as a stored instant: relative ones count from the rank's first instant. */
static int add_time(const struct cli *c, const char *option, const char *text, bool end,
                    struct buf *out, struct err *e)
{
    struct str s = str_trim(str_of(text));
    int64_t n;
    double ns;
    char kind;

    if (str_starts(s, STR("step")))
        return step_time(c, str_sub(s, 4, s.n), end, out, e);
    if (s.n && s.p[0] == '+')
        s = str_sub(s, 1, s.n);
    if (str_i64(s, &n) && n >= ABSOLUTE_NS) {
        buf_printf(out,
                   "(%" PRId64 " - ifnull((SELECT origin_ns FROM rank WHERE rank = :rank), 0))", n);
        return OK;
    }
    if (!unit_parse(s, &ns, &kind) || kind != 't' || ns > 9e18 || ns < -9e18)
        return err_set(e, ERR_USAGE,
                       "--%s takes a time such as 1.5s, 300us, step 17 or absolute ns, not '%s'",
                       option, text);
    buf_printf(out, "(ifnull((SELECT first_ns FROM rank WHERE rank = :rank), 0) + %" PRId64 ")",
               (int64_t)ns);
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

/* One track column contains the text; ASCII letters in any case. */
static void add_contains(struct buf *out, const char *column, const char *text)
{
    buf_printf(out, "instr(lower(ifnull((SELECT text FROM string WHERE id = %s), '')), lower(",
               column);
    add_quoted(out, text);
    buf_puts(out, ")) > 0");
}

void window_track(const struct cli *c, struct buf *out)
{
    const char *track = opt_text(&c->opts, OPT_TRACK);

    if (!track)
        return;
    buf_puts(out, " AND (");
    add_contains(out, "t.name_id", track);
    buf_puts(out, " OR ");
    add_contains(out, "t.process_id", track);
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
            return (int)e->code;
        if (has_dur) {
            buf_printf(out, " OR %s.ts_ns + %s.dur_ns > ", ev, ev);
            (void)!add_time(c, "from", from, false, out, e);
        }
        buf_addc(out, ')');
    }
    if (to) {
        buf_printf(out, " AND %s.ts_ns < ", ev);
        if (add_time(c, "to", to, true, out, e))
            return (int)e->code;
    }
    return buf_failed(out) ? err_nomem(e) : OK;
}

/* One option as a stored instant of a rank; none where the rank lacks the step it names. */
static int time_of(const struct cli *c, const struct view_part *p, const char *option,
                   const char *text, bool end, int64_t none, int64_t *out, struct err *e)
{
    struct buf sql;

    buf_init(&sql, 1 << 16);
    buf_puts(&sql, "SELECT ");
    if (add_time(c, option, text, end, &sql, e) == OK && buf_failed(&sql))
        err_nomem(e);
    if (!e->code)
        *out = store_int(p->store, none, buf_str(&sql).p, ":rank", (int64_t)p->rank, NULL);
    buf_done(&sql);
    return (int)e->code;
}

int window_of(const struct cli *c, const struct view_part *p, int64_t *from, int64_t *to,
              struct err *e)
{
    const char *a = opt_text(&c->opts, OPT_FROM), *b = opt_text(&c->opts, OPT_TO);

    *from = INT64_MIN;
    *to = INT64_MAX;
    if ((a && time_of(c, p, "from", a, false, INT64_MAX, from, e)) ||
        (b && time_of(c, p, "to", b, true, INT64_MIN, to, e)))
        return (int)e->code;
    return OK;
}
