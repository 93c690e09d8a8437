/* demo: a synthetic profile. */
#include "config.h"

#include <stdio.h>

#include "base/log.h"
#include "cli/cmd.h"
#include "demo/demo.h"

int cmd_demo(struct cli *c, struct err *e)
{
    const struct options *o = &c->opts;
    const struct demo_opts d = {
        .gen = (int)opt_int(o, OPT_GEN, 0),
        .ranks = (int)opt_int(o, OPT_RANKS, 0),
        .steps = (int)opt_int(o, OPT_DEMO_STEPS, 0),
        .model = opt_int(o, OPT_MODEL, 0) ? DEMO_TRANSFORMER : DEMO_RESNET,
        .size = (uint64_t)opt_int(o, OPT_SIZE, 0),
        .seed = (uint64_t)opt_int(o, OPT_SEED, 0),
        .force = opt_is(o, OPT_FORCE),
    };
    struct demo_summary sum;
    char size[32];

    if (demo_write(&d, cmd_arg(c, 0), &sum, e))
        return (int)e->code;
    if (!opt_is(o, OPT_QUIET))
        log_message("wrote %llu files, %s, %d rank%s, %d steps below %s",
                    (unsigned long long)sum.files,
                    unit_size(size, sizeof size, (double)sum.bytes, SIZE_AUTO), sum.ranks,
                    sum.ranks == 1 ? "" : "s", sum.steps, cmd_arg(c, 0));
    return OK;
}
