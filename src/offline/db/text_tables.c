/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that hold the rows of a text file of the same analysis
 * (doc/formats/framework.md#torch_npu-db-export): which column becomes which, in other units.
 */
#include "config.h"

#include <math.h>
#include <unistd.h>

#include "offline/db/db.h"
#include "offline/tables/table.h"

#define CANN_OP STR("cann::")

/* clang-format off */
static const struct offline_db_column step_columns[] = {
    { "Device_id", CELL_INT },
    { "Step", CELL_TEXT },
    { "Computing", CELL_US },
    { "Communication(Not Overlapped)", CELL_US },
    { "Overlapped", CELL_US },
    { "Communication", CELL_US },
    { "Free", CELL_US },
    { "Stage", CELL_US },
    { "Bubble", CELL_US },
    { "Communication(Not Overlapped and Exclude Receive)", CELL_US },
    { "Preparing", CELL_US },
};
static const struct offline_db_column op_columns[] = {
    { "Name", CELL_OP },
    { "Size(KB)", CELL_KB },
    { "Allocation Time(us)", CELL_NS },
    { "Release Time(us)", CELL_NS },
    { "Active Release Time(us)", CELL_NS },
    { "Duration(us)", CELL_NS },
    { "Active Duration(us)", CELL_NS },
    { "Allocation Total Allocated(MB)", CELL_MB },
    { "Allocation Total Reserved(MB)", CELL_MB },
    { "Allocation Total Active(MB)", CELL_MB },
    { "Release Total Allocated(MB)", CELL_MB },
    { "Release Total Reserved(MB)", CELL_MB },
    { "Release Total Active(MB)", CELL_MB },
    { "Stream Ptr", CELL_INT },
    { "Device Type", CELL_DEVICE },
};
static const struct offline_db_column pool_columns[] = {
    { "Component", CELL_WORD },
    { "Timestamp(us)", CELL_NS },
    { "Total Allocated(MB)", CELL_MB },
    { "Total Reserved(MB)", CELL_MB },
    { "Total Active(MB)", CELL_ZERO_MB },
    { "Stream Ptr", CELL_INT },
    { "Device Type", CELL_DEVICE },
};
/* clang-format on */

const struct offline_db_table offline_db_step_trace = {
    .name = "StepTraceTime",
    .columns = "deviceId,step t,computing n,communication_not_overlapped n,overlapped n,communication n,"
               "free n,stage n,bubble n,communication_not_overlapped_and_exclude_receive n,preparing n",
    .file = "step_trace_time.csv",
    .column = step_columns,
    .n = ARRAY_LEN(step_columns),
};
const struct offline_db_table offline_db_op_memory = {
    .name = "OP_MEMORY",
    .columns = "name,size,allocationTime,releaseTime,activeReleaseTime,duration,activeDuration,"
               "allocationTotalAllocated,allocationTotalReserved,allocationTotalActive,"
               "releaseTotalAllocated,releaseTotalReserved,releaseTotalActive,streamPtr,deviceId",
    .file = "operator_memory.csv",
    .column = op_columns,
    .n = ARRAY_LEN(op_columns),
};
/* What the driver counts is in NPU_MEM. */
const struct offline_db_table offline_db_memory_record = {
    .name = "MEMORY_RECORD",
    .columns = "component,timestamp,totalAllocated,totalReserved,totalActive,streamPtr,deviceId",
    .file = "memory_record.csv",
    .without = "APP",
    .column = pool_columns,
    .n = ARRAY_LEN(pool_columns),
};

/* ---- cells ---- */

static struct val scaled(struct str s, uint64_t mul)
{
    int64_t v;

    return str_scaled(s, mul, &v, NULL) ? val_int(v) : val_null();
}

/* A sum of doubles: the digits below a ns are those of its rounding. */
static struct val micros(struct str s)
{
    double v;

    if (!str_f64(s, &v))
        return val_null();
    return val_real(fabs(v) < 1e15 ? emit_round(v, 3) : v);
}

static struct val device(struct str s)
{
    return str_starts(s, STR("NPU:")) ? scaled(str_sub(s, 4, SIZE_MAX), 1) : val_null();
}

static struct val cell(enum offline_cell_as as, struct str s, struct offline_db_texts *texts, struct err *e)
{
    switch (as) {
    case CELL_TEXT:
        return s.n ? val_text(s) : val_null();
    case CELL_INT:
        return scaled(s, 1);
    case CELL_US:
        return micros(s);
    case CELL_NS:
        return scaled(s, 1000);
    case CELL_KB:
        return scaled(s, 1024);
    case CELL_ZERO_MB:
        return s.n ? scaled(s, 1048576) : val_int(0);
    case CELL_MB:
        return scaled(s, 1048576);
    case CELL_DEVICE:
        return device(s);
    case CELL_OP:
        s = str_starts(s, CANN_OP) ? str_sub(s, CANN_OP.n, SIZE_MAX) : s;
        break;
    case CELL_WORD:
        break;
    }
    return offline_db_text(texts, s, e);
}

/* ---- rows ---- */

static int put_row(struct offline_db *db, struct dbout_table **to, const struct offline_db_table *t,
                   const struct str *text, struct offline_db_texts *texts, struct err *e)
{
    struct val v[OFFLINE_COLUMNS];

    if (t->without && str_eq(text[0], str_of(t->without)))
        return OK;
    for (size_t i = 0; i < t->n; i++)
        v[i] = cell(t->column[i].as, text[i], texts, e);
    if (e->code || (!*to && dbout_table(db->out, to, t->name, t->columns, e)))
        return e->code;
    db->rows++;
    return dbout_row(*to, v, e);
}

int offline_db_put(struct offline_run *r, struct offline_db *db, const struct offline_db_table *t,
                   struct offline_db_texts *texts, struct err *e)
{
    const char *title[OFFLINE_COLUMNS];
    struct str text[OFFLINE_COLUMNS];
    struct offline_table rows = { .n = 0 };
    struct dbout_table *to = NULL;
    struct offline_file f;

    for (size_t i = 0; i < t->n; i++)
        title[i] = t->column[i].title;
    if (r->as_text(r, t->file, &f, e) == OK && f.fd >= 0 &&
        offline_table_open(&rows, &f, title, t->n, e) == OK)
        while (offline_table_next(&rows, text, e) && put_row(db, &to, t, text, texts, e) == OK)
            continue;
    offline_table_close(&rows);
    if (f.fd >= 0)
        close(f.fd);
    return e->code;
}
