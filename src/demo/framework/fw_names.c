/* SPDX-License-Identifier: Apache-2.0 */
/* Names, numbers and layouts of what the framework records. */
#include "config.h"

#include <stdio.h>

#include "base/buf.h"
#include "demo/framework/fw.h"

/* clang-format off */
static const struct fw_era ERAS[] = {
    [DEMO_ERA_R27 - DEMO_ERA_R27] =   { "2.7.0", .shapes = true, .memory_type = 13 },
    [DEMO_ERA_R26 - DEMO_ERA_R27] =   { "2.6.0", .memory_type = 13, .event_less = 1 },
    [DEMO_ERA_R25 - DEMO_ERA_R27] =   { "2.5.0", .named = true, .memory_type = 3 },
    [DEMO_ERA_TORCH - DEMO_ERA_R27] = { "2.7.1", .torch = true },
};

/* Numbers of 2.7 (doc/formats/framework.md#module-and-stage-indexes, #event-indexes). */
static const struct fw_kind_def KINDS[FW_KINDS] = {
    [FW_STEP] =    { .module = 5, .event = 53, .prefix = "Python::PythonObserved::" },
    [FW_LAUNCH] =  { .module = 4, .event = 4, .prefix = "Kernel::KernelLaunch::" },
    [FW_GRAPH] =   { .module = 2, .event = 8, .prefix = "RuntimeFramework::GraphLaunch::" },
    [FW_STAGE] =   { .stage = 3, .is_stage = true, .prefix = "" },
    [FW_FRAME] =   { .is_stack = true, .prefix = "" },
    [FW_DATASET] = { .is_graph = true, .prefix = "Dataset::" },
    [FW_FLOW] =    { .prefix = "" },
    [FW_OP] =      { .prefix = "" },
    [FW_TORCH_STEP] = { .prefix = "" },
};
/* clang-format on */

const struct fw_era *fw_era_of(const struct demo_run *run)
{
    return &ERAS[run->o.era ? run->o.era - DEMO_ERA_R27 : 0];
}

const struct fw_kind_def *fw_kind_of(enum fw_kind k)
{
    return &KINDS[k];
}

const char *fw_range_name(const struct fw_range *r, char buf[FW_NAME_B])
{
    if (r->kind == FW_STEP || r->kind == FW_TORCH_STEP)
        snprintf(buf, FW_NAME_B, "%s%s%u", KINDS[r->kind].prefix, r->name, (unsigned)r->number);
    else if (r->kind == FW_DATASET)
        snprintf(buf, FW_NAME_B, "%s%s::%s", KINDS[r->kind].prefix, r->event, r->name);
    else
        snprintf(buf, FW_NAME_B, "%s%s", KINDS[r->kind].prefix, r->name);
    return buf;
}

void fw_shapes(struct buf *b, const struct demo_op *op)
{
    for (int i = 0; i < op->nin; i++)
        for (int d = 0; d < op->t[i].nd; d++)
            buf_printf(b, "%s%u", d ? "," : i ? ";" : "", (unsigned)op->t[i].dim[d]);
}

void fw_types(struct buf *b, const struct demo_op *op, bool torch)
{
    static const char *const name[2][3] = { { "Float16", "Float32", "Int32" },
                                            { "c10::Half", "float", "int" } };
    for (int i = 0; i < op->nin; i++)
        buf_printf(b, "%s%s", i ? ";" : "", name[torch][op->t[i].dtype]);
}

const char *fw_file_name(const struct fw *f, enum fw_file file, char buf[64])
{
    static const char *const ms[FW_FILES] = { [FW_RANGES] = "mindspore.op_range",
                                              [FW_MEMORY] = "mindspore.memory_usage",
                                              [FW_SHAPES] = "mindspore.record_shapes" };
    static const char *const torch[FW_FILES] = {
        [FW_RANGES] = "torch.op_range",          [FW_MARKS] = "torch.op_mark",
        [FW_MEMORY] = "torch.memory_usage",      [FW_CALLS] = "torch.python_tracer_func",
        [FW_TEXTS] = "torch.python_tracer_hash", [FW_GC] = "torch.gc_record"
    };
    const char *name = f->era->torch ? torch[file] : ms[file];
    if (!name || (file == FW_SHAPES && !f->era->shapes))
        return NULL;
    if (file == FW_RANGES && f->era->named)
        snprintf(buf, 64, "op_range_%d", f->g->rank);
    else
        str_copy(str_of(name), buf, 64);
    return buf;
}
