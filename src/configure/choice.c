/* SPDX-License-Identifier: Apache-2.0 */
/* Values of switches. */
#include "config.h"

#include "configure/choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/words.h"

void choice_done(struct choice *c)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        free(c->value[i]);
    *c = (struct choice){ 0 };
}

void choice_unset(struct choice *c, enum switch_id id)
{
    free(c->value[id]);
    c->value[id] = NULL;
}

static bool has_controls(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 127)
            return true;
    return false;
}

static bool each_is_good(const struct switch_def *d, struct str list)
{
    struct str item;
    int64_t n;

    while (list.n && str_next(&list, ',', &item)) {
        if (d->type == ST_WORDS ? word_index(d->words, '|', item) < 0 : !item.n)
            return false;
        if (d->type == ST_INTS && (!str_i64(item, &n) || n < d->min || n > d->max))
            return false;
    }
    return true;
}

static bool is_value(const struct switch_def *d, struct str v)
{
    int64_t n;
    double x;

    if (has_controls(v))
        return false;
    switch (d->type) {
    case ST_BOOL:
        return str_eq(v, STR("true")) || str_eq(v, STR("false"));
    case ST_INT:
        return str_i64(v, &n) && n >= d->min && n <= d->max;
    case ST_FLOAT:
        return str_eq(v, STR("null")) || (str_f64(v, &x) && x >= 0);
    case ST_WORD:
        return word_index(d->words, '|', v) >= 0;
    case ST_WORDS:
    case ST_TEXTS:
    case ST_INTS:
        return !(v.n && v.p[v.n - 1] == ',') && each_is_good(d, v);
    case ST_TEXT:
        return v.n > 0;
    case ST_JSON:
        return v.n > 0 && v.p[0] == '{';
    }
    return false;
}

int choice_set(struct choice *c, enum switch_id id, struct str value, struct err *e)
{
    const struct switch_def *d = &switch_defs[id];
    struct buf b;

    if (!is_value(d, value)) {
        buf_init(&b, 400);
        switch_values(d, &b);
        err_set(e, ERR_USAGE, "%s is %s, not '%.*s'", d->name, b.p ? b.p : "",
                (int)(value.n > 40 ? 40 : value.n), value.p);
        buf_done(&b);
        return e->code;
    }
    char *copy = malloc(value.n + 1);
    if (!copy)
        return err_nomem(e);
    str_copy(value, copy, value.n + 1);
    free(c->value[id]);
    c->value[id] = copy;
    return OK;
}

/* ---- as people write it ---- */

/* The word that is the same but for its case, or the only one that ends so ("1" of Level1). */
static struct str fold(const char *words, struct str s)
{
    struct str rest = str_of(words), word, found = STR_NULL;

    while (str_next(&rest, '|', &word))
        if (str_eq_nocase(word, s))
            return word;
    rest = str_of(words);
    while (s.n && str_next(&rest, '|', &word))
        if (str_ends(word, s) && word.n > s.n)
            found = found.p ? s : word; /* a second one: s as it is */
    return found.p ? found : s;
}

static void add_list(const struct switch_def *d, struct str v, struct buf *out)
{
    struct str item;

    v = str_trim(v);
    if (v.n > 1 && v.p[0] == '[' && v.p[v.n - 1] == ']')
        v = str_sub(v, 1, v.n - 2);
    for (const char *sep = ""; v.n && str_next(&v, ',', &item); sep = ",") {
        item = str_trim(item);
        buf_puts(out, sep);
        buf_add(out, d->type == ST_WORDS ? fold(d->words, item) : item);
    }
}

static void add_plain(const struct switch_def *d, struct str v, struct buf *out)
{
    static const char yes[] = "true|on|yes|1", no[] = "false|off|no|0";

    switch (d->type) {
    case ST_BOOL:
        if (word_index(yes, '|', v) >= 0 || str_eq(v, STR("True")))
            v = STR("true");
        else if (word_index(no, '|', v) >= 0 || str_eq(v, STR("False")))
            v = STR("false");
        buf_add(out, v);
        break;
    case ST_WORD:
        if (d->id == SW_AIC_METRICS && str_eq_nocase(v, STR("AiCoreNone")))
            v = STR("None");
        buf_add(out, fold(d->words, v));
        break;
    case ST_WORDS:
    case ST_TEXTS:
    case ST_INTS:
        add_list(d, v, out);
        break;
    default:
        buf_add(out, v);
    }
}

static int unknown(struct str name, struct err *e)
{
    struct nearest near;
    char text[60];

    nearest_begin(&near, name);
    for (size_t i = 0; i < N_SWITCHES; i++)
        nearest_offer(&near, switch_defs[i].name);
    str_copy(name, text, sizeof text);
    if (near.best)
        return err_set(e, ERR_USAGE, "there is no switch '%s'; did you mean %s?", text, near.best);
    return err_set(e, ERR_USAGE, "there is no switch '%s': npuscope configure --list names them", text);
}

int choice_set_text(struct choice *c, struct str text, struct err *e)
{
    size_t eq = str_chr(text, '=');
    struct str name = str_trim(str_sub(text, 0, eq));
    struct buf b;

    if (eq == SIZE_MAX || !name.n)
        return err_set(e, ERR_USAGE, "write KEY=VALUE, not '%.*s'", (int)(text.n > 60 ? 60 : text.n), text.p);
    struct str value = str_trim(str_sub(text, eq + 1, SIZE_MAX));
    const struct switch_def *d = switch_find(name, N_AT);
    if (!d)
        return unknown(name, e);
    buf_init(&b, 4096);
    add_plain(d, value, &b);
    if (buf_failed(&b))
        err_set(e, ERR_LIMIT, "the value of %s is too long", d->name);
    else
        (void)!choice_set(c, d->id, buf_str(&b), e);
    buf_done(&b);
    return e->code;
}

static int set_steps(struct choice *c, struct str value, enum switch_at at, struct err *e)
{
    bool torch = at == AT_TORCH_JSON || at == AT_TORCH_PYTHON;
    int64_t n, start;
    char text[24];

    if (!str_i64(value, &n) || n < 1 || n > INT32_MAX)
        return err_set(e, ERR_USAGE, "step_num is a number of steps from 1 up, not '%.*s'",
                       (int)(value.n > 40 ? 40 : value.n), value.p);
    if (!torch && (!str_i64(choice_get(c, SW_START_STEP), &start) || start < 0))
        return err_set(e, ERR_USAGE,
                       "step_num counts from start_step on, which is not set: write "
                       "start_step=N too");
    snprintf(text, sizeof text, "%" PRId64, torch ? n : start + n - 1);
    return choice_set(c, torch ? SW_ACTIVE : SW_STOP_STEP, str_of(text), e);
}

int choice_set_all(struct choice *c, const char *const *texts, size_t n, enum switch_at at, struct err *e)
{
    static const char steps[] = "step_num=";

    for (size_t i = 0; i < n; i++)
        if (!str_starts(str_of(texts[i]), str_of(steps)) && choice_set_text(c, str_of(texts[i]), e))
            return e->code;
    for (size_t i = 0; i < n; i++)
        if (str_starts(str_of(texts[i]), str_of(steps)) &&
            set_steps(c, str_trim(str_of(texts[i] + sizeof steps - 1)), at, e))
            return e->code;
    return OK;
}

struct str choice_get(const struct choice *c, enum switch_id id)
{
    return str_of(c->value[id] ? c->value[id] : switch_defs[id].default_value);
}

bool choice_equal(const struct choice *a, const struct choice *b)
{
    for (size_t i = 0; i < N_SWITCHES; i++) {
        if (!a->value[i] != !b->value[i])
            return false;
        if (a->value[i] && strcmp(a->value[i], b->value[i]) != 0)
            return false;
    }
    return true;
}

int choice_merge(struct choice *c, const struct choice *from, struct err *e)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (from->value[i] && choice_set(c, (enum switch_id)i, str_of(from->value[i]), e))
            return e->code;
    return OK;
}

static const char *values_of(const struct switch_def *d)
{
    static const char *const lists[N_SWITCHES] = {
        [SW_ACTIVITIES] = "CPU,NPU|CPU|NPU",
        [SW_EXPORT_TYPE] = "text|db|text,db",
        [SW_HOST_SYS] = "|cpu|cpu,mem|cpu,mem,disk,network",
    };

    if (lists[d->id])
        return lists[d->id];
    return d->type == ST_BOOL ? "false|true" : d->type == ST_WORD ? d->words : NULL;
}

struct str choice_next(const struct switch_def *d, struct str now, int dir)
{
    const char *list = values_of(d);
    struct str word;
    int n = 0, at = 0;

    if (!list)
        return STR_NULL;
    for (; (word = word_at(list, '|', (size_t)n)).p; n++)
        if (str_eq(word, now))
            at = n;
    return n ? word_at(list, '|', (size_t)((at + dir + n) % n)) : STR_NULL;
}
