/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys: one table of actions with their default keys, scope, label and help line (doc/screens.md#keys). The
 * dispatcher, the key bar, the help overlay and the man page are made from it. Codes and actions:
 * widget/key.h.
 */
#ifndef NPUSCOPE_UI_APP_KEYS_H
#define NPUSCOPE_UI_APP_KEYS_H

#include "base/buf.h"
#include "ui/widget/key.h"

/* Where a binding is valid; the more special scope (higher bit) wins. */
enum key_scope {
    SC_GLOBAL = 1,
    SC_LIST = 2, /* everything with rows */
    SC_TABLE = 4,
    SC_FILES = 8,
    SC_STEPS = 16,
    SC_FLOPS = 32,
    SC_MEM = 64,
    SC_TIME = 128, /* the timeline */
    SC_CHART = 256,
    SC_CARD = 512,     /* one row or op on the whole screen */
    SC_OVERLAY = 1024, /* help, menus */
    SC_MENU = 2048,    /* menus whose entries are switched or moved */
    SC_BYTES = 4096,   /* the bytes of a file */
    SC_FORM = 8192     /* switches of a profiler (:configure) */
};

enum key_group {
    KG_MOVE,
    KG_PANES,
    KG_FIND,
    KG_SORT,
    KG_DATA,
    KG_OUT,
    KG_TIME,
    KG_PANE,
    KG_OTHER,
    N_KEY_GROUPS
};

struct key_row {
    enum action action;
    const char *name; /* for configuration and tests */
    const char *keys; /* default keys, separated by blanks */
    unsigned scope;   /* SC_* bits */
    enum key_group group;
    const char *label; /* key bar, help overlay */
    const char *help;  /* one line for the man page */
};

extern const struct key_row key_rows[];
extern const size_t n_key_rows;
const char *key_group_title(enum key_group g);
const struct key_row *key_row_of(enum action a, unsigned scopes);

/* The code of "^D", "Space", "F1" or one character; K_NONE: not a key. And back; returns buf. */
uint32_t key_parse(struct str name);
char *key_text(char *buf, size_t n, uint32_t code);

/* The bindings in force: the default ones, changed by the user. */
struct keymap;
NODISCARD int keymap_new(struct keymap **out, struct err *e);
void keymap_free(struct keymap *m);
/*
 * "[WHERE] KEY ACTION": bind the key to the action of this name, where that is valid, or only in one place of
 * them (table, timeline, chart ...). Its earlier binding there goes. ERR_USAGE with a sentence.
 */
NODISCARD int keymap_bind_line(struct keymap *m, struct str line, struct err *e);
/* Action of a key in these scopes (bits), ACT_NONE: no binding. */
enum action keymap_find(const struct keymap *m, unsigned scopes, uint32_t code);
/* Where keys are pressed: scopes, and whether a key that is bound there does something (NULL: it does). */
struct key_where {
    unsigned scopes;
    bool (*works)(void *arg, enum action a, uint32_t code);
    void *arg;
};
/* First key of an action there as text, "" when none works. Returns buf. */
char *keymap_key(const struct keymap *m, enum action a, const struct key_where *w, char *buf, size_t n);

/*
 * Flow text of the help overlay, of the keys that work: per group one paragraph "keys label   keys label",
 * lines of at most width cells.
 */
void keymap_help(const struct keymap *m, const struct key_where *w, size_t width, struct buf *out);

#endif
