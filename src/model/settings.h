/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reader prefers, from a file of their own (npuscope-config(5), doc/screens.md#config-file):
 * settings "NAME = VALUE" of one table, and lines for keys, columns and colours. A wrong line is kept with
 * its reason and changes nothing else.
 *
 * A struct settings owns all its texts.
 */
#ifndef NPUSCOPE_MODEL_SETTINGS_H
#define NPUSCOPE_MODEL_SETTINGS_H

#include "base/buf.h"
#include "base/err.h"

enum setting_id {
    SETTING_THEME,
    SETTING_COLOURS,
    SETTING_SYMBOLS,
    SETTING_LANGUAGE,
    SETTING_MOUSE,
    SETTING_LINKS,
    SETTING_SLOW,
    SETTING_FIRST_PANE,
    SETTING_TIME_UNIT,
    SETTING_SIZE_UNIT,
    SETTING_FIRST_STEP,
    SETTING_STATE,
    N_SETTINGS
};
struct setting_def {
    const char *name;
    const char *values; /* separated by '|'; NULL: asked of setting_check_fn */
    const char *otherwise;
    const char *help;
};
extern const struct setting_def setting_defs[N_SETTINGS];

/* Lines of more than a value. */
enum setting_kind {
    SETTING_BIND,    /* bind [WHERE] KEY ACTION */
    SETTING_COLUMNS, /* columns VIEW LIST */
    SETTING_SORT,    /* sort VIEW [+|-]COLUMN */
    SETTING_COLOUR,  /* colour ROLE NUMBER [ATTRIBUTE...] */
    N_SETTING_KINDS
};
extern const struct setting_kind_def {
    const char *word, *args, *help;
} setting_kinds[N_SETTING_KINDS];
struct setting_line {
    enum setting_kind kind;
    uint32_t line;
    struct str text; /* after the word */
};
struct setting_wrong {
    uint32_t line;
    const char *why;
};

/*
 * Whether somebody else takes a value of a setting (of those without a list), or the text of a line: what
 * src/model does not know. ERR_USAGE with a sentence.
 */
struct setting_asked {
    int id; /* enum setting_id; -1: a line */
    enum setting_kind kind;
    struct str text;
};
typedef int setting_check_fn(const struct setting_asked *s, struct err *e);

struct settings;
/*
 * Read the file: path, else $NPUSCOPE_CONFIG, else config in path_config_dir(). One that is not there gives
 * the defaults, unless it was named. check may be NULL. Errors: ERR_IO, ERR_FORMAT (no text file),
 * ERR_LIMIT, ERR_NOMEM.
 */
NODISCARD int settings_read(struct settings **out, const char *path, setting_check_fn *check, struct err *e);
void settings_free(struct settings *s);

/* Where it is, or would be; "" when there is no place for it. */
const char *settings_path(const struct settings *s);
/* The value in force; *line (may be NULL) is 0 for the default. */
const char *setting_get(const struct settings *s, enum setting_id id, uint32_t *line);
bool setting_is(const struct settings *s, enum setting_id id, const char *value);
size_t settings_n_lines(const struct settings *s);
const struct setting_line *settings_line(const struct settings *s, size_t i);
size_t settings_n_wrong(const struct settings *s);
const struct setting_wrong *settings_wrong(const struct settings *s, size_t i);

/*
 * Put a line into the file in place of the one that says something about the same (or at its end), and check
 * it as settings_read() does. All other lines stay byte by byte; the file is replaced when the new one is
 * whole. Errors: ERR_USAGE (the line is wrong), ERR_IO, ERR_FULL, ERR_NOMEM.
 */
NODISCARD int settings_save(const char *path, struct str line, setting_check_fn *check, struct err *e);

/*
 * The columns of a columns line, or the sort of a sort line, as a pane keeps them: "columns a,b" "sort a
 * desc".
 */
void setting_table_line(const struct setting_line *l, struct buf *out);
/* The view of such a line. */
struct str setting_view(const struct setting_line *l);

#endif
