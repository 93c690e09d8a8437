/* SPDX-License-Identifier: Apache-2.0 */
/* The op that msOpProf measured: OpBasicInfo.csv (doc/formats/analysed.md#opprof). */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/opwords.h"

enum { OB_NAME = N_COLS(op_exec), OB_TYPE, OB_BLOCKS, OB_MIX, OB_END };

/* clang-format off */
static const struct csv_col cols[] = {
    { "Op Name",           CV_CELL,   OB_NAME },
    { "Op Type",           CV_CELL,   OB_TYPE },
    { "Task Duration(us)", CV_US,     COL(op_exec, dur_ns) },
    { "Block Dim",         CV_INT,    OB_BLOCKS },
    { "Mix Block Dim",     CV_INT,    OB_MIX },
    { "Device Id",         CV_DEVICE, CSV_DEVICE },
    { "Pid|PID",           CV_EXTRA,  0 },
    { "Current Freq",      CV_EXTRA,  0 },
    { "Rated Freq",        CV_EXTRA,  0 },
};
/* clang-format on */

/* Its "type" says which cores it runs on. */
static struct str core_of(struct str word)
{
    static const struct {
        const char *word, *core;
    } cores[] = { { "vector", "AIV" }, { "cube", "AIC" }, { "mix", "MIX" }, { "AiCore", "AIC" } };

    for (size_t i = 0; i < ARRAY_LEN(cores); i++)
        if (str_eq_nocase(word, str_of(cores[i].word)))
            return str_of(cores[i].core);
    return op_core(word);
}

static int on_row(struct csv_run *r, struct err *e)
{
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;

    if (r->v[OB_NAME].t != VAL_TEXT) {
        csv_bad_row(r, "an op without a name");
        return OK;
    }
    k.name_id = sink_intern(r->c->out, r->v[OB_NAME].s);
    a.core = r->v[OB_TYPE].t == VAL_TEXT ? core_of(r->v[OB_TYPE].s) : STR_NULL;
    a.block_num = r->v[OB_BLOCKS].t == VAL_INT ? r->v[OB_BLOCKS].i : -1;
    a.mix_block_num = r->v[OB_MIX].t == VAL_INT ? r->v[OB_MIX].i : -1;
    a.source_id = r->f->id;
    a.line = r->line;
    int64_t op = sink_op(r->c->out, &k, &a, e);
    if (op == 0)
        return e->code;
    r->v[COL(op_exec, op_id)] = val_int(op);
    return csv_put(r, e);
}

static const struct csvmap map = {
    .table = T_op_exec,
    .n_slots = OB_END - N_COLS(op_exec),
    .cols = cols,
    .n_cols = ARRAY_LEN(cols),
    .need = "Op Name|Task Duration(us)",
    .row = on_row,
};

int parse_opprof_basic(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&map, c, e);
}
