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

/* Set state and note from the notes of the open transaction. */
void importer_describe(const struct importer *im, struct outcome *o);
NODISCARD int importer_update_source(struct importer *im, const struct source_file *f,
                                     const struct outcome *o, const char *used, struct err *e);

#endif
