/*
 * A view as text for files and pipes: CSV, JSON, NDJSON, Markdown, plain text (ux.md section 9). Numbers are plain, the unit is in the column's
 * id; times are ns, sizes bytes. Text and Markdown are made safe for terminals, CSV and JSON keep the true bytes (JSON escaped).
 */
#ifndef NPUSCOPE_EXPORT_H
#define NPUSCOPE_EXPORT_H

#include "model/view.h"

enum export_format { EXPORT_CSV, EXPORT_JSON, EXPORT_NDJSON, EXPORT_MARKDOWN, EXPORT_TEXT };
/* By the word of an option ("csv") or the suffix of a file name (".md"); false: neither. */
bool export_format_of(struct str word, enum export_format *out);

/* Takes the text in pieces; a status other than OK stops the export. */
typedef int export_write_fn(void *arg, const char *p, size_t n, struct err *e);

struct export_opts {
    enum export_format format;
    const size_t *cols; /* columns of the view, in this order */
    size_t n_cols;      /* 0: all that are not VC_HIDDEN */
    bool all_columns;   /* with n_cols 0: hidden ones too */
    bool no_header;     /* CSV and text */
    size_t max_rows;    /* 0: all */
    enum view_times times;
    unsigned flags; /* text_flags, for text and Markdown */
};
NODISCARD int export_view(struct view *v, const struct export_opts *o, export_write_fn *write,
                          void *arg, struct err *e);

/* The same to a new file, whole or not at all. replace false: an existing file is an error. */
NODISCARD int export_view_file(struct view *v, const struct export_opts *o, const char *path,
                               bool replace, struct err *e);

/* One value as JSON, for other writers. Bytes that are no UTF-8 become lone surrogates \udc80..\udcff, as Python's surrogateescape does. */
void export_json_value(struct buf *out, const struct val *v);
void export_csv_field(struct buf *out, struct str s);

#endif
