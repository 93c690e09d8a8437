/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analysis/job_logs.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "analysis/job_met.h"
#include "base/grow.h"
#include "base/lang/fill.h"
#include "base/lang/tr.h"
#include "base/unit.h"
#include "parsers/logs/log_code.h"
#include "parsers/logs/log_field.h"

#define LABEL_W 12 /* cells of a label */
#define PATHS_B ((size_t)64 << 20)
#define NEAR_UP 2   /* folders above the opened one that are looked into */
#define TEXT_B  120 /* of an error's line */

struct paths {
    const char **v;
    size_t n, room;
};

struct job_logs {
    struct arena *a;
    struct paths whole, beside, near, shared, dumps;
    struct logs_rank *ranks;
    size_t n_ranks;
    pthread_t thread;
    bool started, joined;
    atomic_bool stop, done;
    struct logs *logs;
    struct log_verdict *verdict;
    size_t compared; /* stores by whose ops the clocks were compared */
    struct err err;  /* what ended the reading */
};

static int add_path(struct job_logs *j, struct paths *p, const char *path, struct err *e)
{
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->v[i], path))
            return OK;
    const char **v = grow_array(p->v, p->n, &p->room, sizeof *v, 16);
    if (!v)
        return err_nomem(e);
    p->v = v;
    path = arena_str(j->a, str_of(path)).p;
    if (!path)
        return err_nomem(e);
    v[p->n++] = path;
    return OK;
}

/* Folders from `path` up to and with `top`, which it lies in. */
static int add_up_to(struct job_logs *j, const char *path, const char *top, struct err *e)
{
    char buf[PATH_MAX];
    size_t n = strlen(top);

    if (strlen(path) >= sizeof buf)
        return OK;
    str_copy(str_of(path), buf, sizeof buf);
    while (!strncmp(buf, top, n) && (buf[n] == '/' || !buf[n])) {
        if (add_path(j, &j->beside, buf, e))
            return e->code;
        char *slash = strrchr(buf, '/');
        if (!slash || slash == buf)
            break;
        *slash = '\0';
    }
    return OK;
}

/* The folders above the one that was opened: the job's may be one of them. */
static int add_above(struct job_logs *j, const char *path, struct err *e)
{
    char buf[PATH_MAX];

    if (strlen(path) >= sizeof buf)
        return OK;
    str_copy(str_of(path), buf, sizeof buf);
    for (int i = 0; i < NEAR_UP; i++) {
        char *slash = strrchr(buf, '/');
        if (!slash || slash == buf)
            break;
        *slash = '\0';
        if (add_path(j, &j->near, buf, e))
            return e->code;
    }
    return OK;
}

/* Places that all jobs of a user or a server share (doc/formats/logs.md#directories). */
static int add_shared(struct job_logs *j, struct err *e)
{
    static const struct {
        const char *variable, *below;
    } places[] = { { "ASCEND_PROCESS_LOG_PATH", "" },
                   { "ASCEND_WORK_PATH", "/log" },
                   { "HOME", "/ascend/log" },
                   { NULL, "/var/log" } };
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *value = places[i].variable ? getenv(places[i].variable) : "";
        if (!value || (places[i].variable && *value != '/'))
            continue;
        int len = snprintf(path, sizeof path, "%s%s", value, places[i].below);
        if (len < 0 || (size_t)len >= sizeof path)
            continue;
        if (add_path(j, &j->shared, path, e))
            return e->code;
    }
    return OK;
}

/* Where torch_npu and PyTorch leave dumps; is_file: the variable is the beginning of the files' paths. */
static int add_dumps(struct job_logs *j, struct err *e)
{
    static const struct {
        const char *variable, *otherwise;
        bool is_file;
    } places[] = { { "TORCH_HCCL_DEBUG_INFO_TEMP_FILE", "/tmp/hccl_trace_rank_", true },
                   { "TORCH_NCCL_DEBUG_INFO_TEMP_FILE", NULL, true },
                   { "TORCH_FR_DUMP_TEMP_FILE", NULL, true },
                   { "TORCH_HCCL_STATUS_SAVE_PATH", NULL, false } };
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *value = getenv(places[i].variable);
        if (!value || *value != '/')
            value = places[i].otherwise;
        if (!value || strlen(value) >= sizeof path)
            continue;
        str_copy(str_of(value), path, sizeof path);
        char *slash = places[i].is_file ? strrchr(path, '/') : NULL;
        if (slash && slash > path)
            *slash = '\0';
        if (add_path(j, &j->dumps, path, e))
            return e->code;
    }
    return OK;
}

static int64_t number_of(const struct runinfo *r, const char *key, int rank)
{
    int64_t v;
    struct str s = runinfo_get(r, key, rank);
    return s.p && str_i64(s, &v) && v > 0 ? v : -1;
}

static int add_ranks(struct job_logs *j, const struct session *s, struct err *e)
{
    size_t n = session_n_ranks(s);

    j->ranks = calloc(n + 1, sizeof *j->ranks);
    if (!j->ranks)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        const struct session_rank *k = session_rank(s, i);
        const struct runinfo *info = &session_job(s)->units[k->unit]->info;
        if (!session_is_beside(s, i) || !k->known)
            continue;
        int64_t begin = number_of(info, "collectionTimeBegin", k->rank);
        struct logs_rank *r = &j->ranks[j->n_ranks++];
        *r = (struct logs_rank){ .rank = k->rank,
                                 .device = k->device,
                                 .pid = number_of(info, "pid", k->rank),
                                 .start_ns = begin > 0 ? begin * 1000 : 0 };
    }
    return OK;
}

static bool is_stopped(void *arg)
{
    struct job_logs *j = arg;
    return atomic_load(&j->stop);
}

static void *read_logs(void *arg)
{
    struct job_logs *j = arg;
    const struct logs_ask ask = { .folders = j->whole.v,
                                  .n_folders = j->whole.n,
                                  .beside = j->beside.v,
                                  .n_beside = j->beside.n,
                                  .near = j->near.v,
                                  .n_near = j->near.n,
                                  .shared = j->shared.v,
                                  .n_shared = j->shared.n,
                                  .dumps = j->dumps.v,
                                  .n_dumps = j->dumps.n,
                                  .ranks = j->ranks,
                                  .n_ranks = j->n_ranks,
                                  .cancelled = is_stopped,
                                  .arg = j };

    (void)!logs_load(&j->logs, &ask, &j->err);
    atomic_store(&j->done, true);
    return NULL;
}

/* A folder that the user names has to be one. */
static int add_named(struct job_logs *j, const char *path, struct err *e)
{
    struct stat st;

    if (stat(path, &st))
        return err_sys(e, errno, "%s", path);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_IO, "%s: no folder: logs are looked for below one", path);
    return add_path(j, &j->whole, path, e);
}

static int prepare(struct job_logs *j, const struct session *s, const struct job_logs_opts *o, struct err *e)
{
    const struct job *job = session_job(s);

    if (arena_new(&j->a, PATHS_B, e))
        return e->code;
    for (size_t i = 0; o && i < o->n_extra; i++)
        if (add_named(j, o->extra[i], e))
            return e->code;
    if (!job->n_units) /* only logs: all that lie there, and none of elsewhere */
        return add_path(j, &j->whole, job->path, e);
    if (add_path(j, &j->beside, job->path, e))
        return e->code;
    for (size_t i = 0; i < session_n_ranks(s); i++)
        if (session_is_beside(s, i) && add_up_to(j, job->units[session_rank(s, i)->unit]->root, job->path, e))
            return e->code;
    if (add_above(j, job->path, e) || add_shared(j, e) || add_dumps(j, e))
        return e->code;
    return add_ranks(j, s, e);
}

int job_logs_start(struct job_logs **out, const struct session *s, const struct job_logs_opts *o,
                   struct err *e)
{
    struct job_logs *j = *out = calloc(1, sizeof *j);

    if (!j)
        return err_nomem(e);
    if (prepare(j, s, o, e)) {
        job_logs_free(j);
        *out = NULL;
        return e->code;
    }
    j->started = !pthread_create(&j->thread, NULL, read_logs, j);
    if (!j->started)
        read_logs(j);
    return OK;
}

bool job_logs_done(struct job_logs *j, bool wait)
{
    bool done = atomic_load(&j->done);

    if ((done || wait) && j->started && !j->joined) {
        pthread_join(j->thread, NULL);
        j->joined = true;
        done = true;
    }
    return done;
}

const struct logs *job_logs_all(const struct job_logs *j)
{
    return j->logs && logs_n_files(j->logs) ? j->logs : NULL;
}

const struct log_verdict *job_logs_verdict(const struct job_logs *j)
{
    return j->verdict;
}

/* Clocks of several servers are compared by communication ops of the profiles, too. */
static int compare_clocks(struct job_logs *j, struct session *s, const struct ending *x, struct err *e)
{
    struct log_met *met = NULL;
    size_t n = 0, loaded = 0;

    for (size_t i = 0; i < session_n_ranks(s); i++)
        loaded += session_store(s, session_rank(s, i)->unit) != NULL;
    if (!job_logs_all(j) || logs_n_servers(j->logs) < 2 || loaded == j->compared)
        return OK;
    j->compared = loaded;
    if (job_met_read(&met, &n, s, x, e) == OK && n)
        (void)!logs_compare_clocks(j->logs, met, n, e);
    free(met);
    return e->code;
}

/* "hcom_allReduce__493_27_1" is an allReduce; the number of its group may be that of others, too. */
static struct log_in_comm in_comm_of(const struct ending_rank *r)
{
    struct str name = str_of(r->in_comm);
    bool hcom = str_starts(name, STR("hcom_"));

    if (hcom)
        name = str_sub(name, 5, SIZE_MAX);
    size_t at = hcom ? str_find(name, STR("__"), 0) : SIZE_MAX;
    return (struct log_in_comm){ .rank = r->rank,
                                 .op = str_sub(name, 0, at),
                                 .group = at == SIZE_MAX ? STR("") : str_of(r->in_group) };
}

/* Ranks that hang in a collective which others have left are those that are waited for. */
static void hint_of(const struct ending *x, int *awaited, struct log_in_comm *in, struct log_hint *out)
{
    *out = (struct log_hint){ .awaited = awaited, .in = in };
    for (size_t at = 0; x && at < x->n_ranks && ending_is_job(x); at++) {
        bool left = false;
        for (size_t o = 0; o < x->n_ranks && !left; o++)
            left = ending_has_left(x, o, at);
        if (left)
            awaited[out->n++] = x->ranks[at].rank;
        if (!x->ranks[at].apart && x->ranks[at].in_comm[0])
            in[out->n_in++] = in_comm_of(&x->ranks[at]);
    }
}

int job_logs_judge(struct job_logs *j, struct session *s, const struct ending *x, struct err *e)
{
    size_t n = (x ? x->n_ranks : 0) + 1;
    int *awaited = calloc(n, sizeof *awaited);
    struct log_in_comm *in = calloc(n, sizeof *in);
    struct log_hint hint;

    log_verdict_free(j->verdict);
    j->verdict = NULL;
    if (j->err.code)
        *e = j->err;
    else if (!awaited || !in)
        err_nomem(e);
    else if (s && x && ending_is_job(x))
        (void)!compare_clocks(j, s, x, e);
    if (!e->code && job_logs_all(j)) {
        hint_of(x, awaited, in, &hint);
        (void)!log_verdict_make(&j->verdict, j->logs, &hint, e);
    }
    free(awaited);
    free(in);
    return e->code;
}

void job_logs_free(struct job_logs *j)
{
    if (!j)
        return;
    atomic_store(&j->stop, true);
    (void)job_logs_done(j, true);
    log_verdict_free(j->verdict);
    logs_free(j->logs);
    free(j->whole.v);
    free(j->beside.v);
    free(j->near.v);
    free(j->shared.v);
    free(j->dumps.v);
    free(j->ranks);
    arena_free(j->a);
    free(j);
}

char *job_logs_sentence(const struct log_verdict *v, char *buf, size_t n)
{
    struct buf b;
    struct str what = v->kernel.n ? v->kernel : v->op;

    buf_init(&b, 4096);
    if (v->root.n) {
        buf_add(&b, v->root);
        buf_puts(&b, tr(": "));
    }
    buf_puts(&b, tr(cause_text(v->cls)));
    what = str_sub(what, 0, 60);
    if (what.n && v->n_ranks)
        buf_printf(&b, tr(" in %.*s"), (int)what.n, what.p);
    if (v->sure != LOG_HIGH && v->accuse)
        buf_puts(&b, tr(v->sure == LOG_MEDIUM ? " (likely)" : " (not sure)"));
    str_copy(buf_str(&b), buf, n);
    buf_done(&b);
    return buf;
}

char *job_logs_first(const struct logs *l, const struct log_verdict *v, char *buf, size_t n)
{
    buf[0] = '\0';
    if (v->first == LOG_NO_EVENT)
        return buf;
    const struct log_rec *r = logs_event(l, v->first);
    const char *name = logs_file(l, r->file)->f.name, *slash = strrchr(name, '/');
    struct str text = str_sub(logs_message(r), 0, TEXT_B);
    snprintf(buf, n, "%s:%" PRIu64 "  %s: %.*s", slash ? slash + 1 : name, r->line,
             tr(signature_at(r->sig)->says), (int)text.n, text.p);
    return buf;
}

/* ---- the whole ---- */

static void put_place(const struct logs *l, size_t event, struct buf *b)
{
    const struct log_rec *r = logs_event(l, event);
    char when[48];

    if (r->utc_ns != LOG_NO_UTC)
        buf_printf(b, "%s UTC  ", unit_utc(when, sizeof when, r->utc_ns, 3));
    if (r->rank >= 0)
        buf_printf(b, "rank %d  ", r->rank);
    buf_printf(b, "%s:%" PRIu64 "\n", logs_file(l, r->file)->f.name, r->line);
}

static void put_line(struct buf *b, const char *label, const char *text)
{
    fill_label(b, label, LABEL_W);
    buf_printf(b, "%s\n", text);
}

static void put_lines(struct buf *b, const char *label, const struct str *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fill_label(b, i ? "" : label, LABEL_W);
        buf_printf(b, "%.*s\n", (int)lines[i].n, lines[i].p);
    }
}

static void put_first(const struct logs *l, const struct log_verdict *v, struct buf *b)
{
    if (v->first == LOG_NO_EVENT)
        return;
    const struct log_rec *r = logs_event(l, v->first);
    const struct signature *s = signature_at(r->sig);
    char code[64];
    put_line(b, N_("First error"), tr(s->says));
    buf_printf(b, "%*s", LABEL_W, "");
    put_place(l, v->first, b);
    if (*log_code_in(r->text, code, sizeof code))
        put_line(b, N_("Code"), code);
    if (*s->next)
        put_line(b, N_("Next"), tr(s->next));
}

static void put_said(const struct logs *l, const char *title, const struct log_said *v, size_t n,
                     struct buf *b)
{
    if (n)
        buf_printf(b, "\n# %s\n", tr(title));
    for (size_t i = 0; i < n; i++) {
        buf_add(b, v[i].text);
        buf_puts(b, "\n");
        if (v[i].event == LOG_NO_EVENT)
            continue;
        buf_puts(b, "  ");
        put_place(l, v[i].event, b);
    }
}

void job_logs_explain(const struct job_logs *j, struct buf *b)
{
    const struct log_verdict *v = j->verdict;
    char text[400];

    if (!v)
        return;
    buf_printf(b, "%s\n\n", job_logs_sentence(v, text, sizeof text));
    put_line(b, N_("Confidence"), tr(log_sure_word(v->sure)));
    put_first(j->logs, v, b);
    if (v->stream >= 0) {
        fill_label(b, "Task", LABEL_W);
        buf_printf(b, tr("stream %" PRId64 ", task %" PRId64 "\n"), v->stream, v->task);
    }
    put_lines(b, N_("Missing"), v->missing, v->n_missing);
    put_lines(b, N_("Clocks"), v->clocks, v->n_clocks);
    put_said(j->logs, N_("Course"), v->chain, v->n_chain, b);
    put_said(j->logs, N_("Consequences"), v->consequences, v->n_consequences, b);
    if (v->first != LOG_NO_EVENT) {
        buf_puts(b, tr("\n# The line\n"));
        buf_add(b, logs_event(j->logs, v->first)->text);
        buf_puts(b, "\n");
    }
    buf_puts(b, tr("\n; npuscope logs PATH prints this\n"));
}
