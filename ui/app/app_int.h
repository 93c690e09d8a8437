/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the program around the panes, for the files of ui/app: app.c (loop), screen.c (drawing),
 * input.c (keys, prompts), rank.c (ranks, import) and the others.
 */
#ifndef NPUSCOPE_UI_APP_APP_INT_H
#define NPUSCOPE_UI_APP_APP_INT_H

#include "analysis/job_logs.h"
#include "import/worker.h"
#include "ui/app/keys.h"
#include "ui/app/overlay.h"
#include "ui/pane/panes.h"
#include "ui/ui.h"

#define MIN_ROWS        10
#define MIN_COLS        40
#define HISTORY_MAX     30
#define FILTER_DELAY_MS 120
#define REDRAW_MS       250 /* at least, between two frames that only show progress */
#define TRIED_SMALL     1
#define TRIED_WHOLE     2
#define TRIED_REPAIR    4  /* how often its damaged store was made anew: counts up to */
#define TRIED_REPAIRS   12 /* these bits */
#define TRIED_LOST      16 /* the store that was read for the overview is not there any more */

enum ask {
    ASK_NONE,
    ASK_COMMAND,
    ASK_SEARCH,
    ASK_FILTER,
    ASK_TEXT /* of a pane: app_ask */
};

struct screen_layout { /* rows of the screen; -1: not shown */
    int title, panes, context, message, keys;
    struct rect body;
};

struct click_area { /* of the pane bar and the key bar */
    int y, x0, x1;
    enum action act;
};

struct window_rows;

struct app {
    struct ui_opts o;
    struct session *s;
    struct keymap *keys;
    struct canvas *c;
    unsigned flags; /* text_flags */
    const struct theme *theme;
    int links;               /* 1 on, 0 off, -1 as the terminal suggests */
    struct theme own_theme;  /* with the colours of the settings */
    struct cell_units units; /* that tables begin with */

    struct pane *panes[N_PANES];
    enum pane_id current;
    struct jump { /* where q goes back to */
        enum pane_id pane;
        bool steps; /* and to this step range */
        int64_t step0, step1;
    } jumps[16];
    size_t n_jumps;

    char message[512];
    size_t message_path; /* bytes at the start of message that are a file's path */
    enum role message_role;
    struct prompt *prompt;
    enum ask ask;
    char ask_label[96];
    app_answer_fn *answer;
    void *answer_arg;
    struct history *h_command, *h_search, *h_filter[N_PANES], *h_text, *h_sql;
    char search[256];      /* the last one, for n and N */
    int64_t filter_due_ms; /* when the line being typed is applied; 0: nothing waits */
    int64_t link_due_ms;   /* when links that wait are written; 0: none do */
    int64_t rest_due_ms;   /* when the pane does what waits until the reader rests; 0: nothing does */
    char filter_error[256];
    bool (*pending)(struct app *a, uint32_t code); /* second key of a sequence */
    struct overlay *overlay;
    struct click_area clicks[64];
    size_t n_clicks;

    /* import */
    struct worker *worker;
    size_t worker_unit;
    bool worker_quiet; /* cancelled by the reader */
    bool damaged;      /* an error said that a store is */
    bool worker_adds;  /* it reads one file into a generic table */
    char added[128];   /* title of that table: the file, or its part */
    /*
     * what was tried, by unit. TRIED_SMALL: to attach what was read for the overview; TRIED_WHOLE: to read
     * the unit for a pane over all ranks; TRIED_REPAIR: to read it again
     */
    uint8_t *tried;
    struct jobread *job;         /* other units, read for the overview; NULL: one unit, or no cache */
    struct window_rows *windows; /* what is listed of a dynamic profile; NULL: not yet, or it is none */
    struct run_rows *runs;       /* what is listed of several runs; NULL: not yet */
    bool others_wait;            /* panes over all ranks may find more stores than are attached */
    int64_t last_progress_ms;
    bool progress_waits, commit_waits; /* not shown yet: at most four redraws a second */
    bool small_shown;                  /* the small tables of the unit being read are on the screen */
    char title_facts[128];             /* "56 steps  31.73 ms/step", computed after each attach */
    char title_state[24];
    uint64_t whole_steps; /* of the title, of the whole run */
    bool facts_known;

    /* a run that is still written (ui/app/follow.c) */
    int64_t follow_due_ms;
    double follow_import_s; /* what the last import took */
    int follow_state;       /* enum run_state that is shown */
    size_t follow_next;     /* other unit to look at next */
    int64_t find_due_ms;    /* when to search for new ranks again */

    /* what is read in this process (ui/app/here.c); SIZE_MAX: nothing */
    size_t here_unit;
    int64_t here_since_ms;
    struct worker_status here;

    /* work that takes long (ui/app/busy.c) */
    int64_t busy_since_ms, busy_looked_ms, busy_shown_ms;
    bool stopped;     /* the reader stopped it: the rest of this piece of work is not done either */
    bool was_stopped; /* what is on the screen may be incomplete; a pane key asks again */

    struct job_logs *logs; /* ui/app/logs.c; NULL: not asked for yet */
    bool logs_shown, logs_failed;
    bool in_loop; /* keys and what is read in the background are waited for */

    bool quit, dirty, too_small;
    bool work_waits;        /* the pane in front may have left work for the time between two keys */
    bool work_changed;      /* it has found rows since the last frame */
    int64_t work_shown_ms;  /* when rows of filters at work were last drawn */
    int cursor_y, cursor_x; /* asked for by a pane that takes text; -1: none */
    int rows, cols;
};

/* ui/app/app.c: the text that was pasted last; valid until the next key. */
struct str app_pasted(void);
/*
 * A program without a terminal, for tests and texts: keys go in by app_key(), frames come out on a->c. NULL
 * after an error; the caller frees it with app_free().
 */
NODISCARD struct app *app_new(const struct ui_opts *o, unsigned flags, int rows, int cols, struct err *e);
void app_free(struct app *a);
void app_frame(struct app *a, int *cy, int *cx);

/* ui/app/screen.c */
/* The bar and Tab have this pane: that of logs only where there are some. */
bool app_lists_pane(const struct app *a, enum pane_id id);
void screen_layout(int rows, int cols, struct screen_layout *l);
void screen_draw(struct app *a, int *cy, int *cx);

/* ui/app/input.c */
void app_key(struct app *a, const struct key_event *k);
void app_prompt(struct app *a, enum ask kind, const char *label, struct str preset);
void app_prompt_done(struct app *a);
void app_filter_now(struct app *a);
void app_do(struct app *a, enum action act);
void app_search_again(struct app *a, int dir, bool from_cursor);

/*
 * ui/app/can.c: whether an action does something now; *why: what is said when not, NULL: the action says it
 * itself. And for the key bar and the help: where keys are pressed now.
 */
bool app_can(struct app *a, enum action act, const char **why);
struct key_where app_where(struct app *a);

/* ui/app/acts.c: do what a key does in every pane; false: the act is not in the tables. */
bool app_act(struct app *a, enum action act);

/* ui/app/commands.c */
void command_run(struct app *a, struct str line);
void command_complete(void *arg, struct str text, size_t pos, size_t *from, prompt_add_fn *add, void *cookie);
/* Lines for the help: ":go TIME   ..." */
void command_help(struct buf *out);
/* The help of the i-th command, for catalogues; NULL after the last. */
const char *command_help_of(size_t i);

/* ui/app/menus.c */
void menu_sort(struct app *a);
void menu_columns(struct app *a);
void menu_filters(struct app *a);
void menu_options(struct app *a);
void show_help(struct app *a);

/*
 * ui/app/windows.c: the list of windows; the same at the start, when there is something to choose; ":window
 * [START-STOP]"; whether the list that is open shows figures of this unit.
 */
void menu_windows(struct app *a);
void windows_offer(struct app *a);
void windows_command(struct app *a, struct str args);
bool windows_want(const struct app *a, size_t unit);
/* Their list is on the screen; look again at what their job is doing. */
bool windows_are_shown(const struct app *a);
void windows_renew(struct app *a);
void windows_rows_free(struct window_rows *r);

/*
 * ui/app/run_menu.c: the list of runs; the same at the start, when there are several; ":run [N|FOLDER]";
 * whether the list that is open shows figures of this unit.
 */
void menu_runs(struct app *a);
bool runs_are_several(const struct app *a);
void runs_offer(struct app *a);
void runs_command(struct app *a, struct str name);
bool runs_want(const struct app *a, size_t unit);
void run_rows_free(struct run_rows *r);

#define LIST_NARROW 60 /* columns of a screen with room for steps and state alone in the lists of both */

/*
 * ui/app/figures.c, for both lists. figures_learn() takes them from the store of this rank (index of the
 * session) once it is read; figures_want(): this unit is to be read for them.
 */
struct rank_figures {
    bool known;
    uint64_t steps;
    double step_ns; /* NAN: none */
};
void figures_learn(struct app *a, size_t rank, struct rank_figures *f);
void figures_text(const struct app *a, const struct rank_figures *f, char *buf, size_t room);
bool figures_want(const struct app *a, size_t rank, size_t unit);

/* ui/app/form.c: :configure; args: what for, a preset or a question */
void form_open(struct app *a, struct str args);

/* Remove a filter of what is in front, and say so. */
void app_drop_filter(struct app *a, size_t i);

/* ui/app/rank.c: ranks, import, stores */
void app_select_rank(struct app *a, size_t index);
void app_load(struct app *a, bool again);
/* How far the reading of the unit that is shown is, by a worker or here; NULL: it is not being read. */
const struct worker_status *app_reads(const struct app *a);
/* ui/app/reading.c: what the body has while the rank in front is read and its pane has nothing yet. */
void app_draw_reading(struct app *a, struct rect r);
/* Read a unit again when a page of its store turned out to be damaged, the one in front first. */
void app_repair(struct app *a);
/* R: read again, after a question when the store is whole. */
void app_reread(struct app *a);
void app_worker(struct app *a);
/* Show the progress of the import when it is time to. Returns ms until then, -1: nothing waits. */
int app_progress(struct app *a);
/* Attach the stores of other ranks that the pane in front wants, or read them one after another. */
void app_load_others(struct app *a);
/* Read a unit that need not be in front, without a message. */
void app_load_other(struct app *a, size_t unit, bool again);
/*
 * Close every view over a store; the pane in front opens its own again when it is drawn, with the filter line
 * that is being typed.
 */
void app_detach(struct app *a);

/*
 * ui/app/follow.c, with --follow: begin; look for changes when it is due; ms until then (-1: never); note how
 * many seconds the last import took.
 */
void app_follow_begin(struct app *a);
void app_follow(struct app *a);
int app_follow_ms(const struct app *a);
void app_follow_read(struct app *a, double seconds);

/* ui/app/logs.c: look whether they are read; ms until the next look (-1: none); forget them: other ranks. */
bool app_logs_exist(const struct app *a); /* they are read, and there are some */
void app_logs_again(struct app *a);       /* what the profiles say between their lines is more now */
void app_logs_step(struct app *a);
int app_logs_ms(struct app *a);
void app_logs_drop(struct app *a);

/* ui/pane/triage/triage.c: the facts in the title bar, when they are not known. */
void app_refresh_facts(struct app *a);

/*
 * ui/app/job.c: the overview of a job of many units. Call begin once, and step when something came or time is
 * up; waits gives the descriptors to wait for.
 */
void app_job_begin(struct app *a);
void app_job_step(struct app *a);
nfds_t app_job_waits(struct app *a, struct pollfd *p, nfds_t max, int *timeout_ms);
/*
 * When a pane over all ranks is in front: attach what was read for the overview. false: there is no overview.
 */
bool app_job_attach(struct app *a);

/* ui/app/prefs.c: what the settings of the program say. Errors: ERR_NOMEM. */
NODISCARD int prefs_take(struct app *a, struct err *e);
/* A theme with the colours that the settings give roles, in front (a->theme). */
void prefs_theme(struct app *a, const struct theme *t);

/* ui/app/state.c */
void state_read(struct app *a);
void state_write(struct app *a);

/*
 * ui/app/busy.c. busy_begin(): a piece of work begins (keys, a frame). busy_tick(): called by the stores
 * while a statement runs; true: stop.
 */
void busy_begin(struct app *a);
bool busy_tick(void *app);
/*
 * ui/app/here.c: ask for the unit's store (a->o.load). Without a cache it is read in this process meanwhile:
 * here_show() draws the screen with how far it is; false: nothing is read here, or another unit is shown.
 */
NODISCARD int here_load(struct app *a, size_t unit, bool again, struct err *e);
bool here_show(struct app *a);

struct pane *app_pane(struct app *a);
int64_t app_now_ms(void);
/* Call pane_rested() at once between two keys, or after a rest where it took long the last time. */
void app_wait_rest(struct app *a, int64_t took_ms);
bool app_rests_soon(int64_t took_ms); /* whether that is at once */

#endif
