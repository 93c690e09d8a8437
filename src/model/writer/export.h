/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a view through a writer: for the commands' tables and what the screen writes to files
 * (doc/screens.md#copy-and-export).
 */
#ifndef NPUSCOPE_MODEL_WRITER_EXPORT_H
#define NPUSCOPE_MODEL_WRITER_EXPORT_H

#include "model/writer/writer.h"

struct export_rows {
    const size_t *cols; /* columns of the view, in this order */
    size_t n_cols;      /* 0: all that are not VC_HIDDEN */
    bool all_columns;   /* with n_cols 0: hidden ones too */
    int64_t top;        /* rows at most, -1 all */
    enum view_times times;
    const char *title; /* title of the table; NULL: that of the view */
};

/* One table: heading, rows, end. */
NODISCARD int export_view(struct writer *w, struct view *v, const struct export_rows *o, struct err *e);

/* A new file, whole or not at all. */
struct export_file {
    const char *path;
    bool replace;            /* false: an existing file is an error */
    bool (*stop)(void *arg); /* called now and then; true ends it with ERR_CANCELLED. NULL: never called */
    void *stop_arg;
};
typedef int export_fn(void *arg, const struct write_to *to, struct err *e);
/* Write the output of `write` to the file. */
NODISCARD int export_to_file(const struct export_file *f, export_fn *write, void *arg, struct err *e);

/* Write a view to such a file. */
NODISCARD int export_view_file(const char *path, bool replace, const struct write_opts *wo, struct view *v,
                               const struct export_rows *o, struct err *e);

#endif
