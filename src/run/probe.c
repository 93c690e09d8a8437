/* SPDX-License-Identifier: Apache-2.0 */
/* Content probes. */
#include "config.h"

#include "run/probe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/read/infile.h"

#define PROBE_B  ((size_t)16 << 10)
#define DB_PAGES 64 /* pages of the table list that are looked at */

/* ---- CSV ---- */

static struct str clean_cell(struct str s)
{
    s = str_trim(s);
    if (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"')
        s = str_trim(str_sub(s, 1, s.n - 2));
    return s;
}

static bool has_column(struct str line, struct str name)
{
    struct str cell;

    while (str_next(&line, ',', &cell))
        if (str_eq_nocase(clean_cell(cell), name))
            return true;
    return false;
}

static bool has_one_of(struct str line, struct str names)
{
    struct str one;

    while (str_next(&names, '|', &one))
        if (has_column(line, one))
            return true;
    return false;
}

/* The header line of a CSV file has the columns that k asks for. */
static bool fits_header(const struct file_kind *k, struct str line)
{
    struct str want = str_of(k->columns), one;

    if (!k->columns)
        return false;
    while (str_next(&want, ',', &one)) {
        bool not = one.n && one.p[0] == '!';

        if (has_one_of(line, not ? str_sub(one, 1, one.n) : one) == not )
            return false;
    }
    return true;
}

static struct str first_line(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '\n' || s.p[i] == '\r')
            return str_sub(s, 0, i);
    return s;
}

static const struct file_kind *probe_csv(const struct inventory_tables *t, struct str head)
{
    struct str line = first_line(head);

    if (str_chr(line, '\0') != SIZE_MAX || str_chr(line, ',') == SIZE_MAX)
        return NULL;
    for (size_t i = 0; i < t->n_families; i++)
        for (size_t k = 0; k < t->families[i]->n; k++)
            if (fits_header(&t->families[i]->rows[k], line))
                return &t->families[i]->rows[k];
    return NULL;
}

/* ---- JSON ---- */

struct json_rule {
    const char *key;  /* how the first key starts; "" any */
    const char *have; /* further text that must be there, NULL none */
    const char *kind;
};

/* Looked at in order. */
static const struct json_rule json_rules[] = {
    { "step", "\"Communication Time Info\"", "communication" },
    { "step", "\"Transport Type\"", "communication_matrix" },
    { "(", "\"Communication Time Info\"", "cluster_communication" },
    { "(", "\"Transport Type\"", "cluster_communication_matrix" },
    { "hcom", "\"Communication Time Info\"", "communication" },
    { "hcom", "\"Transport Type\"", "communication_matrix" },
    { "collective", NULL, "communication_group" },
    { "config", "common_config", "profiler_info" },
    { "config", "stageDevices", "parallel_strategy" },
    { "config", "rankId", "parallel_strategy" },
    { "profiler_parameters", NULL, "profiler_info" },
    { "context_mode", NULL, "profiler_info" },
    { "", "\"profiling_start_time\"", "profiler_info" },
    { "ENV_VARIABLES", NULL, "profiler_metadata" },
    { "parallel_group_info", NULL, "profiler_metadata" },
    { "distributed_args", NULL, "profiler_metadata" },
    { "", "\"cpu_processor_num\"", "md_cpu_utilization" },
    { "op_info", NULL, "md_pipeline_profiling" },
    { "sampling_interval", "\"op_info\"", "md_pipeline_profiling" },
    { "device id", "\"traceEvents\"", "g1_hccl_trace" },
    { "traceEvents", NULL, "trace_view" },
    { "fp_start", NULL, "g1_point_info" },
    { "pipeline_ops", NULL, "md_pipeline_summary_json" },
    { "cube_FLOPs", NULL, "g1_flops_summary" },
    { "FLOPs", NULL, "g1_flops_summary" },
    { "total_time", "\"num_of_streams\"", "g1_timeline_summary" },
};

static bool contains(struct str s, const char *what)
{
    return str_find(s, str_of(what), 0) != SIZE_MAX;
}

static const struct file_kind *probe_trace(const struct inventory_tables *t, struct str head)
{
    if (!contains(head, "\"ph\""))
        return NULL;
    if (contains(head, "\"fullname\""))
        return kind_by_id(t, "g1_timeline_display");
    if (contains(head, "\"Python\"") || contains(head, "\"MindSpore\"") || contains(head, "cpu_op"))
        return kind_by_id(t, "trace_view");
    return kind_by_id(t, "msprof_json");
}

static const struct file_kind *probe_object(const struct inventory_tables *t, struct str head)
{
    size_t open = str_chr(head, '"');
    struct str rest = open == SIZE_MAX ? STR_NULL : str_sub(head, open + 1, head.n);
    struct str key = str_sub(rest, 0, str_chr(rest, '"'));

    for (size_t i = 0; i < ARRAY_LEN(json_rules); i++) {
        const struct json_rule *r = &json_rules[i];

        if (str_starts(key, str_of(r->key)) && (!r->have || contains(head, r->have)))
            return kind_by_id(t, r->kind);
    }
    return NULL;
}

const struct file_kind *probe_text(const struct inventory_tables *t, struct str head)
{
    if (str_starts(head, STR("\xef\xbb\xbf")))
        head = str_sub(head, 3, head.n);
    struct str body = str_trim(head);

    if (body.n && body.p[0] == '[')
        return probe_trace(t, body);
    if (body.n && body.p[0] == '{')
        return probe_object(t, body);
    return probe_csv(t, head);
}

/* ---- SQLite ---- */

enum db_table { DB_STEP = 1, DB_COMM = 2, DB_CLUSTER = 4, DB_PYTORCH = 8, DB_TASK = 16 };

static unsigned table_bit(struct str name)
{
    static const struct {
        const char *prefix;
        unsigned bit;
    } names[] = {
        { "StepTraceTime", DB_STEP },  { "CommAnalyzer", DB_COMM },     { "Cluster", DB_CLUSTER },
        { "PYTORCH_API", DB_PYTORCH }, { "MEMORY_RECORD", DB_PYTORCH }, { "TASK", DB_TASK },
        { "CANN_API", DB_TASK },
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_starts(name, str_of(names[i].prefix)))
            return names[i].bit;
    return 0;
}

/* Names of the tables that a page of the table list creates. */
static unsigned tables_of_page(struct str page)
{
    const struct str create = STR("CREATE TABLE ");
    unsigned bits = 0;
    size_t at = 0;

    while ((at = str_find(page, create, at)) != SIZE_MAX) {
        struct str s = str_sub(page, at + create.n, 80);

        if (str_starts(s, STR("IF NOT EXISTS ")))
            s = str_sub(s, 14, s.n);
        while (s.n && (s.p[0] == '"' || s.p[0] == '\'' || s.p[0] == '[' || s.p[0] == '`'))
            s = str_sub(s, 1, s.n);
        bits |= table_bit(s);
        at += create.n;
    }
    return bits;
}

static const char *db_kind(unsigned bits)
{
    if (bits & DB_CLUSTER)
        return "cluster_db";
    if (bits & DB_PYTORCH)
        return "pt_db";
    if (bits & DB_TASK)
        return "msprof_db";
    if (bits & DB_STEP)
        return "analysis_db";
    return bits & DB_COMM ? "comm_db" : NULL;
}

static uint32_t be(const char *p, int n)
{
    uint32_t v = 0;

    while (n-- > 0)
        v = v << 8 | (unsigned char)*p++;
    return v;
}

/*
 * The table list is the b-tree at page 1 (sqlite.org/fileformat2.html#b_tree_pages): one leaf, or an inner
 * page with one level of leaves (more tables than any profile has).
 */
static unsigned tables_of_db(int fd, char *page, size_t page_b)
{
    uint32_t child[DB_PAGES + 1];
    size_t n = 0;
    unsigned bits;
    ssize_t got = pread(fd, page, page_b, 0);

    if (got != (ssize_t)page_b)
        return 0;
    bits = tables_of_page((struct str){ page, page_b });
    if (page[100] != 5) /* inner table page */
        return bits;
    size_t cells = be(page + 103, 2);

    for (size_t i = 0; i < cells && n < DB_PAGES && 112 + i * 2 + 2 <= page_b; i++) {
        size_t cell = be(page + 112 + i * 2, 2);

        if (cell + 4 <= page_b)
            child[n++] = be(page + cell, 4);
    }
    child[n++] = be(page + 108, 4);
    for (size_t i = 0; i < n; i++)
        if (child[i] > 1 && pread(fd, page, page_b, (off_t)(child[i] - 1) * (off_t)page_b) > 0)
            bits |= tables_of_page((struct str){ page, page_b });
    return bits;
}

static const struct file_kind *probe_db(const struct inventory_tables *t, const char *path, struct str head)
{
    size_t page_b = head.n >= 112 ? be(head.p + 16, 2) : 0;
    const struct file_kind *k = NULL;
    char *page;
    int fd;

    if (page_b == 1)
        page_b = 65536;
    if (page_b < 512)
        return NULL;
    page = malloc(page_b);
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (page && fd >= 0) {
        const char *id = db_kind(tables_of_db(fd, page, page_b));

        k = id ? kind_by_id(t, id) : NULL;
    }
    if (fd >= 0)
        close(fd);
    free(page);
    return k;
}

const struct file_kind *probe_file(const struct inventory_tables *t, const char *path)
{
    struct err e = ERR_INIT;
    struct infile *f = NULL;
    const struct file_kind *k = NULL;
    struct str head = STR_NULL;
    size_t got = 0;

    if (infile_open(&f, path, PROBE_B, &e) || infile_more(f, &got, &e))
        goto out;
    head.p = infile_data(f, &head.n);
    if (str_starts(head, (struct str){ "SQLite format 3", 16 }))
        k = probe_db(t, path, head);
    else
        k = probe_text(t, head);
out:
    infile_close(f);
    return k;
}
