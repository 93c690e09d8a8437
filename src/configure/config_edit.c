/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of profiler_config.json in place. */
#include "config.h"

#include "configure/config_edit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "configure/config_check.h"
#include "configure/json_strict.h"
#include "configure/tokens.h"

/* ---- the text ---- */

struct span {
    size_t at, n;
};

struct object {
    size_t open, close;      /* of its braces */
    size_t first_key, after; /* after: past its last value; 0: it is empty */
};

/* The members of the object at o->open; the value of key into *value, n 0 when there is none. */
static bool find_member(struct str text, struct object *o, const char *key, struct span *value)
{
    size_t at = o->open + 1;
    struct token t = token_code(text, &at);
    struct buf name;

    *value = (struct span){ 0 };
    o->after = o->first_key = 0;
    while (t.kind == TK_STRING) {
        buf_init(&name, 65536);
        token_string(text, t, &name);
        bool is = str_eq(buf_str(&name), str_of(key));
        buf_done(&name);
        if (!o->first_key)
            o->first_key = t.at;
        token_code(text, &at); /* the colon */
        struct token v = token_code(text, &at);
        if (!token_skip(text, v, &at))
            return false;
        o->after = at;
        if (is)
            *value = (struct span){ v.at, at - v.at }; /* of several the last, as the job takes it */
        t = token_code(text, &at);
        if (token_is(text, t, ','))
            t = token_code(text, &at);
    }
    o->close = t.at;
    return token_is(text, t, '}');
}

static int replace(struct buf *text, struct span what, struct str with, struct err *e)
{
    struct buf b;

    buf_init(&b, 2 * CONFIG_MAX_B);
    buf_add(&b, str_sub(buf_str(text), 0, what.at));
    buf_add(&b, with);
    buf_add(&b, str_sub(buf_str(text), what.at + what.n, SIZE_MAX));
    if (buf_failed(&b)) {
        buf_done(&b);
        return err_nomem(e);
    }
    buf_done(text);
    *text = b;
    return OK;
}

/* A new last member, on a line as the first one is. */
static int insert(struct buf *text, const struct object *o, const char *key, struct str value, struct err *e)
{
    struct str s = buf_str(text),
               gap = str_sub(s, o->open + 1, o->first_key ? o->first_key - o->open - 1 : 0);
    struct buf b;

    buf_init(&b, CONFIG_MAX_B);
    buf_puts(&b, o->after ? "," : "");
    buf_add(&b, o->after ? (gap.n ? gap : STR(" ")) : STR("\n    "));
    buf_json(&b, str_of(key));
    buf_puts(&b, ": ");
    buf_add(&b, value);
    buf_puts(&b, o->after ? "" : "\n");
    struct span at = { o->after ? o->after : o->open + 1, o->after ? 0 : o->close - o->open - 1 };
    int rc = buf_failed(&b) ? err_nomem(e) : replace(text, at, buf_str(&b), e);
    buf_done(&b);
    return rc;
}

/* The value as the file would have it: an integer where there is one now. */
static bool value_for(struct str text, struct span now, const struct config_target *t, enum switch_id id,
                      struct str value, struct buf *out)
{
    const struct switch_place *p = &switch_defs[id].at[config_at(t)];
    struct config_target older = *t;
    int64_t n;

    if (now.n && p->codes && str_i64(str_sub(text, now.at, now.n), &n) && p->codes_until < t->version) {
        older.version = p->codes_until;
        if (config_value(&older, id, value, out))
            return true;
    }
    return config_value(t, id, value, out);
}

static int set_value(struct buf *text, const struct config_target *t, enum switch_id id, struct str value,
                     struct err *e)
{
    enum switch_at place = config_at(t);
    const struct switch_def *d = &switch_defs[id];
    const char *key = switch_key(d, place, t->version), *scope;
    struct object o = { 0 };
    struct span now;
    struct buf b;
    size_t at = 0;

    if (!key)
        return err_set(e, ERR_USAGE, "%s is no switch of %s%s", d->name, switch_at_title(place),
                       place < N_AT && d->at[place].key ? " in this version" : "");
    scope = d->at[place].scope;
    o.open = token_code(buf_str(text), &at).at;
    if (scope && find_member(buf_str(text), &o, scope, &now) && !now.n) {
        if (insert(text, &o, scope, STR("{}"), e))
            return e->code;
        find_member(buf_str(text), &o, scope, &now);
    }
    if (scope)
        o.open = now.at;
    if (buf_str(text).p[o.open] != '{' || !find_member(buf_str(text), &o, key, &now))
        return err_set(e, ERR_FORMAT, "%s is no JSON object", scope ? scope : "the file");
    buf_init(&b, CONFIG_MAX_B);
    if (!value_for(buf_str(text), now, t, id, value, &b))
        err_set(e, ERR_USAGE, "%s cannot be '%.*s' in %s", d->name, (int)(value.n > 40 ? 40 : value.n),
                value.p, switch_at_title(place));
    else if (now.n)
        (void)!replace(text, now, buf_str(&b), e);
    else
        (void)!insert(text, &o, key, buf_str(&b), e);
    buf_done(&b);
    return e->code;
}

/* The text is what a strict reader takes. */
static int check_json(struct str text, struct err *e)
{
    size_t at, line, column, first = 0;
    const char *why = json_strict(text, &at);

    if (!why && token_is(text, token_code(text, &first), '{'))
        return OK;
    token_place(text, why ? at : 0, &line, &column);
    return err_set(e, ERR_FORMAT, "line %zu, column %zu: %s", line, column,
                   why ? why : "this is no JSON object");
}

int config_edit_text(struct str text, const struct config_target *t, const struct choice *changes,
                     struct buf *out, struct err *e)
{
    struct buf b;

    if (t->form != FORM_JSON)
        return err_set(e, ERR_USAGE, "only profiler_config.json is edited; this looks like %s",
                       switch_at_title(config_at(t)));
    if (check_json(text, e))
        return e->code;
    buf_init(&b, 2 * CONFIG_MAX_B);
    buf_add(&b, text);
    for (size_t i = 0; i < N_SWITCHES && !e->code; i++)
        if (changes->value[i])
            (void)!set_value(&b, t, (enum switch_id)i, str_of(changes->value[i]), e);
    if (!e->code && check_json(buf_str(&b), e))
        err_clear(e), err_set(e, ERR_BUG, "the edit would have damaged the file");
    if (!e->code && b.n > CONFIG_MAX_B)
        err_set(e, ERR_LIMIT, "the file would be larger than the 1 MiB that a job takes");
    if (!e->code)
        buf_add(out, buf_str(&b));
    buf_done(&b);
    return buf_failed(out) ? err_nomem(e) : e->code;
}

/* ---- the file ---- */

int config_load_fd(int fd, struct buf *out, struct err *e)
{
    const size_t most = out->n + CONFIG_MAX_B;

    for (;;) {
        char *p = buf_room(out, 65536);
        if (!p)
            return err_nomem(e);
        ssize_t n = read(fd, p, 65536);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(e, errno, "cannot be read");
        out->n += (size_t)n;
        if (out->n > most)
            return err_set(e, ERR_LIMIT, "more than 1 MiB, which no job takes");
        if (!n)
            return OK;
    }
}

static int load(const char *path, struct buf *out, struct stat *st, struct err *e)
{
    int fd = path_open_file(path, st, e);

    buf_init(out, CONFIG_LOAD_B);
    if (fd < 0)
        return e->code;
    if (config_load_fd(fd, out, e))
        err_where(e, path, ERR_NO_OFFSET, 0);
    close(fd);
    buf_addc(out, '\0'); /* terminated */
    out->n -= out->n > 0;
    return e->code;
}

int config_load(const char *path, struct buf *out, struct err *e)
{
    struct stat st;
    struct buf b;

    if (load(path, &b, &st, e) == OK)
        buf_add(out, buf_str(&b));
    buf_done(&b);
    return e->code;
}

/* Mode and owner of the file that is replaced, and a later time: jobs compare whole seconds. */
static int keep_facts(int fd, const struct stat *was, struct err *e)
{
    struct stat is;
    struct timespec times[2] = { { .tv_nsec = UTIME_OMIT } };

    if (fstat(fd, &is))
        return err_sys(e, errno, "cannot be looked at");
    if ((is.st_uid != was->st_uid || is.st_gid != was->st_gid) && fchown(fd, was->st_uid, was->st_gid))
        return err_sys(e, errno, "the owner of the file cannot be kept, so that it is not replaced");
    if (fchmod(fd, was->st_mode & 07777))
        return err_sys(e, errno, "the mode of the file cannot be kept");
    if (is.st_mtim.tv_sec > was->st_mtim.tv_sec)
        return OK;
    times[1].tv_sec = was->st_mtim.tv_sec + 1;
    return futimens(fd, times) ? err_sys(e, errno, "the time of the file cannot be set") : OK;
}

static int write_new(const char *path, struct str text, const struct stat *was, struct err *e)
{
    struct file_write *w = NULL;
    struct stat now;

    if (file_write_open(&w, path, true, e) || file_write_data(w, text.p, text.n, e) ||
        keep_facts(file_write_fd(w), was, e))
        goto out;
    if (stat(path, &now) || now.st_ino != was->st_ino || now.st_mtim.tv_sec != was->st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != was->st_mtim.tv_nsec || now.st_size != was->st_size) {
        err_set(e, ERR_BUSY, "somebody else has changed it meanwhile: nothing was written, try again");
        goto out;
    }
    struct file_write *done = w;
    w = NULL;
    (void)!file_write_commit(done, e);
out:
    file_write_abort(w);
    if (e->code)
        err_where(e, path, ERR_NO_OFFSET, 0);
    return e->code;
}

/* The edit makes nothing wrong that was right. */
static int check_edit(struct str was, struct str is, const struct config_target *t, struct err *e)
{
    struct buf b;

    buf_init(&b, 4096);
    if (config_first_wrong(is, was, t, &b))
        err_set(e, ERR_USAGE, "nothing was written: %s", b.p ? b.p : "");
    buf_done(&b);
    return e->code;
}

int config_edit_file(const char *path, unsigned version, const char *const *texts, size_t n, bool *same,
                     struct err *e)
{
    struct config_target t;
    struct choice all = { { NULL } }, changes = { { NULL } };
    struct buf was = { 0 }, is;
    struct stat st;
    char *real = realpath(path, NULL); /* a link stays one */

    *same = false;
    buf_init(&is, 2 * CONFIG_MAX_B);
    if (load(real ? real : path, &was, &st, e))
        goto out;
    if (!config_guess(buf_str(&was), version, &t)) {
        err_set(e, ERR_FORMAT, "it is no profiler_config.json");
        goto out;
    }
    if (config_read(buf_str(&was), &t, &all, NULL, NULL, e) ||
        choice_set_all(&all, texts, n, config_at(&t), e))
        goto out;
    for (size_t i = 0; i < n; i++) { /* what of it was asked for */
        struct choice one = { { NULL } };
        const char *text = texts[i];
        bool steps = str_starts(str_of(text), STR("step_num="));
        if (!steps && choice_set_all(&one, &text, 1, config_at(&t), e) == OK)
            (void)!choice_merge(&changes, &one, e);
        enum switch_id id = t.framework == FRAMEWORK_TORCH ? SW_ACTIVE : SW_STOP_STEP;
        if (steps)
            (void)!choice_set(&changes, id, choice_get(&all, id), e);
        choice_done(&one);
    }
    if (e->code || config_edit_text(buf_str(&was), &t, &changes, &is, e))
        goto out;
    *same = str_eq(buf_str(&was), buf_str(&is));
    if (!*same && check_edit(buf_str(&was), buf_str(&is), &t, e) == OK)
        (void)!write_new(real ? real : path, buf_str(&is), &st, e);
out:
    if (e->code)
        err_where(e, path, ERR_NO_OFFSET, 0);
    free(real);
    buf_done(&was);
    buf_done(&is);
    choice_done(&all);
    choice_done(&changes);
    return e->code;
}
