/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a widget knows of keys: the codes that the terminal gives (ui/widget/term.c), mouse events, and the
 * actions that keys are bound to. The bindings are in ui/app/keys.h.
 */
#ifndef NPUSCOPE_UI_WIDGET_KEY_H
#define NPUSCOPE_UI_WIDGET_KEY_H

#include <stdbool.h>
#include <stdint.h>

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
    K_ALT_0, /* Alt with a digit */
    K_ALT_9 = K_ALT_0 + 9,
    K_MOUSE,
    K_PASTE, /* text was pasted */
    K_UNKNOWN
};
#define K_CTRL(c) ((uint32_t)(c)&31u)

enum mouse_kind { MOUSE_PRESS, MOUSE_DOUBLE, MOUSE_RELEASE, MOUSE_DRAG, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };
struct key_event {
    uint32_t code; /* enum key_code or a code point */
    enum mouse_kind mouse;
    int y, x; /* with K_MOUSE */
    bool shift, ctrl;
};

/* clang-format off */
#define ACTIONS(X) \
    X(NONE) \
    X(DOWN) X(UP) X(RIGHT) X(LEFT) X(FIRST) X(LAST) X(HALF_DOWN) X(HALF_UP) X(PAGE_DOWN) X(PAGE_UP) \
    X(PANE_1) X(PANE_2) X(PANE_3) X(PANE_4) X(PANE_5) X(PANE_6) X(PANE_7) X(PANE_8) X(PANE_9) X(PANE_0) \
    X(PANE_L) X(SQL) \
    X(PANE_NEXT) X(PANE_PREV) X(OPEN) X(BACK) X(ESCAPE) X(QUIT) X(VIEW_NEXT) X(VIEW_PREV) \
        X(VIEW_1) X(VIEW_2) X(VIEW_3) X(VIEW_4) X(VIEW_5) X(VIEW_6) X(VIEW_7) X(VIEW_8) X(VIEW_9) \
    X(SEARCH) X(FIND_NEXT) X(FIND_PREV) X(FILTER) X(FILTERS) \
    X(SORT_LEFT) X(SORT_RIGHT) X(SORT_MENU) X(REVERSE) X(COLUMNS) X(UNIT) X(WRAP) X(DETAIL) \
    X(STEP_PREV) X(STEP_NEXT) X(RANK_PREV) X(RANK_NEXT) X(WINDOWS) X(STEP_RANGE) X(MARK) \
        X(MARK_GO) X(TIMELINE) \
    X(COPY) X(YANK) X(EXPORT) X(COMMAND) X(REREAD) X(REDRAW) X(HELP) X(SCHEMA) X(OPTIONS) \
        X(SUSPEND) X(INTERRUPT) \
    X(PROBLEMS) X(RAW) X(PEAK) X(TREE_OPEN) X(TREE_CLOSE) X(SAME_TYPE) X(OP_BEFORE) X(OP_AFTER) \
    X(ZOOM_IN) X(ZOOM_OUT) X(PAN_LEFT) X(PAN_RIGHT) X(EVENT_NEXT) X(EVENT_PREV) X(FIT) X(FLOW) X(ZOOM_UNDO) \
        X(WHOLE) X(GO_TO) \
    X(AREA_MARK) X(AREA_END) X(PIN) X(HIDE) X(SHOW_HIDDEN) X(ALIGN) X(LANES) X(GAP) \
    X(ALL_OFF) X(MOVE_UP) X(MOVE_DOWN) X(TOGGLE) X(DELETE) X(INVERT) X(RENAME) \
    X(UNFILTER) X(FRAMEWORK) X(JOB_VERSION) X(PURPOSE) X(ASK)
/* clang-format on */
#define ACTION_ENUM(a) ACT_##a,
enum action { ACTIONS(ACTION_ENUM) N_ACTIONS };
#undef ACTION_ENUM

/* An entry of the key bar: one action or a pair ("< > sort"); label NULL: the one of key_rows. */
struct key_bar {
    enum action a, b; /* b ACT_NONE: only one */
    const char *label;
};

#endif
