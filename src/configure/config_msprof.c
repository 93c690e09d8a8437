/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of msprof (doc/formats/framework.md#msprof-switches). */
#include "config.h"

#include "configure/config_int.h"

#include "base/words.h"

#define OPTIONS_MAX 64

struct options {
    struct str word[OPTIONS_MAX]; /* "--l2=on" */
    size_t at[OPTIONS_MAX], n;
    bool used[OPTIONS_MAX];
};

static size_t find_option(const struct options *o, struct str option)
{
    for (size_t i = 0; i < o->n; i++)
        if (str_eq(o->word[i], option))
            return i;
    return SIZE_MAX;
}

/* A value that several options stand for: all of them are there. */
static bool has_all(struct options *o, struct str list, size_t *at)
{
    struct str option, rest = list;

    while (str_next(&rest, ' ', &option))
        if (find_option(o, option) == SIZE_MAX)
            return false;
    for (rest = list; str_next(&rest, ' ', &option);) {
        *at = find_option(o, option);
        o->used[*at] = true;
    }
    *at = o->at[*at];
    return true;
}

static void take_whole(struct reading *r, const struct switch_def *d, struct options *o)
{
    const char *words = d->at[AT_MSPROF].words;
    struct str rest = str_of(words && pairs_are_all(words) ? words + 1 : words), pair;
    size_t at = 0;

    while (words && str_next(&rest, '|', &pair)) {
        size_t eq = str_chr(pair, '=');
        struct str here = str_sub(pair, eq + 1, SIZE_MAX);
        if (str_starts(here, STR("--")) && has_all(o, here, &at)) {
            config_take(r, d, str_sub(pair, 0, eq), at);
            return;
        }
    }
}

static void take_one(struct reading *r, const struct switch_def *d, struct options *o, size_t i)
{
    const struct switch_place *p = &d->at[AT_MSPROF];
    struct str value = str_sub(o->word[i], strlen(p->key) + 1, SIZE_MAX), word = pairs_back(p->words, value);

    o->used[i] = true;
    if (!word.p && pairs_are_all(p->words)) {
        struct buf b;
        struct str rest = str_of(p->words + 1), pair;
        buf_init(&b, 400);
        for (const char *sep = ""; str_next(&rest, '|', &pair); sep = " or ")
            buf_printf(&b, "%s%.*s", sep, (int)(pair.n - str_chr(pair, '=') - 1),
                       pair.p + str_chr(pair, '=') + 1);
        config_say(r, REMARK_WRONG, o->at[i], d, "msprof refuses %.*s: write %s", (int)o->word[i].n,
                   o->word[i].p, b.p ? b.p : "");
        buf_done(&b);
        return;
    }
    config_take(r, d, word.p ? word : value, o->at[i]);
}

static void take_options(struct reading *r, struct options *o)
{
    for (size_t k = 0; k < N_SWITCHES; k++) {
        const struct switch_def *d = &switch_defs[k];
        if (!switch_has(d, AT_MSPROF))
            continue;
        take_whole(r, d, o);
        for (size_t i = 0; i < o->n; i++) {
            struct str key = str_sub(o->word[i], 0, str_chr(o->word[i], '='));
            if (!o->used[i] && key.n < o->word[i].n && str_eq(key, str_of(d->at[AT_MSPROF].key)))
                take_one(r, d, o, i);
        }
    }
}

/* Options of msprof that no switch of a framework stands for. */
static const char others[] =
    "--application|--environment|--aic-mode|--aic-freq|--ge-api|--task-time|--task-trace|--ascendcl|"
    "--runtime-api|--aicpu|--ai-core|--hccl|--model-execution|--sys-hardware-mem-freq|--llc-profiling|"
    "--sys-cpu-profiling|--sys-cpu-freq|--sys-profiling|--sys-sampling-freq|--sys-pid-profiling|"
    "--sys-pid-sampling-freq|--sys-io-sampling-freq|--sys-interconnection-freq|--dvpp-profiling|--dvpp-freq|"
    "--host-sys-pid|--host-sys-usage|--host-sys-usage-freq|--storage-limit|--sys-period|--sys-devices|"
    "--dynamic|--pid|--delay|--duration|--python-path|--summary-format|--parse|--export|--analyze|--rule|"
    "--clear|--reports|--instr-profiling|--instr-profiling-freq|--task-tsfw|--task-block|--sys-lp|"
    "--sys-lp-freq|--npu-events|--scale";

static void look_at_others(struct reading *r, const struct options *o)
{
    struct nearest near;
    struct str word, rest;

    for (size_t i = 0; i < o->n; i++) {
        struct str key = str_sub(o->word[i], 0, str_chr(o->word[i], '='));
        if (o->used[i])
            continue;
        if (word_index(others, '|', key) >= 0) {
            config_say(r, REMARK_NOTE, o->at[i], NULL, "%.*s: msprof's own, no switch of a framework says so",
                       (int)(o->word[i].n > 80 ? 80 : o->word[i].n), o->word[i].p);
            continue;
        }
        nearest_begin(&near, key);
        for (size_t k = 0; k < N_SWITCHES; k++)
            if (switch_defs[k].at[AT_MSPROF].key)
                nearest_offer(&near, switch_defs[k].at[AT_MSPROF].key);
        rest = str_of(others);
        while (str_next(&rest, '|', &word))
            if (str_starts(word, key) && key.n > 4 && !near.best)
                near.best = word.p;
        const int n = (int)(key.n > 60 ? 60 : key.n);
        if (near.best)
            config_say(r, REMARK_WRONG, o->at[i], NULL, "msprof has no option %.*s: write %.*s", n, key.p,
                       (int)strcspn(near.best, "|"), near.best);
        else
            config_say(r, REMARK_WRONG, o->at[i], NULL, "msprof has no option %.*s: leave it out", n, key.p);
    }
}

void config_msprof(struct reading *r)
{
    struct options o = { .n = 0 };
    struct buf kept;
    struct shell s;
    size_t from[OPTIONS_MAX];
    bool program = false, command = false;

    buf_init(&kept, r->text.n + 1);
    shell_begin(&s, r->text);
    while (shell_next(&s)) {
        struct str w = buf_str(&s.word);
        uint32_t at = 0;
        if (s.map.n >= 4)
            memcpy(&at, s.map.p, 4);
        if (str_starts(w, STR("#"))) {
            config_kept(r, w, at);
        } else if (!command) {
            command = str_eq(str_after_last(w, '/'), STR("msprof"));
        } else if (!program && str_starts(w, STR("--")) && o.n < OPTIONS_MAX) {
            from[o.n] = kept.n;
            o.at[o.n] = at;
            o.word[o.n++] = (struct str){ NULL, w.n };
            buf_add(&kept, w);
        } else {
            program = true; /* its own options follow */
        }
    }
    for (size_t i = 0; i < o.n && !buf_failed(&kept); i++)
        o.word[i].p = kept.p + from[i];
    if (buf_failed(&kept))
        err_nomem(r->e);
    else if (!command)
        config_say(r, REMARK_WRONG, 0, NULL, "there is no command msprof here");
    else {
        take_options(r, &o);
        look_at_others(r, &o);
    }
    shell_end(&s);
    buf_done(&kept);
}
