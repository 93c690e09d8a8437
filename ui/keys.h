/*
 * Keys: one table of actions with their default keys, scope, label and help line (ux.md section 4).
 * The dispatcher, the key bar, the help overlay and the man page are made from it. Key codes are
 * ours: ui/term.c turns what the terminal sends into them.
 */
#ifndef NPUSCOPE_KEYS_H
#define NPUSCOPE_KEYS_H

#include "base/buf.h"

/* Code points are themselves; ^A is 1; the rest lies above Unicode. */
enum key_code {
    K_NONE = 0,
    K_TAB = 9,
    K_ENTER = 13,
    K_ESC = 27,
    K_BACKSPACE = 127,
    K_UP = 0x110000,
    K_DOWN,
    K_LEFT,
    K_RIGHT,
    K_HOME,
    K_END,
    K_PGUP,
    K_PGDN,
    K_INS,
    K_DEL,
    K_BTAB,
    K_F1,
    K_F12 = K_F1 + 11,
    K_MOUSE,
    K_PASTE, /* text was pasted */
    K_UNKNOWN
};
#define K_CTRL(c) ((uint32_t)(c)&31u)

enum mouse_kind {
    MOUSE_PRESS,
    MOUSE_DOUBLE,
    MOUSE_RELEASE,
    MOUSE_DRAG,
    MOUSE_WHEEL_UP,
    MOUSE_WHEEL_DOWN
};
struct key_event {
    uint32_t code; /* ui/keys.h */
    enum mouse_kind mouse;
    int y, x; /* with K_MOUSE */
    bool shift, ctrl;
};

/* Where a binding holds; a more special scope (higher bit) wins. */
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
    SC_BYTES = 4096    /* the bytes of a file */
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

/* clang-format off */
#define ACTIONS(X) \
    X(NONE) \
    X(DOWN) X(UP) X(RIGHT) X(LEFT) X(FIRST) X(LAST) X(HALF_DOWN) X(HALF_UP) X(PAGE_DOWN) X(PAGE_UP) \
    X(PANE_1) X(PANE_2) X(PANE_3) X(PANE_4) X(PANE_5) X(PANE_6) X(PANE_7) X(PANE_8) X(PANE_9) X(PANE_0) X(SQL) \
    X(PANE_NEXT) X(PANE_PREV) X(OPEN) X(BACK) X(ESCAPE) X(QUIT) X(VIEW_NEXT) X(VIEW_PREV) \
    X(SEARCH) X(FIND_NEXT) X(FIND_PREV) X(FILTER) X(FILTERS) \
    X(SORT_LEFT) X(SORT_RIGHT) X(SORT_MENU) X(REVERSE) X(COLUMNS) X(UNIT) X(WRAP) X(DETAIL) \
    X(STEP_PREV) X(STEP_NEXT) X(RANK_PREV) X(RANK_NEXT) X(STEP_RANGE) X(MARK) X(MARK_GO) X(TIMELINE) X(THRESHOLDS) X(COMPARE) \
    X(COPY) X(YANK) X(EXPORT) X(ESTIMATE) X(COMMAND) X(REREAD) X(REDRAW) X(HELP) X(SCHEMA) X(OPTIONS) X(SUSPEND) X(INTERRUPT) \
    X(PROBLEMS) X(RAW) X(PEAK) X(TREE_OPEN) X(TREE_CLOSE) X(SAME_TYPE) X(OP_BEFORE) X(OP_AFTER) \
    X(ZOOM_IN) X(ZOOM_OUT) X(PAN_LEFT) X(PAN_RIGHT) X(EVENT_NEXT) X(EVENT_PREV) X(FIT) X(FLOW) X(ZOOM_UNDO) X(WHOLE) X(GO_TO) \
    X(AREA_MARK) X(AREA_END) X(PIN) X(HIDE) X(SHOW_HIDDEN) X(ALIGN) X(LANES) \
    X(ALL_OFF) X(MOVE_UP) X(MOVE_DOWN) X(TOGGLE) X(DELETE) X(INVERT) X(RENAME)
/* clang-format on */
#define ACTION_ENUM(a) ACT_##a,
enum action { ACTIONS(ACTION_ENUM) N_ACTIONS };
#undef ACTION_ENUM

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

/* "^D", "Space", "F1" or one character to a code; K_NONE: not a key. And back; returns buf. */
uint32_t key_parse(struct str name);
char *key_text(char *buf, size_t n, uint32_t code);

/* The bindings in force: the default ones, changed by the user. */
struct keymap;
NODISCARD int keymap_new(struct keymap **out, struct err *e);
void keymap_free(struct keymap *m);
/* Bind key to the action of this name; what the key did before in the same scopes it does no more.
 */
NODISCARD int keymap_bind(struct keymap *m, struct str key, struct str action, struct err *e);
/* Action of a key in these scopes (bits), ACT_NONE: no binding. */
enum action keymap_find(const struct keymap *m, unsigned scopes, uint32_t code);
/* First key of an action in these scopes as text, "" when it has none. Returns buf. */
char *keymap_key(const struct keymap *m, enum action a, unsigned scopes, char *buf, size_t n);

/* An entry of the key bar: one action or a pair ("< > sort"); label NULL: the one of the table. */
struct key_bar {
    enum action a, b; /* b ACT_NONE: only one */
    const char *label;
};
/* Flow text of the help overlay: per group one paragraph "keys label   keys label", lines of at
 * most width cells. */
void keymap_help(const struct keymap *m, unsigned scopes, size_t width, struct buf *out);

#endif
