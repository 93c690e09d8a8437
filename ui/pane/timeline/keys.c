/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline: keys and mouse. */
#include "config.h"

#include <stdlib.h>

#include "base/lang/tr.h"
#include "ui/pane/timeline/timeline_int.h"

/* ---- marks and area ---- */

static void add_mark(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    if (v->n_marks == TLV_MARKS) {
        app_say(p->app, ROLE_TEXT, "all letters are used");
        return;
    }
    char letter = (char)('A' + (int)v->n_marks);
    v->marks[v->n_marks].t = v->cur;
    v->marks[v->n_marks++].letter = letter;
    app_say(p->app, ROLE_TEXT, "mark %c; M makes an area from it to the cursor, ' jumps", letter);
}

static void make_area(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    if (!v->n_marks) {
        app_say(p->app, ROLE_TEXT, "set a mark first: m");
        return;
    }
    int64_t a = v->marks[v->n_marks - 1].t, b = v->cur;
    v->area0 = a < b ? a : b;
    v->area1 = a < b ? b : a;
    v->has_area = v->area1 > v->area0;
    if (!v->has_area)
        app_say(p->app, ROLE_TEXT, "move the cursor away from the mark first");
}

struct pane *time_second_key(struct app *a)
{
    struct pane *p = app_pane(a);
    if (p->def->ops == &pane_time_ops && time_in_front(p) && time_of(p)->has)
        return p;
    app_say(a, ROLE_TEXT, "the timeline is not here any more");
    return NULL;
}

static bool jump_mark(struct app *a, uint32_t code)
{
    struct pane *p = time_second_key(a);
    if (!p)
        return true;
    struct tlv *v = time_tlv(p);
    if (code >= 'a' && code <= 'z')
        code -= 'a' - 'A';
    for (size_t i = 0; i < v->n_marks; i++)
        if (code == (uint32_t)v->marks[i].letter || (code == '\'' && v->marks[i].t > v->cur)) {
            tlv_show(v, v->marks[i].t);
            return true;
        }
    app_say(a, ROLE_TEXT, "no such mark");
    return true;
}

/* ---- tracks ---- */

static void show_all(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    for (size_t i = 0; i < lineup_n_tracks(v->l); i++)
        v->hidden[i] = false;
    time_remake(p);
}

static void toggle_lanes(struct pane *p, size_t track)
{
    struct tlv *v = time_tlv(p);
    if (lineup_track(v->l, track)->lanes < 2) {
        app_say(p->app, ROLE_TEXT, "the events of this track do not overlap");
        return;
    }
    tlv_set_all(v, v->lanes, track, !v->lanes[track]);
    time_remake(p);
}

/* Does nothing without a track under the cursor. */
static void track_act(struct pane *p, enum action act)
{
    struct tlv *v = time_tlv(p);
    size_t track = tlv_track(v);
    if (track == SIZE_MAX)
        return;
    if (act == ACT_LANES) {
        toggle_lanes(p, track);
        return;
    }
    if (act == ACT_PIN)
        tlv_set_all(v, v->pinned, track, !v->pinned[track]);
    else
        tlv_set_all(v, v->hidden, track, true);
    time_remake(p);
    if (act == ACT_HIDE)
        app_say(p->app, ROLE_TEXT, "hidden; X shows it again");
}

#define NO_EVENTS N_("there are no events here")

/* ---- keys ---- */

static void move_row(struct tlv *v, int64_t by)
{
    int64_t to = (int64_t)v->row + by, n = (int64_t)v->n_rows;
    v->row = (size_t)(to < 0 || !n ? 0 : to >= n ? n - 1 : to);
}

static void move_act(struct pane *p, enum action act)
{
    struct tlv *v = time_tlv(p);
    int page = v->tracks.h > 1 ? v->tracks.h - 1 : 1;
    switch (act) {
    case ACT_DOWN:
    case ACT_UP:
        move_row(v, act == ACT_DOWN ? 1 : -1);
        break;
    case ACT_PAGE_DOWN:
    case ACT_PAGE_UP:
        move_row(v, act == ACT_PAGE_DOWN ? page : -page);
        break;
    case ACT_HALF_DOWN:
    case ACT_HALF_UP:
        move_row(v, act == ACT_HALF_DOWN ? page / 2 : -page / 2);
        break;
    case ACT_LEFT:
    case ACT_RIGHT:
        tlv_move(v, act == ACT_RIGHT ? 1 : -1);
        break;
    default:
        tlv_show(v, act == ACT_FIRST ? v->span0 : v->span1 - 1);
        break;
    }
}

static void window_act(struct pane *p, enum action act)
{
    struct tlv *v = time_tlv(p);
    switch (act) {
    case ACT_ZOOM_IN:
    case ACT_ZOOM_OUT:
        tlv_zoom(v, act == ACT_ZOOM_IN);
        break;
    case ACT_PAN_LEFT:
    case ACT_PAN_RIGHT:
        tlv_pan(v, act == ACT_PAN_LEFT ? -1 : 1);
        break;
    case ACT_ZOOM_UNDO:
        tlv_undo(v);
        break;
    default:
        tlv_window(v, v->span0, v->span1, true);
        break;
    }
}

static void event_act(struct pane *p, enum action act)
{
    struct tlv *v = time_tlv(p);
    switch (act) {
    case ACT_EVENT_NEXT:
    case ACT_EVENT_PREV:
        time_step_event(p, act == ACT_EVENT_NEXT ? 1 : -1);
        break;
    case ACT_FIND_NEXT:
    case ACT_FIND_PREV:
        time_find_event(p, act == ACT_FIND_NEXT ? 1 : -1);
        break;
    case ACT_OPEN:
        time_open_event(p);
        break;
    case ACT_FLOW:
        time_flow(p);
        break;
    case ACT_COPY:
        if (v->has_sel)
            app_copy(p->app, lineup_name(v->l, v->sel.track, v->sel.name_id), "the name");
        else
            app_say(p->app, ROLE_TEXT, "select an event first (Enter)");
        break;
    default:
        if (v->has_sel || time_select_at(p))
            tlv_fit(v);
        break;
    }
}

static void place_act(struct pane *p, enum action act)
{
    switch (act) {
    case ACT_GO_TO:
        time_ask_go(p);
        break;
    case ACT_AREA_MARK:
        add_mark(p);
        break;
    case ACT_AREA_END:
        make_area(p);
        break;
    case ACT_MARK_GO:
        p->app->pending = jump_mark;
        break;
    case ACT_SHOW_HIDDEN:
        show_all(p);
        break;
    case ACT_FILTER:
        app_prompt(p->app, ASK_FILTER, "\\ ", STR(""));
        break;
    case ACT_FILTERS:
        menu_filters(p->app);
        break;
    default:
        time_align(p);
        break;
    }
}

static void gap_act(struct pane *p, enum action act)
{
    (void)act;
    time_jump(p, JUMP_GAP);
}

/* clang-format off */
static const struct {
    enum action act;
    void (*run)(struct pane *p, enum action act);
} acts[] = {
    { ACT_DOWN,       move_act },   { ACT_UP,         move_act },   { ACT_PAGE_DOWN,   move_act },
    { ACT_PAGE_UP,   move_act },
    { ACT_HALF_DOWN,  move_act },   { ACT_HALF_UP,    move_act },   { ACT_LEFT,        move_act },
    { ACT_RIGHT,     move_act },
    { ACT_FIRST,      move_act },   { ACT_LAST,       move_act },
    { ACT_ZOOM_IN,    window_act }, { ACT_ZOOM_OUT,   window_act }, { ACT_PAN_LEFT,    window_act },
    { ACT_PAN_RIGHT, window_act },
    { ACT_ZOOM_UNDO,  window_act }, { ACT_WHOLE,      window_act },
    { ACT_PIN,        track_act },  { ACT_HIDE,       track_act },  { ACT_LANES,       track_act },
    { ACT_EVENT_NEXT, event_act },  { ACT_EVENT_PREV, event_act },  { ACT_FIND_NEXT,   event_act },
    { ACT_FIND_PREV, event_act },
    { ACT_OPEN,       event_act },  { ACT_FIT,        event_act },  { ACT_COPY,        event_act },
    { ACT_FLOW,       event_act },
    { ACT_GO_TO,      place_act },  { ACT_AREA_MARK,  place_act },  { ACT_AREA_END,    place_act },
    { ACT_MARK_GO,   place_act },
    { ACT_SHOW_HIDDEN, place_act }, { ACT_ALIGN,      place_act },  { ACT_FILTER,      place_act },
    { ACT_FILTERS,   place_act },  { ACT_GAP,        gap_act },
};
/* clang-format on */

/* ---- what they need ---- */

static bool has_event(struct pane *p)
{
    return time_tlv(p)->has_sel;
}

static bool has_mark(struct pane *p)
{
    return time_tlv(p)->n_marks;
}

static bool has_undo(struct pane *p)
{
    return time_tlv(p)->n_undo;
}

static bool has_track(struct pane *p)
{
    return tlv_track(time_tlv(p)) != SIZE_MAX;
}

static bool has_lanes(struct pane *p)
{
    return has_track(p) && lineup_track(time_tlv(p)->l, tlv_track(time_tlv(p)))->lanes > 1;
}

static bool has_hidden(struct pane *p)
{
    struct tlv *v = time_tlv(p);
    for (size_t i = 0; i < lineup_n_tracks(v->l); i++)
        if (v->hidden[i])
            return true;
    return false;
}

static bool has_find(struct pane *p)
{
    return p->app->search[0] || time_of(p)->match;
}

static bool has_ranks(struct pane *p)
{
    return session_n_ranks(app_session(p->app)) > 1;
}

/* clang-format off */
const struct pane_need *time_needs(const struct pane *p)
{
    static const struct pane_need list[] = {
        { ACT_DOWN, NULL, NULL },      { ACT_UP, NULL, NULL },        { ACT_PAGE_DOWN, NULL, NULL },
        { ACT_PAGE_UP, NULL, NULL },   { ACT_HALF_DOWN, NULL, NULL }, { ACT_HALF_UP, NULL, NULL },
        { ACT_FIRST, NULL, NULL },     { ACT_LAST, NULL, NULL },      { ACT_LEFT, NULL, NULL },
        { ACT_RIGHT, NULL, NULL },     { ACT_OPEN, NULL, NULL },      { ACT_SEARCH, NULL, NULL },
        { ACT_EXPORT, NULL, NULL },
        { ACT_FIND_NEXT, has_find, "nothing was searched for yet; / asks, \\ filters" },
        { ACT_FIND_PREV, has_find, "nothing was searched for yet; / asks, \\ filters" },
        { ACT_FLOW, has_event, "select an event first (Enter)" },
        { ACT_COPY, has_event, "select an event first (Enter)" },
        { ACT_AREA_END, has_mark, "set a mark first: m" },
        { ACT_MARK_GO, has_mark, "set a mark first: m" },
        { ACT_ZOOM_UNDO, has_undo, "the window was not moved yet" },
        { ACT_GAP, has_track, "this is no track" },
        { ACT_PIN, has_track, "this is no track" },
        { ACT_HIDE, has_track, "this is no track" },
        { ACT_LANES, has_lanes, "the events of this track do not overlap" },
        { ACT_SHOW_HIDDEN, has_hidden, "no track is hidden" },
        { ACT_ALIGN, has_ranks, "there is one rank only; give the parent directory to see more" },
        { ACT_NONE, NULL, NULL },
    };
    /* Without events the drawing only says why. */
    static const struct pane_need empty[] = {
        { ACT_ZOOM_IN, pane_cannot, NO_EVENTS },    { ACT_ZOOM_OUT, pane_cannot, NO_EVENTS },
        { ACT_PAN_LEFT, pane_cannot, NO_EVENTS },   { ACT_PAN_RIGHT, pane_cannot, NO_EVENTS },
        { ACT_EVENT_NEXT, pane_cannot, NO_EVENTS }, { ACT_EVENT_PREV, pane_cannot, NO_EVENTS },
        { ACT_FIT, pane_cannot, NO_EVENTS },        { ACT_FLOW, pane_cannot, NO_EVENTS },
        { ACT_ZOOM_UNDO, pane_cannot, NO_EVENTS },  { ACT_WHOLE, pane_cannot, NO_EVENTS },
        { ACT_GO_TO, pane_cannot, NO_EVENTS },      { ACT_AREA_MARK, pane_cannot, NO_EVENTS },
        { ACT_AREA_END, pane_cannot, NO_EVENTS },   { ACT_PIN, pane_cannot, NO_EVENTS },
        { ACT_HIDE, pane_cannot, NO_EVENTS },       { ACT_SHOW_HIDDEN, pane_cannot, NO_EVENTS },
        { ACT_ALIGN, pane_cannot, NO_EVENTS },      { ACT_LANES, pane_cannot, NO_EVENTS },
        { ACT_GAP, pane_cannot, NO_EVENTS },
        { ACT_NONE, NULL, NULL },
    };
    if (!time_in_front(p))
        return NULL;
    return time_of(p)->has ? list : empty;
}
/* clang-format on */

bool time_key(struct pane *p, enum action act)
{
    if (!time_in_front(p) || !time_of(p)->has)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(acts); i++)
        if (acts[i].act == act) {
            acts[i].run(p, act);
            return true;
        }
    return false;
}

/* ---- mouse ---- */

static void end_drag(struct pane *p, int col)
{
    struct time_pane *o = time_of(p);
    struct tlv *v = &o->v;
    int64_t a = tlv_time_at(v, o->drag_col < col ? o->drag_col : col),
            b = tlv_time_at(v, (o->drag_col < col ? col : o->drag_col) + 1);
    if (o->on_ruler) {
        tlv_window(v, a, b, true);
        return;
    }
    v->area0 = a;
    v->area1 = b;
    v->has_area = true;
}

bool time_mouse(struct pane *p, const struct key_event *k)
{
    struct time_pane *o = time_of(p);
    if (!time_in_front(p) || !o->has)
        return false;
    struct tlv *v = &o->v;
    int col = k->x - v->tracks.x - v->label_w;
    if (k->mouse == MOUSE_WHEEL_UP || k->mouse == MOUSE_WHEEL_DOWN) {
        if (k->ctrl) {
            if (col >= 0 && col < v->cols)
                v->cur = tlv_time_at(v, col);
            tlv_zoom(v, k->mouse == MOUSE_WHEEL_UP);
        } else {
            move_row(v, k->mouse == MOUSE_WHEEL_UP ? -1 : 1);
        }
        return true;
    }
    bool ruler = k->y == v->ruler_y || k->y == v->ruler_y - 1,
         inside = k->y >= v->tracks.y && k->y < v->tracks.y + v->tracks.h;
    if (k->mouse == MOUSE_RELEASE) {
        if (o->drag_col >= 0 && col >= 0 && col < v->cols && abs(col - o->drag_col) > 1)
            end_drag(p, col);
        o->drag_col = -1;
        return true;
    }
    if (o->drag_col < 0 && (k->mouse == MOUSE_PRESS || k->mouse == MOUSE_DRAG) &&
        tlv_click_map(v, k->y, k->x))
        return true;
    if (k->mouse == MOUSE_DRAG || (!ruler && !inside))
        return k->mouse == MOUSE_DRAG;
    o->drag_col = col >= 0 && col < v->cols ? col : -1;
    o->on_ruler = ruler;
    if (inside && v->row_at[k->y - v->tracks.y] < v->n_rows)
        v->row = v->row_at[k->y - v->tracks.y];
    if (col >= 0 && col < v->cols)
        v->cur = tlv_time_at(v, col);
    if (k->mouse == MOUSE_DOUBLE)
        time_open_event(p);
    return true;
}

/* ---- commands of the prompt ---- */

static void run_go(struct pane *p, struct str args)
{
    if (args.n)
        time_go(p, args);
    else
        app_say(p->app, ROLE_WARN, "where to? :go 1.234s, :go step 17 +2ms, :go +50us as on the ruler");
}

static void run_flow(struct pane *p, struct str args)
{
    (void)args;
    time_flow(p);
}

static void run_same(struct pane *p, struct str args)
{
    if (args.n && !str_eq(args, STR("back")))
        app_say(p->app, ROLE_WARN, ":same goes to the next event of the name, :same back to the one before");
    else
        time_jump(p, args.n ? JUMP_SAME_PREV : JUMP_SAME_NEXT);
}

static void run_gap(struct pane *p, struct str args)
{
    (void)args;
    time_jump(p, JUMP_GAP);
}

static void run_busiest(struct pane *p, struct str args)
{
    (void)args;
    time_jump(p, JUMP_BUSIEST);
}

#define HERE    N_("this works in the timeline")
#define HERE_ON N_("this works in the timeline, with an event selected")
const struct pane_command time_commands[] = {
    { "go", run_go, NULL },        { "flow", run_flow, HERE_ON },    { "same", run_same, HERE },
    { "gap", run_gap, HERE },      { "busiest", run_busiest, HERE }, { "diff", time_diff, HERE },
    { "stack", time_stack, NULL }, { "offset", time_offset, NULL },  { NULL, NULL, NULL },
};
