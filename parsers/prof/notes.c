/* SPDX-License-Identifier: Apache-2.0 */
/* Notes about a PROF folder, each once a file, to the sink. */
#include "config.h"

#include "base/path.h"
#include "parsers/prof/meta.h"
#include "parsers/prof/names.h"
#include "parsers/prof/prof.h"
#include "run/inventory.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct source_file *file_of(const struct prof_folder *f, enum prof_tag tag)
{
    if (!f || tag == N_PROF_TAGS)
        return NULL;
    return f->file[tag][0] ? f->file[tag][0] : f->file[tag][1];
}

bool prof_was_noted(struct prof *p, uint64_t key)
{
    key += !key;
    if (!p->noted || p->n_noted > PROF_NOTED / 4 * 3)
        return false;
    size_t at = key % PROF_NOTED;
    while (p->noted[at] && p->noted[at] != key)
        at = (at + 1) % PROF_NOTED;
    bool was = p->noted[at] != 0;
    p->noted[at] = key;
    p->n_noted += !was;
    return was;
}

static void tell(struct prof *p, enum note_code code, const struct where *w, const char *text)
{
    const uint64_t place[] = { w->source_id, w->line, w->offset, code };
    uint64_t key = str_hash(str_of(text), str_seed());

    if (!prof_was_noted(p, str_hash((struct str){ (const char *)place, sizeof place }, key)))
        sink_note(p->in.notes, code, w, "%s", text);
}

void prof_note(struct prof *p, const struct prof_folder *f, enum prof_tag tag, enum note_code code,
               const char *fmt, ...)
{
    const struct source_file *of = file_of(f, tag);
    const struct where w = { .source_id = of ? of->id : 0, .offset = ERR_NO_OFFSET };
    struct str dir = f && !of ? str_sub(f->rel, 0, f->rel.n - 1) : STR("");
    char text[SINK_NOTE_B];
    va_list ap;

    dir = str_after_last(dir, '/');
    int n = dir.n ? snprintf(text, sizeof text / 2, "%.*s: ", (int)dir.n, dir.p) : 0;
    size_t used = (size_t)n < sizeof text / 2 ? (size_t)n : sizeof text / 2 - 1;
    va_start(ap, fmt);
    vsnprintf(text + used, sizeof text - used, fmt, ap);
    va_end(ap);
    tell(p, code, &w, text);
}

void prof_note_at(struct prof *p, enum note_code code, const struct where *w, const char *fmt, ...)
{
    char text[SINK_NOTE_B];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (p->reading)
        sink_note(p->reading, code, w, "%s", text);
    else
        tell(p, code, w, text);
}
