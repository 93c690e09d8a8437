/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by step. */
#include "config.h"

#include "offline/trace/step_sums.h"

#include <stdlib.h>

#include "base/bounded.h"

struct step_sums {
    struct offline_run *r;
    struct step_sum *v; /* by start */
    int64_t *last_end;  /* by step: the latest end of it and those before */
    size_t n;
    unsigned comm_layers; /* that count as communication */
    bool by_digits;       /* of MindSpore 2.5: all, too */
    struct decimal28 all[IDLE + 1];
    struct intern *names;
};

int step_sums_new(struct step_sums **out, struct offline_run *r, struct err *e)
{
    struct step_sums *s = *out = calloc(1, sizeof *s);

    if (!s)
        return err_nomem(e);
    bool one = !r->n_steps || r->flavour & (OFFLINE_24 | OFFLINE_25);
    s->r = r;
    s->n = one ? 1 : r->n_steps;
    s->by_digits = r->flavour == OFFLINE_25;
    s->comm_layers = r->o->compat ? LAYER_HCCL : LAYER_HCCL | LAYER_COMM;
    s->v = calloc(s->n, sizeof *s->v);
    s->last_end = calloc(s->n, sizeof *s->last_end);
    if (!s->v || !s->last_end)
        return err_nomem(e);
    for (size_t i = 0; i < s->n; i++) {
        s->v[i].id = one ? STR("0") : r->step[i].id;
        s->v[i].from = one ? INT64_MIN : r->step[i].from;
        s->v[i].to = one ? INT64_MAX : r->step[i].to;
        s->v[i].first = INT64_MAX;
        s->last_end[i] = i && s->last_end[i - 1] > s->v[i].to ? s->last_end[i - 1] : s->v[i].to;
    }
    return intern_new(&s->names, e);
}

void step_sums_free(struct step_sums *s)
{
    if (!s)
        return;
    intern_free(s->names);
    free(s->last_end);
    free(s->v);
    free(s);
}

/* The number of steps that begin at or before an instant. */
static size_t begun_at(const struct step_sums *s, int64_t ns)
{
    size_t low = 0, high = s->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (s->v[mid].from <= ns)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void add_idle(struct step_sums *s, int64_t from, int64_t to)
{
    for (size_t i = begun_at(s, to); i-- > 0 && s->last_end[i] > from;) {
        struct step_sum *x = &s->v[i];
        int64_t a = from > x->from ? from : x->from, b = to < x->to ? to : x->to;
        if (b > a)
            x->idle = bounded_add(x->idle, b - a);
    }
}

static void add_exactly(struct step_sums *s, enum overlap_thread thread, const struct offline_event *ev)
{
    struct decimal28 d;
    double v;

    if (!offline_event_us(ev, "dur", &v))
        return;
    decimal28_set_real(&d, v);
    decimal28_add(&s->all[thread], &s->all[thread], &d, false);
}

void step_sums_overlap(struct step_sums *s, enum overlap_thread thread, const struct offline_event *ev)
{
    int64_t dur = ev->dur_ns;
    size_t begun = begun_at(s, ev->ts_ns);

    if (thread == OVERLAP_NONE || ev->ts_ns == INT64_MIN)
        return;
    if (s->by_digits)
        add_exactly(s, thread, ev);
    if (thread == IDLE) {
        add_idle(s, ev->ts_ns, ev->ts_ns + dur);
        return;
    }
    if (begun && thread != NOT_OVERLAPPED && ev->ts_ns < s->v[begun - 1].first)
        s->v[begun - 1].first = ev->ts_ns;
    for (size_t i = begun; i-- > 0 && s->last_end[i] >= ev->ts_ns;) {
        struct step_sum *x = &s->v[i];
        if (x->to < ev->ts_ns)
            continue;
        int64_t *sum = thread == COMPUTING       ? &x->computing
                       : thread == COMMUNICATION ? &x->communication
                                                 : &x->not_overlapped;
        *sum = bounded_add(*sum, dur);
    }
}

/* ---- communication ---- */

static bool is_word(char c)
{
    return str_is_word(c) || (unsigned char)c >= 0x80;
}

static bool digit_after(struct str s, size_t at)
{
    return at < s.n && s.p[at] >= '0' && s.p[at] <= '9';
}

/* hcom_\w+SendRecv__\d+ at the beginning. */
static bool is_send_recv(struct str s)
{
    const struct str mark = STR("SendRecv__");
    size_t end = 5, at = 6;

    if (!str_starts(s, STR("hcom_")))
        return false;
    while (end < s.n && is_word(s.p[end]))
        end++;
    while ((at = str_find(s, mark, at)) != SIZE_MAX && at + mark.n <= end) {
        if (digit_after(s, at + mark.n))
            return true;
        at++;
    }
    return false;
}

static bool waits_for_other(struct str s)
{
    static const char *const numbered[] = { "hcom_send__", "hcom_receive__" };

    for (size_t i = 0; i < ARRAY_LEN(numbered); i++)
        if (str_starts(s, str_of(numbered[i])) && digit_after(s, strlen(numbered[i])))
            return true;
    return str_starts(s, STR("Receive-op")) || str_starts(s, STR("Send-op")) || is_send_recv(s);
}

/* Communication events are ordered by start, name, duration. */
static bool is_later(const struct step_sums *s, const struct step_sum *x, const struct offline_event *ev,
                     double dur)
{
    if (ev->ts_ns != x->comm_last)
        return ev->ts_ns > x->comm_last;
    int by_name = str_cmp(ev->name, intern_get(s->names, x->last_name));
    return by_name ? by_name > 0 : dur > x->last_dur;
}

static int add_comm(struct step_sums *s, struct step_sum *x, const struct offline_event *ev, double dur,
                    struct err *e)
{
    if (!x->has_comm || ev->ts_ns < x->comm_first)
        x->comm_first = ev->ts_ns;
    if (!x->has_comm || is_later(s, x, ev, dur)) {
        x->comm_last = ev->ts_ns;
        x->last_dur = dur;
        x->last_name = intern_put(s->names, ev->name);
        if (x->last_name == INTERN_NONE)
            return err_nomem(e);
    }
    x->has_comm = true;
    if (waits_for_other(ev->name)) {
        struct decimal28 d;
        decimal28_set_real(&d, dur);
        decimal28_add(&x->bubble, &x->bubble, &d, false);
        x->has_bubble = true;
    }
    return OK;
}

int step_sums_comm(struct step_sums *s, unsigned layer, const struct offline_event *ev, struct err *e)
{
    double dur = 0;

    if (!(layer & s->comm_layers) || ev->ts_ns == INT64_MIN)
        return OK;
    (void)!offline_event_us(ev, "dur", &dur);
    for (size_t i = begun_at(s, ev->ts_ns); i-- > 0 && s->last_end[i] >= ev->ts_ns;)
        if (s->v[i].to >= ev->ts_ns && add_comm(s, &s->v[i], ev, dur, e))
            return e->code;
    return OK;
}

/* ---- results ---- */

const struct step_sum *step_sums_get(struct step_sums *s, size_t *n)
{
    /* work after a later step has begun is work from an earlier step's start on, too */
    for (size_t i = s->n; i-- > 1;)
        if (s->v[i].first < s->v[i - 1].first)
            s->v[i - 1].first = s->v[i].first;
    *n = s->n;
    return s->v;
}

const struct decimal28 *step_sums_all(const struct step_sums *s, enum overlap_thread thread)
{
    return &s->all[thread];
}
