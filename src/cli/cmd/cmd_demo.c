/* SPDX-License-Identifier: Apache-2.0 */
/* demo: a synthetic profile. */
#include "config.h"

#include <stdio.h>

#include "base/log.h"
#include "base/sig.h"
#include "cli/cmd/cmd.h"
#include "demo/demo.h"

/* A step, with up to three decimals how far into it, or a share of the steps with a percent sign. */
static int crash_of(const char *text, struct demo_opts *d, struct err *e)
{
    struct str s = str_of(text);
    bool share = str_ends(s, STR("%"));
    size_t dot = text && !share ? str_chr(s, '.') : SIZE_MAX;
    struct str part = dot == SIZE_MAX ? STR("0") : str_sub(s, dot + 1, SIZE_MAX);
    int64_t v, thousandths;

    if (!text)
        return OK;
    if (!str_i64(dot == SIZE_MAX ? str_sub(s, 0, s.n - share) : str_sub(s, 0, dot), &v) || v < 1 ||
        v > (share ? 99 : DEMO_STEPS_MAX) || !part.n || part.n > 3 || !str_i64(part, &thousandths) ||
        thousandths < 0)
        return err_set(e, ERR_USAGE, "--crashed is a step or a share from 1%% to 99%%, not \"%s\"", text);
    for (size_t i = part.n; i < 3; i++)
        thousandths *= 10;
    *(share ? &d->crash_percent : &d->crash_step) = (int)v;
    d->crash_part = (int)thousandths;
    return OK;
}

static bool stopped(void)
{
    return sig_stop() != 0;
}

/* Operations are counted where they can, so that the FLOPs pane has something to show. */
static enum demo_metrics metrics_of(const struct options *o, const struct demo_opts *d)
{
    bool gen2 = d->gen == 2 || (!d->gen && !d->raw);

    return (enum demo_metrics)opt_int(o, OPT_METRICS,
                                      gen2 && d->chip == DEMO_910B ? DEMO_ARITHMETIC : DEMO_PIPES);
}

int cmd_demo(struct cli *c, struct err *e)
{
    const struct options *o = &c->opts;
    struct demo_opts d = {
        .gen = (int)opt_int(o, OPT_GEN, opt_is(o, OPT_FAULT) ? 2 : 0),
        .ranks = (int)opt_int(o, OPT_RANKS, 0),
        .servers = (int)opt_int(o, OPT_SERVERS, 0),
        .steps = (int)opt_int(o, OPT_DEMO_STEPS, 0),
        .model = opt_int(o, OPT_MODEL, 0) ? DEMO_TRANSFORMER : DEMO_RESNET,
        .size = (uint64_t)opt_int(o, OPT_SIZE, 0),
        .seed = (uint64_t)opt_int(o, OPT_SEED, 0),
        .raw = opt_is(o, OPT_RAW),
        .mode = (enum demo_mode)opt_int(o, OPT_DEMO_MODE, 0),
        .era = (enum demo_era)(opt_int(o, OPT_ERA, -1) + 1),
        .chip = (enum demo_chip)opt_int(o, OPT_CHIP, 0),
        .fault = (enum demo_fault)(opt_int(o, OPT_FAULT, -1) + 1),
        .fault_rank = (int)opt_int(o, OPT_FAULT_RANK, -1) + 1,
        .cann = (enum demo_cann)(opt_int(o, OPT_CANN, -1) + 1),
        .skew_ms = (int)opt_int(o, OPT_SKEW, 0),
        .zone_min = opt_is(o, OPT_FAULT) ? (int)opt_int(o, OPT_ZONE, 480) : 0,
        .truth = opt_text(o, OPT_TRUTH),
        .lose_slice = (int)opt_int(o, OPT_LOSE_SLICE, 0),
        .force = opt_is(o, OPT_FORCE),
        .cancelled = stopped,
    };
    struct demo_summary sum = { 0 };
    d.metrics = metrics_of(o, &d);
    char size[32];

    if (crash_of(opt_text(o, OPT_CRASHED), &d, e) || demo_write(&d, cmd_arg(c, 0), &sum, e))
        return e->code;
    if (!opt_is(o, OPT_QUIET))
        log_message("wrote %llu files, %s, %d rank%s, %d steps below %s", (unsigned long long)sum.files,
                    unit_size(size, sizeof size, (double)sum.bytes, SIZE_AUTO), sum.ranks,
                    sum.ranks == 1 ? "" : "s", sum.steps, cmd_arg(c, 0));
    return OK;
}
