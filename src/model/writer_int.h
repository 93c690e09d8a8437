/* The inside of struct writer, for writer*.c. */
#ifndef NPUSCOPE_WRITER_INT_H
#define NPUSCOPE_WRITER_INT_H

#include "base/arena.h"
#include "model/writer.h"

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
    struct buf line;
    /* text: the first rows are kept to know the widths */
    struct arena *kept_arena;
    struct val *kept;
    size_t n_kept, kept_b;
    struct text_layout *layout;
    bool streaming;
};

extern const struct format_ops text_ops, csv_ops, json_ops, ndjson_ops, markdown_ops;

/* Number of any kind for programs: plain digits; "" for what is no number. */
char *write_number(char *buf, size_t n, const struct val *v);
/* Add to the line, which is handed on by write_line(). bold: on a terminal with colours. */
void write_bold(struct writer *w, bool on);
/* Hand the line to where it goes and empty it. */
NODISCARD int write_line(struct writer *w, struct err *e);
/* Units of a column over kept rows, and a cell with its unit in one text (markdown). */
struct cell_units write_units(const struct writer *w, size_t col);
NODISCARD int write_keep(struct writer *w, const struct val *v, struct err *e);
void write_forget(struct writer *w);
/* Another row may be kept. */
bool write_may_keep(const struct writer *w);
#define WRITE_KEEP   4096
#define WRITE_KEEP_B ((size_t)16 << 20)

#endif
