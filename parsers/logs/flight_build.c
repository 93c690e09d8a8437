/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and values of a dump become its groups and entries (doc/formats/logs.md#flight-recorder). */
#include "config.h"

#include "parsers/logs/flight_build.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/grow.h"
#include "base/limits.h"
#include "parsers/logs/flight_entry.h"
#include "parsers/read/lines.h"

#define STATUS_MOST FLIGHT_GROUPS
#define UNSET       INT64_MIN /* of a status that was cut */
#define NS_PER_MS   1e6

int flight_build_init(struct flight_build *b, struct parse_ctx *c, struct err *e)
{
    *b = (struct flight_build){ .c = c };
    b->d = calloc(1, sizeof *b->d);
    if (!b->d)
        return err_nomem(e);
    b->d->rank = flight_rank_of_name(str_of(c->f->path));
    return intern_new(&b->d->text, e);
}

void flight_build_done(struct flight_build *b)
{
    u64map_done(&b->of_name);
    u64map_done(&b->of_id);
    free(b->status);
    b->status = NULL;
}

struct str flight_keep(struct flight_build *b, struct str s, struct err *e)
{
    if (!s.p)
        return STR_NULL;
    uint32_t had = intern_count(b->d->text), id;
    if (b->text_b + s.n > FLIGHT_TEXT_B || had == LIM_STRINGS) {
        id = intern_find(b->d->text, s);
        b->over_text += id == INTERN_NONE;
    } else {
        id = intern_put(b->d->text, s);
        if (id == INTERN_NONE)
            (void)err_nomem(e);
        else if (id == had)
            b->text_b += s.n;
    }
    return id == INTERN_NONE ? STR_NULL : intern_get(b->d->text, id);
}

/* A whole number, also as text: JSON dumps write those of the groups so. */
static bool number(const struct flight_value *v, int64_t *out)
{
    if (v->type == FV_INT)
        *out = v->i;
    return v->type == FV_INT || (v->type == FV_TEXT && str_i64(str_trim(v->text), out));
}

/* ---- groups ---- */

/* The group of that name, made when new. NULL: e is set, or the limit. */
static struct flight_group *group_named(struct flight_build *b, struct str name, struct err *e)
{
    struct flight_dump *d = b->d;
    struct str kept = flight_keep(b, name, e);

    if (!kept.p)
        return NULL;
    uint64_t key = (uint64_t)intern_find(d->text, kept) + 1;
    uint32_t at = u64map_get(&b->of_name, key);
    if (at)
        return &d->groups[at - 1];
    if (d->n_groups == FLIGHT_GROUPS) {
        b->over_groups++;
        return NULL;
    }
    struct flight_group *g = grow_array(d->groups, d->n_groups, &b->cap_groups, sizeof *g, 8);
    if (!g) {
        (void)err_nomem(e);
        return NULL;
    }
    d->groups = g;
    g += d->n_groups;
    *g = (struct flight_group){ .name = kept,
                                .pg_id = FLIGHT_NONE,
                                .last_enqueued = FLIGHT_NONE,
                                .last_started = FLIGHT_NONE,
                                .last_completed = FLIGHT_NONE };
    if (!u64map_set(&b->of_name, key, (uint32_t)d->n_groups + 1)) {
        (void)err_nomem(e);
        return NULL;
    }
    d->n_groups++;
    return g;
}

static size_t commas(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == ',';
    return n;
}

/* "[0, 1, 7]" */
static int set_ranks(struct flight_build *b, struct flight_group *g, struct str text, struct err *e)
{
    struct str rest = str_trim(text), one;
    size_t most = commas(rest) + 1, n = 0;
    int64_t rank = 0;

    free(g->ranks);
    b->n_ranks -= g->n_ranks;
    g->ranks = NULL;
    g->n_ranks = 0;
    if (rest.n < 2 || rest.p[0] != '[' || rest.p[rest.n - 1] != ']') {
        b->bad_values++;
        return OK;
    }
    rest = str_trim(str_sub(rest, 1, rest.n - 2));
    if (rest.n == 0)
        return OK;
    if (most > FLIGHT_RANKS - b->n_ranks) {
        b->over_groups++;
        return OK;
    }
    int32_t *ranks = malloc(most * sizeof *ranks);
    if (!ranks)
        return err_nomem(e);
    while (n < most && str_next(&rest, ',', &one) && str_i64(str_trim(one), &rank) && rank >= 0 &&
           rank <= INT32_MAX)
        ranks[n++] = (int32_t)rank;
    if (n < most) { /* a list with a hole in it would accuse */
        free(ranks);
        b->bad_values++;
        return OK;
    }
    g->ranks = ranks;
    g->n_ranks = n;
    b->n_ranks += n;
    return OK;
}

int flight_version(struct flight_build *b, const struct flight_value *v, struct err *e)
{
    b->d->version = v->type == FV_TEXT ? flight_keep(b, v->text, e) : STR_NULL;
    return e->code;
}

int flight_config(struct flight_build *b, struct str group, struct str key, const struct flight_value *v,
                  struct err *e)
{
    struct flight_group *g = group_named(b, group, e);

    if (!g || v->type != FV_TEXT)
        return e->code;
    if (str_eq(key, STR("desc")))
        g->desc = flight_keep(b, v->text, e);
    else if (str_eq(key, STR("ranks")))
        return set_ranks(b, g, v->text, e);
    return e->code;
}

int flight_status(struct flight_build *b, struct str id, struct str key, const struct flight_value *v,
                  struct err *e)
{
    int64_t pg_id, n;
    uint32_t at;

    if (!str_i64(id, &pg_id) || !number(v, &n)) {
        b->bad_values++;
        return OK;
    }
    at = u64map_get(&b->of_id, (uint64_t)pg_id);
    if (at == 0) {
        if (b->n_status == STATUS_MOST) {
            b->over_groups++;
            return OK;
        }
        struct flight_status *room = grow_array(b->status, b->n_status, &b->cap_status, sizeof *room, 8);
        if (!room)
            return err_nomem(e);
        b->status = room;
        at = (uint32_t)b->n_status + 1;
        if (!u64map_set(&b->of_id, (uint64_t)pg_id, at))
            return err_nomem(e);
        room[b->n_status++] = (struct flight_status){ pg_id, UNSET, UNSET, UNSET };
    }
    struct flight_status *s = &b->status[at - 1];
    if (str_eq(key, STR("last_enqueued_collective")))
        s->enqueued = n;
    else if (str_eq(key, STR("last_started_collective")))
        s->started = n;
    else if (str_eq(key, STR("last_completed_collective")))
        s->completed = n;
    return OK;
}

/* ---- entries ---- */

void flight_entry_begin(struct flight_build *b)
{
    b->now = (struct flight_entry){ .record_id = FLIGHT_NONE,
                                    .seq = FLIGHT_NONE,
                                    .p2p_seq = FLIGHT_NONE,
                                    .op_id = FLIGHT_NONE,
                                    .duration_ns = FLIGHT_NONE,
                                    .timeout_ms = FLIGHT_NONE };
    b->now_group = b->now_desc = STR_NULL;
    b->now_pg_id = FLIGHT_NONE;
    b->has_name = b->now_bad = false;
}

static int set_state(struct flight_build *b, struct str word)
{
    for (int s = FLIGHT_SCHEDULED; s <= FLIGHT_COMPLETED; s++)
        if (str_eq(word, str_of(flight_state_word((enum flight_state)s)))) {
            b->now.state = (enum flight_state)s;
            return OK;
        }
    b->now.state = FLIGHT_UNKNOWN;
    if (b->unknown_states++ == 0)
        str_copy(word, b->unknown_word, sizeof b->unknown_word);
    return OK;
}

static bool set_number(struct flight_build *b, struct str key, const struct flight_value *v)
{
    struct flight_entry *n = &b->now;
    const struct {
        const char *key;
        int64_t *to;
    } numbers[] = {
        { "record_id", &n->record_id },
        { "collective_seq_id", &n->seq },
        { "seq_id", &n->seq }, /* before version 2 */
        { "p2p_seq_id", &n->p2p_seq },
        { "op_id", &n->op_id },
        { "timeout_ms", &n->timeout_ms },
        { "time_created_ns", &n->created_ns },
        { "time_discovered_started_ns", &n->started_ns },
        { "time_discovered_completed_ns", &n->completed_ns },
    };

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (!str_eq(key, str_of(numbers[i].key)))
            continue;
        if (!number(v, numbers[i].to) && v->type != FV_NONE)
            b->now_bad = true;
        return true;
    }
    return false;
}

static void set_duration(struct flight_build *b, const struct flight_value *v)
{
    double ms = v->type == FV_REAL ? v->d : v->type == FV_INT ? (double)v->i : -1;

    if (v->type == FV_NONE)
        return;
    if (isfinite(ms) && ms >= 0 && ms < 9e12)
        b->now.duration_ns = (int64_t)llround(ms * NS_PER_MS);
    else
        b->now_bad = true;
}

/* "hccl:all_reduce" without what is before the colon. */
static int set_name(struct flight_build *b, struct str name, struct err *e)
{
    size_t colon = str_chr(name, ':');

    if (colon != SIZE_MAX)
        name = str_sub(name, colon + 1, name.n);
    b->now.name = flight_keep(b, name, e);
    b->has_name = b->now.name.p != NULL;
    return e->code;
}

int flight_entry_set(struct flight_build *b, struct str key, const struct flight_value *v, struct err *e)
{
    if (set_number(b, key, v))
        return OK;
    if (str_eq(key, STR("profiling_name")))
        return v->type == FV_TEXT ? set_name(b, v->text, e) : OK;
    if (str_eq(key, STR("state")))
        return set_state(b, v->type == FV_TEXT ? v->text : STR("none"));
    if (str_eq(key, STR("duration_ms")))
        set_duration(b, v);
    else if (str_eq(key, STR("retired")))
        b->now.retired = v->type == FV_BOOL && v->i;
    else if (str_eq(key, STR("is_p2p")))
        b->now.is_p2p = v->type == FV_BOOL && v->i;
    else if (str_eq(key, STR("pg_id")) && !number(v, &b->now_pg_id))
        b->now_bad = true;
    return e->code;
}

int flight_entry_group(struct flight_build *b, size_t part, struct str text, struct err *e)
{
    struct str kept = flight_keep(b, text, e);

    if (part == 0)
        b->now_group = kept;
    else if (part == 1)
        b->now_desc = kept;
    return e->code;
}

int flight_entry_text(struct flight_build *b, struct str key, struct str text, struct err *e)
{
    struct flight_entry *n = &b->now;
    const struct {
        const char *key;
        struct str *to;
    } texts[] = {
        { "frames", &n->frames },
        { "input_sizes", &n->input_sizes },
        { "output_sizes", &n->output_sizes },
        { "input_dtypes", &n->input_dtypes },
        { "output_dtypes", &n->output_dtypes },
    };

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (str_eq(key, str_of(texts[i].key)))
            *texts[i].to = flight_keep(b, text, e);
    return e->code;
}

/* The group of the entry: its name, else its number in the process. */
static struct flight_group *group_of_entry(struct flight_build *b, struct err *e)
{
    char text[24];
    struct str name = b->now_group;

    if (!name.p) {
        if (b->now_pg_id == FLIGHT_NONE)
            return NULL;
        int n = snprintf(text, sizeof text, "%" PRId64, b->now_pg_id);
        name = (struct str){ text, (size_t)n };
    }
    struct flight_group *g = group_named(b, name, e);
    if (g && !g->desc.p)
        g->desc = b->now_desc;
    if (g && b->now_pg_id != FLIGHT_NONE)
        g->pg_id = b->now_pg_id;
    return g;
}

int flight_entry_end(struct flight_build *b, struct err *e)
{
    struct flight_dump *d = b->d;
    struct flight_group *g = b->now.seq != FLIGHT_NONE && b->has_name ? group_of_entry(b, e) : NULL;

    if (!g) {
        b->incomplete += e->code == OK;
        return e->code;
    }
    b->now.group = (uint32_t)(g - d->groups);
    b->bad_values += b->now_bad;
    b->c->rows++;
    if (d->n_entries == FLIGHT_ENTRIES) { /* a ring: the newest say what happened */
        d->entries[b->oldest] = b->now;
        b->oldest = (b->oldest + 1) % FLIGHT_ENTRIES;
        d->dropped++;
        return OK;
    }
    struct flight_entry *room = grow_array(d->entries, d->n_entries, &b->cap_entries, sizeof *room, 64);
    if (!room)
        return err_nomem(e);
    d->entries = room;
    room[d->n_entries++] = b->now;
    return OK;
}

/* ---- the end ---- */

static void reverse(struct flight_entry *v, size_t from, size_t to)
{
    for (; from + 1 < to; from++, to--) {
        struct flight_entry t = v[from];
        v[from] = v[to - 1];
        v[to - 1] = t;
    }
}

/* The oldest entry first. */
static void unroll(struct flight_build *b)
{
    struct flight_dump *d = b->d;

    if (b->oldest == 0)
        return;
    reverse(d->entries, 0, b->oldest);
    reverse(d->entries, b->oldest, d->n_entries);
    reverse(d->entries, 0, d->n_entries);
}

static void give_status(struct flight_group *g, const struct flight_status *s)
{
    if (s->enqueued == UNSET || s->completed == UNSET)
        return;
    g->pg_id = s->pg_id;
    g->last_enqueued = s->enqueued;
    g->last_started = s->started == UNSET ? FLIGHT_NONE : s->started;
    g->last_completed = s->completed;
    g->has_status = true;
}

/*
 * Status goes by number, configuration by name; only entries have both. Without entries, number 0 is the
 * first group of the process, which torch names "0"; others stay without status.
 */
static void join_status(struct flight_build *b)
{
    struct flight_dump *d = b->d;

    for (size_t i = 0; i < d->n_groups; i++) {
        struct flight_group *g = &d->groups[i];
        bool first = g->pg_id == FLIGHT_NONE && str_eq(g->name, STR("0"));
        uint32_t at = first || g->pg_id >= 0 ? u64map_get(&b->of_id, first ? 0 : (uint64_t)g->pg_id) : 0;
        if (at)
            give_status(g, &b->status[at - 1]);
    }
}

static void write_notes(struct flight_build *b)
{
    struct parse_ctx *c = b->c;
    struct flight_dump *d = b->d;

    c->lost += b->incomplete;
    parse_note(c, NOTE_BAD_EVENT, b->incomplete, "collectives without number, name or group");
    parse_note(c, NOTE_BAD_VALUE, b->bad_values, "numbers or lists of ranks of the flight recorder");
    parse_note(c, NOTE_UNKNOWN_TYPE, b->unknown_states, "collectives of unknown state, the first is %s",
               b->unknown_word);
    parse_note(c, NOTE_CUT_TEXT, b->cut_texts, "sizes or call stacks of collectives");
    parse_note(c, NOTE_LIMIT, b->over_groups, "groups or their ranks above the limit were left out");
    parse_note(c, NOTE_LIMIT, b->over_text, "texts above the limit of all together were left out");
    parse_note(c, NOTE_LIMIT, d->dropped, "the oldest collectives were left out: more than %d",
               FLIGHT_ENTRIES);
    if (d->version.p && !str_starts(d->version, STR("2.")) && !str_starts(d->version, STR("1.")))
        parse_note(c, NOTE_NEWER, 1, "a flight recorder dump of version %.*s; 2 is known",
                   (int)(d->version.n < 40 ? d->version.n : 40), d->version.p);
}

void flight_build_end(struct flight_build *b)
{
    unroll(b);
    join_status(b);
    write_notes(b);
}
