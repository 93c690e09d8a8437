/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An overlay lies over a pane: a text to read (help, explanations, bytes of a file) or a menu (sort, columns,
 * filters, options). It draws into a rectangle; the app gives it keys until it asks to be closed.
 */
#ifndef NPUSCOPE_UI_APP_OVERLAY_H
#define NPUSCOPE_UI_APP_OVERLAY_H

#include "ui/app/keys.h"
#include "ui/widget/draw.h"

struct overlay;
struct app;

enum { MENU_WAITS = 2 };

struct menu_item {
    char text[256]; /* made safe when drawn */
    char right[64]; /* at the right edge */
    int state;      /* -1 nothing, 0 off, 1 on, MENU_WAITS on and not to be seen */
    bool strong;    /* the current one */
};
struct menu_ops {
    const char *title;
    const char *empty; /* text when there are no items */
    const struct key_bar *bar;
    size_t n_bar;
    size_t (*count)(void *arg);
    void (*item)(void *arg, size_t i, struct menu_item *out);
    /* An action on item i (SIZE_MAX: the menu is empty); may change *cursor. true: close. */
    bool (*act)(struct app *a, void *arg, enum action act, size_t i, size_t *cursor);
};

/* An overlay that draws itself over the whole body and takes the keys. */
struct overlay_ops {
    void (*draw)(void *arg, struct canvas *c, struct rect inside);
    bool (*key)(void *arg, struct app *a, enum action act); /* true: close */
    void (*position)(const void *arg, char *buf, size_t n);
    void (*free)(void *arg);
    const struct key_bar *bar;
    size_t n_bar;
    unsigned scopes;
};

/*
 * text: lines separated by '\n', raw bytes; "#" at the start of a line makes it a heading; wrapped to the
 * width. Copied.
 */
NODISCARD int overlay_text(struct overlay **out, const char *title, struct str text, struct err *e);
NODISCARD int overlay_menu(struct overlay **out, const struct menu_ops *ops, void *arg, size_t cursor,
                           struct err *e);
/* arg belongs to the overlay from now on; after an error it does not. */
NODISCARD int overlay_own(struct overlay **out, const char *title, const struct overlay_ops *ops, void *arg,
                          struct err *e);
void overlay_free(struct overlay *o);
/* It is a menu of these. */
bool overlay_is(const struct overlay *o, const struct menu_ops *ops);
/* true: close it. */
bool overlay_key(struct overlay *o, struct app *a, enum action act);
bool overlay_click(struct overlay *o, struct app *a, const struct key_event *k);
/* Search in a text overlay; false: not found. */
bool overlay_search(struct overlay *o, struct str pattern, int dir);
unsigned overlay_scopes(const struct overlay *o);
void overlay_draw(struct overlay *o, struct canvas *c, struct rect body);
/* Entries of the key bar. */
const struct key_bar *overlay_bar(const struct overlay *o, size_t *n);
/* "help 1/3" */
void overlay_position(const struct overlay *o, char *buf, size_t n);

#endif
