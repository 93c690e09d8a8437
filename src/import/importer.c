/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of an import share: progress, and what the store says of a file. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "import/import_int.h"

void importer_report(struct importer *im)
{
    if (im->o->progress)
        im->o->progress(im->o->arg, &im->progress);
}

void importer_on_progress(void *arg, uint64_t done_b)
{
    struct importer *im = arg;

    im->progress.done_b = im->set_base + done_b;
    importer_report(im);
}

bool importer_is_cancelled(void *arg)
{
    struct importer *im = arg;

    if (!im->cancelled && im->o->cancelled)
        im->cancelled = im->o->cancelled(im->o->arg);
    return im->cancelled;
}

bool importer_is_skipped(const struct importer *im, const struct source_file *f)
{
    for (size_t i = 0; i < im->o->n_skip; i++)
        if (strcmp(im->o->skip[i], f->rel) == 0)
            return true;
    return false;
}

int importer_update_source(struct importer *im, const struct source_file *f, const struct outcome *o,
                           const char *used, struct err *e)
{
    struct val note = o->note[0] ? val_cstr(o->note) : val_cstr(f->note);
    struct val v[] = { val_cstr(file_state_word(o->state)),
                       o->state == FS_UNREAD ? val_null() : val_int((int64_t)o->rows),
                       o->state == FS_UNREAD ? val_null() : val_int((int64_t)o->lost),
                       used ? val_cstr(used) : val_null(),
                       note,
                       val_int(f->id) };
    return fill_update(im->fill,
                       "UPDATE source SET state = ?, rows = ?, lost = ?, used = ?, note = ? WHERE id = ?", v,
                       ARRAY_LEN(v), e);
}

void importer_put_note(struct outcome *o, uint32_t line, uint64_t offset, const char *text)
{
    if (line)
        snprintf(o->note, sizeof o->note, "line %u: %s", line, text);
    else if (offset != ERR_NO_OFFSET)
        snprintf(o->note, sizeof o->note, "at byte %llu: %s", (unsigned long long)offset, text);
    else
        snprintf(o->note, sizeof o->note, "%s", text);
}

void importer_describe(const struct importer *im, struct outcome *o)
{
    struct fill_notes n = fill_notes(im->fill);

    if (strcmp(n.state, "OK") != 0 && note_state_rank(n.state) >= note_state_rank(file_state_word(o->state)))
        file_state_from_word(str_of(n.state), &o->state);
    if (n.first[0])
        importer_put_note(o, n.line, n.offset, n.first);
}
