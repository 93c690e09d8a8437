/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files: the inventory, before and after there is a store; details, bytes, and any table of the profile as it
 * is.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/job_logs.h"
#include "base/lang/fill.h"
#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "base/path.h"
#include "base/unit.h"
#include "logs/log_around.h"
#include "ui/pane/file_hex.h"
#include "ui/pane/files_preview.h"
#include "ui/pane/panes.h"

#define TEXT_B         ((size_t)1 << 20)
#define MANY_FILES     500
#define PROBLEM_FILTER "state in TORN,LIMIT,BAD,ABSENT,EMPTY,NEWER"

static const struct unit *unit_of(struct pane *p)
{
    struct session *s = app_session(p->app);
    if (!session_n_ranks(s))
        return NULL;
    return session_job(s)->units[session_rank(s, session_current(s))->unit];
}

/* Row keys of files.list are source ids. */
static const struct source_file *file_at(struct pane *p, size_t row)
{
    const struct unit *u = unit_of(p);
    struct table *t = pane_table(p);
    if (!u || !t || !table_view(t) || strcmp(table_def(t)->id, "files.list") != 0 || row >= table_rows(t))
        return NULL;
    int64_t id = view_row_key(table_view(t), row, NULL);
    for (size_t i = 0; i < u->n_files; i++)
        if ((int64_t)u->files[i]->id == id)
            return u->files[i];
    return NULL;
}

/* Row keys of files.logs are the numbers of the logs' files, from 1. NULL: the cursor is on none. */
static const struct log_file *current_log(struct pane *p)
{
    const struct job_logs *j = app_logs_known(p->app);
    const struct logs *l = j ? job_logs_all(j) : NULL;
    struct table *t = pane_table(p);

    if (!l || !t || !table_view(t) || strcmp(table_def(t)->id, "files.logs") != 0 ||
        table_cursor(t) >= table_rows(t))
        return NULL;
    int64_t id = view_row_key(table_view(t), table_cursor(t), NULL);
    return id > 0 && (uint64_t)id <= logs_n_files(l) ? logs_file(l, (size_t)id - 1) : NULL;
}

static const struct source_file *current_file(struct pane *p)
{
    struct table *t = pane_table(p);
    return t ? file_at(p, table_cursor(t)) : NULL;
}

static bool has_data(struct pane *p)
{
    const struct unit *u = unit_of(p);
    return u && u->n_files;
}

/* ---- links ---- */

/* The name of a file that is on the disk. */
static void link_of(void *arg, size_t row, struct buf *uri)
{
    struct pane *p = arg;
    const struct source_file *f = file_at(p, row);
    char own[PATH_MAX], cwd[PATH_MAX], whole[PATH_MAX], host[256];
    if (!f || !f->regular)
        return;
    const char *path = unit_path_of(unit_of(p), f, own);
    if (path[0] != '/') {
        if (!getcwd(cwd, sizeof cwd) || !path_join(whole, sizeof whole, cwd, path))
            return;
        path = whole;
    }
    if (gethostname(host, sizeof host))
        host[0] = '\0';
    host[sizeof host - 1] = '\0';
    text_file_uri(str_of(host), str_of(path), uri);
}

static void cells(struct pane *p, const struct view_def *d, struct table_opts *o)
{
    if (!strcmp(d->id, "files.list"))
        o->link = link_of;
    (void)p;
}

/* ---- before there is a store: the inventory as it was found ---- */

static bool draw_inventory(struct pane *p, struct canvas *c, struct rect a)
{
    const struct unit *u = unit_of(p);
    char size[32];
    if (!u || pane_table(p) || p->depth)
        return false;
    int size_x = a.w - 32, state_x = a.w - 20, feeds_x = a.w - 12;
    draw_fill(c, (struct rect){ a.y, a.x, 1, a.w }, ROLE_HEAD, ' ');
    draw_puts(c, a.y, a.x + 1, size_x - 2, ROLE_HEAD, tr_column("File"));
    draw_right(c, a.y, size_x, 10, ROLE_HEAD, str_of(tr_column("Size")));
    draw_puts(c, a.y, state_x, 7, ROLE_HEAD, tr_column("State"));
    draw_puts(c, a.y, feeds_x, 12, ROLE_HEAD, tr_column("Feeds"));
    for (size_t i = 0; i < u->n_files && (int)i + 1 < a.h; i++) {
        const struct source_file *f = u->files[i];
        int y = a.y + 1 + (int)i;
        draw_text(c, y, a.x + 1, size_x - 2, ROLE_TEXT, str_of(f->rel), CUT_PATH);
        draw_right(c, y, size_x, 10, ROLE_TEXT,
                   str_of(unit_size(size, sizeof size, (double)f->size_b, SIZE_AUTO)));
        bool calm = f->state == FS_OK || f->state == FS_UNREAD || f->state == FS_LISTED;
        draw_puts(c, y, state_x, 7, calm ? ROLE_DIM : ROLE_WARN, file_state_word(f->state));
        draw_puts(c, y, feeds_x, 12, ROLE_TEXT, f->kind->feeds ? f->kind->feeds : "");
    }
    return true;
}

/* ---- Enter: details ---- */

static void add_fact(struct buf *b, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    fill_label(b, name, 14);
    buf_printf(b, "%s\n", value);
}

static void add_value(struct buf *b, struct table *t, const char *name, const char *id)
{
    char text[1024];
    struct val v = table_value(t, id);
    if (v.t != VAL_NULL)
        add_fact(b, name,
                 cell_exact(text, sizeof text, &(struct view_col){ .unit = VU_NONE, .title = "" }, &v));
}

/* Lines of a card: their names, and the columns that they are from. */
struct card_fact {
    const char *name, *id;
    bool sentence; /* of the program, which is in the language of messages */
};
static const struct card_fact file_facts[] = {
    { N_("State"), "state", false },    { N_("Reason"), "note", true },   { N_("Rows"), "rows", false },
    { N_("Rows lost"), "lost", false }, { N_("Used"), "used", false },    { N_("Feeds"), "feeds", false },
    { N_("Rank"), "rank", false },      { N_("Device"), "device", false }
};
static const struct card_fact log_facts[] = {
    { N_("Kind"), "kind", false },     { N_("Server"), "server", false }, { N_("Rank"), "rank", false },
    { N_("Process"), "pid", false },   { N_("Bytes"), "size_b", false },  { N_("Lines"), "rows", false },
    { N_("Errors"), "errors", false }, { N_("State"), "state", false },   { N_("Reason"), "note", true }
};

static void add_sentence(struct buf *b, const char *name, const struct val *v)
{
    char text[1024], said[1024];
    add_fact(b, name, tr_sentence(str_copy(v->s, text, sizeof text), said, sizeof said));
}

static void add_values(struct buf *b, struct table *t, const struct card_fact *f, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct val v = table_value(t, f[i].id);
        if (!f[i].sentence)
            add_value(b, t, f[i].name, f[i].id);
        else if (v.t == VAL_TEXT)
            add_sentence(b, f[i].name, &v);
    }
}

static void describe(const struct source_file *f, const char *path, struct table *t, struct buf *b)
{
    char size[32], exact[64];
    struct preview *begins = f->regular && f->size_b ? preview_read(path) : NULL;
    add_fact(b, N_("File"), f->rel);
    add_fact(b, N_("What"), tr(f->kind->content));
    add_fact(b, N_("Kind"), f->kind->id);
    unit_size(size, sizeof size, (double)f->size_b, SIZE_AUTO);
    if (f->size_b < 1024) /* "967 B" is exact already */
        snprintf(exact, sizeof exact, "%s", size);
    else
        snprintf(exact, sizeof exact, tr("%s (%" PRIu64 " bytes)"), size, f->size_b);
    if (f->regular)
        add_fact(b, N_("Size"), exact);
    add_values(b, t, file_facts, ARRAY_LEN(file_facts));
    add_fact(b, N_("Written with"), f->kind->option);
    if (f->superseded)
        buf_puts(b, tr("\nAnother file has the same and was read instead.\n"));
    if (f->regular && f->size_b)
        buf_puts(b, tr("\nt opens it as a table (text, JSON, a database); x shows its bytes.\n"));
    if (begins)
        preview_add(begins, b);
    preview_free(begins);
}

static void describe_log(const struct log_file *f, struct table *t, struct buf *b)
{
    struct err e = ERR_INIT;

    add_fact(b, N_("File"), f->f.path);
    add_values(b, t, log_facts, ARRAY_LEN(log_facts));
    buf_puts(b, tr("\n# How it begins\n"));
    if (log_around(f->f.path, 0, 1, b, &e))
        buf_printf(b, "%s\n", e.text);
    buf_puts(b, tr("\nWhat its lines mean, and those of the other logs, by time: L\n"));
}

/* In the list of a database's tables: the file of the cursor row, and the name of its table. */
static const struct source_file *listed_table(struct pane *p, char *name, size_t n)
{
    const struct unit *u = unit_of(p);
    struct table *t = pane_table(p);
    struct str id_text;
    uint64_t id;

    if (!u || !t || !table_view(t))
        return NULL;
    struct val as = table_value(t, "opened_as");
    if (as.t != VAL_TEXT || !str_starts(as.s, STR("t_")))
        return NULL;
    id_text = str_sub(as.s, 2, as.s.n);
    id_text = str_sub(id_text, 0, str_chr(id_text, '_'));
    struct val table = str_u64(id_text, &id) ? table_value(t, "table") : val_null();
    for (size_t i = 0; i < u->n_files && table.t == VAL_TEXT && table.s.n < n; i++)
        if (u->files[i]->id == id) {
            str_copy(table.s, name, n);
            return u->files[i];
        }
    return NULL;
}

static bool open_row(struct pane *p)
{
    struct buf b;
    const struct source_file *f = current_file(p);
    char name[512], path[PATH_MAX];
    if (!f && (f = listed_table(p, name, sizeof name)) != NULL) {
        app_open_file(p->app, f, name);
        return true;
    }
    const struct log_file *log = f ? NULL : current_log(p);
    if (!f && !log)
        return false;
    buf_init(&b, TEXT_B);
    if (log)
        describe_log(log, pane_table(p), &b);
    else
        describe(f, unit_path_of(unit_of(p), f, path), pane_table(p), &b);
    app_show_text(p->app, log ? N_("Log") : N_("File"), &b);
    buf_done(&b);
    return true;
}

/* ---- bytes ---- */

/* The first slice of the chain of f, or f itself when it is no slice. */
static const struct source_file *chain_of(const struct unit *u, const struct source_file *f)
{
    for (size_t i = 0; i < u->n_files; i++)
        for (const struct source_file *s = u->files[i]; s && !u->files[i]->later_slice; s = s->next_slice)
            if (s == f)
                return u->files[i];
    return f;
}

static void show_bytes(struct pane *p)
{
    const struct source_file *f = current_file(p);
    struct session *s = app_session(p->app);
    struct overlay *o = NULL;
    struct err e = ERR_INIT;
    char path[PATH_MAX];

    if (!f || !f->regular)
        app_say(p->app, ROLE_TEXT, "there is no file to look into");
    else if (file_hex_open(&o, f, unit_path_of(unit_of(p), f, path), chain_of(unit_of(p), f),
                           session_store(s, session_rank(s, session_current(s))->unit), &e))
        app_say_err(p->app, &e);
    else
        app_overlay(p->app, o);
}

/* ---- keys ---- */

static void toggle_problems(struct pane *p)
{
    struct err e = ERR_INIT;
    struct table *t = pane_table(p);
    if (!t)
        return;
    for (size_t i = 0; i < table_n_filters(t); i++)
        if (!strcmp(table_filter(t, i)->text, PROBLEM_FILTER)) {
            table_filter_delete(t, i);
            return;
        }
    if (table_filter_add(t, STR(PROBLEM_FILTER), &e))
        app_say_err(p->app, &e);
    else if (!table_rows(t)) {
        table_filter_delete(t, table_n_filters(t) - 1);
        app_say(p->app, ROLE_GOOD, "no file has a problem");
    }
}

static bool has_bytes(struct pane *p)
{
    const struct source_file *f = current_file(p);
    return f && f->regular;
}

static bool has_content(struct pane *p)
{
    return has_bytes(p) && current_file(p)->size_b;
}

static bool lists_files(struct pane *p)
{
    struct table *t = pane_table(p);
    return t && table_view(t) && !strcmp(table_def(t)->id, "files.list");
}

/* A row that the filter would leave; of many rows, and of those that a filter hides, it is not looked for. */
static bool has_problems(struct pane *p)
{
    static const char *const states[] = { "TORN", "LIMIT", "BAD", "ABSENT", "EMPTY", "NEWER" };
    struct table *t = pane_table(p);

    if (!lists_files(p))
        return false;
    const int state = view_find_col(table_view(t), "state");
    if (state < 0 || table_n_filters(t) || table_rows(t) > MANY_FILES)
        return true;
    for (size_t i = 0; i < table_rows(t); i++) {
        const struct val v = table_value_at(t, i, (size_t)state);
        for (size_t k = 0; v.t == VAL_TEXT && k < ARRAY_LEN(states); k++)
            if (str_eq(v.s, str_of(states[k])))
                return true;
    }
    return false;
}

static const struct pane_need *needs(const struct pane *p)
{
    static const struct pane_need files[] = {
        { ACT_PROBLEMS, has_problems, N_("no file has a problem") },
        { ACT_RAW, has_bytes, "there is no file to look into" },
        { ACT_TIMELINE, has_content, "there is no file to read as a table" },
        { ACT_NONE, NULL, NULL },
    };
    static const struct pane_need others[] = {
        { ACT_PROBLEMS, lists_files, N_("this is no list of files") },
        { ACT_RAW, has_bytes, "there is no file to look into" },
        { ACT_TIMELINE, has_content, "there is no file to read as a table" },
        { ACT_NONE, NULL, NULL },
    };
    return lists_files((struct pane *)p) ? files : others;
}

static bool key(struct pane *p, enum action act)
{
    const struct source_file *f;
    switch (act) {
    case ACT_PROBLEMS:
        toggle_problems(p);
        return true;
    case ACT_RAW:
        show_bytes(p);
        return true;
    case ACT_TIMELINE:
        f = current_file(p);
        if (!f || !f->regular || !f->size_b)
            return false;
        app_open_file(p->app, f, NULL);
        return true;
    default:
        return false;
    }
}

static void context(struct pane *p, struct buf *out)
{
    const struct unit *u = unit_of(p);
    const char *writer = u ? tr(unit_writer(u)) : "";
    char size[32];
    const size_t n = u ? unit_count_files(u) : 0;
    if (u)
        buf_printf(out, tr("%s   %zu file%s, %s"), writer, n, n == 1 ? "" : "s",
                   unit_size(size, sizeof size, (double)u->bytes, SIZE_AUTO));
}

/* Rows of what is absent or off are no files; neither are pipes and links that lead nowhere. */
static void count_others(const struct unit *u, struct buf *out)
{
    size_t absent = 0, off = 0, others = 0;

    for (size_t i = 0; i < u->n_files; i++) {
        const struct source_file *f = u->files[i];
        absent += f->state == FS_ABSENT;
        off += f->state == FS_OFF;
        others += !f->regular && f->state != FS_ABSENT && f->state != FS_OFF;
    }
    if (absent)
        buf_printf(out, tr(", %zu absent"), absent);
    if (off)
        buf_printf(out, tr(", %zu off"), off);
    if (others)
        buf_printf(out, tr(", %zu not regular"), others);
}

static bool count(struct pane *p, struct table *t, struct buf *out)
{
    const struct unit *u = unit_of(p);
    const size_t n = table_rows(t), all = view_total(table_view(t)), files = u ? unit_count_files(u) : 0;
    const struct str rows = str_of(tr_unit("rows"));

    if (strcmp(table_def(t)->id, "files.list") != 0 || files >= all)
        return false;
    if (n != all || table_is_counting(t)) {
        buf_printf(out, tr(table_is_counting(t) ? ">= %zu of %zu " : "%zu of %zu "), n, all);
        buf_add(out, rows);
        return true;
    }
    buf_printf(out, "%zu ", files);
    buf_add(out, pane_unit(table_view(t), files));
    count_others(u, out);
    return true;
}

/* ---- beside the table: what the file holds, and how it begins ---- */

#define TITLE_W 14 /* as the columns above it */

struct own {
    const char *what; /* of its kind; NULL: none */
    struct preview *begins;
};

static void close_pane(struct pane *p)
{
    struct own *o = p->own;

    if (o)
        preview_free(o->begins);
    free(o);
    p->own = NULL;
}

static void read_beside(struct pane *p, struct table *t)
{
    const struct source_file *f = current_file(p);
    const struct log_file *log = f ? NULL : current_log(p);
    struct own *o = calloc(1, sizeof *o);
    char path[PATH_MAX];

    (void)t;
    close_pane(p);
    p->own = o;
    if (!o)
        return;
    o->what = f ? tr(f->kind->content) : NULL;
    if (log)
        o->begins = preview_read(log->f.path);
    else if (f && f->regular && f->size_b)
        o->begins = preview_read(unit_path_of(unit_of(p), f, path));
}

/* What is long goes on in the line that is empty otherwise: the lines below it stay where they are. */
static int draw_what(const char *what, struct canvas *c, struct rect a)
{
    struct buf b;
    struct str rest, line;
    int y = 0;

    if (!what || a.h < 1 || a.w <= TITLE_W)
        return 0;
    buf_init(&b, 4096);
    text_wrap(&b, str_of(what), (size_t)(a.w - TITLE_W), canvas_flags(c));
    draw_puts(c, a.y, a.x, TITLE_W - 1, ROLE_DIM, tr_column("What"));
    for (rest = buf_str(&b); y < a.h && y < 2 && str_next(&rest, '\n', &line); y++)
        draw_text(c, a.y + y, a.x + TITLE_W, a.w - TITLE_W, ROLE_TEXT, line, CUT_END);
    buf_done(&b);
    return y;
}

static int draw_beside(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    const struct own *o = p->own;
    int lines = o ? draw_what(o->what, c, a) : 0, y = lines > 0;

    (void)t;
    if (o && o->begins)
        y += preview_draw(o->begins, c, (struct rect){ a.y + y, a.x, a.h - y, a.w });
    return y > lines ? y : lines;
}

static const struct pane_card beside = {
    .read = read_beside, .draw = draw_beside, .low = true, .adds_only = true
};

const struct pane_ops pane_files_ops = {
    .close = close_pane,
    .card = &beside,
    .has_data = has_data,
    .draw = draw_inventory,
    .bar_cells = cells,
    .open_row = open_row,
    .key = key,
    .needs = needs,
    .context = context,
    .count = count,
};
