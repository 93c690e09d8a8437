/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line editor: UTF-8 text with a cursor, history and completion. Also edits several lines (SQL
 * console). Draws into a rectangle and knows no terminal. The owner frees it; texts handed out stay
 * valid until the next call.
 */
#ifndef NPUSCOPE_UI_APP_PROMPT_H
#define NPUSCOPE_UI_APP_PROMPT_H

#include "ui/app/keys.h"
#include "ui/widget/draw.h"

/* ---- history ---- */
struct history;
NODISCARD int history_new(struct history **out, size_t max, struct err *e);
void history_free(struct history *h);
/* Add as the newest; an equal older entry goes, empty text is not kept. Out of memory: nothing is added. */
void history_add(struct history *h, struct str line);
size_t history_count(const struct history *h);
/* Entry i, 0 is the newest; p is NULL beyond the oldest. */
struct str history_get(const struct history *h, size_t i);

/* ---- line editor ---- */
struct prompt;
enum prompt_result {
    PROMPT_NOTHING, /* key not used */
    PROMPT_MOVED,   /* cursor moved, or nothing to do */
    PROMPT_CHANGED, /* the text changed */
    PROMPT_ACCEPT,
    PROMPT_CANCEL
};
/*
 * Candidates for the word at byte pos of text: call add for each, with cookie, and set *from to where the
 * word starts.
 */
typedef void prompt_add_fn(void *cookie, struct str word);
typedef void prompt_complete_fn(void *arg, struct str text, size_t pos, size_t *from, prompt_add_fn *add,
                                void *cookie);

struct prompt_opts {
    const char *label;       /* drawn before the text, in ROLE_PROMPT */
    struct history *history; /* borrowed; NULL: none */
    prompt_complete_fn *complete;
    void *arg;
    bool multiline; /* Enter inserts a line break unless the owner takes it */
    size_t max;     /* bytes; 0: 4096 */
};
NODISCARD int prompt_new(struct prompt **out, const struct prompt_opts *o, struct err *e);
void prompt_free(struct prompt *p);
struct str prompt_text(const struct prompt *p);
/* Replace the text; the cursor goes to the end. */
void prompt_set(struct prompt *p, struct str text);
/* The cursor to the beginning of the text. */
void prompt_rewind(struct prompt *p);
void prompt_insert(struct prompt *p, struct str text);
size_t prompt_cursor(const struct prompt *p);
/*
 * One key: editing, ^A ^E ^W ^U ^K ^Y, history with Up Down, ^R back through entries that hold the text, Tab
 * completion.
 */
enum prompt_result prompt_key(struct prompt *p, uint32_t code);
/* Candidates to show after a Tab that was not unique (blank separated), "" when there are none. */
struct str prompt_candidates(const struct prompt *p);
/* Rows that the text takes when it is wrapped to w cells (multiline). */
int prompt_rows(const struct prompt *p, int w, unsigned flags);
/* Draw into a (one row, or several when multiline). *cy, *cx: where the cursor stands on the canvas. */
void prompt_draw(struct prompt *p, struct canvas *c, struct rect a, int *cy, int *cx);

#endif
