/* SPDX-License-Identifier: Apache-2.0 */
/* Reading tables by maps. */
#include "config.h"

#include "parsers/database/database.h"

#include <math.h>
#include <stdlib.h>

#include "parsers/read/lines.h"
#include "parsers/read/opwords.h"

#define ASK_ROWS 4096
#define UNSET    INT64_C(4294967295)
#define WORD_B   40                /* a text above this is no word */
#define WORDS_B  ((size_t)4 << 20) /* of all of them */

/* ---- opening ---- */

static bool on_cancelled(void *arg)
{
    const struct database *d = arg;

    return sink_cancelled(d->c->out);
}

bool database_is_damage(struct database *d, struct str table, struct err *e)
{
    if (e->code != ERR_FORMAT && e->code != ERR_LIMIT)
        return false;
    parse_note(d->c, e->code == ERR_LIMIT ? NOTE_LIMIT : NOTE_TORN_FILE, 1, "table %.*s: %s",
               (int)(table.n < 80 ? table.n : 80), table.p, e->text);
    d->c->lost++;
    err_clear(e);
    return true;
}

size_t database_table(const struct database *d, struct str name)
{
    for (size_t i = 0; i < foreign_n(d->f); i++)
        if (str_eq(foreign_table(d->f, i), name))
            return i;
    return SIZE_MAX;
}

struct reading_names {
    struct database *d;
    struct database_names *names;
};

/* Words of the profilers, not names of ops: they are few. */
static bool is_word(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!str_is_word(s.p[i]))
            return false;
    return s.n && s.n <= WORD_B;
}

static int keep_word(struct database_names *n, int64_t id, struct str word, struct err *e)
{
    uint32_t at = (uint32_t)n->text.n;

    if (n->text.n > WORDS_B)
        return OK;
    buf_addc(&n->text, (char)word.n);
    buf_add(&n->text, word);
    return buf_failed(&n->text) ? err_nomem(e) : database_ids_add(&n->words, id, at, e);
}

static int on_name(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct reading_names *r = arg;

    if (n < 2 || v[0].t != VAL_INT || v[1].t != VAL_TEXT)
        return OK;
    if (str_eq(v[1].s, STR("N/A"))) /* of an op without that */
        return OK;
    uint32_t text = sink_intern(r->d->c->out, op_shapes(v[1].s));
    if (is_word(v[1].s) && keep_word(r->names, v[0].i, v[1].s, e))
        return e->code;
    return database_ids_add(&r->names->ids, v[0].i, text, e);
}

/* A table of ids and texts. */
static int read_names(struct database *d, const char *table, struct database_names *names, struct err *e)
{
    struct reading_names r = { .d = d, .names = names };
    size_t i = database_table(d, str_of(table));

    if (i == SIZE_MAX || foreign_read(d->f, i, on_name, &r, e) == OK)
        return OK;
    return database_is_damage(d, str_of(table), e) ? OK : e->code;
}

int database_open(struct database *d, struct parse_ctx *c, struct paged_pool *pool, struct err *e)
{
    *d = (struct database){ .c = c, .pool = pool };
    for (size_t i = 0; i < DB_NAME_TABLES; i++) {
        database_ids_init(&d->names[i].ids, pool);
        database_ids_init(&d->names[i].words, pool);
        buf_init(&d->names[i].text, 2 * WORDS_B);
    }
    if (foreign_open(&d->f, c->f->path, on_cancelled, d, e))
        return e->code;
    if (foreign_warning(d->f))
        parse_note(c, foreign_warning_code(d->f), 1, "%s", foreign_warning(d->f));
    if (foreign_is_copy(d->f))
        parse_note(c, NOTE_COPIED, 1, "a journal lies beside it: its rows are read, too");
    d->names[0].table = "STRING_IDS";
    return read_names(d, d->names[0].table, &d->names[0], e);
}

void database_close(struct database *d)
{
    if (d->bad)
        parse_note(d->c, NOTE_BAD_VALUE, d->bad, "values of another form than their column's are missing");
    if (d->timeless)
        parse_note(d->c, NOTE_BAD_VALUE, d->timeless, "rows that do not say when they begin are left out");
    for (size_t i = 0; i < DB_NAME_TABLES; i++) {
        database_ids_done(&d->names[i].ids);
        database_ids_done(&d->names[i].words);
        buf_done(&d->names[i].text);
    }
    foreign_close(d->f);
    d->f = NULL;
}

/* ---- texts and ranks ---- */

uint32_t database_string(struct database *d, int64_t id)
{
    uint32_t text = database_ids_find(&d->names[0].ids, id);

    return text == DATABASE_NO_ID ? 0 : text;
}

static struct str word_of(struct database_names *n, int64_t id)
{
    uint32_t at = database_ids_find(&n->words, id);

    if (at == DATABASE_NO_ID)
        return STR_NULL;
    return (struct str){ n->text.p + at + 1, (size_t)n->text.p[at] };
}

struct str database_word(struct database *d, int64_t id)
{
    return word_of(&d->names[0], id);
}

/* The names of an ENUM_ table, read when they are first asked for. NULL: e is set. */
static struct database_names *names_of(struct database *d, const char *table, struct err *e)
{
    if (!table)
        return &d->names[0];
    for (size_t i = 1; i < DB_NAME_TABLES; i++) {
        if (d->names[i].table && strcmp(d->names[i].table, table) != 0)
            continue;
        if (!d->names[i].table) {
            d->names[i].table = table;
            if (read_names(d, table, &d->names[i], e))
                return NULL;
        }
        return &d->names[i];
    }
    err_set(e, ERR_BUG, "more than %d tables of names", DB_NAME_TABLES);
    return NULL;
}

struct str database_enum(struct database *d, const char *table, int64_t id)
{
    struct err ignored = ERR_INIT;
    struct database_names *n = names_of(d, table, &ignored);

    err_clear(&ignored);
    return n ? word_of(n, id) : STR_NULL;
}

int database_rank(const struct database *d, int64_t device)
{
    const struct runinfo *run = d->c->run;

    if (!run || run->n_ranks < 2 || device < 0)
        return d->c->rank;
    for (size_t i = 0; i < run->n_ranks; i++)
        if (run->ranks[i].rank == d->c->rank && run->ranks[i].device == device)
            return d->c->rank;
    for (size_t i = 0; i < run->n_ranks; i++)
        if (run->ranks[i].device == device)
            return run->ranks[i].rank;
    return d->c->rank;
}

/* ---- values ---- */

static bool as_real(const struct val *in, double *out)
{
    if (in->t == VAL_INT || in->t == VAL_REAL) {
        *out = val_num(in);
        return true;
    }
    return in->t == VAL_TEXT && str_f64(in->s, out);
}

static bool as_int(const struct val *in, int64_t *out)
{
    double x;

    if (in->t == VAL_INT) {
        *out = in->i;
        return true;
    }
    if (in->t == VAL_TEXT && str_i64(in->s, out))
        return true;
    if (!as_real(in, &x) || !(x > -9.2e18 && x < 9.2e18))
        return false;
    *out = llround(x);
    return true;
}

/* Texts are exact: a stamp in us has more digits than a double. */
static bool scaled(const struct val *in, double by, struct val *out)
{
    int64_t exact;
    double x;

    if (in->t == VAL_TEXT && str_scaled(in->s, (uint64_t)by, &exact, NULL) && exact < DB_TIME_MAX &&
        exact > -DB_TIME_MAX) {
        *out = val_int(exact);
        return true;
    }
    if (!as_real(in, &x) || !(fabs(x * by) < (double)DB_TIME_MAX))
        return false;
    *out = val_int(llround(x * by));
    return true;
}

static bool real(const struct val *in, double by, struct val *out)
{
    double x;

    if (!as_real(in, &x) || !isfinite(x * by))
        return false;
    *out = val_real(x * by);
    return true;
}

/* "step50", "50", 50 */
static bool step(const struct val *in, struct val *out)
{
    struct val v = *in;
    int64_t i;

    if (v.t == VAL_TEXT && str_starts(v.s, STR("step")))
        v.s = str_sub(v.s, 4, SIZE_MAX);
    if (v.t == VAL_TEXT && v.s.n == 0)
        return true;
    if (!as_int(&v, &i))
        return false;
    *out = val_int(i);
    return true;
}

/* One value into its column: false when it cannot be read. e: of tables of names. */
struct conversion {
    struct database_row *r;
    const struct database_col *col;
    const struct val *in;
    struct val *out;
    struct err *e;
};

/* Text of the sink for an id of a table of names, else of STRING_IDS. */
static uint32_t text_of(struct database *d, struct database_names *names, int64_t id)
{
    struct database_near *near = &names->near[(uint64_t)id % DB_NEAR];

    if (!near->known || near->id != id) {
        uint32_t text = database_ids_find(&names->ids, id);
        text = text == DATABASE_NO_ID ? database_string(d, id) : text;
        *near = (struct database_near){ .id = id, .text = text, .known = true };
    }
    return near->text;
}

/* A name by its id, or as it is. names NULL: e is set. */
static bool name(const struct conversion *c, struct database_names *names)
{
    bool as_word = c->col->conv == DB_WORD;
    int64_t id;

    if (c->in->t == VAL_TEXT && !str_i64(c->in->s, &id)) {
        *c->out = as_word ? *c->in : sink_text(c->r->d->c->out, c->in->s);
        return true;
    }
    if (!names || !as_int(c->in, &id))
        return false;
    if (as_word) {
        struct str word = word_of(names, id);
        *c->out = val_text(word.p ? word : database_word(c->r->d, id));
        return true;
    }
    *c->out = val_id(text_of(c->r->d, names, id));
    return true;
}

static bool number(const struct conversion *c)
{
    int64_t i;

    if (!as_int(c->in, &i) || (c->col->conv == DB_NS && (i > DB_TIME_MAX || i < -DB_TIME_MAX)))
        return false;
    if (c->col->conv == DB_DEVICE)
        c->r->rank = database_rank(c->r->d, i);
    else if (c->col->conv == DB_ID && i == UNSET)
        return true;
    *c->out = c->col->conv == DB_U64 ? val_uint((uint64_t)i) : val_int(i);
    return true;
}

/* NULL where the instant is none (0, -1), or its clock is not known. */
static bool instant(const struct conversion *c)
{
    const struct database *d = c->r->d;
    struct val from_ms;
    int64_t v, ns;

    if (c->col->conv == DB_MONO_MS) {
        if (!scaled(c->in, 1e6, &from_ms))
            return false;
        v = from_ms.i;
    } else if (!as_int(c->in, &v)) {
        return false;
    }
    if (v > 0 && d->instant && d->instant(d->clock, c->col->conv, v, &ns) && ns <= DB_TIME_MAX &&
        ns >= -DB_TIME_MAX)
        *c->out = val_int(ns);
    return true;
}

static bool convert(const struct conversion *c)
{
    switch (c->col->conv) {
    case DB_INT:
    case DB_ID:
    case DB_NS:
    case DB_U64:
    case DB_DEVICE:
        return number(c);
    case DB_MONO:
    case DB_MONO_MS:
    case DB_DEVICE_MONO:
    case DB_HOST_TICK:
    case DB_DEVICE_TICK:
        return instant(c);
    case DB_REAL:
        return real(c->in, 1, c->out);
    case DB_GB_S:
        return real(c->in, 1e9, c->out);
    case DB_US:
        return scaled(c->in, 1e3, c->out);
    case DB_MS:
    case DB_MB:
        return scaled(c->in, 1e6, c->out);
    case DB_STEP:
        return step(c->in, c->out);
    case DB_TEXT:
        *c->out = *c->in;
        return c->in->t == VAL_TEXT;
    case DB_STR:
        *c->out = c->in->t == VAL_TEXT ? sink_text(c->r->d->c->out, c->in->s) : val_null();
        return c->in->t == VAL_TEXT;
    case DB_SID:
    case DB_ENUM:
    case DB_WORD:
        return name(c, names_of(c->r->d, c->col->of, c->e));
    }
    return false;
}

/* ---- rows ---- */

struct reading {
    struct database_row row;
    struct used {
        size_t at; /* index in chosen */
        const struct database_col *col;
    } * used; /* those columns of the map that the table has */
    size_t n_used;
    struct str *chosen; /* columns of the table that are read */
    size_t n_chosen;
    database_row_fn *fn;
    int rank;
};

int database_put(struct database_row *r, struct err *e)
{
    const struct database_map *m = r->map;

    if (m->rank != DB_NO_SLOT)
        r->v[m->rank] = val_int(r->rank);
    if (m->source != DB_NO_SLOT)
        r->v[m->source] = val_int(r->d->c->f->id);
    if (m->line != DB_NO_SLOT)
        r->v[m->line] = val_int((int64_t)r->number);
    for (const struct database_const *k = m->consts; k && k->text; k++)
        r->v[k->slot] = val_cstr(k->text);
    return sink_row(r->d->c->out, m->target, r->v, m->n_slots, NULL, e);
}

/* It is what convert() would make of it. */
static inline bool is_plain(enum database_conv conv, const struct val *in)
{
    if (in->t == VAL_REAL)
        return conv == DB_REAL && isfinite(in->r);
    return in->t == VAL_INT &&
           (conv == DB_INT || (conv == DB_NS && in->i <= DB_TIME_MAX && in->i >= -DB_TIME_MAX) ||
            (conv == DB_ID && in->i != UNSET));
}

static int on_row(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct val dropped;
    struct reading *g = arg;
    struct database_row *r = &g->row;
    const struct database_map *m = r->map;

    if (r->number++ % ASK_ROWS == 0 && sink_cancelled(r->d->c->out))
        return err_set(e, ERR_CANCELLED, "stopped");
    for (size_t i = 0; i < m->n_slots + m->further; i++)
        r->v[i] = val_null();
    r->rank = g->rank;
    for (size_t i = 0; i < g->n_used; i++) {
        const struct database_col *col = g->used[i].col;
        const struct val *in = &v[g->used[i].at];
        struct val *out = col->slot == DB_NO_SLOT ? &dropped : &r->v[col->slot];
        if (g->used[i].at >= n || in->t == VAL_NULL)
            continue;
        if (is_plain(col->conv, in)) { /* most values */
            *out = *in;
            continue;
        }
        if (in->t == VAL_INT && col->conv == DB_REAL) {
            *out = val_real((double)in->i);
            continue;
        }
        const struct conversion c = { r, col, in, out, e };
        if (!convert(&c))
            r->d->bad++;
        if (e->code)
            return e->code;
    }
    r->d->c->rows++;
    return g->fn ? g->fn(r, e) : database_put(r, e);
}

int database_no_start(struct database_row *r)
{
    r->d->timeless++;
    r->d->c->rows--;
    r->d->c->lost++;
    return OK;
}

static size_t column_of(const struct str *names, size_t n, const char *wanted)
{
    struct str rest = str_of(wanted), one;

    while (str_next(&rest, '|', &one))
        for (size_t i = 0; i < n; i++)
            if (str_eq_nocase(names[i], one))
                return i;
    return SIZE_MAX;
}

/* A column may go to two slots: it is read once. */
static size_t choose(struct reading *g, struct str name)
{
    for (size_t i = 0; i < g->n_chosen; i++)
        if (str_eq(g->chosen[i], name))
            return i;
    g->chosen[g->n_chosen] = name;
    return g->n_chosen++;
}

/* Names that the columns refer to are read before the rows. */
static int read_all_names(struct database *d, const struct database_map *m, struct err *e)
{
    for (size_t i = 0; i < m->n_cols; i++)
        if (m->cols[i].of && !names_of(d, m->cols[i].of, e))
            return e->code;
    return OK;
}

/* false: e is set, or it is not the map's table. The names are borrowed from the database. */
static bool match(struct reading *g, size_t table, struct err *e)
{
    const struct database_map *m = g->row.map;
    const struct str *names;
    size_t n;

    if (read_all_names(g->row.d, m, e) || foreign_columns(g->row.d->f, table, &names, &n, e))
        return false;
    if (m->need && column_of(names, n, m->need) == SIZE_MAX)
        return false;
    g->n_used = g->n_chosen = 0;
    for (size_t i = 0; i < m->n_cols; i++) {
        size_t at = column_of(names, n, m->cols[i].names);
        if (at != SIZE_MAX)
            g->used[g->n_used++] = (struct used){ choose(g, names[at]), &m->cols[i] };
    }
    return true;
}

static int read_table(struct reading *g, size_t table, struct err *e)
{
    struct database *d = g->row.d;

    if (match(g, table, e))
        (void)!foreign_read_columns(d->f, table, g->chosen, g->n_chosen, on_row, g, e);
    if (e->code && database_is_damage(d, foreign_table(d->f, table), e))
        return OK;
    return e->code;
}

int database_read(struct database *d, const struct database_map *m, database_row_fn *fn, void *arg,
                  struct err *e)
{
    struct str rest = str_of(m->table), one;
    struct reading g = { .row = { .d = d, .map = m, .arg = arg },
                         .used = calloc(m->n_cols + 1, sizeof *g.used),
                         .chosen = calloc(m->n_cols + 1, sizeof *g.chosen),
                         .fn = fn,
                         .rank = d->c->rank };

    g.row.v = calloc(m->n_slots + m->further + 1, sizeof *g.row.v);
    if (!g.used || !g.chosen || !g.row.v)
        err_nomem(e);
    while (!e->code && str_next(&rest, '|', &one)) {
        size_t table = database_table(d, one);
        g.row.number = 0;
        g.row.table = table;
        if (table != SIZE_MAX)
            (void)read_table(&g, table, e);
    }
    free(g.used);
    free(g.chosen);
    free(g.row.v);
    return e->code;
}
