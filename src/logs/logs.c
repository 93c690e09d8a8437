/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "logs/logs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/unit.h"
#include "logs/logs_int.h"
#include "parsers/logs/pystack.h"

void logs_free(struct logs *l)
{
    if (!l)
        return;
    logs_free_dumps(l);
    free(l->found.v);
    free(l->found.servers);
    free(l->files);
    free(l->events);
    free(l->servers);
    free(l->procs);
    free(l->profile);
    for (size_t i = 0; i < LOG_THREADS; i++)
        arena_free(l->texts[i]);
    arena_free(l->a);
    free(l);
}

size_t logs_n_files(const struct logs *l)
{
    return l->found.n;
}

const struct log_file *logs_file(const struct logs *l, size_t i)
{
    return &l->files[i];
}

size_t logs_n_events(const struct logs *l)
{
    return l->n_events;
}

const struct log_rec *logs_event(const struct logs *l, size_t i)
{
    return &l->events[i];
}

size_t logs_n_servers(const struct logs *l)
{
    return l->n_servers;
}

const struct log_server *logs_server(const struct logs *l, size_t i)
{
    return &l->servers[i];
}

size_t logs_n_procs(const struct logs *l)
{
    return l->n_procs;
}

const struct log_proc *logs_proc(const struct logs *l, size_t i)
{
    return &l->procs[i];
}

int logs_n_ranks(const struct logs *l)
{
    return l->n_ranks;
}

int logs_proc_of_rank(const struct logs *l, int rank)
{
    for (size_t i = 0; i < l->n_procs; i++)
        if (l->procs[i].rank == rank && rank >= 0)
            return (int)i;
    return -1;
}

const struct logs_rank *logs_profile(const struct logs *l, int rank)
{
    for (size_t i = 0; i < l->n_profile; i++)
        if (l->profile[i].rank == rank)
            return &l->profile[i];
    return NULL;
}

bool logs_search_was_cut(const struct logs *l)
{
    return l->found.cut;
}

size_t logs_unread(const struct logs *l, const char **first)
{
    *first = l->found.unread_path;
    return l->found.unread;
}

uint64_t logs_uncounted(const struct logs *l)
{
    return l->uncounted;
}

int64_t logs_latest(const struct log_rec *r)
{
    return r->utc_ns != LOG_NO_UTC && r->whole_s ? r->utc_ns + LOG_S_NS - 1 : r->utc_ns;
}

int64_t logs_written(const struct logs *l, const struct log_rec *r)
{
    return r->utc_ns != LOG_NO_UTC ? r->utc_ns + l->servers[r->server].ahead_ns : LOG_NO_UTC;
}

int64_t logs_slack(const struct logs *l, int a, int b)
{
    const struct log_server *x = &l->servers[a], *y = &l->servers[b];

    if (a == b)
        return 0;
    return x->with == y->with && x->within_ns >= 0 && y->within_ns >= 0 ? x->within_ns + y->within_ns
                                                                        : LOG_NO_BOUND;
}

char *logs_ahead_text(const struct logs *l, size_t server, char *buf, size_t n)
{
    const struct log_server *s = &l->servers[server];
    const char *with = *l->servers[s->with].name ? l->servers[s->with].name : "the folder itself";
    char by[32], to[32];

    buf[0] = '\0';
    if (s->ahead_ns)
        snprintf(buf, n, "the clock of %s is %s %s that of %s, to within %s",
                 *s->name ? s->name : "the folder itself",
                 unit_time(by, sizeof by, fabs((double)s->ahead_ns), TIME_AUTO),
                 s->ahead_ns > 0 ? "ahead of" : "behind", with,
                 unit_time(to, sizeof to, (double)s->within_ns, TIME_AUTO));
    return buf;
}

/* What the writer says, without its source file, thread and function: they stand before it in all modules. */
static struct str without_writer(struct str s)
{
    for (int i = 0; i < 8 && s.n; i++) {
        size_t at = 0;
        s = str_trim(s);
        if (s.n && s.p[0] == '[') { /* "[file.cc:303]", "[2793]", "[TaskExecStage]" */
            at = str_chr(s, ']');
            at = at == SIZE_MAX || at > 60 ? 0 : at + 1;
        } else {
            while (at < s.n && at < 60 && (str_is_word(s.p[at]) || s.p[at] == '.'))
                at++;
            bool number = at > 0;
            for (size_t k = 0; k < at; k++)
                number &= s.p[k] >= '0' && s.p[k] <= '9';
            if (!number) /* "ProcLogicCqReport:" */
                at = at && at + 1 < s.n && s.p[at] == ':' && s.p[at + 1] != ' ' ? at + 1 : 0;
        }
        if (!at)
            break;
        s = str_sub(s, at, SIZE_MAX);
    }
    return s;
}

struct str logs_message(const struct log_rec *r)
{
    return without_writer(str_sub(r->text, r->head.text_at, SIZE_MAX));
}

const struct flight_compared *logs_flight(const struct logs *l)
{
    return l->compared;
}

const struct pystack *logs_stack(const struct logs *l, int rank)
{
    for (size_t i = 0; i < l->found.n; i++)
        if (l->files[i].stack && l->files[i].stack->rank == rank && l->files[i].state != LOG_APART)
            return l->files[i].stack;
    return NULL;
}

/* ---- words ---- */

const char *logs_kind_word(enum log_kind k)
{
    static const char *const words[] = { "plog",     "devlog", "device", "bbox",   "host",  "console",
                                         "launcher", "env",    "agent",  "flight", "stack", "status" };
    return words[k];
}

const char *logs_state_word(enum log_file_state s)
{
    static const char *const words[] = { "ok", "apart", "damaged", "refused" };
    return words[s];
}

const char *logs_zone_word(enum log_zone_from z)
{
    static const char *const words[] = { "unknown, taken as UTC", "file names", "profile", "other servers",
                                         "ends of processes" };
    return words[z];
}
