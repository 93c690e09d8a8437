/* SPDX-License-Identifier: Apache-2.0 */
/* JSON with line breaks. */
#include "config.h"

#include "emit/pretty.h"

#include "base/str.h"

struct out {
    struct pretty *x;
    pretty_write_fn *write;
    void *arg;
};

static void emit(const struct out *o, char c)
{
    o->x->buf[o->x->n++] = c;
    if (o->x->n < PRETTY_CHUNK)
        return;
    o->write(o->arg, o->x->buf, o->x->n);
    o->x->n = 0;
}

static void new_line(const struct out *o)
{
    int depth = o->x->depth < PRETTY_DEPTH ? o->x->depth : PRETTY_DEPTH;

    emit(o, '\n');
    for (int i = 0; i < 4 * depth; i++)
        emit(o, ' ');
}

/* A value begins: the first one after a bracket goes to a line of its own. */
static void begin_value(const struct out *o)
{
    if (o->x->fresh)
        new_line(o);
    o->x->fresh = false;
}

static void in_string(const struct out *o, char c)
{
    struct pretty *x = o->x;

    emit(o, c);
    if (x->escaped)
        x->escaped = false;
    else if (c == '\\')
        x->escaped = true;
    else if (c == '"')
        x->in_string = false;
}

static void close_bracket(const struct out *o, char c)
{
    o->x->depth -= o->x->depth > 0;
    if (!o->x->fresh)
        new_line(o);
    o->x->fresh = false;
    emit(o, c);
}

static void outside(const struct out *o, char c)
{
    struct pretty *x = o->x;

    switch (c) {
    case ' ':
    case '\n':
    case '\r':
    case '\t':
        return;
    case '}':
    case ']':
        close_bracket(o, c);
        return;
    case ',':
        emit(o, c);
        new_line(o);
        return;
    case ':':
        emit(o, c);
        emit(o, ' ');
        return;
    default:
        begin_value(o);
        emit(o, c);
    }
    x->in_string = c == '"';
    if (c == '{' || c == '[') {
        x->fresh = true;
        x->depth++;
    }
}

void pretty_put(struct pretty *x, const char *p, size_t n, pretty_write_fn *write, void *arg)
{
    const struct out o = { x, write, arg };

    for (size_t i = 0; i < n; i++) {
        if (!x->begun) {
            x->begun = true;
            x->plain = p[i] != '{' && p[i] != '[';
        }
        if (x->plain)
            emit(&o, p[i]);
        else if (x->in_string)
            in_string(&o, p[i]);
        else
            outside(&o, p[i]);
    }
    if (!p && x->n) {
        write(arg, x->buf, x->n);
        x->n = 0;
    }
}
