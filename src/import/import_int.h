/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of an import, for files of src/import. */
#ifndef NPUSCOPE_IMPORT_INT_H
#define NPUSCOPE_IMPORT_INT_H

#include "base/arena.h"
#include "import/import.h"
#include "import/room.h"
#include "store/fill/fill.h"

#define FILE_ARENA_B ((size_t)256 << 20)

struct importer {
    const struct unit *u;
    const struct import_opts *o;
    struct fill *fill;
    struct arena *tmp;
    struct import_progress progress;
    uint64_t set_base; /* bytes done before the current file */
    bool cancelled;
    struct room room;
    bool refused; /* the import ended before anything was read: the error says how much room is needed */
    char no_room[600];
};

/* The outcome of one file, for its source row. */
struct outcome {
    enum file_state state;
    uint64_t rows, lost;
    char note[400];
};

void importer_report(struct importer *im);
/* Progress within the file being read; arg: the importer, as below. */
void importer_on_progress(void *arg, uint64_t done_b);
bool importer_is_cancelled(void *arg);
/* The file made an earlier worker die. */
bool importer_is_skipped(const struct importer *im, const struct source_file *f);
/* Read the groups of the form that is preferred (first), or all others. */
NODISCARD int importer_read_groups(struct importer *im, bool first, struct err *e);
/* After the groups: files of them that nothing was joined with say so. */
NODISCARD int importer_say_alone(struct importer *im, struct err *e);
/* A note with its place. */
void importer_put_note(struct outcome *o, uint32_t line, uint64_t offset, const char *text);
/* Set state and note from the notes of the open transaction. */
void importer_describe(const struct importer *im, struct outcome *o);
NODISCARD int importer_update_source(struct importer *im, const struct source_file *f,
                                     const struct outcome *o, const char *used, struct err *e);

#endif
