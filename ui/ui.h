/* SPDX-License-Identifier: Apache-2.0 */
/* The screen: entry point. Everything else of ui/ is private to it. */
#ifndef NPUSCOPE_UI_H
#define NPUSCOPE_UI_H

#include "import/worker.h"
#include "model/session.h"
#include "model/settings.h"

struct ui_opts {
    struct session *session; /* borrowed; stores that are up to date may be attached already */
    bool ascii, utf8, mono;
    int mouse;                       /* 1 on, 0 off, -1 as the terminal suggests */
    bool slow;                       /* fewer redraws, no reverse video on rows */
    const char *theme;               /* NULL: that of the settings */
    const char *pane;                /* word of the first pane (pane_word), NULL: that of the settings */
    const struct settings *settings; /* borrowed; NULL: the defaults */
    const char *logs;                /* folder that is searched for logs too, NULL none */
    bool no_logs;                    /* logs are left out */
    bool no_state;                   /* neither read nor write the state file */
    bool rank_given;        /* the user chose the rank: the one kept in the state file does not count */
    bool run_given;         /* the user chose one of several runs: their list is not offered */
    bool window_given;      /* the user chose a window of a dynamic profile: their list is not offered */
    const char *bench_keys; /* file of key names to type (ui/app/bench.h), NULL: the keyboard */
    void (*bench_line)(void *arg,
                       const char *line); /* one line of figures, called after the screen is closed */
    /*
     * Make the store of a unit available: attach it to the session when the cache is up to date (*out NULL),
     * else start a worker. Called for the first unit unless its store is attached, when the reader goes to a
     * rank of another unit, and for R with again true (read anew).
     */
    int (*load)(void *arg, size_t unit, bool again, const struct read_watch *watch, struct worker **out,
                struct err *e);
    /*
     * Whether a unit has to be read anew. *changed: its files differ from those its store was made from;
     * *bytes: how much there is to read. NULL: not known.
     */
    int (*changed)(void *arg, size_t unit, bool *changed, uint64_t *bytes, struct err *e);
    /*
     * Search the path again. *scan: a job with ranks that the session lacks, owned by the caller, or NULL
     * when there are none. The function may be NULL: no search.
     */
    int (*found)(void *arg, struct job **scan, struct err *e);
    int follow_ms; /* how often to read what was added; 0: only when R is pressed */
    /* how many other units to read at a time for the overview; 0: none, there is no cache to keep it in */
    unsigned job_workers;
    void *arg;
};

/*
 * Run until the reader quits. Installs the signal handlers (sig_init) and gives the terminal back on every
 * way out. Errors: ERR_USAGE no terminal, ERR_IO the terminal went away, ERR_CANCELLED a signal ended it
 * (sig_stop() returns which).
 */
NODISCARD int ui_run(const struct ui_opts *o, struct err *e);
/* The screen as lines: keys and commands come in by lines, the lines that they change go out. */
struct ui_lines {
    bool (*ask)(void *arg, struct buf *line); /* the next line; false: there is none */
    int (*say)(void *arg, struct str line, struct err *e);
    void *arg;
    int rows, cols;
};
/* Until the reader quits or no line comes. Errors: those of say, ERR_NOMEM. */
NODISCARD int ui_lines(const struct ui_opts *o, const struct ui_lines *io, struct err *e);
/*
 * Every pane once as text, for --linear without a terminal and `make screens`: rows x cols cells, ASCII or
 * UTF-8. fn gets each screen.
 */
NODISCARD int ui_screens(const struct ui_opts *o, int rows, int cols,
                         void (*fn)(void *arg, const char *pane, struct str screen), void *arg,
                         struct err *e);

#endif
