/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of struct writer, for src/model/writer. */
#ifndef NPUSCOPE_MODEL_WRITER_WRITER_INT_H
#define NPUSCOPE_MODEL_WRITER_WRITER_INT_H

#include "base/arena.h"
#include "model/writer/writer.h"

struct format_ops {
    int (*begin)(struct writer *w, struct err *e);
    int (*row)(struct writer *w, const struct val *v, struct err *e);
    int (*end)(struct writer *w, struct err *e);
};

struct writer {
    struct write_opts o;
    struct write_to to;
    const struct format_ops *ops;
    const char *id, *title;
    const struct view_col *const *cols;
    size_t n_cols;
    size_t rows, tables;
    bool several; /* json: tables lie in an array */
    struct buf line;
    struct buf cell; /* one cell being made */
    /* text: the first rows are kept until the widths are known */
    struct arena *kept_arena;
    struct val *kept;
    size_t n_kept, kept_b;
    struct text_layout *layout;
    bool streaming;
};

extern const struct format_ops text_ops, csv_ops, json_ops, ndjson_ops, markdown_ops;

/* A number of any kind for programs: plain digits; "" for a value that is no number. */
char *write_number(char *buf, size_t n, const struct val *v);
/* Switch bold letters on or off for the rest of the line; does nothing without colours. */
void write_bold(struct writer *w, bool on);
/* Write the line to the output and empty it. */
NODISCARD int write_line(struct writer *w, struct err *e);
/* Units of a column that suit the kept rows. */
struct cell_units write_units(const struct writer *w, size_t col);
/* Keep a row (texts are copied), and forget all of them. */
NODISCARD int write_keep(struct writer *w, const struct val *v, struct err *e);
void write_forget(struct writer *w);
/* Whether another row may be kept. */
bool write_may_keep(const struct writer *w);
#define WRITE_KEEP   4096
#define WRITE_KEEP_B ((size_t)16 << 20)

#endif
