/* What an analysis wrote, could not write, and met in its input. */
#include "config.h"

#include "vendor/g1_report.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/limits.h"

#define TEXT_MAX ((size_t)64 << 20)

struct g1_report {
    struct arena *a;
    struct g1_result *results;
    size_t n_results, cap_results;
    struct g1_note *notes;
    size_t n_notes, cap_notes;
};

int g1_report_new(struct g1_report **out, struct err *e)
{
    struct g1_report *r = calloc(1, sizeof *r);

    *out = NULL;
    if (!r)
        return err_nomem(e);
    if (arena_new(&r->a, TEXT_MAX, e)) {
        free(r);
        return (int)e->code;
    }
    *out = r;
    return OK;
}

void g1_report_free(struct g1_report *r)
{
    if (!r)
        return;
    free(r->results);
    free(r->notes);
    arena_free(r->a);
    free(r);
}

const struct g1_result *g1_report_results(const struct g1_report *r, size_t *n)
{
    *n = r->n_results;
    return r->results;
}

const struct g1_note *g1_report_notes(const struct g1_report *r, size_t *n)
{
    *n = r->n_notes;
    return r->notes;
}

static const char *keep(struct g1_report *r, const char *s)
{
    return s ? arena_str(r->a, str_of(s)).p : NULL;
}

void g1_report_add(struct g1_report *r, const struct g1_result *x)
{
    struct g1_result *v = grow_array(r->results, r->n_results, &r->cap_results, sizeof *v, 64);
    struct g1_result y = *x;

    if (!v)
        return;
    r->results = v;
    y.name = keep(r, x->name);
    y.why = keep(r, x->why);
    if (y.name)
        v[r->n_results++] = y;
}

void g1_report_note(struct g1_report *r, const struct g1_note *x)
{
    if (r->n_notes >= LIM_NOTES_PER_FILE &&
        r->notes[r->n_notes - LIM_NOTES_PER_FILE].file == x->file) {
        r->notes[r->n_notes - 1].more++;
        return;
    }
    struct g1_note *v = grow_array(r->notes, r->n_notes, &r->cap_notes, sizeof *v, 16);
    struct g1_note y = *x;

    if (!v)
        return;
    r->notes = v;
    y.text = keep(r, x->text);
    if (y.text)
        v[r->n_notes++] = y;
}
