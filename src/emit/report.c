/* SPDX-License-Identifier: Apache-2.0 */
/* See report.h. */
#include "config.h"

#include "emit/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/limits.h"

#define TEXT_MAX ((size_t)64 << 20)

struct emit_report {
    struct arena *a;
    struct emit_result *results;
    size_t n_results, cap_results;
    struct emit_note *notes;
    size_t n_notes, cap_notes;
};

int emit_report_new(struct emit_report **out, struct err *e)
{
    struct emit_report *r = calloc(1, sizeof *r);

    *out = NULL;
    if (!r)
        return err_nomem(e);
    if (arena_new(&r->a, TEXT_MAX, e)) {
        free(r);
        return e->code;
    }
    *out = r;
    return OK;
}

void emit_report_free(struct emit_report *r)
{
    if (!r)
        return;
    free(r->results);
    free(r->notes);
    arena_free(r->a);
    free(r);
}

const struct emit_result *emit_report_results(const struct emit_report *r, size_t *n)
{
    *n = r->n_results;
    return r->results;
}

const struct emit_note *emit_report_notes(const struct emit_report *r, size_t *n)
{
    *n = r->n_notes;
    return r->notes;
}

static const char *keep(struct emit_report *r, const char *s)
{
    return s ? arena_str(r->a, str_of(s)).p : NULL;
}

void emit_report_add(struct emit_report *r, const struct emit_result *x)
{
    struct emit_result *v = grow_array(r->results, r->n_results, &r->cap_results, sizeof *v, 64);
    struct emit_result y = *x;

    if (!v)
        return;
    r->results = v;
    y.name = keep(r, x->name);
    y.why = keep(r, x->why);
    y.path = keep(r, x->path);
    y.folder = keep(r, x->folder);
    if (y.name)
        v[r->n_results++] = y;
}

void emit_report_note(struct emit_report *r, const struct emit_note *x)
{
    if (r->n_notes >= LIM_NOTES_PER_FILE && r->notes[r->n_notes - LIM_NOTES_PER_FILE].file == x->file) {
        r->notes[r->n_notes - 1].more++;
        return;
    }
    struct emit_note *v = grow_array(r->notes, r->n_notes, &r->cap_notes, sizeof *v, 16);
    struct emit_note y = *x;

    if (!v)
        return;
    r->notes = v;
    y.text = keep(r, x->text);
    if (y.text)
        v[r->n_notes++] = y;
}

static bool has_note(const struct emit_report *r, const struct emit_note *x)
{
    for (size_t i = 0; i < r->n_notes; i++) {
        const struct emit_note *n = &r->notes[i];
        if (n->file == x->file && n->offset == x->offset && n->line == x->line &&
            strcmp(n->text, x->text) == 0)
            return true;
    }
    return false;
}

void emit_report_join_as(struct emit_report *r, const struct emit_report *other, const char *folder)
{
    for (size_t i = 0; i < other->n_results; i++) {
        struct emit_result x = other->results[i];
        x.folder = folder ? folder : x.folder;
        emit_report_add(r, &x);
    }
    for (size_t i = 0; i < other->n_notes; i++)
        if (!has_note(r, &other->notes[i]))
            emit_report_note(r, &other->notes[i]);
}

void emit_report_join(struct emit_report *r, const struct emit_report *other)
{
    emit_report_join_as(r, other, NULL);
}

/* ---- notes of readers ---- */

static void on_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    const struct emit_sink *to = (const struct emit_sink *)s;
    struct emit_note n = { .offset = w->offset, .line = where_line(w), .text = text };

    (void)code;
    for (size_t i = 0; i < to->unit->n_files && !n.file; i++)
        if (to->unit->files[i]->id == w->source_id)
            n.file = to->unit->files[i];
    emit_report_note(to->report, &n);
}

static bool is_cancelled(const struct sink *s)
{
    const struct emit_sink *to = (const struct emit_sink *)s;
    return (to->stop && atomic_load(to->stop)) || (to->cancelled && to->cancelled());
}

void emit_sink_init(struct emit_sink *s, struct emit_report *report, const struct unit *u,
                    bool (*cancelled)(void))
{
    static const struct sink_ops ops = { .note = on_note, .cancelled = is_cancelled };

    *s = (struct emit_sink){ .sink.ops = &ops, .report = report, .unit = u, .cancelled = cancelled };
}

bool emit_goes_on(struct err *e)
{
    if (e->code == ERR_FULL || e->code == ERR_NOMEM || e->code == ERR_CANCELLED || e->code == ERR_BUG)
        return false;
    err_clear(e);
    return true;
}
