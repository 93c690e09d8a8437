/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline widget (doc/screens.md#timeline, #timeline-zoom, #wide-screens, #timeline-colours): a window
 * over tracks, a cursor, a selected event, marks, an area. State and navigation are in ui/widget/timeline.c
 * and timeline_rows.c, drawing in the other timeline_*.c. It knows neither curses nor the store.
 */
#ifndef NPUSCOPE_UI_WIDGET_TIMELINE_H
#define NPUSCOPE_UI_WIDGET_TIMELINE_H

#include "model/timeline/lineup_match.h"
#include "ui/widget/draw.h"

#define TLV_UNDO  64
#define TLV_MARKS 26
#define TLV_LINES 256

struct tlv_row {
    size_t track;
    int lane; /* -1: the whole track */
};

#define TLV_NAMES 32

/* Time per name in the window of a track, summed a slice at a time. */
struct tlv_names {
    struct tl_sums *sums; /* NULL: finished, or not begun */
    size_t track;
    int64_t t0, t1;
    bool known; /* top holds the figures of this track and window */
    struct tl_name top[TLV_NAMES];
    size_t n;
    struct err err; /* why there are none */
};

struct tlv_kept {
    size_t key;
    int64_t id;
    bool hidden, pinned, lanes;
};

struct tlv {
    struct lineup *l;           /* borrowed; NULL: no data */
    struct lineup_match *match; /* borrowed; events that it does not keep are dim; NULL: none are */
    int64_t zero;               /* stored ns shown as 0 */
    int64_t origin;             /* added to stored ns gives Unix ns */
    bool has_origin;
    int64_t span0, span1; /* the whole run */
    int64_t first0,
        first1; /* the window that it opens with: all events, where counters run far beyond them */

    int64_t t0, t1; /* window */
    int64_t cur;    /* cursor, ns */
    struct tlv_row *rows;
    size_t n_rows, row;
    size_t n_pinned;    /* pinned rows are the first ones */
    size_t sticky, top; /* in the last drawing: how many first rows stay, and the first row below them */
    bool heads;         /* layers have lines of their own */
    bool *hidden, *pinned, *lanes; /* per track; lanes: one row per lane */
    struct tlv_kept *kept;         /* the same for tracks that were changed, while there is no lineup */
    size_t n_kept;
    struct {
        bool known;
        size_t key;
        int64_t id;
    } on; /* track of the cursor row, while there is no lineup */

    bool has_sel;
    struct tl_event sel;
    /* What the tables know of facts_of, "type: Conv2D" and so on, a line each; NULL: not asked yet. */
    char *facts;
    struct tl_event facts_of;
    int64_t sel_cur, sel_stored; /* cursor when sel was selected; start of sel as stored */
    size_t sel_key;              /* part and track of sel, while there is no lineup */
    int64_t sel_id;
    bool centred; /* the last act was to centre: doing it again fits the window */
    struct {
        int64_t t0, t1;
    } undo[TLV_UNDO];
    size_t n_undo;
    struct {
        int64_t t;
        char letter;
    } marks[TLV_MARKS];
    size_t n_marks;
    bool has_area;
    int64_t area0, area1;

    /* of the last drawing */
    int label_w, cols, sums_w; /* cells of the labels, of the time, of the sums at the right (0: not shown) */
    struct rect tracks;        /* rows of the tracks, labels included */
    size_t row_at[TLV_LINES];  /* row on each line of tracks; SIZE_MAX: none */
    int ruler_y;
    struct tl_cell *cells;
    bool *kept_cells; /* true: the filters keep an event of the cell */
    size_t n_cells;
    struct tl_cell at_cursor;
    struct tl_figures at_figures; /* figures of that cell */
    bool at_known;
    struct tlv_names names;
    uint8_t *map; /* minimap: 0..8 per cell, for map_w cells */
    int map_w;
    int map_y, map_x; /* its first cell as drawn last; map_w 0: not drawn */
    char step[64];    /* "step 17 +10.31 ms", filled by the pane */
    /* Filled by the pane: the chosen steps ("steps 15-17") and their times, which the side tables keep to. */
    char only[56];
    int64_t only0, only1;
};

NODISCARD int tlv_open(struct tlv *v, struct lineup *l, int64_t zero, struct err *e);
/*
 * Drop the lineup; window, marks, area, selection and the choices for tracks are kept for the next
 * tlv_open().
 */
void tlv_close(struct tlv *v);
void tlv_free(struct tlv *v);
/* The unit that bare numbers of the ruler are in, in ns: "+10" after "+5 ms". */
int64_t tlv_ruler_unit(const struct tlv *v);
/* A click at this column of the minimap: the window around that time, with the cursor there. */
bool tlv_click_map(struct tlv *v, int y, int x);
/* After parts were moved: compute the ends of the whole run and the minimap anew. */
void tlv_moved(struct tlv *v);
/* Make the rows from tracks, pinned, hidden and lanes; the cursor stays on its track. */
NODISCARD int tlv_make_rows(struct tlv *v, struct err *e);

/* Set a flag of the track (one of v->hidden, pinned, lanes) and of the same track of the other parts. */
void tlv_set_all(struct tlv *v, bool *flags, size_t track, bool on);
/* Move the cursor row to the stream that is busy longest; without streams it stays. */
void tlv_go_to_busiest(struct tlv *v);
/* Move the cursor row to the same track of another part, or to its first track. */
void tlv_go_to_part(struct tlv *v, size_t part);

/* ---- navigation; each keeps window and cursor inside the run ---- */
void tlv_window(struct tlv *v, int64_t t0, int64_t t1, bool remember);
void tlv_zoom(struct tlv *v, bool in);
void tlv_pan(struct tlv *v, int quarters);
void tlv_move(struct tlv *v, int cells);
void tlv_undo(struct tlv *v);
void tlv_fit(struct tlv *v);
/* Scroll as far as needed to have ts on the screen. */
void tlv_show(struct tlv *v, int64_t ts);
size_t tlv_track(const struct tlv *v); /* of the cursor row; SIZE_MAX none */
/* Select ev; the cursor stays where it is. */
void tlv_set_selection(struct tlv *v, const struct tl_event *ev);
/* Select ev and move cursor and cursor row to it. */
void tlv_select(struct tlv *v, const struct tl_event *ev);
/* true: the cursor has not left the selected event since it was selected. */
bool tlv_at_selection(const struct tlv *v);
int64_t tlv_cell_ns(const struct tlv *v); /* at least 1 */
/* Time at a column of the tracks, and back (-1: not on the screen). */
int64_t tlv_time_at(const struct tlv *v, int col);
int tlv_col_at(const struct tlv *v, int64_t ts);

/* ---- inside, for ui/widget/timeline*.c ---- */
NODISCARD int tlv_open_tracks(struct tlv *v, struct err *e);
void tlv_keep_tracks(struct tlv *v);
/* Choose top row and heads so that the cursor row is on one of so many lines. */
void tlv_scroll(struct tlv *v, int lines);
/* Draw the heads above a row; returns the lines they took, -1: there is no room for them and the row. */
int tlv_draw_heads(const struct tlv *v, struct canvas *c, struct rect a, size_t row);

/* ---- texts ---- */
/* "rank 3" before the tracks of ranks that are shown together; of runs the run's name. */
struct str tlv_part_name(const struct tlv *v, size_t part);
/* "+412 us" */
char *tlv_offset(int64_t ns, char *buf, size_t n);
/* A time of the run, relative to its beginning: "549.412 ms", with as many digits as the zoom needs. */
char *tlv_time(const struct tlv *v, int64_t ts, char *buf, size_t n);
#define TLV_NAME_B 224
char *tlv_track_name(const struct tlv *v, size_t track, char *buf, size_t n);
/* The same where it stands beside others' times: "Thread 4012 (own clock)". */
char *tlv_track_title(const struct tlv *v, size_t track, char *buf, size_t n);

/* ---- drawing ---- */
void tlv_draw(struct tlv *v, struct canvas *c, struct rect a);
/* Exact sums of the window at the right of a row, on wide screens: occupied share, events. */
#define TLV_SUMS_W 18
void tlv_draw_sums_head(const struct tlv *v, struct canvas *c, int y, int x);
void tlv_draw_sums(const struct tlv *v, struct canvas *c, const struct tlv_row *row, int y, int x);
void tlv_draw_map(struct tlv *v, struct canvas *c, struct rect a);
/* Draw into a: figures of the area, or names, gaps and the selected event. */
void tlv_draw_area(struct tlv *v, struct canvas *c, struct rect a);
/* What is under the cursor in words, in one row; with three rows also the selected event and the legend. */
void tlv_draw_strip(struct tlv *v, struct canvas *c, struct rect a);
/* Lines of the last drawing of the tracks, ruler and heads included. */
int tlv_lines(const struct tlv *v);
void tlv_draw_side(struct tlv *v, struct canvas *c, struct rect a);
/*
 * Go on with figures that the last drawing could not show yet. true: more is left; *redraw: they can be shown
 * now.
 */
bool tlv_work(struct tlv *v, bool *redraw);

#endif
