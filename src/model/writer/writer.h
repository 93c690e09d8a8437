/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables to text, csv, json, ndjson, markdown: for the commands and for what the screen exports. One writer
 * per output; tables follow each other.
 *
 * text is for people: titles, values with units, made safe. csv, json and ndjson are for programs: column
 * ids, plain numbers in the unit that the id names, true bytes. Only on a terminal csv is made safe too; json
 * never holds a byte that could harm one. markdown has the ids and plain numbers, made safe; in a report
 * (several tables with headings) it is for people like text.
 */
#ifndef NPUSCOPE_MODEL_WRITER_WRITER_H
#define NPUSCOPE_MODEL_WRITER_WRITER_H

#include "model/view/cell.h"
#include "model/view/view.h"

enum format { FMT_TEXT, FMT_CSV, FMT_JSON, FMT_NDJSON, FMT_MARKDOWN }; /* as --format lists them */
/* Find a format by its word ("csv") or by the ending of a file's name (".md"); false: neither. */
bool format_of(struct str word, enum format *out);
const char *format_ending(enum format f); /* ".csv" */
/* How a format writes instants: absolute in all but text. */
enum view_times format_times(enum format f);

/* Where the text goes. */
struct write_to {
    int (*add)(void *arg, struct str s, struct err *e); /* a status other than OK ends the writing */
    void *arg;
    bool terminal; /* csv is made safe */
    int width;     /* cells of a line, to which texts are shortened; 0: no limit */
};

struct write_opts {
    enum format format;
    unsigned text_flags; /* TEXT_*: for people */
    bool header;         /* names of columns in text and csv */
    bool color;
    bool named;      /* tables have headings; json: one object with a member for each */
    bool translated; /* text, markdown: titles in the language of tr() */
    struct cell_units units;
};

struct writer;
NODISCARD int writer_new(struct writer **w, const struct write_to *to, const struct write_opts *o,
                         struct err *e);
void writer_free(struct writer *w);
/* The columns are borrowed until writer_end(). id, title: of the table, used with named. */
NODISCARD int writer_begin(struct writer *w, const char *id, const char *title,
                           const struct view_col *const *cols, size_t n, struct err *e);
/* Write n values, one for each column; texts are copied where they are kept. */
NODISCARD int writer_row(struct writer *w, const struct val *v, struct err *e);
NODISCARD int writer_end(struct writer *w, struct err *e);
/* Titles and units, not ids and plain numbers. */
bool writer_is_for_people(const struct writer *w);
/* Write a sentence between tables: text and markdown only. */
NODISCARD int writer_note(struct writer *w, struct str text, struct err *e);
/*
 * Before the first table, where more than one without a heading follows: json becomes one array of them.
 */
void writer_several(struct writer *w);
/* End the output: closes the object of named json, the array of several. */
NODISCARD int writer_finish(struct writer *w, struct err *e);

/* For programs, as csv and json write them. */
void write_json_string(struct buf *out, struct str s);

#endif
