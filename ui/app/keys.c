/* SPDX-License-Identifier: Apache-2.0 */
/* The key table and what is made from it. */
#include "config.h"

#include "ui/app/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/lang/tr.h"
#include "base/text.h"

#define SC_ANY_LIST (SC_LIST | SC_OVERLAY)
#define SC_DATA     (SC_LIST | SC_TABLE)

/* clang-format off */
const struct key_row key_rows[] = {
    { ACT_DOWN,        "down",        "j Down ^N",      SC_ANY_LIST | SC_TIME | SC_CARD, KG_MOVE,
        "down", "one row down" },
    { ACT_UP,          "up",          "k Up ^P",        SC_ANY_LIST | SC_TIME | SC_CARD, KG_MOVE,
        "up", "one row up" },
    { ACT_LEFT,        "left",        "h Left",         SC_ANY_LIST | SC_TIME | SC_CHART, KG_MOVE,
        "left", "columns to the left; in the timeline and on the curve of memory the cursor" },
    { ACT_RIGHT,       "right",       "l Right",        SC_ANY_LIST | SC_TIME | SC_CHART, KG_MOVE,
        "right", "columns to the right; in the timeline and on the curve of memory the cursor" },
    { ACT_FIRST,       "first",       "g Home",         SC_ANY_LIST | SC_TIME | SC_CARD, KG_MOVE,
        "first", "first row; :5 goes to row 5" },
    { ACT_LAST,        "last",        "G End",          SC_ANY_LIST | SC_TIME | SC_CARD, KG_MOVE,
        "last", "last row" },
    { ACT_HALF_DOWN,   "half-down",   "^D",             SC_ANY_LIST | SC_TIME | SC_CARD, KG_MOVE,
        "half page down", "half a page down" },
    { ACT_HALF_UP,     "half-up",     "^U",             SC_ANY_LIST | SC_TIME | SC_CARD, KG_MOVE,
        "half page up", "half a page up" },
    { ACT_PAGE_DOWN,   "page-down",   "Space PgDn",     SC_ANY_LIST | SC_TIME | SC_CARD, KG_MOVE, "page down",
        "a page down" },
    { ACT_PAGE_UP,     "page-up",     "b PgUp",         SC_ANY_LIST | SC_TIME | SC_CARD, KG_MOVE, "page up",
        "a page up" },

    { ACT_PANE_1,      "triage",      "1",              SC_GLOBAL, KG_PANES, "triage", "pane Triage" },
    { ACT_PANE_2,      "files",       "2",              SC_GLOBAL, KG_PANES, "files", "pane Files" },
    { ACT_PANE_3,      "ops",         "3",              SC_GLOBAL, KG_PANES, "ops", "pane Ops" },
    { ACT_PANE_4,      "steps",       "4",              SC_GLOBAL, KG_PANES, "steps", "pane Steps" },
    { ACT_PANE_5,      "time",        "5",              SC_GLOBAL, KG_PANES, "timeline", "pane Timeline" },
    { ACT_PANE_6,      "flops",       "6",              SC_GLOBAL, KG_PANES, "FLOPs", "pane FLOPs" },
    { ACT_PANE_7,      "memory",      "7",              SC_GLOBAL, KG_PANES, "memory", "pane Memory" },
    { ACT_PANE_8,      "data",        "8",              SC_GLOBAL, KG_PANES, "data", "pane Data" },
    { ACT_PANE_9,      "comm",        "9",              SC_GLOBAL, KG_PANES, "comm", "pane Communication" },
    { ACT_PANE_0,      "host",        "0",              SC_GLOBAL, KG_PANES, "host", "pane Host" },
    { ACT_PANE_L,      "logs",        "L",              SC_GLOBAL, KG_PANES, "logs",
        "pane Log: lines of logs of all ranks, and where groups of ranks stand" },
    { ACT_SQL,         "sql",         ";",              SC_GLOBAL, KG_PANES, "SQL",
        "SQL console; ; again puts the statement of the table there" },
    { ACT_PANE_NEXT,   "pane-next",   "Tab",            SC_GLOBAL, KG_PANES, "next pane", "next pane" },
    { ACT_PANE_PREV,   "pane-prev",   "S-Tab",          SC_GLOBAL, KG_PANES, "previous pane",
        "previous pane" },
    { ACT_OPEN,        "open",        "Enter",          SC_GLOBAL | SC_MENU, KG_PANES, "open",
        "open what is under the cursor" },
    { ACT_BACK,        "back",        "q",              SC_GLOBAL | SC_OVERLAY, KG_PANES, "back",
        "back one level; at the top level it quits" },
    { ACT_ESCAPE,      "escape",      "Esc Backspace",  SC_GLOBAL | SC_OVERLAY, KG_PANES, "back, never out",
        "back one level; at the top level it stays" },
    { ACT_QUIT,        "quit",        "Q F10",          SC_GLOBAL, KG_PANES, "quit", "quit from anywhere" },
    { ACT_VIEW_NEXT,   "view-next",   "v",              SC_GLOBAL, KG_PANES, "next view",
        "next view of the pane (grouping, chart, ...)" },
    { ACT_VIEW_PREV,   "view-prev",   "V",              SC_GLOBAL, KG_PANES, "previous view",
        "previous view of the pane" },
    { ACT_VIEW_1,      "view-1",      "A-1",            SC_GLOBAL, KG_PANES, "view 1",
        "first view of the pane" },
    { ACT_VIEW_2,      "view-2",      "A-2",            SC_GLOBAL, KG_PANES, "view 2",
        "second view of the pane" },
    { ACT_VIEW_3,      "view-3",      "A-3",            SC_GLOBAL, KG_PANES, "view 3",
        "third view of the pane" },
    { ACT_VIEW_4,      "view-4",      "A-4",            SC_GLOBAL, KG_PANES, "view 4",
        "fourth view of the pane" },
    { ACT_VIEW_5,      "view-5",      "A-5",            SC_GLOBAL, KG_PANES, "view 5",
        "fifth view of the pane" },
    { ACT_VIEW_6,      "view-6",      "A-6",            SC_GLOBAL, KG_PANES, "view 6",
        "sixth view of the pane" },
    { ACT_VIEW_7,      "view-7",      "A-7",            SC_GLOBAL, KG_PANES, "view 7",
        "seventh view of the pane" },
    { ACT_VIEW_8,      "view-8",      "A-8",            SC_GLOBAL, KG_PANES, "view 8",
        "eighth view of the pane" },
    { ACT_VIEW_9,      "view-9",      "A-9",            SC_GLOBAL, KG_PANES, "view 9",
        "ninth view of the pane" },

    { ACT_SEARCH,      "search",      "/",              SC_DATA | SC_TIME | SC_OVERLAY, KG_FIND, "search",
        "search with a regular expression; nothing is hidden" },
    { ACT_FIND_NEXT,   "find-next",   "n",              SC_DATA | SC_TIME | SC_OVERLAY, KG_FIND, "next",
        "next match" },
    { ACT_FIND_PREV,   "find-prev",   "N",              SC_DATA | SC_TIME | SC_OVERLAY, KG_FIND, "previous",
        "previous match" },
    { ACT_FILTER,      "filter",      "\\ F4 &",        SC_DATA | SC_TIME, KG_FIND, "filter",
        "keep the rows that match; in the timeline the others are dimmed" },
    { ACT_FILTERS,     "filters",     "F",              SC_DATA | SC_TIME, KG_FIND, "filter list",
        "list of filters: switch, edit, delete" },

    { ACT_UNFILTER,    "unfilter",    "Backspace",      SC_TABLE, KG_FIND, "remove filter",
        "remove the last filter of this table; back where it has none of its own" },

    { ACT_SORT_LEFT,   "sort-left",   "<",              SC_TABLE, KG_SORT, "sort left",
        "sort by the column left of the current one" },
    { ACT_SORT_RIGHT,  "sort-right",  ">",              SC_TABLE, KG_SORT, "sort right",
        "sort by the column right of the current one" },
    { ACT_SORT_MENU,   "sort-menu",   "F6",             SC_TABLE, KG_SORT, "sort by",
        "choose the column to sort by" },
    { ACT_REVERSE,     "reverse",     "I",              SC_TABLE, KG_SORT, "reverse", "reverse the order" },
    { ACT_COLUMNS,     "columns",     "C",              SC_TABLE, KG_SORT, "columns",
        "choose, order and hide columns" },
    { ACT_UNIT,        "unit",        "u",              SC_DATA, KG_SORT, "unit",
        "next unit: auto, s, ms, us, ns (auto, GiB, MiB, KiB, B)" },
    { ACT_WRAP,        "wrap",        "w",              SC_TABLE, KG_SORT, "wrap", "cut or wrap long names" },
    { ACT_DETAIL,      "detail",      "z",              SC_DATA, KG_SORT, "detail",
        "show or hide the detail of the cursor row" },

    { ACT_STEP_PREV,   "step-prev",   "[",              SC_GLOBAL, KG_DATA, "previous step",
        "previous step" },
    { ACT_STEP_NEXT,   "step-next",   "]",              SC_GLOBAL, KG_DATA, "next step", "next step" },
    { ACT_RANK_PREV,   "rank-prev",   "{",              SC_GLOBAL, KG_DATA, "previous rank",
        "previous rank" },
    { ACT_RANK_NEXT,   "rank-next",   "}",              SC_GLOBAL, KG_DATA, "next rank", "next rank" },
    { ACT_WINDOWS,     "windows",     "W",              SC_GLOBAL, KG_DATA, "runs",
        "list of the runs here, or of the windows of a dynamic profile" },
    { ACT_STEP_RANGE,  "step-range",  "s",              SC_DATA | SC_CHART | SC_CARD, KG_DATA, "step range",
        "step range of all panes: from the marks, else asked for" },
    { ACT_MARK,        "mark",        "m",              SC_TABLE, KG_DATA, "mark",
        "mark the row; again: unmark" },
    { ACT_MARK_GO,     "mark-go",     "'",              SC_TABLE | SC_TIME, KG_DATA, "to mark",
        "jump to a mark (its letter, or ' for the next)" },
    { ACT_TIMELINE,    "timeline",    "t",              SC_DATA | SC_CARD, KG_DATA, "timeline",
        "timeline at the thing under the cursor" },

    { ACT_COPY,        "copy",        "c",              SC_DATA | SC_TIME | SC_CARD, KG_OUT, "copy",
        "copy the cell" },
    { ACT_YANK,        "yank",        "y",              SC_DATA | SC_CARD, KG_OUT, "copy row",
        "yy copy the row, yc the column, ya all rows shown" },
    { ACT_EXPORT,      "export",      "e",              SC_GLOBAL, KG_OUT, "export",
        "write this view to a file" },
    { ACT_COMMAND,     "command",     ":",              SC_GLOBAL, KG_OUT, "command",
        "command line with completion and history" },

    { ACT_REREAD,      "reread",      "R F5",           SC_GLOBAL, KG_OTHER, "re-read",
        "read changed files again" },
    { ACT_REDRAW,      "redraw",      "^L",             SC_GLOBAL | SC_OVERLAY, KG_OTHER, "redraw",
        "draw the screen again" },
    { ACT_HELP,        "help",        "? F1",           SC_GLOBAL, KG_OTHER, "help", "help for this pane" },
    { ACT_SCHEMA,      "schema",      "F3",             SC_GLOBAL, KG_OTHER, "tables",
        "tables and columns of the store" },
    { ACT_OPTIONS,     "options",     "F2",             SC_GLOBAL, KG_OTHER, "options",
        "options: mouse, colour, unit, first step" },
    { ACT_SUSPEND,     "suspend",     "^Z",             SC_GLOBAL | SC_OVERLAY, KG_OTHER, "suspend",
        "back to the shell; fg returns" },
    { ACT_INTERRUPT,   "interrupt",   "^C",             SC_GLOBAL | SC_OVERLAY, KG_OTHER, "stop",
        "stop what is running" },

    { ACT_PROBLEMS,    "problems",    "p",              SC_FILES, KG_PANE, "problems only",
        "only files with a problem; again: all" },
    { ACT_RAW,         "raw",         "x",              SC_FILES, KG_PANE, "hex", "bytes of the file" },
    { ACT_PROBLEMS,    "problems",    "p",              SC_BYTES, KG_PANE, "damaged place",
        "next place of the file that something was noted about" },
    { ACT_PEAK,        "peak",        "P",              SC_MEM, KG_PANE, "peak",
        "what holds the most memory, at the moment when it does" },
    { ACT_TREE_OPEN,   "tree-open",   "+",              SC_FLOPS, KG_PANE, "open",
        "open the scope under the cursor" },
    { ACT_TREE_CLOSE,  "tree-close",  "-",              SC_FLOPS, KG_PANE, "close",
        "close the scope under the cursor" },
    { ACT_SAME_TYPE,   "same-type",   "f",              SC_CARD, KG_PANE, "same type",
        "ops of the same type" },
    { ACT_OP_BEFORE,   "op-before",   ",",              SC_CARD, KG_PANE, "before", "the row before" },
    { ACT_OP_AFTER,    "op-after",    ".",              SC_CARD, KG_PANE, "after", "the row after" },

    { ACT_ZOOM_IN,     "zoom-in",     "w +",            SC_TIME, KG_TIME, "zoom in",
        "zoom in at the cursor" },
    { ACT_ZOOM_OUT,    "zoom-out",    "s -",            SC_TIME, KG_TIME, "zoom out",
        "zoom out at the cursor" },
    { ACT_PAN_LEFT,    "pan-left",    "a",              SC_TIME, KG_TIME, "pan left",
        "move the window left" },
    { ACT_PAN_RIGHT,   "pan-right",   "d",              SC_TIME, KG_TIME, "pan right",
        "move the window right" },
    { ACT_EVENT_NEXT,  "event-next",  ".",              SC_TIME, KG_TIME, "next event",
        "next event on this track" },
    { ACT_EVENT_PREV,  "event-prev",  ",",              SC_TIME, KG_TIME, "previous event",
        "previous event on this track" },
    { ACT_FIT,         "fit",         "f",              SC_TIME, KG_TIME, "fit",
        "centre on the selected event; again: fit it" },
    { ACT_FLOW,        "flow",        "%",              SC_TIME, KG_TIME, "other end",
        "other end of the selected event's flow: the host's call of a task, the task of a call" },
    { ACT_ZOOM_UNDO,   "zoom-undo",   "z",              SC_TIME, KG_TIME, "undo zoom",
        "undo the last zoom or pan" },
    { ACT_WHOLE,       "whole",       "o",              SC_TIME, KG_TIME, "whole run", "the whole run" },
    { ACT_GO_TO,       "go-to",       "@",              SC_TIME, KG_TIME, "go to",
        "go to 1.234s, +50us as the ruler counts, .+50us from the cursor, step 17, a raw time stamp" },
    { ACT_GO_TO,       "go-to",       "@",              SC_BYTES, KG_PANE, "go to",
        "go to record 17, or to byte @4096 or 0x1000" },
    { ACT_AREA_MARK,   "area-mark",   "m",              SC_TIME, KG_TIME, "mark",
        "set a mark at the cursor" },
    { ACT_AREA_END,    "area-end",    "M",              SC_TIME, KG_TIME, "area",
        "area from the last mark to the cursor" },
    { ACT_PIN,         "pin",         "p",              SC_TIME, KG_TIME, "pin",
        "pin the track to the top; again: unpin" },
    { ACT_HIDE,        "hide",        "x",              SC_TIME, KG_TIME, "hide", "hide the track" },
    { ACT_SHOW_HIDDEN, "show-hidden", "X",              SC_TIME, KG_TIME, "show hidden",
        "show hidden tracks" },
    { ACT_ALIGN,       "align",       "=",              SC_TIME, KG_TIME, "align",
        "=s =e align ranks at the selected event, =0 resets" },

    { ACT_GAP,         "gap",         "i",              SC_TIME, KG_TIME, "longest gap",
        "longest time without an event on the track, in the step range (also :gap)" },
    { ACT_LANES,       "lanes",       "O",              SC_TIME, KG_TIME, "lanes",
        "events that overlap below each other; again: in one row" },

    { ACT_TOGGLE,      "toggle",      "Space x",        SC_MENU, KG_OTHER, "on/off", "switch the entry" },
    { ACT_ALL_OFF,     "all-off",     "^F",             SC_MENU, KG_OTHER, "all off/on",
        "switch all entries" },
    { ACT_DELETE,      "delete",      "d Del",          SC_MENU, KG_OTHER, "delete", "delete the entry" },
    { ACT_INVERT,      "invert",      "!",              SC_MENU, KG_OTHER, "negate", "negate the filter" },
    { ACT_RENAME,      "rename",      "r",              SC_MENU, KG_OTHER, "name", "name the entry" },
    { ACT_MOVE_UP,     "move-up",     "K",              SC_MENU, KG_OTHER, "move up", "move the entry up" },
    { ACT_MOVE_DOWN,   "move-down",   "J",              SC_MENU, KG_OTHER, "move down",
        "move the entry down" },

    { ACT_VIEW_NEXT,   "view-next",   "v",              SC_FORM, KG_PANE, "form",
        "next form of the settings: environment, JSON, Python, msprof" },
    { ACT_PURPOSE,     "purpose",     "p",              SC_FORM, KG_PANE, "purpose",
        "next purpose: overview, ops, memory, communication, data, everything" },
    { ACT_FRAMEWORK,   "framework",   "f",              SC_FORM, KG_PANE, "framework",
        "MindSpore or torch_npu" },
    { ACT_JOB_VERSION, "job-version", "V",              SC_FORM, KG_PANE, "version",
        "next older MindSpore" },
    { ACT_ASK,         "ask",         "a",              SC_FORM, KG_PANE, "ask",
        "ask a question; its words choose the switches" },
    { ACT_COPY,        "copy",        "c",              SC_FORM, KG_PANE, "copy", "copy the text" },
    { ACT_EXPORT,      "export",      "e",              SC_FORM, KG_PANE, "write",
        "write the text to a file" },
};

static const struct {
    const char *name;
    uint32_t code;
} names[] = {
    { "Space", ' ' },     { "Tab", K_TAB },     { "S-Tab", K_BTAB }, { "Enter", K_ENTER }, { "Esc", K_ESC },
    { "Backspace", K_BACKSPACE }, { "Up", K_UP }, { "Down", K_DOWN }, { "Left", K_LEFT },
    { "Right", K_RIGHT },
    { "Home", K_HOME },   { "End", K_END },     { "PgUp", K_PGUP },  { "PgDn", K_PGDN },   { "Ins", K_INS },
    { "Del", K_DEL },
};
/* clang-format on */

const size_t n_key_rows = ARRAY_LEN(key_rows);

struct binding {
    uint32_t code;
    const struct key_row *row;
    unsigned scope; /* where it holds: those of the row, less those where the key was bound anew */
};

struct keymap {
    struct binding *b;
    size_t n, cap;
};

const char *key_group_title(enum key_group g)
{
    static const char *const t[N_KEY_GROUPS] = {
        [KG_MOVE] = "Move", [KG_PANES] = "Panes", [KG_FIND] = "Find",
        [KG_SORT] = "Show", [KG_DATA] = "Data",   [KG_OUT] = "Out",
        [KG_TIME] = "Time", [KG_PANE] = "Here",   [KG_OTHER] = "Other",
    };
    return t[g];
}

const struct key_row *key_row_of(enum action a, unsigned scopes)
{
    const struct key_row *any = NULL;
    for (size_t i = 0; i < n_key_rows; i++) {
        if (key_rows[i].action != a)
            continue;
        if (key_rows[i].scope & scopes)
            return &key_rows[i];
        any = &key_rows[i];
    }
    return any;
}

uint32_t key_parse(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq_nocase(name, str_of(names[i].name)))
            return names[i].code;
    if (name.n == 2 && name.p[0] == '^' && name.p[1] >= '@' && name.p[1] <= '_')
        return K_CTRL(name.p[1]);
    uint64_t f;
    if (name.n >= 2 && name.p[0] == 'F' && str_u64(str_sub(name, 1, 2), &f) && f >= 1 && f <= 12)
        return K_F1 + (uint32_t)f - 1;
    if (name.n == 3 && str_starts(name, STR("A-")) && name.p[2] >= '0' && name.p[2] <= '9')
        return K_ALT_0 + (uint32_t)(name.p[2] - '0');
    uint32_t cp;
    if (name.n && text_decode(name.p, name.n, &cp) == name.n && cp > ' ' && cp != 127)
        return cp;
    return K_NONE;
}

char *key_text(char *buf, size_t n, uint32_t code)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i].code == code)
            return str_copy(str_of(names[i].name), buf, n);
    if (code >= K_F1 && code <= K_F12)
        snprintf(buf, n, "F%u", code - K_F1 + 1);
    else if (code >= K_ALT_0 && code <= K_ALT_9)
        snprintf(buf, n, "A-%u", code - K_ALT_0);
    else if (code && code < ' ')
        snprintf(buf, n, "^%c", (char)(code + '@'));
    else if (code > ' ' && code < 0x110000) {
        char t[4];
        size_t len = text_encode(code, t);
        text_safe_into(buf, n, (struct str){ t, len }, 0);
    } else
        str_copy(str_of(tr("this key")), buf, n);
    return buf;
}

static int add_binding(struct keymap *m, uint32_t code, const struct key_row *row, unsigned scope,
                       struct err *e)
{
    struct binding *b = grow_array(m->b, m->n, &m->cap, sizeof(*b), 256);
    if (!b)
        return err_nomem(e);
    m->b = b;
    m->b[m->n++] = (struct binding){ code, row, scope };
    return OK;
}

static int add_defaults(struct keymap *m, struct err *e)
{
    for (size_t i = 0; i < n_key_rows; i++) {
        struct str rest = str_of(key_rows[i].keys), word;
        while (str_next(&rest, ' ', &word)) {
            uint32_t code = key_parse(word);
            if (code && add_binding(m, code, &key_rows[i], key_rows[i].scope, e))
                return e->code;
        }
    }
    return OK;
}

int keymap_new(struct keymap **out, struct err *e)
{
    *out = NULL;
    struct keymap *m = calloc(1, sizeof(*m));
    if (!m)
        return err_nomem(e);
    if (add_defaults(m, e)) {
        keymap_free(m);
        return e->code;
    }
    *out = m;
    return OK;
}

void keymap_free(struct keymap *m)
{
    if (!m)
        return;
    free(m->b);
    free(m);
}

/* Places that a binding can be limited to, and what else holds there. */
static const struct place {
    const char *word;
    unsigned scope, also;
} places[] = {
    { "list", SC_LIST, 0 },
    { "table", SC_TABLE, SC_LIST },
    { "files", SC_FILES, SC_LIST | SC_TABLE },
    { "steps", SC_STEPS, SC_LIST | SC_TABLE | SC_CHART },
    { "flops", SC_FLOPS, SC_LIST | SC_TABLE },
    { "memory", SC_MEM, SC_LIST | SC_TABLE | SC_CHART },
    { "timeline", SC_TIME, 0 },
    { "chart", SC_CHART, 0 },
    { "card", SC_CARD, 0 },
    { "menu", SC_MENU, SC_OVERLAY },
    { "bytes", SC_BYTES, SC_OVERLAY },
    { "form", SC_FORM, SC_OVERLAY | SC_MENU },
};

static const struct place *place_of(struct str word)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (str_eq(word, str_of(places[i].word)))
            return &places[i];
    return NULL;
}

static bool is_action(const struct key_row *row, struct str name)
{
    return str_eq(name, str_of(row->name));
}

/* The row of an action that is valid in this place, or everywhere; of any place: NULL. */
static const struct key_row *row_in(struct str action, const struct place *place)
{
    unsigned scopes = place ? place->scope | place->also | SC_GLOBAL : ~0u;
    for (size_t i = 0; i < n_key_rows; i++)
        if (is_action(&key_rows[i], action) && key_rows[i].scope & scopes)
            return &key_rows[i];
    return NULL;
}

static int bind_in(struct keymap *m, uint32_t code, const struct key_row *row, unsigned scope, struct err *e)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->b[i].code == code)
            m->b[i].scope &= ~scope;
    return add_binding(m, code, row, scope, e);
}

/* An action may have a row for each place where it is another thing. */
static int bind_everywhere(struct keymap *m, uint32_t code, struct str action, struct err *e)
{
    for (size_t i = 0; i < n_key_rows && !e->code; i++)
        if (is_action(&key_rows[i], action))
            (void)!bind_in(m, code, &key_rows[i], key_rows[i].scope, e);
    return e->code;
}

int keymap_bind_line(struct keymap *m, struct str line, struct err *e)
{
    struct str rest = line, where = str_word(&rest), key = str_word(&rest), action = str_word(&rest);
    bool limited = action.n > 0;
    if (!limited) {
        action = key;
        key = where;
    }
    const struct place *place = limited ? place_of(where) : NULL;
    uint32_t code = key_parse(key);
    if (rest.n || !action.n)
        return err_set(e, ERR_USAGE, "which key to what? K page-up, or in one place: timeline K zoom-in");
    if (limited && !place)
        return err_set(e, ERR_USAGE, "there is no place '%.*s'", (int)where.n, where.p);
    if (!code)
        return err_set(e, ERR_USAGE, "'%.*s' is not the name of a key", (int)key.n, key.p);
    const struct key_row *row = row_in(action, place);
    if (!row)
        return row_in(action, NULL)
                   ? err_set(e, ERR_USAGE, "'%.*s' does nothing in %.*s", (int)action.n, action.p,
                             (int)where.n, where.p)
                   : err_set(e, ERR_USAGE, "there is no action '%.*s'", (int)action.n, action.p);
    return place ? bind_in(m, code, row, place->scope, e) : bind_everywhere(m, code, action, e);
}

enum action keymap_find(const struct keymap *m, unsigned scopes, uint32_t code)
{
    enum action found = ACT_NONE;
    unsigned best = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct binding *b = &m->b[i];
        unsigned in = b->scope & scopes;
        if (b->code != code || !in)
            continue;
        while (in & (in - 1))
            in &= in - 1; /* the most special scope it holds in */
        if (in > best) {
            best = in;
            found = b->row->action;
        }
    }
    return found;
}

/* true: there the key does what this binding says. */
static bool in_force(const struct keymap *m, const struct binding *b, const struct key_where *w)
{
    return (b->scope & w->scopes) && keymap_find(m, w->scopes, b->code) == b->row->action &&
           (!w->works || w->works(w->arg, b->row->action, b->code));
}

char *keymap_key(const struct keymap *m, enum action a, const struct key_where *w, char *buf, size_t n)
{
    buf[0] = '\0';
    for (size_t i = 0; i < m->n; i++)
        if (m->b[i].row->action == a && in_force(m, &m->b[i], w))
            return key_text(buf, n, m->b[i].code);
    return buf;
}

/* "j Down" and so on: at most two keys of a row, "" when none is in force. */
static void keys_of_row(const struct keymap *m, const struct key_row *row, const struct key_where *w,
                        struct buf *out)
{
    int n = 0;
    for (size_t i = 0; i < m->n && n < 2; i++) {
        char name[24];
        if (m->b[i].row != row || !in_force(m, &m->b[i], w))
            continue;
        if (n++)
            buf_addc(out, ' ');
        buf_puts(out, key_text(name, sizeof(name), m->b[i].code));
    }
}

/* One "keys label" of the help; at is the column reached, 0 at the start of a line. */
static void help_item(struct str item, const char *title, size_t width, size_t *at, struct buf *out)
{
    size_t w = text_width(item, 0);
    if (*at && *at + 3 + w > width) {
        buf_addc(out, '\n');
        *at = 0;
        title = "";
    }
    if (*at)
        buf_puts(out, "   ");
    else
        buf_printf(out, "%s%*s", title, text_pad(title, 8), "");
    *at += w + (*at ? 3 : 8);
    buf_add(out, item);
}

static void help_group(const struct keymap *m, enum key_group g, const struct key_where *w, size_t width,
                       struct buf *out)
{
    struct buf item;
    buf_init(&item, 256);
    size_t at = 0;
    for (size_t i = 0; i < n_key_rows; i++) {
        if (key_rows[i].group != g)
            continue;
        buf_clear(&item);
        keys_of_row(m, &key_rows[i], w, &item);
        if (!item.n)
            continue;
        buf_printf(&item, " %s", tr_key(key_rows[i].label));
        help_item(buf_str(&item), tr_key(key_group_title(g)), width, &at, out);
    }
    if (at)
        buf_addc(out, '\n');
    buf_done(&item);
}

void keymap_help(const struct keymap *m, const struct key_where *w, size_t width, struct buf *out)
{
    for (int g = 0; g < N_KEY_GROUPS; g++)
        help_group(m, (enum key_group)g, w, width, out);
}
