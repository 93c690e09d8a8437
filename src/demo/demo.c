/* SPDX-License-Identifier: Apache-2.0 */
/* demo_write: checks of the options and the directory, then one writer per rank. */
#include "config.h"

#include "demo/demo.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "demo/demo_fault.h"
#include "demo/demo_write.h"

static int check_raw(const struct demo_opts *o, struct err *e)
{
    if (o->gen == 2 && (o->mode || o->lose_slice))
        return err_set(e, ERR_USAGE, "--mode and --lose-slice are of --gen=1 alone");
    const bool gen2 = o->gen == 2 || (!o->gen && !o->raw);
    if (!o->raw && (o->mode || o->crash_step || o->crash_percent || o->lose_slice))
        return err_set(e, ERR_USAGE, "--mode, --crashed and --lose-slice need --raw");
    if (!o->raw && o->era && o->era != DEMO_ERA_TORCH)
        return err_set(e, ERR_USAGE, "--era, but that of torch_npu, needs --raw");
    if (o->chip && !(o->raw && o->gen == 2))
        return err_set(e, ERR_USAGE, "--chip needs --raw --gen=2");
    if (o->metrics && (!gen2 || o->chip != DEMO_910B))
        return err_set(e, ERR_USAGE, "--metrics=arithmetic is of --gen=2 and chip 910B");
    if (o->era && (o->era >= DEMO_ERA_R27) != gen2)
        return err_set(e, ERR_USAGE, "this --era is of --gen=%d", gen2 ? 1 : 2);
    if (o->mode && (o->era || o->crash_step || o->crash_percent || o->lose_slice))
        return err_set(e, ERR_USAGE, "--era, --crashed and --lose-slice are of --mode=graph alone");
    if (o->crash_step < 0 || o->crash_percent < 0 || o->crash_percent > 99 || o->crash_part < 0 ||
        o->crash_part > 999)
        return err_set(e, ERR_USAGE, "--crashed is a step or a share from 1%% to 99%%");
    if (o->lose_slice < 0)
        return err_set(e, ERR_USAGE, "--lose-slice is the number of a slice, from 1");
    return OK;
}

static int check_fault(const struct demo_opts *o, struct err *e)
{
    if (!o->fault && (o->fault_rank || o->cann || o->skew_ms))
        return err_set(e, ERR_USAGE, "--fault-rank, --cann, --skew and --zone need --fault");
    if (!o->fault && o->truth && !o->crash_step && !o->crash_percent)
        return err_set(e, ERR_USAGE, "--truth needs --fault or --crashed");
    if (!o->fault)
        return OK;
    if (o->fault >= DEMO_FAULTS || !o->raw || !o->gen || o->mode || o->lose_slice)
        return err_set(e, ERR_USAGE, "--fault needs --raw and a generation, and is of --mode=graph alone");
    if ((o->fault == DEMO_FAULT_CLEAN || o->fault == DEMO_FAULT_SOCKET_INIT) &&
        (o->crash_step || o->crash_percent))
        return err_set(e, ERR_USAGE, "--crashed: this --fault does not end in a step");
    return OK;
}

static int check(const struct demo_opts *o, struct err *e)
{
    if (o->gen < 0 || o->gen > 2)
        return err_set(e, ERR_USAGE, "--gen is 1 or 2");
    if (o->ranks < 0 || o->ranks > DEMO_RANKS_MAX)
        return err_set(e, ERR_USAGE, "--ranks is 1 to %d", DEMO_RANKS_MAX);
    if (o->servers && (o->servers < 0 || (o->ranks ? o->ranks : 2) % o->servers ||
                       (o->ranks ? o->ranks : 2) / o->servers > DEMO_NODE_RANKS))
        return err_set(e, ERR_USAGE, "--servers: each has equally many ranks, 1 to %d", DEMO_NODE_RANKS);
    if (o->steps < 0 || o->steps > DEMO_STEPS_MAX)
        return err_set(e, ERR_USAGE, "--steps is 1 to %d", DEMO_STEPS_MAX);
    if (o->model != DEMO_RESNET && o->model != DEMO_TRANSFORMER)
        return err_set(e, ERR_USAGE, "--model is resnet or transformer");
    return check_raw(o, e) ? e->code : check_fault(o, e);
}

/* dir may be missing or empty; anything else needs force. */
static int check_dir(const char *dir, bool force, struct err *e)
{
    DIR *d = opendir(dir);
    if (!d && errno == ENOENT)
        return OK;
    if (!d) {
        err_sys(e, errno, "cannot use it as output directory");
        err_where(e, dir, ERR_NO_OFFSET, 0);
        return e->code;
    }
    bool used = false;
    const struct dirent *x;
    while (!used && (x = readdir(d)))
        used = strcmp(x->d_name, ".") && strcmp(x->d_name, "..");
    closedir(d);
    if (used && !force) {
        err_set(e, ERR_USAGE, "the directory is not empty; name a new one, or use --force");
        err_where(e, dir, ERR_NO_OFFSET, 0);
    }
    return e->code;
}

static int write_ranks(struct demo_run *run, const char *dir, struct demo_summary *sum, struct err *e)
{
    struct emit_count count = { 0 };
    const int64_t origin_ns = run->origin_ns;
    const int ranks = demo_fault_stop(run) == DEMO_STOP_SETUP ? 0 : run->o.ranks;
    for (int rank = 0; rank < ranks; rank++) {
        struct demo_rank_sum s = { 0 };
        run->origin_ns = origin_ns + demo_skew_ns(run, demo_host_of(run, rank));
        int rc = run->o.raw && run->o.gen == 2 ? demo_prof_write(run, rank, dir, &s, &count, e)
                 : run->o.raw                  ? raw_write(run, rank, dir, &s, &count, e)
                 : run->o.gen == 1             ? analysed_write(run, rank, dir, &s, &count, e)
                                               : ascend_write(run, rank, dir, &s, &count, e);
        if (!rc && demo_cancelled(run)) /* it ended in the middle of its steps */
            return err_set(e, ERR_CANCELLED, "interrupted: what was written is not whole");
        if (rc)
            return rc;
        if (rank == 0)
            sum->rank0 = s;
        sum->last_rank = s;
    }
    run->origin_ns = origin_ns;
    if (demo_logs_write(run, dir, &count, e))
        return e->code;
    sum->gen = run->o.gen;
    sum->ranks = run->o.ranks;
    sum->steps = run->o.steps;
    sum->ops = run->net->nop + run->net->ncomm;
    sum->files = count.files;
    sum->bytes = count.bytes;
    if (run->o.gen == 1)
        str_copy(STR("profiler"), sum->run_dir, sizeof sum->run_dir);
    else
        ascend_folder(run, 0, sum->run_dir, sizeof sum->run_dir);
    return OK;
}

int demo_write(const struct demo_opts *o, const char *dir, struct demo_summary *sum, struct err *e)
{
    struct demo_summary own;
    struct demo_run *run;
    memset(&own, 0, sizeof own);
    if (check(o, e) || check_dir(dir, o->force, e) || demo_run_new(&run, o, e))
        return e->code;
    if (!demo_fault_plan(run, e) && !emit_mkdirs(dir, e) && !write_ranks(run, dir, &own, e) && sum)
        *sum = own;
    demo_run_free(run);
    return e->code;
}
