/* SPDX-License-Identifier: Apache-2.0 */
/* pretty: a JSON file, indented while it is read. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/read/infile.h"
#include "base/sig.h"
#include "cli/cmd/cmd.h"
#include "emit/json_tidy.h"

#define INPUT_B ((size_t)64 << 10)

struct printing {
    struct cli *c;
    struct json_tidy *t;
    struct write_to to;
    struct err *e; /* of the output */
};

static void write_text(void *arg, const char *p, size_t n)
{
    struct printing *x = arg;

    if (!x->e->code)
        (void)!x->to.add(x->to.arg, (struct str){ p, n }, x->e);
}

static int interrupted(struct err *e)
{
    return sig_stop() ? err_set(e, ERR_CANCELLED, "interrupted") : OK;
}

/* *why: damage of the compressed stream. */
static int read_file(struct printing *x, const char *path, struct err *why)
{
    struct infile *f = NULL;
    size_t got = 0, n;

    if (infile_open(&f, path, 0, x->e))
        return x->e->code;
    do {
        char *p = infile_data(f, &n);
        bool more = json_tidy_put(x->t, p, n);
        infile_take(f, n);
        if (!more || x->e->code || interrupted(x->e))
            break;
    } while (infile_more(f, &got, why) == OK && got);
    if (why->code == ERR_FORMAT || why->code == ERR_LIMIT)
        err_where(why, path, ERR_NO_OFFSET, 0);
    else if (why->code && !x->e->code)
        *x->e = *why;
    infile_close(f);
    return x->e->code;
}

static int read_input(struct printing *x)
{
    char p[INPUT_B];
    bool first = true;

    for (;;) {
        ssize_t n = read(STDIN_FILENO, p, sizeof p);
        if (n < 0 && errno == EINTR && !sig_stop())
            continue;
        if (n < 0 && !sig_stop())
            return err_sys(x->e, errno, "cannot read standard input");
        if (first && n >= 2 && memcmp(p, "\x1f\x8b", 2) == 0)
            return err_set(x->e, ERR_FORMAT, "standard input is compressed: give the name of the file");
        first = false;
        if (interrupted(x->e) || !n || !json_tidy_put(x->t, p, (size_t)n) || x->e->code)
            return x->e->code;
    }
}

/* What was printed stays; the status says that it is not the whole, or not as it was. */
static void report(struct cli *c, const struct json_tidy *t, const char *name, const struct err *stream)
{
    const struct json_tidy_facts f = json_tidy_facts(t);
    struct err e = ERR_INIT;

    if (f.mended) {
        err_set(&e, ERR_FORMAT, "%s; %llu such place%s mended in what was printed", f.first,
                (unsigned long long)f.mended, f.mended == 1 ? " was" : "s were");
        err_where(&e, name, f.first_offset, 0);
        log_error(&e);
        err_clear(&e);
    }
    if (f.problem) {
        err_set(&e, ERR_FORMAT, "the JSON text %s%s%s; what is before was printed", f.problem,
                stream->code ? ", because " : "", stream->code ? stream->text : "");
        err_where(&e, name, f.offset, 0);
        log_error(&e);
    } else if (stream->code) {
        log_error(stream);
    }
    if (f.mended || f.problem || stream->code)
        c->status = ST_DAMAGED;
}

int cmd_pretty(struct cli *c, struct err *e)
{
    const char *path = cmd_arg(c, 0);
    bool input = !strcmp(path, "-");
    struct printing x = { .c = c, .e = e };
    struct err stream = ERR_INIT;

    if (cli_output(c, true, e) || json_tidy_new(&x.t, write_text, &x, e))
        return e->code;
    x.to = out_writer(c->out);
    if ((input ? read_input(&x) : read_file(&x, path, &stream)) == OK) {
        (void)!json_tidy_end(x.t);
        if (!e->code)
            report(c, x.t, input ? "standard input" : path, &stream);
    }
    json_tidy_free(x.t);
    return e->code;
}
