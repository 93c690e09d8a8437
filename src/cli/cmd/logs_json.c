/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli/cmd/logs_json.h"

#include <inttypes.h>

#include "model/writer/writer.h"
#include "parsers/logs/log_code.h"
#include "parsers/logs/log_field.h"

static void add_text(struct buf *b, const char *key, struct str text)
{
    buf_printf(b, "\"%s\": ", key);
    if (text.n)
        write_json_string(b, text);
    else
        buf_puts(b, "null");
}

static void add_number(struct buf *b, const char *key, bool known, int64_t v)
{
    if (known)
        buf_printf(b, "\"%s\": %" PRId64, key, v);
    else
        buf_printf(b, "\"%s\": null", key);
}

static void add_place(const struct logs *l, size_t event, struct buf *b)
{
    if (event == LOG_NO_EVENT) {
        buf_puts(b, "null");
        return;
    }
    const struct log_rec *r = logs_event(l, event);
    char code[64];
    buf_puts(b, "{");
    add_text(b, "path", str_of(logs_file(l, r->file)->f.name));
    buf_printf(b, ", \"line\": %" PRIu64 ", ", r->line);
    add_number(b, "ts_ns", r->utc_ns != LOG_NO_UTC, r->utc_ns);
    buf_puts(b, ", ");
    add_number(b, "rank", r->rank >= 0, r->rank);
    buf_puts(b, ", ");
    add_text(b, "signature", str_of(signature_at(r->sig)->id));
    buf_puts(b, ", ");
    add_text(b, "code", str_of(log_code_in(r->text, code, sizeof code)));
    buf_puts(b, ", ");
    add_text(b, "text", r->text);
    buf_puts(b, "}");
}

static void add_said(const struct logs *l, const char *key, const struct log_said *v, size_t n, struct buf *b)
{
    buf_printf(b, "\"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        buf_puts(b, i ? ", {" : "{");
        add_text(b, "says", v[i].text);
        buf_puts(b, ", \"at\": ");
        add_place(l, v[i].event, b);
        buf_puts(b, "}");
    }
    buf_puts(b, "]");
}

/* What is known of the servers' clocks; their times in the output are by that of "with". */
static void add_clocks(const struct logs *l, const struct log_verdict *v, struct buf *b)
{
    buf_printf(b, "\"reordered\": %s,\n \"clocks\": [", v->reordered ? "true" : "false");
    for (size_t i = 0; i < logs_n_servers(l); i++) {
        const struct log_server *s = logs_server(l, i);
        buf_puts(b, i ? ",\n  {" : "{");
        add_text(b, "server", str_of(s->name));
        buf_puts(b, ", ");
        add_text(b, "with", str_of(logs_server(l, (size_t)s->with)->name));
        buf_puts(b, ", ");
        add_number(b, "ahead_ns", s->within_ns != LOG_NO_BOUND, s->ahead_ns);
        buf_puts(b, ", ");
        add_number(b, "within_ns", s->within_ns != LOG_NO_BOUND, s->within_ns);
        buf_printf(b, ", \"contradicts\": %s, \"zone_min\": %d, ", s->contradicts ? "true" : "false",
                   s->zone_min);
        add_number(b, "host_zone_min", s->has_host_zone, s->host_zone_min);
        buf_puts(b, "}");
    }
    buf_puts(b, "]");
}

void logs_add_verdict(const struct logs *l, const struct log_verdict *v, struct buf *b)
{
    buf_puts(b, "\"verdict\": {\"ranks\": [");
    for (size_t i = 0; i < v->n_ranks; i++)
        buf_printf(b, "%s%d", i ? ", " : "", v->ranks[i]);
    buf_printf(b, "], \"class\": \"%s\", ", cause_word(v->cls));
    add_text(b, "text", str_of(cause_text(v->cls)));
    buf_printf(b, ", \"confidence\": \"%s\", \"accuse\": %s, ", log_sure_word(v->sure),
               v->accuse ? "true" : "false");
    add_text(b, "root", v->root);
    buf_puts(b, ",\n \"first_error\": ");
    add_place(l, v->first, b);
    buf_puts(b, ",\n \"first_visible\": ");
    add_place(l, v->visible, b);
    buf_puts(b, ",\n ");
    add_number(b, "stream", v->stream >= 0, v->stream);
    buf_puts(b, ", ");
    add_number(b, "task", v->task >= 0, v->task);
    buf_puts(b, ", ");
    add_number(b, "flip", v->flip >= 0, v->flip);
    buf_puts(b, ", ");
    add_text(b, "op", v->op);
    buf_puts(b, ", ");
    add_text(b, "kernel", v->kernel);
    buf_puts(b, ",\n ");
    add_said(l, "chain", v->chain, v->n_chain, b);
    buf_puts(b, ",\n ");
    add_said(l, "consequences", v->consequences, v->n_consequences, b);
    buf_puts(b, ",\n \"missing\": [");
    for (size_t i = 0; i < v->n_missing; i++) {
        buf_puts(b, i ? ", " : "");
        write_json_string(b, v->missing[i]);
    }
    buf_puts(b, "],\n ");
    add_clocks(l, v, b);
    buf_puts(b, "}");
}

void logs_add_files(const struct logs *l, struct buf *b)
{
    buf_puts(b, "\"files\": [");
    for (size_t i = 0; i < logs_n_files(l); i++) {
        const struct log_file *f = logs_file(l, i);
        buf_puts(b, i ? ",\n {" : "\n {");
        add_text(b, "path", str_of(f->f.name));
        buf_printf(b, ", \"kind\": \"%s\", \"state\": \"%s\", ", logs_kind_word(f->f.kind),
                   logs_state_word(f->state));
        add_text(b, "server", str_of(logs_server(l, (size_t)f->f.server)->name));
        buf_puts(b, ", ");
        add_number(b, "pid", f->pid >= 0, f->pid);
        buf_printf(b, ", \"lines\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"errors\": %" PRIu64 "}", f->lines,
                   f->bytes, f->errors);
    }
    buf_puts(b, "\n]");
}

void logs_add_events(const struct logs *l, struct buf *b)
{
    buf_puts(b, "\"events\": [");
    for (size_t i = 0; i < logs_n_events(l); i++) {
        buf_puts(b, i ? ",\n " : "\n ");
        add_place(l, i, b);
        if (logs_event(l, i)->apart) { /* inside of the object */
            b->n--;
            buf_puts(b, ", \"apart\": true}");
        }
    }
    buf_puts(b, "\n]");
}
