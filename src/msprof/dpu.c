/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a DPU's tasks (dpu_assembler.cpp, db_assembler.cpp and dpu_viewer.py of Ascend/msprof). */
#include "config.h"

#include "msprof/dpu.h"

#include <inttypes.h>
#include <stdio.h>

#include "parsers/prof/words.h"

static void number_arg(const struct msprof_args *g, const char *key, uint64_t v)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%" PRIu64, v);
    msprof_arg_text(g, key, str_of(digits));
}

/* A word, or the digits of a number that has no word. */
static void word_arg(const struct msprof_args *g, const char *key, const struct layout_word *words, uint8_t v)
{
    const char *word = prof_word(words, v);

    if (word)
        msprof_arg_text(g, key, str_of(word));
    else
        number_arg(g, key, v);
}

static void group_arg(const struct msprof_args *g, const struct prof *p, const struct prof_dpu_task *x)
{
    struct str name = x->group == PROF_NONE ? STR("N/A") : prof_str(p, x->group),
               id = prof_str(p, x->group_text);
    char text[400];

    snprintf(text, sizeof text, "%.*s(%.*s)", (int)(name.n < 360 ? name.n : 360), name.p,
             (int)(id.n < 24 ? id.n : 24), id.p);
    msprof_arg_text(g, "Group Name", str_of(text));
}

/* GB/s in the timeline, B/s in the database. */
static void speed_arg(const struct msprof_args *g, const struct prof_dpu_task *x, double us,
                      enum msprof_dpu_form form)
{
    const double scale = form == MSPROF_DPU_DB ? 1.0 : 1.0 / (1000 * 1000 * 1000);
    double seconds = form == MSPROF_DPU_PYTHON ? us * 0.000001 : us / 1000000.0;
    double speed = us > 0 ? (double)x->size_b * scale / seconds : 0;

    if (form == MSPROF_DPU_PYTHON && us <= 0)
        msprof_arg_u(g, "Bandwidth(GB/s)", 0);
    else
        msprof_arg_real(g, form == MSPROF_DPU_DB ? "Bandwidth(B/s)" : "Bandwidth(GB/s)", speed);
}

static void comm_args(const struct msprof_args *g, const struct prof *p, const struct prof_dpu_task *x,
                      double us, enum msprof_dpu_form form)
{
    enum dialect dialect = form == MSPROF_DPU_PYTHON;

    word_arg(g, "OP Type", prof_reduces, x->op_type);
    msprof_arg_u(g, "AI CPU Device Id", x->npu);
    msprof_arg_u(g, "AI CPU Task Id", x->aicpu_task);
    group_arg(g, p, x);
    msprof_arg_u(g, "Plane Id", x->plane);
    number_arg(g, "Notify Id", x->notify);
    msprof_arg_real(g, "Duration Estimated(us)", x->estimated);
    msprof_arg_u(g, "Rank Size", x->ranks);
    /* 16 bits in C++ */
    msprof_arg_u(g, "Src Rank", dialect ? x->local_rank : (uint16_t)x->local_rank);
    msprof_arg_u(g, "Dst Rank", dialect ? x->remote_rank : (uint16_t)x->remote_rank);
    word_arg(g, "Transport Type", prof_transports, x->transport);
    msprof_arg_u(g, "Size(Byte)", x->size_b);
    speed_arg(g, x, us, form);
    word_arg(g, "Data Type", prof_hccl_types, x->data_type);
    word_arg(g, "Link Type", prof_links, x->link);
    word_arg(g, "Rdma Type", prof_rdmas, x->rdma);
}

void msprof_dpu_args(const struct prof *p, const struct prof_dpu_task *x, double us,
                     enum msprof_dpu_form form, const struct msprof_args *g)
{
    msprof_arg_u(g, "Thread Id", x->thread);
    msprof_arg_u(g, "Physic Stream Id", x->stream);
    msprof_arg_u(g, "Task Id", x->task);
    if (!x->is_comm) {
        msprof_arg_text(g, "Task Type", STR("AI_CPU"));
        return;
    }
    comm_args(g, p, x, us, form);
    if (form != MSPROF_DPU_PYTHON)
        return;
    msprof_arg_text(g, "Role", x->role == 0 ? STR("DST") : x->role == 1 ? STR("SRC") : STR("RESERVED"));
    number_arg(g, "Ccl Tag", x->tag);
    number_arg(g, "Work Flow Mode", x->mode);
    number_arg(g, "Stage", x->stage);
}
