/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of raw files: members, reading, the outcome of each file. */
#include "config.h"

#include "import/groups.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/sig.h"

/* ---- tables that a group may feed ---- */

static unsigned roles_of(const struct group_set *s)
{
    unsigned roles = 0;

    for (size_t i = 0; i < s->n; i++)
        roles |= 1u << s->m[i].role;
    return roles;
}

static bool adds(const struct unit *u, uint32_t source_id)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (u->files[i]->id == source_id)
            return u->files[i]->kind->adds;
    return false;
}

/* A file gives the table's rows, and not only some that stand beside those of raw data. */
static int is_fed(const struct group_run *r, const char *table, int rank, bool *fed, struct err *e)
{
    struct fill_feeder all[GROUP_FEEDERS];
    size_t n;

    *fed = false;
    if (fill_feeders(r->fill, table, rank, all, GROUP_FEEDERS, &n, e))
        return e->code;
    for (size_t i = 0; i < n; i++)
        *fed |= !adds(r->u, all[i].source_id);
    return OK;
}

/* A group of the last resort is read when none of its first two tables, which tell most, is fed. */
#define LAST_RESORT 3u

int group_set_choose(const struct group_run *r, struct group_set *s, struct err *e)
{
    s->wanted = 0;
    for (size_t i = 0; i < GROUP_TABLES && s->kind->tables[i].name; i++) {
        const struct group_table *t = &s->kind->tables[i];
        bool fed;
        if (t->from && !(t->from & roles_of(s)))
            continue;
        if (is_fed(r, t->name, group_set_rank(s, r->u), &fed, e))
            break;
        s->wanted |= fed ? 0 : 1u << i;
    }
    if (s->kind->results == GROUP_RESULTS_LAST && (s->wanted & LAST_RESORT) != LAST_RESORT)
        s->wanted = 0;
    return e->code;
}

#define RAW_PRIORITY 5 /* of raw files in registry.c: analysed files come before */

/* An analysed file feeds the table. */
static bool table_is_listed(const struct unit *u, const char *table)
{
    for (size_t i = 0; i < u->n_files; i++) {
        const struct source_file *f = u->files[i];
        if (f->regular && !f->superseded && f->state != FS_BAD && (f->kind->parse || f->kind->grouped) &&
            f->kind->topic && strstr(f->kind->topic, table) && f->kind->priority < RAW_PRIORITY)
            return true;
    }
    return false;
}

bool group_set_is_listed(const struct unit *u, const struct group_set *s)
{
    return s->kind->whole && table_is_listed(u, "op_exec") && table_is_listed(u, "trace");
}

/* ---- the outcome of a file ---- */

struct outcome {
    enum file_state state;
    char note[400];
};

static const struct note_info *note_of(struct str code)
{
    for (size_t i = 0; i < N_NOTES; i++)
        if (str_eq(code, str_of(note_infos[i].code)))
            return &note_infos[i];
    return NULL;
}

static void take_note(struct outcome *o, const struct query *q)
{
    const struct note_info *n = note_of(query_str(q, 0));
    enum file_state state = FS_OK;
    struct str text = query_str(q, 1);

    if (!n)
        return;
    if (strcmp(n->state, "OK") != 0)
        file_state_from_word(str_of(n->state), &state);
    bool worse = note_state_rank(n->state) > note_state_rank(file_state_word(o->state)) &&
                 (o->state != FS_EMPTY || state == FS_BAD);
    if (worse)
        o->state = state;
    bool told = strcmp(n->severity, "INFO") != 0 || n == &note_infos[NOTE_COPIED]; /* how it was read */
    if (!worse && (o->note[0] || !told))
        return;
    if (query_int(q, 2))
        snprintf(o->note, sizeof o->note, "line %lld: %.*s", (long long)query_int(q, 2), (int)text.n, text.p);
    else if (!query_null(q, 3))
        snprintf(o->note, sizeof o->note, "at byte %lld: %.*s", (long long)query_int(q, 3), (int)text.n,
                 text.p);
    else
        snprintf(o->note, sizeof o->note, "%.*s", (int)text.n, text.p);
}

/* The notes of the open transaction, which holds those of all members, decide for each file. */
static int outcome_of(struct fill *fill, const struct source_file *f, struct outcome *o, struct err *e)
{
    struct store *r = fill_reader(fill, e);
    struct query *q = NULL;

    *o = (struct outcome){ .state = f->size_b ? FS_OK : FS_EMPTY };
    if (f->state == FS_TORN || f->state == FS_BAD) /* the inventory found it damaged */
        o->state = f->state;
    if (!r || store_query(r, &q,
                          "SELECT code, text, line, offset FROM note WHERE source_id = :f "
                          "ORDER BY rowid",
                          e))
        return e->code;
    query_bind_int(q, ":f", f->id);
    while (query_step(q, e) == 1)
        take_note(o, q);
    query_free(q);
    return e->code;
}

static int update_source(struct fill *fill, const struct source_file *f, const struct outcome *o,
                         const struct group_member *m, const char *used, struct err *e)
{
    bool first = f == m->c.f;
    struct val v[] = { val_cstr(file_state_word(o->state)),
                       val_int(first ? (int64_t)m->c.rows : 0),
                       val_int(first ? (int64_t)m->c.lost : 0),
                       val_cstr(first ? used : "yes, with the first slice"),
                       o->note[0] ? val_cstr(o->note) : val_cstr(f->note),
                       val_int(f->id) };

    return fill_update(fill,
                       "UPDATE source SET state = ?, rows = ?, lost = ?, used = ?, note = ? WHERE id = ?", v,
                       ARRAY_LEN(v), e);
}

#define USED_NOT "no (same data in other files)"

/*
 * "yes", or which tables are read of a member where other files gave the rest. That others gave all of it is
 * said of a whole one alone: what a damaged one without rows had is not known.
 */
static void used_text(const struct group_set *s, const struct group_member *m, enum file_state state,
                      char *buf, size_t n)
{
    bool all = true, whole = (state == FS_OK || state == FS_EMPTY) && !m->c.lost;

    for (size_t i = 0; i < GROUP_TABLES && s->kind->tables[i].name; i++)
        all &= (s->wanted & 1u << i) != 0;
    bool some = !all && s->kind->results;
    bool none = some && !m->c.rows && (whole || state == FS_BAD);
    size_t len = (size_t)snprintf(buf, n, "%s", !none ? "yes" : whole ? USED_NOT : "no");
    const char *sep = ": ";
    for (size_t i = 0; some && !none && i < GROUP_TABLES && s->kind->tables[i].name; i++)
        if (s->wanted & 1u << i && len < n) {
            len += (size_t)snprintf(buf + len, n - len, "%s%s", sep, s->kind->tables[i].name);
            sep = ", ";
        }
}

/* failed: why nothing could be used; NULL: the notes decide. */
static int update_members(struct fill *fill, const struct group_set *s, const char *failed, struct err *e)
{
    struct outcome o;
    char used[300];

    for (size_t i = 0; i < s->n; i++) {
        const struct group_member *m = &s->m[i];
        for (const struct source_file *f = m->c.f; f && m->read; f = f->next_slice) {
            if (outcome_of(fill, f, &o, e))
                return e->code;
            if (failed) {
                o.state = FS_BAD;
                snprintf(o.note, sizeof o.note, "%s", failed);
            }
            used_text(s, m, o.state, used, sizeof used);
            if (update_source(fill, f, &o, m, used, e))
                return e->code;
        }
    }
    return OK;
}

/* ---- reading ---- */

uint64_t group_set_bytes(const struct group_set *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        for (const struct source_file *f = s->m[i].c.f; f; f = f->next_slice)
            n += f->size_b;
    return n;
}

/* Progress of one member, for the whole group. */
struct member_progress {
    const struct group_run *r;
    const struct source_file *f;
    uint64_t before; /* bytes of the members before it */
};

static void on_progress(void *arg, uint64_t done_b)
{
    const struct member_progress *p = arg;

    sig_fatal_file(p->f->rel);
    if (p->r->progress)
        p->r->progress(p->r->arg, p->f, p->before + done_b);
}

static void prepare_members(const struct group_run *r, struct group_set *s, struct member_progress *p,
                            int rank)
{
    uint64_t before = 0;

    for (size_t i = 0; i < s->n; i++) {
        const struct source_file *f = s->m[i].c.f;
        p[i] = (struct member_progress){ .r = r, .f = f, .before = before };
        s->m[i].c = (struct parse_ctx){ .f = f,
                                        .run = &r->u->info,
                                        .tmp = r->tmp,
                                        .out = fill_sink(r->fill),
                                        .threads = r->threads,
                                        .rank = rank,
                                        .progress = on_progress,
                                        .progress_arg = &p[i] };
        for (; f; f = f->next_slice)
            before += f->size_b;
    }
}

/* Leave files out of the group that made an earlier worker die. */
static int drop_skipped(const struct group_run *r, struct group_set *s, struct err *e)
{
    const struct outcome bad = { .state = FS_BAD, .note = "parser stopped, please report" };
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (!r->skip || !r->skip(r->arg, s->m[i].c.f))
            s->m[n++] = s->m[i];
        else if (update_source(r->fill, s->m[i].c.f, &bad, &s->m[i], "no", e))
            return e->code;
    }
    s->n = n;
    return OK;
}

/*
 * In the transaction that reads the group, so that whoever reads the store sees either the preview or the
 * rows.
 */
static int forget_preview(const struct group_run *r, const struct group_set *s, struct err *e)
{
    static const char *const sql[] = {
        "DELETE FROM step WHERE source_id = ?",
        "DELETE FROM step_part WHERE source_id = ?",
        "DELETE FROM last_activity WHERE source_id = ?",
        "DELETE FROM note WHERE source_id = ?",
    };

    for (size_t i = 0; s->previewed && i < s->n; i++)
        for (const struct source_file *f = s->m[i].c.f; f; f = f->next_slice) {
            const struct val id = val_int(f->id);
            for (size_t k = 0; k < ARRAY_LEN(sql); k++)
                if (fill_update(r->fill, sql[k], &id, 1, e))
                    return e->code;
        }
    return OK;
}

/* Keep nothing of a group that failed as a whole. Its files stay UNREAD when the reading was cancelled. */
static int undo(const struct group_run *r, const struct group_set *s, const struct err *why, struct err *e)
{
    if (fill_end(r->fill, false, e) || why->code == ERR_CANCELLED)
        return e->code;
    if (fill_begin(r->fill, 0, e) || forget_preview(r, s, e) || update_members(r->fill, s, why->text, e))
        return e->code;
    return fill_end(r->fill, true, e);
}

static int read_open(const struct group_run *r, struct group_set *s, struct group_ctx *c, struct err *e)
{
    struct err pe = ERR_INIT;

    if (forget_preview(r, s, e) || drop_skipped(r, s, e))
        return e->code;
    c->n = s->n;
    int rc = group_set_is_complete(s) ? s->kind->parse(c, &pe) : OK;
    arena_reset(r->tmp);
    if (rc && fill_failed(r->fill, &pe)) {
        *e = pe;
        return e->code;
    }
    if (rc)
        return undo(r, s, &pe, e);
    return update_members(r->fill, s, NULL, e) ? e->code : fill_end(r->fill, true, e);
}

int group_set_preview(const struct group_run *r, struct group_set *s, struct err *e)
{
    struct err pe = ERR_INIT;
    struct group_ctx c = { .kind = s->kind,
                           .m = s->m,
                           .n = s->n,
                           .wanted = s->wanted,
                           .unit_file = (const struct source_file *const *)r->u->files,
                           .n_unit_files = r->u->n_files,
                           .run = &r->u->info,
                           .tmp = r->tmp,
                           .out = fill_sink(r->fill),
                           .rank = group_set_rank(s, r->u),
                           .preview = true };

    for (size_t i = 0; i < s->n; i++)
        if (r->skip && r->skip(r->arg, s->m[i].c.f))
            return OK;
    struct member_progress *p = calloc(s->n, sizeof *p);
    if (!p)
        return err_nomem(e);
    prepare_members(r, s, p, c.rank);
    if (group_set_is_complete(s) && fill_begin(r->fill, s->m[0].c.f->id, e) == OK) {
        int rc = s->kind->parse(&c, &pe);
        arena_reset(r->tmp);
        if (rc && fill_failed(r->fill, &pe))
            *e = pe;
        if (fill_end(r->fill, rc == OK, e->code ? &pe : e))
            err_clear(&pe);
        s->previewed = rc == OK;
    }
    for (size_t i = 0; i < s->n; i++)
        s->m[i].read = false;
    free(p);
    return e->code;
}

int group_set_read(const struct group_run *r, struct group_set *s, struct err *e)
{
    struct member_progress *p = calloc(s->n, sizeof *p);
    struct group_ctx c = { .kind = s->kind,
                           .m = s->m,
                           .wanted = s->wanted,
                           .unit_file = (const struct source_file *const *)r->u->files,
                           .n_unit_files = r->u->n_files,
                           .run = &r->u->info,
                           .tmp = r->tmp,
                           .out = fill_sink(r->fill),
                           .rank = group_set_rank(s, r->u) };

    if (!p)
        return err_nomem(e);
    prepare_members(r, s, p, c.rank);
    if (fill_begin(r->fill, s->m[0].c.f->id, e) == OK && read_open(r, s, &c, e)) {
        struct err ignored = ERR_INIT;
        if (fill_end(r->fill, false, &ignored))
            err_clear(&ignored);
    }
    free(p);
    return e->code;
}

/* What is said of files that are not read. */
static int say_unused(const struct group_run *r, const struct group_set *s, const char *used, struct err *e)
{
    int rc = OK;

    if (fill_begin(r->fill, 0, e))
        return e->code;
    for (size_t i = 0; i < s->n && rc == OK; i++)
        for (const struct source_file *f = s->m[i].c.f; f && rc == OK; f = f->next_slice) {
            const struct val v[] = { val_cstr(used), val_int(f->id) };
            rc = fill_update(r->fill,
                             "UPDATE source SET used = ? WHERE id = ? AND used IS NULL AND state = 'UNREAD'",
                             v, ARRAY_LEN(v), e);
        }
    return fill_close(r->fill, rc, e);
}

int group_set_leave(const struct group_run *r, const struct group_set *s, const struct group_set *newer,
                    struct err *e)
{
    char used[300];

    snprintf(used, sizeof used, "no (newer: %.*s)", (int)newer->anchor.n, newer->anchor.p);
    return say_unused(r, s, used, e);
}

int group_set_pass(const struct group_run *r, const struct group_set *s, struct err *e)
{
    return say_unused(r, s, USED_NOT, e);
}

int group_set_rest(const struct group_run *r, const struct group_set *s, struct err *e)
{
    return say_unused(r, s, "no (analysed files are read)", e);
}

/* ---- a trial ---- */

static bool is_damaged(const struct source_file *f)
{
    for (; f; f = f->next_slice)
        if (f->state == FS_TORN || f->state == FS_BAD)
            return true;
    return false;
}

static bool notes_say_damage(const struct sink_counts *n)
{
    for (int i = 0; i < N_NOTES; i++)
        if (n->notes[i] && strcmp(note_infos[i].state, "OK") != 0)
            return true;
    return false;
}

static void take_trial(const struct group_set *s, const struct sink_counts *n, struct group_trial *out)
{
    out->whole = !notes_say_damage(n);
    for (size_t i = 0; i < s->n; i++)
        out->whole &= !s->m[i].read || !is_damaged(s->m[i].c.f);
    for (size_t i = 0; i < GROUP_TABLES && s->kind->tables[i].name; i++) {
        enum table_id t = schema_find_table(s->kind->tables[i].name);
        out->rows[i] = t < N_TABLES ? n->rows[t] : 0;
    }
}

/* Copy the members, for a trial to mark and count in; those that made a worker die are left out. */
static size_t trial_members(const struct group_run *r, const struct group_set *s, struct sink *out,
                            struct group_member *m)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (r->skip && r->skip(r->arg, s->m[i].c.f))
            continue;
        m[n] = s->m[i];
        m[n].read = false;
        m[n++].c = (struct parse_ctx){
            .f = s->m[i].c.f, .run = &r->u->info, .tmp = r->tmp, .out = out, .rank = group_set_rank(s, r->u)
        };
    }
    return n;
}

int group_set_try(const struct group_run *r, const struct group_set *s, unsigned wanted,
                  struct sink_count *count, struct group_trial *out, struct err *e)
{
    struct group_set mine = *s;
    struct err pe = ERR_INIT;

    *out = (struct group_trial){ .whole = false };
    mine.m = calloc(s->n, sizeof *mine.m);
    if (!mine.m)
        return err_nomem(e);
    mine.n = trial_members(r, s, sink_count_sink(count), mine.m);
    struct group_ctx c = { .kind = s->kind,
                           .m = mine.m,
                           .n = mine.n,
                           .wanted = wanted,
                           .unit_file = (const struct source_file *const *)r->u->files,
                           .n_unit_files = r->u->n_files,
                           .run = &r->u->info,
                           .tmp = r->tmp,
                           .out = sink_count_sink(count),
                           .rank = group_set_rank(s, r->u),
                           .marks = true };
    if (group_set_is_complete(&mine) && s->kind->parse(&c, &pe) == OK)
        take_trial(&mine, sink_count_get(count), out);
    if (pe.code == ERR_NOMEM || pe.code == ERR_CANCELLED)
        *e = pe;
    arena_reset(r->tmp);
    free(mine.m);
    return e->code;
}

const struct source_file *group_set_last(const struct group_set *s, uint64_t *rows)
{
    const struct source_file *last = NULL;

    *rows = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->m[i].read) {
            *rows += s->m[i].c.rows;
            last = s->m[i].c.f;
        }
    return last;
}
