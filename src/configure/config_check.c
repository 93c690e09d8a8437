/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations of configurations. */
#include "config.h"

#include "configure/config_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "configure/presets.h"
#include "configure/tokens.h"

#define REMARKS_MAX 400

struct kept {
    struct remark r;
    size_t nth;
    char *text; /* of value or sentence */
};

struct gathered {
    struct kept k[REMARKS_MAX];
    size_t n, left_out;
    bool failed;
};

static void gather(void *arg, const struct remark *r)
{
    struct gathered *g = arg;

    if (g->n == REMARKS_MAX) {
        g->left_out++;
        return;
    }
    struct kept *k = &g->k[g->n];
    *k = (struct kept){ .r = *r, .nth = g->n };
    struct str s = r->text ? str_of(r->text) : r->value;
    k->text = malloc(s.n + 1);
    if (!k->text) {
        g->failed = true;
        return;
    }
    str_copy(s, k->text, s.n + 1);
    g->n++;
}

static int by_place(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;

    if (x->r.at != y->r.at)
        return x->r.at < y->r.at ? -1 : 1;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static void add_remark(struct str text, const char *name, const struct kept *k, struct buf *out)
{
    size_t line, column;
    char said[600];

    token_place(text, k->r.at, &line, &column);
    if (k->r.kind == REMARK_VALUE)
        buf_printf(out, tr("%zu:%zu  %s = %s\n    %s. Costs: %s.\n"), line, column, k->r.d->name,
                   k->text[0] ? k->text : tr("(none)"), tr(k->r.d->help), tr(k->r.d->cost));
    else
        buf_printf(out, "%s:%zu:%zu: %s%s%s\n", name, line, column,
                   k->r.kind == REMARK_WRONG ? tr("wrong") : tr("note"), tr(": "),
                   tr_sentence(k->text, said, sizeof said));
}

static void add_sum(const struct gathered *g, const struct choice *c, size_t wrong, struct buf *out)
{
    size_t keys = 0, notes = 0;

    for (size_t i = 0; i < g->n; i++) {
        keys += g->k[i].r.kind == REMARK_VALUE;
        notes += g->k[i].r.kind == REMARK_NOTE;
    }
    buf_printf(out, tr("\n%zu key%s, %zu note%s, %zu wrong\n"), keys, keys == 1 ? "" : "s", notes,
               notes == 1 ? "" : "s", wrong);
    if (g->left_out)
        buf_printf(out, tr("%zu more remarks are left out\n"), g->left_out);
    choice_cost_text(c, out);
}

int config_check(struct str text, const char *name, const struct config_target *t, bool guessed,
                 struct buf *out, size_t *wrong, struct err *e)
{
    struct gathered *g = calloc(1, sizeof *g);
    struct choice c = { { NULL } };

    *wrong = 0;
    if (!g)
        return err_nomem(e);
    if (config_read(text, t, &c, gather, g, e) == OK && g->failed)
        err_nomem(e);
    if (e->code)
        goto out;
    qsort(g->k, g->n, sizeof g->k[0], by_place);
    buf_printf(out, "%s%s%s", name, tr(": "), tr(switch_at_title(config_at(t))));
    if (t->framework == FRAMEWORK_MINDSPORE && t->form != FORM_MSPROF)
        buf_printf(out, tr(", as version %u.%u reads it%s"), t->version / 10, t->version % 10,
                   guessed ? tr(" (guessed; --job-version says another)") : "");
    buf_addc(out, '\n');
    for (size_t i = 0; i < g->n; i++) {
        *wrong += g->k[i].r.kind == REMARK_WRONG;
        add_remark(text, name, &g->k[i], out);
    }
    *wrong += g->left_out; /* nobody knows what they are */
    add_sum(g, &c, *wrong, out);
    if (buf_failed(out))
        err_nomem(e);
out:
    for (size_t i = 0; i < g->n; i++)
        free(g->k[i].text);
    free(g);
    choice_done(&c);
    return e->code;
}

/* ---- the first ---- */

struct first {
    struct str text;
    struct buf *out;            /* NULL: only the hashes are wanted */
    uint64_t hash[REMARKS_MAX]; /* of what was wrong before */
    size_t n;
    bool found;
};

static bool is_known(const struct first *f, uint64_t hash)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->hash[i] == hash)
            return true;
    return false;
}

static void look_at(void *arg, const struct remark *r)
{
    struct first *f = arg;
    uint64_t hash = r->kind == REMARK_WRONG ? str_hash(str_of(r->text), 1) : 0;
    size_t line, column;

    if (r->kind != REMARK_WRONG || f->found)
        return;
    if (!f->out && f->n < REMARKS_MAX)
        f->hash[f->n++] = hash;
    if (!f->out || is_known(f, hash))
        return;
    token_place(f->text, r->at, &line, &column);
    buf_printf(f->out, "line %zu, column %zu: %s", line, column, r->text);
    f->found = true;
}

bool config_first_wrong(struct str text, struct str before, const struct config_target *t, struct buf *out)
{
    struct first *f = calloc(1, sizeof *f);
    struct choice c = { { NULL } };
    struct err e = ERR_INIT;
    bool found = false;

    if (!f)
        return false;
    if (before.n)
        (void)!config_read(before, t, &c, look_at, f, &e);
    f->text = text;
    f->out = out;
    choice_done(&c);
    (void)!config_read(text, t, &c, look_at, f, &e);
    choice_done(&c);
    found = f->found;
    free(f);
    return found;
}
