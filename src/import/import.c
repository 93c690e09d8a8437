/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a unit: source rows, plan, one transaction per file, derived tracks, publishing. */
#include "config.h"

#include "import/import_int.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/copy.h"
#include "base/sig.h"
#include "import/agree/agree_files.h"
#include "import/cluster_db.h"
#include "import/derived/activity.h"
#include "import/derived/comm_names.h"
#include "import/derived/comm_ranks.h"
#include "import/derived/derive.h"
#include "import/derived/flops.h"
#include "import/derived/launch.h"
#include "import/derived/mem_names.h"
#include "import/derived/op_types.h"
#include "import/derived/totals.h"
#include "import/groups.h"
#include "import/plan.h"
#include "import/precedence.h"
#include "parsers/registry.h"
#include "store/stamp.h"

const struct file_kind *import_kind(size_t i)
{
    return registry_kind(i);
}

/* The registry, and the form that is preferred. */
static struct inventory_tables scan_tables(void)
{
    const char *asked = getenv(IMPORT_PREFER);
    struct inventory_tables t = registry_tables();

    t.database_ranks = cluster_db_ranks;
    for (enum prefer p = PREFER_TEXT; asked && p < N_PREFERS; p++)
        if (strcmp(asked, prefer_word(p)) == 0)
            t.prefer = p;
    return t;
}

/* A path in an unpacked archive stands for the archive. */
static int scan_copy(struct job **out, const char *path, const char *folder, const struct archive_record *r,
                     struct err *e)
{
    static const enum file_state states[] = { [ARCHIVE_SAID] = FS_OK,
                                              [ARCHIVE_LEFT_OUT] = FS_BAD,
                                              [ARCHIVE_TORN] = FS_TORN,
                                              [ARCHIVE_BROKEN] = FS_TORN };
    const struct inventory_tables t = scan_tables();
    struct place_note *v = calloc(r->n ? r->n : 1, sizeof *v);
    const struct job_place place = { .folder = folder, .shown = r->path, .notes = v, .n_notes = r->n };

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < r->n; i++)
        v[i] = (struct place_note){ states[r->v[i].what], r->v[i].name, r->v[i].text };
    (void)!job_scan_in(out, path, &place, &t, e);
    free(v);
    return e->code;
}

int import_search(struct job **out, const char *path, bool keep, struct err *e)
{
    struct inventory_tables t = scan_tables();
    char real[PATH_MAX], folder[PATH_MAX];
    struct archive_record r;

    t.stamp = keep ? store_stamp() : NULL;
    if (!realpath(path, real) || !copy_origin(real, folder, sizeof folder, &r))
        return job_scan(out, path, &t, e);
    (void)!scan_copy(out, path, folder, &r, e);
    record_done(&r);
    return e->code;
}

int import_scan(struct job **out, const char *path, struct err *e)
{
    if (import_search(out, path, false, e))
        return e->code;
    for (size_t i = 0; i < (*out)->n_units && !e->code; i++)
        (void)!unit_paths((*out)->units[i], e);
    if (e->code) {
        job_free(*out);
        *out = NULL;
    }
    return e->code;
}

/* ---- what the store says about its files ---- */

static int write_source(struct importer *im, const struct source_file *f, struct err *e)
{
    struct val v[N_COLS(source)] = {
        [COL(source, id)] = val_int(f->id),
        [COL(source, path)] = val_cstr(f->rel),
        [COL(source, kind)] = val_cstr(f->kind->id),
        [COL(source, rank)] = f->rank >= 0 ? val_int(f->rank) : val_null(),
        [COL(source, device)] = f->device >= 0 ? val_int(f->device) : val_null(),
        [COL(source, slice)] = f->slice >= 0 ? val_int(f->slice) : val_null(),
        [COL(source, size_b)] = f->regular ? val_int((int64_t)f->size_b) : val_null(),
        [COL(source, mtime_ns)] = f->regular ? val_int(f->mtime_ns) : val_null(),
        [COL(source, state)] = val_cstr(file_state_word(f->state)),
        [COL(source, used)] = f->superseded ? val_cstr("no (superseded)") : val_null(),
        [COL(source, feeds)] = val_cstr(f->kind->feeds),
        [COL(source, produced_by)] = val_cstr(f->kind->option),
        [COL(source, note)] = val_cstr(f->note),
    };
    return sink_row(fill_sink(im->fill), T_source, v, N_COLS(source), NULL, e);
}

static int write_setting(struct importer *im, const struct run_setting *s, struct err *e)
{
    struct val v[N_COLS(setting)] = {
        [COL(setting, key)] = val_text(s->key),
        [COL(setting, value)] = val_text(s->value),
        [COL(setting, rank)] = s->rank >= 0 ? val_int(s->rank) : val_null(),
        [COL(setting, source_id)] = s->source_id ? val_int(s->source_id) : val_null(),
    };
    return sink_row(fill_sink(im->fill), T_setting, v, N_COLS(setting), NULL, e);
}

static int write_inventory(struct importer *im, struct err *e)
{
    const struct runinfo *r = &im->u->info;

    for (size_t i = 0; i < r->n_ranks; i++)
        if (fill_rank(im->fill, r->ranks[i].rank, r->ranks[i].known, r->ranks[i].device, r->ranks[i].host,
                      NULL, 0, e))
            return e->code;
    if (fill_begin(im->fill, 0, e))
        return e->code;
    for (size_t i = 0; i < im->u->n_files && !e->code; i++)
        if (write_source(im, im->u->files[i], e))
            break;
    for (size_t i = 0; i < r->n_settings && !e->code; i++)
        if (write_setting(im, &r->settings[i], e))
            break;
    if (!e->code && (fill_meta(im->fill, "root", im->u->shown, e) ||
                     fill_meta(im->fill, "generation", gen_id(im->u->gen), e)))
        return e->code;
    return fill_close(im->fill, e->code, e);
}

/* ---- one file ---- */

/* What the inventory found damaged stays so, whatever a parser makes of the rest. */
static enum file_state state_before(const struct source_file *f)
{
    return f->state == FS_TORN || f->state == FS_BAD ? f->state : FS_OK;
}

/* Parse into the open transaction. Returns an error only when the whole import has to end. */
static int parse_into(struct importer *im, const struct source_file *f, struct outcome *out, bool *keep,
                      struct err *e)
{
    struct err pe = ERR_INIT;
    struct parse_ctx c = { .f = f,
                           .run = &im->u->info,
                           .tmp = im->tmp,
                           .out = fill_sink(im->fill),
                           .threads = im->o->threads,
                           .rank = f->rank >= 0 ? f->rank : im->u->info.ranks[0].rank,
                           .progress = importer_on_progress,
                           .progress_arg = im };

    sig_fatal_file(f->rel);
    int rc = f->kind->parse(&c, &pe);
    arena_reset(im->tmp);
    *out = (struct outcome){ .state = state_before(f), .rows = c.rows, .lost = c.lost };
    *keep = true;
    importer_describe(im, out);
    if (rc && (fill_failed(im->fill, &pe) || (pe.code == ERR_NOMEM && im->o->shared))) {
        *e = pe;
        return e->code;
    }
    if (rc) {
        *keep = false;
        out->rows = 0;
        out->state = pe.code == ERR_CANCELLED ? FS_UNREAD : FS_BAD;
        if (pe.code == ERR_CANCELLED)
            snprintf(out->note, sizeof out->note, "reading was stopped");
        else
            importer_put_note(out, pe.line, pe.offset, pe.text);
    } else if (!f->size_b) {
        out->state = FS_EMPTY;
    }
    return OK;
}

/* Read one file in a transaction of its own. */
static int read_file(struct importer *im, const struct source_file *f, struct outcome *out, struct err *e)
{
    bool keep = true;

    im->progress.now = f->rel;
    im->progress.committed = false;
    importer_report(im);
    if (importer_is_skipped(im, f)) {
        *out = (struct outcome){ .state = FS_BAD };
        snprintf(out->note, sizeof out->note, "parser stopped, please report");
        keep = false;
    }
    if (fill_begin(im->fill, f->id, e))
        return e->code;
    if (keep && parse_into(im, f, out, &keep, e))
        goto fail;
    if (!keep) {
        if (fill_end(im->fill, false, e) || fill_begin(im->fill, f->id, e))
            return e->code;
    }
    bool stopped = im->cancelled && out->state != FS_OK;
    for (const struct source_file *s = f; s; s = s->next_slice) {
        struct outcome part = s == f ? *out : (struct outcome){ .state = out->state };
        const char *used = s == f ? "yes" : "yes, with the first slice";
        /* Not chosen yet when the reading was stopped: it is read again (add_begin). */
        if (importer_update_source(im, s, &part, stopped ? NULL : used, e))
            goto fail;
    }
    if (fill_end(im->fill, true, e))
        return e->code;
    im->progress.last = f->rel;
    im->progress.last_rows = out->rows;
    im->progress.committed = true;
    im->progress.files_done++;
    return OK;
fail:;
    struct err ignored = ERR_INIT;
    if (fill_end(im->fill, false, &ignored))
        err_clear(&ignored);
    return e->code;
}

/* ---- sets ---- */

struct set_result {
    uint64_t rows;
    bool whole, tried;
};

static int mark_unused(struct importer *im, const struct plan_set *s, const char *instead, struct err *e)
{
    char used[300];

    snprintf(used, sizeof used, "no (same data in %s)", instead);
    if (fill_begin(im->fill, 0, e))
        return e->code;
    for (size_t i = 0; i < s->n && !e->code; i++)
        for (const struct source_file *f = s->files[i]; f && !e->code; f = f->next_slice)
            if (importer_update_source(im, f, &(struct outcome){ .state = FS_UNREAD }, used, e))
                break;
    return fill_close(im->fill, e->code, e);
}

static int read_set(struct importer *im, const struct plan_set *s, struct set_result *r, struct err *e)
{
    *r = (struct set_result){ .whole = true, .tried = true };
    for (size_t i = 0; i < s->n; i++) {
        struct outcome o = { .state = FS_UNREAD };
        if (importer_is_cancelled(im)) {
            r->whole = false;
            return OK;
        }
        if (read_file(im, s->files[i], &o, e))
            return e->code;
        for (const struct source_file *f = s->files[i]; f; f = f->next_slice)
            im->set_base += f->size_b;
        im->progress.done_b = im->set_base;
        importer_report(im);
        r->rows += o.rows;
        r->whole &= o.state == FS_OK;
    }
    return OK;
}

/* Not used until something else is said: should the process end here, the set is read again (add_begin). */
static int forget_set(struct importer *im, const struct plan_set *s, bool notes, struct err *e)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct val id = val_int(s->files[i]->id);
        if (fill_update(im->fill, "UPDATE source SET used = NULL WHERE id = ?", &id, 1, e) ||
            fill_purge(im->fill, s->files[i]->id, notes, e))
            return e->code;
    }
    return OK;
}

/* A set that was read and gave way: its files keep their state and their notes. */
static int mark_replaced(struct importer *im, const struct plan_set *s, enum precedence_why why,
                         const char *instead, struct err *e)
{
    for (size_t i = 0; i < s->n && !e->code; i++)
        if (precedence_mark(im->fill, s->files[i]->id, why, instead, e))
            break;
    return e->code;
}

static enum precedence_why why_used(const struct set_result *used, const struct set_result *other)
{
    if (other->whole) /* gives way only when it has none */
        return used->rows ? PRECEDENCE_ROWS : PRECEDENCE_EMPTY;
    return used->whole ? PRECEDENCE_WHOLE : PRECEDENCE_MORE;
}

/* What is said of the sets of a topic that are not used. */
static int mark_others(struct importer *im, const struct plan_set *s, size_t n, const struct set_result *r,
                       size_t used, struct err *e)
{
    const char *instead = s[used].files[0]->rel;

    for (size_t i = 0; i < n; i++)
        if (i != used && (r[i].tried ? mark_replaced(im, &s[i], why_used(&r[used], &r[i]), instead, e)
                                     : mark_unused(im, &s[i], instead, e)))
            return e->code;
    return OK;
}

/* What those say that stay unread. */
static int compare_others(struct importer *im, const struct plan_set *s, size_t n, const struct set_result *r,
                          size_t used, struct err *e)
{
    for (size_t i = 0; i < n && r[used].whole; i++)
        if (i != used && !r[i].tried && !importer_is_skipped(im, s[i].files[0]) && agree_files(im, &s[i], e))
            return e->code;
    return OK;
}

/* A source that a group read: a database, or raw data. */
static bool is_grouped(const struct unit *u, uint32_t source_id)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (u->files[i]->id == source_id)
            return !u->files[i]->kind->parse;
    return false;
}

/* The form that is preferred gave the rows of this topic. */
static int is_fed(struct importer *im, const struct plan_set *s, bool *out, struct err *e)
{
    const char *table = !s->topic ? "" : strcmp(s->topic, "trace") == 0 ? "track" : s->topic;
    struct fill_feeder all[GROUP_FEEDERS];
    size_t n = 0;

    *out = false;
    if (schema_find_table(table) < N_TABLES &&
        fill_feeders(im->fill, table, s->rank, all, ARRAY_LEN(all), &n, e))
        return e->code;
    *out = n == ARRAY_LEN(all); /* so many are never text files alone: one more may be the group's */
    for (size_t i = 0; i < n; i++)
        *out |= is_grouped(im->u, all[i].source_id);
    return OK;
}

static int mark_fed(struct importer *im, const struct plan_set *s, size_t n, struct err *e)
{
    const char *form = im->u->prefer == PREFER_DB ? "a database" : "raw data";

    for (size_t i = 0; i < n; i++)
        if (mark_unused(im, &s[i], form, e))
            return e->code;
    return OK;
}

static bool is_better(const struct set_result *a, const struct set_result *b)
{
    return a->rows > b->rows || (a->rows == b->rows && a->whole && !b->whole);
}

/*
 * Sets of one topic: the first that is whole and has rows feeds it; if none is, the one with most rows
 * (doc/store.md#kinds-and-tables). Another one is read again only when that happens.
 */
static int read_topic(struct importer *im, const struct plan_set *s, size_t n, struct err *e)
{
    struct set_result r[16];
    size_t used = SIZE_MAX, best = 0;
    bool fed = false;

    if (im->u->prefer != PREFER_TEXT && is_fed(im, s, &fed, e))
        return e->code;
    if (fed)
        return mark_fed(im, s, n, e);
    if (n > ARRAY_LEN(r))
        n = ARRAY_LEN(r);
    memset(r, 0, sizeof r);
    for (size_t i = 0; i < n && used == SIZE_MAX; i++) {
        if (importer_is_cancelled(im))
            return OK;
        if (read_set(im, &s[i], &r[i], e))
            return e->code;
        if ((r[i].whole && r[i].rows) || n == 1 || importer_is_cancelled(im))
            used = i;
        else if (forget_set(im, &s[i], false, e))
            return e->code;
        if (is_better(&r[i], &r[best]))
            best = i;
    }
    if (used == SIZE_MAX) {
        used = best;
        if (forget_set(im, &s[used], true, e) || read_set(im, &s[used], &r[used], e))
            return e->code;
    }
    if ((importer_is_cancelled(im) && !r[used].whole) || mark_others(im, s, n, r, used, e))
        return e->code;
    return compare_others(im, s, n, r, used, e);
}

/* A process that ended between reading the first set of a topic and saying so of the others: said now. */
static int mark_rest(struct importer *im, const struct plan_set *s, size_t n, struct err *e)
{
    for (size_t i = 1; i < n; i++)
        if (plan_is_read(&s[i]) && mark_unused(im, &s[i], s[0].files[0]->rel, e))
            return e->code;
    return OK;
}

/* Files of a topic for which there is no room: nothing of them, and the reason. */
static int write_no_room(struct importer *im, const struct plan *p, size_t i, size_t n, struct err *e)
{
    if (fill_begin(im->fill, 0, e))
        return e->code;
    for (size_t k = i; k < i + n && !e->code; k++) {
        const struct plan_set *s = &p->sets[k];
        struct outcome o = { .state = FS_UNREAD };
        snprintf(o.note, sizeof o.note, "%s", s->no_room);
        for (size_t m = 0; m < s->n && !e->code; m++)
            for (const struct source_file *f = s->files[m]; f && !e->code; f = f->next_slice)
                if (importer_update_source(im, f, &o, NULL, e))
                    break;
    }
    return fill_close(im->fill, e->code, e);
}

/* Nothing of a set stays that was touched, by us or by an earlier process: it is read again. */
static int clear_set(struct importer *im, const struct plan_set *s, struct err *e)
{
    struct store *r = fill_reader(im->fill, e);

    for (size_t i = 0; r && i < s->n; i++) {
        bool touched = store_int(r, 0, "SELECT state <> 'UNREAD' FROM source WHERE id = :id", ":id",
                                 (int64_t)s->files[i]->id, NULL) == 1;
        if (touched && fill_purge(im->fill, s->files[i]->id, true, e))
            return e->code;
    }
    return e->code;
}

/*
 * The disk became full: the files of this topic are left, what was read before stays. Others may be small
 * enough.
 */
static int leave_full(struct importer *im, struct plan *p, size_t i, size_t n, struct err *e)
{
    err_clear(e);
    for (size_t k = i; k < i + n; k++)
        if (clear_set(im, &p->sets[k], e))
            return e->code;
    room_was_full(p, i, n, &im->room, im->no_room, sizeof im->no_room);
    importer_report(im);
    return write_no_room(im, p, i, n, e);
}

static int read_all(struct importer *im, struct plan *p, struct err *e)
{
    for (size_t i = 0; i < p->n;) {
        size_t n = 1;
        if (i >= p->n_small && !im->progress.small_done) {
            im->progress.small_done = im->progress.committed = true;
            importer_report(im);
        }
        while (i + n < p->n && plan_same_topic(&p->sets[i], &p->sets[i + n]))
            n++;
        if (importer_is_cancelled(im))
            return OK;
        if (plan_is_read(&p->sets[i]) && read_topic(im, &p->sets[i], n, e) &&
            (e->code != ERR_FULL || i < p->n_small || leave_full(im, p, i, n, e)))
            return e->code;
        if (p->sets[i].done && mark_rest(im, &p->sets[i], n, e))
            return e->code;
        i += n;
    }
    return OK;
}

/* ---- the whole ---- */

/* What the findings of an earlier state were is taken back with them. */
static int check(struct importer *im, struct err *e)
{
    struct store *r = fill_reader(im->fill, e);

    if (!im->o->after)
        return OK;
    if (!r || fill_begin(im->fill, 0, e))
        return e->code;
    int rc = fill_update(im->fill, "DELETE FROM finding", NULL, 0, e);
    if (rc == OK)
        rc = im->o->after(r, fill_sink(im->fill), im->u, e);
    if (rc == OK)
        rc = fill_meta(im->fill, "checked", "1", e);
    return fill_close(im->fill, rc, e);
}

/* Tracks are made once all that they could be made from is there. */
static int make_tracks(struct importer *im, struct store *r, unsigned left, struct err *e)
{
    if (store_meta_is(r, "derived", "1") || left & PANE_BIT(PANE_TIME))
        return OK;
    if (derive_tracks(im->fill, e))
        return e->code;
    return fill_meta(im->fill, "derived", "1", e);
}

/* Rows made from rows. */
static int make_rows(struct importer *im, const struct plan *p, struct err *e)
{
    struct store *r = fill_reader(im->fill, e);
    unsigned left = plan_left(p);
    char text[24];

    if (!r || make_tracks(im, r, left, e) || flops_write(im->fill, im->u, e) || fill_settle(im->fill, e) ||
        op_types_write(im->fill, e) || mem_names_write(im->fill, e) || comm_names_write(im->fill, e) ||
        comm_ranks_write(im->fill, e))
        return e->code;
    snprintf(text, sizeof text, "%u", left);
    if (totals_write(im->fill, im->u, left, e) || activity_write(im->fill, im->u, e) ||
        launch_write(im->fill, left, e) || fill_meta(im->fill, "left", text, e))
        return e->code;
    return check(im, e);
}

/*
 * An empty key never fits: a partial store is read again at the next start. What is added in part can be
 * added to.
 */
static int finish(struct importer *im, const struct plan *p, bool adding, struct err *e)
{
    char *key = unit_input_key(im->u);

    if (!key)
        return err_nomem(e);
    int rc = im->cancelled ? OK : make_rows(im, p, e);
    if (im->cancelled && !adding)
        rc = fill_meta(im->fill, "partial", "1", e);
    if (rc == OK)
        rc = fill_finish(im->fill, im->cancelled && !adding ? "" : key, e);
    free(key);
    return rc;
}

static int publish(struct importer *im, struct store **out, struct err *e)
{
    while (im->o->may_publish && !im->o->may_publish(im->o->arg))
        ;
    struct fill *f = im->fill;
    im->fill = NULL;
    return im->o->store_path ? fill_publish(f, e) : fill_take_store(f, out, e);
}

static void begin_progress(struct importer *im, const struct plan *p)
{
    im->progress = (struct import_progress){ .total_b = p->bytes,
                                             .files_total = p->files,
                                             .temp_path = fill_read_path(im->fill),
                                             .no_room = im->no_room,
                                             .committed = true };
    importer_report(im);
}

/* Before anything is read: what fits. */
static int make_room(struct importer *im, struct plan *p, struct err *e)
{
    room_measure(&im->room, im->o->store_path);
    im->room.shared = im->o->shared;
    im->refused = room_leave(p, &im->room, im->no_room, sizeof im->no_room, e) != OK;
    return e->code;
}

static int write_left(struct importer *im, const struct plan *p, struct err *e)
{
    for (size_t i = 0; i < p->n && !e->code; i++)
        if (p->sets[i].no_room[0] && write_no_room(im, p, i, 1, e))
            break;
    return e->code;
}

/* Raw groups feed what nothing else feeds: with them everything is read, so that it is known what that is. */
static int leave(struct importer *im, struct plan *p, struct err *e)
{
    struct group_list l;

    if (!im->o->later)
        return OK;
    if (groups_find(&l, im->u, e))
        return e->code;
    bool any = false;
    for (size_t i = 0; i < l.n; i++)
        any |= !group_set_is_listed(im->u, &l.sets[i]);
    if (!any)
        plan_leave(p, im->o->later);
    groups_done(&l);
    return OK;
}

/* Says whether an import was cancelled, and gives everything back, also after an error. Returns e's code. */
static int end(struct importer *im, struct plan *plan, bool *partial, struct err *e)
{
    if (!e->code && partial)
        *partial = im->cancelled;
    if (e->code == ERR_FULL && !im->refused)
        room_full_error(&im->room, e);
    fill_abort(im->fill);
    arena_free(im->tmp);
    plan_done(plan);
    sig_fatal_file("");
    return e->code;
}

int import_unit(const struct unit *u, const struct import_opts *o, struct store **out, bool *partial,
                struct err *e)
{
    struct importer im = { .u = u, .o = o };
    struct plan plan = { .n = 0 };
    const struct fill_opts fo = { .path = o->store_path,
                                  .watched = o->watched,
                                  .unfinished = o->later != 0,
                                  .cancelled = importer_is_cancelled,
                                  .arg = &im };

    if (fill_open(&im.fill, &fo, e) || arena_new(&im.tmp, FILE_ARENA_B, e) || unit_paths(u, e) ||
        plan_make(&plan, u, e) || leave(&im, &plan, e) || make_room(&im, &plan, e) ||
        write_inventory(&im, e) || write_left(&im, &plan, e))
        return end(&im, &plan, partial, e);
    begin_progress(&im, &plan);
    (void)!(importer_read_groups(&im, true, e) || read_all(&im, &plan, e) ||
            importer_read_groups(&im, false, e) || importer_say_alone(&im, e) ||
            finish(&im, &plan, false, e) || publish(&im, out, e));
    return end(&im, &plan, partial, e);
}

/* ---- what was left for later ---- */

static bool is_known(void *arg, uint32_t source_id)
{
    return store_int(arg, 0, "SELECT used IS NOT NULL FROM source WHERE id = :id", ":id", (int64_t)source_id,
                     NULL) == 1;
}

/* What is to be read, and fits. */
static int add_plan(struct importer *im, struct plan *p, struct err *e)
{
    struct store *r = NULL;

    if (store_open(&r, im->o->store_path, false, e) || unit_paths(im->u, e) || plan_make(p, im->u, e) ||
        leave(im, p, e))
        goto out;
    plan_done_before(p, is_known, r);
    (void)make_room(im, p, e);
out:
    store_close(r);
    return e->code;
}

static int add_begin(struct importer *im, struct plan *p, struct err *e)
{
    for (size_t i = 0; i < p->n; i++)
        if (plan_is_read(&p->sets[i]) && clear_set(im, &p->sets[i], e))
            return e->code;
    return write_left(im, p, e);
}

/* Nothing of what was left fits: only that is written, when there is room for it. */
static int add_nothing(struct importer *im, const struct plan *p, struct err *e)
{
    const struct fill_opts fo = { .path = im->o->store_path, .unfinished = true };

    if (fill_add(&im->fill, &fo, e) == OK && write_left(im, p, e) == OK) {
        begin_progress(im, p);
        return publish(im, NULL, e);
    }
    if (e->code == ERR_FULL) {
        err_clear(e);
        im->progress = (struct import_progress){ .temp_path = im->o->store_path, .no_room = im->no_room };
        importer_report(im);
        while (im->o->may_publish && !im->o->may_publish(im->o->arg))
            ;
    }
    return e->code;
}

int import_add(const struct unit *u, const struct import_opts *o, bool *partial, struct err *e)
{
    struct importer im = { .u = u, .o = o };
    struct plan plan = { .n = 0 };
    const struct fill_opts fo = { .path = o->store_path,
                                  .watched = o->watched,
                                  .large = true,
                                  .unfinished = o->later != 0,
                                  .cancelled = importer_is_cancelled,
                                  .arg = &im };

    if (add_plan(&im, &plan, e))
        return end(&im, &plan, partial, e);
    if (!plan.files && im.no_room[0]) {
        (void)!add_nothing(&im, &plan, e);
        return end(&im, &plan, partial, e);
    }
    if (fill_add(&im.fill, &fo, e) || arena_new(&im.tmp, FILE_ARENA_B, e) || add_begin(&im, &plan, e))
        return end(&im, &plan, partial, e);
    begin_progress(&im, &plan);
    (void)!(read_all(&im, &plan, e) || finish(&im, &plan, true, e) || publish(&im, NULL, e));
    return end(&im, &plan, partial, e);
}
