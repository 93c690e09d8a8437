/*
 * Tables to text, csv, json, ndjson, markdown. One writer per output; tables follow each other.
 *
 * text and markdown are for people: values with units, made safe. csv, json and ndjson are for programs: plain numbers in the unit that the
 * column's id names, true bytes. Only on a terminal csv is made safe too; json never holds a byte that could harm one.
 */
#ifndef NPUSCOPE_WRITERS_H
#define NPUSCOPE_WRITERS_H

#include "cli/out.h"
#include "model/cell.h"
#include "model/view.h"

enum format { FMT_TEXT, FMT_CSV, FMT_JSON, FMT_NDJSON, FMT_MARKDOWN }; /* as --format lists them */

struct write_opts {
    enum format format;
    unsigned text_flags; /* TEXT_*: for people */
    bool header;         /* names of columns in text and csv */
    bool color;
    bool named; /* tables have headings; json: one object with a member for each */
    struct cell_units units;
};

struct writer;
NODISCARD int writer_new(struct writer **w, struct out *out, const struct write_opts *o,
                         struct err *e);
void writer_free(struct writer *w);
/* The columns are borrowed until writer_end(). id, title: of the table, used with named. */
NODISCARD int writer_begin(struct writer *w, const char *id, const char *title,
                           const struct view_col *const *cols, size_t n, struct err *e);
/* n values as the columns; texts are copied where they are kept. */
NODISCARD int writer_row(struct writer *w, const struct val *v, struct err *e);
NODISCARD int writer_end(struct writer *w, struct err *e);
/* A sentence between tables: text and markdown only. */
void writer_note(struct writer *w, struct str text);
/* The end of everything: closes the object of named json. */
void writer_finish(struct writer *w);

/* For programs, as csv and json write them. */
void write_json_string(struct buf *out, struct str s);
void write_csv_field(struct buf *out, const struct val *v, bool safe, unsigned text_flags);

#endif
