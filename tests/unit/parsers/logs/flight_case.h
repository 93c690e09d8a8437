/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flight recorder dumps made for tests: pickles as torch's own writer makes them (protocol 2, texts in the
 * memo), read from a file of the name that is wanted. Include after cmocka.h.
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_LOGS_FLIGHT_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_LOGS_FLIGHT_CASE_H

#include "parsers/logs/flight.h"
#include "tests/unit/parsers/parse_case.h"

/* ---- a pickle ---- */

struct pk {
    struct buf b;
    char memo[64][48];
    size_t n_memo;
};

static inline void pk_bytes(struct pk *p, const void *bytes, size_t n)
{
    buf_add(&p->b, (struct str){ bytes, n });
}

static inline void pk_op(struct pk *p, const char *ops)
{
    buf_puts(&p->b, ops);
}

static inline void pk_le(struct pk *p, uint64_t x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_addc(&p->b, i < sizeof x ? (char)(x >> (8 * i)) : '\0');
}

static inline void pk_init(struct pk *p)
{
    buf_init(&p->b, (size_t)256 << 20);
    p->n_memo = 0;
    pk_op(p, "\x80\x02");
}

static inline void pk_text(struct pk *p, const char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i < p->n_memo; i++)
        if (strcmp(p->memo[i], text) == 0) {
            pk_op(p, "h");
            pk_le(p, i, 1);
            return;
        }
    pk_op(p, "X");
    pk_le(p, n, 4);
    pk_op(p, text);
    if (n >= sizeof p->memo[0] || p->n_memo == ARRAY_LEN(p->memo))
        return;
    memcpy(p->memo[p->n_memo], text, n + 1);
    pk_op(p, "q");
    pk_le(p, p->n_memo++, 1);
}

static inline void pk_int(struct pk *p, int64_t x)
{
    if (x >= 0 && x < 256) {
        pk_op(p, "K");
        pk_le(p, (uint64_t)x, 1);
    } else if (x >= 0 && x < 65536) {
        pk_op(p, "M");
        pk_le(p, (uint64_t)x, 2);
    } else if (x >= INT32_MIN && x <= INT32_MAX) {
        pk_op(p, "J");
        pk_le(p, (uint64_t)x, 4);
    } else {
        pk_op(p, "\x8a\x08");
        pk_le(p, (uint64_t)x, 8);
    }
}

static inline void pk_real(struct pk *p, double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    pk_op(p, "G");
    for (int i = 56; i >= 0; i -= 8)
        buf_addc(&p->b, (char)(bits >> i));
}

static inline void pk_bool(struct pk *p, bool x)
{
    pk_op(p, x ? "\x88" : "\x89");
}

static inline void pk_key_int(struct pk *p, const char *key, int64_t x)
{
    pk_text(p, key);
    pk_int(p, x);
}

static inline void pk_key_text(struct pk *p, const char *key, const char *text)
{
    pk_text(p, key);
    pk_text(p, text);
}

/* ---- a dump ---- */

/* A group of a dump: NULL lists of ranks and numbers of -2 are left out. */
struct case_group {
    const char *name, *desc, *ranks;
    int64_t pg_id, enqueued, started, completed;
};

struct case_entry {
    const char *group; /* its name */
    int64_t pg_id, seq;
    const char *name, *state;
    int64_t in, out; /* first size of input and output */
    const char *type;
    bool p2p;
};

static inline void pk_head(struct pk *p, const struct case_group *g, size_t n)
{
    char id[24];

    pk_op(p, "}(");
    pk_key_text(p, "version", "2.4");
    pk_text(p, "pg_config");
    pk_op(p, "}(");
    for (size_t i = 0; i < n; i++) {
        if (!g[i].ranks)
            continue;
        pk_text(p, g[i].name);
        pk_op(p, "}(");
        pk_key_text(p, "name", g[i].name);
        pk_key_text(p, "desc", g[i].desc ? g[i].desc : "");
        pk_key_text(p, "ranks", g[i].ranks);
        pk_op(p, "u");
    }
    pk_op(p, "u");
    pk_text(p, "pg_status");
    pk_op(p, "}(");
    for (size_t i = 0; i < n; i++) {
        if (g[i].enqueued == -2)
            continue;
        snprintf(id, sizeof id, "%" PRId64, g[i].pg_id);
        pk_text(p, id);
        pk_op(p, "}(");
        pk_key_int(p, "last_enqueued_collective", g[i].enqueued);
        pk_key_int(p, "last_started_collective", g[i].started);
        pk_key_int(p, "last_completed_collective", g[i].completed);
        pk_op(p, "u");
    }
    pk_op(p, "u");
    pk_text(p, "entries");
    pk_op(p, "](");
}

static inline void pk_list(struct pk *p, const char *key, int64_t size)
{
    pk_text(p, key);
    pk_op(p, "](](");
    pk_int(p, size);
    pk_int(p, 3);
    pk_op(p, "ee");
}

static inline void pk_types(struct pk *p, const char *key, const char *type)
{
    pk_text(p, key);
    pk_op(p, "](");
    pk_text(p, type);
    pk_op(p, "e");
}

static inline void pk_frames(struct pk *p)
{
    pk_text(p, "frames");
    pk_op(p, "](}(");
    pk_key_text(p, "name", "step");
    pk_key_text(p, "filename", "/job/train.py");
    pk_key_int(p, "line", 41);
    pk_op(p, "u}(");
    pk_key_text(p, "name", "main");
    pk_key_text(p, "filename", "/job/train.py");
    pk_key_int(p, "line", 300);
    pk_op(p, "ue");
}

#define CASE_T0 INT64_C(1760000000000000000)

/* As torch_npu writes it; the number of the record is also its time in s. */
static inline void pk_entry(struct pk *p, const struct case_entry *e, int64_t record)
{
    bool begun = strcmp(e->state, "scheduled") != 0, ended = strcmp(e->state, "completed") == 0;
    char name[64];

    pk_op(p, "}(");
    pk_frames(p);
    pk_key_int(p, "record_id", record);
    pk_key_int(p, "pg_id", e->pg_id);
    pk_text(p, "process_group");
    pk_text(p, e->group);
    pk_text(p, "");
    pk_op(p, "\x86");
    pk_key_int(p, "collective_seq_id", e->p2p ? 0 : e->seq);
    pk_key_int(p, "p2p_seq_id", e->p2p ? e->seq : 0);
    pk_key_int(p, "op_id", record + 1);
    snprintf(name, sizeof name, "hccl:%s", e->name);
    pk_key_text(p, "profiling_name", name);
    pk_key_int(p, "time_created_ns", CASE_T0 + record * 1000000000);
    if (ended) {
        pk_text(p, "duration_ms");
        pk_real(p, 1.25);
    }
    pk_list(p, "input_sizes", e->in);
    pk_types(p, "input_dtypes", e->type);
    pk_list(p, "output_sizes", e->out);
    pk_types(p, "output_dtypes", e->type);
    pk_key_text(p, "state", e->state);
    pk_text(p, "time_discovered_started_ns");
    if (begun)
        pk_int(p, CASE_T0 + record * 1000000000 + 1000);
    else
        pk_op(p, "N");
    pk_text(p, "time_discovered_completed_ns");
    if (ended)
        pk_int(p, CASE_T0 + record * 1000000000 + 5000);
    else
        pk_op(p, "N");
    pk_text(p, "retired");
    pk_bool(p, ended);
    pk_key_int(p, "timeout_ms", 1800000);
    pk_text(p, "is_p2p");
    pk_bool(p, e->p2p);
    pk_op(p, "u");
}

static inline void pk_tail(struct pk *p)
{
    pk_op(p, "eu.");
}

/* ---- reading ---- */

static char case_dir[64];

static inline void case_remove_dir(void)
{
    rmdir(case_dir);
}

/* A file of that name; removed by the next call. */
static inline const char *case_named(const char *name, const void *bytes, size_t n)
{
    static char path[160];

    if (!case_dir[0]) {
        snprintf(case_dir, sizeof case_dir, "/tmp/npuscope-flight-XXXXXX");
        assert_non_null(mkdtemp(case_dir));
        atexit(case_remove_dir);
    }
    if (path[0])
        unlink(path);
    path[0] = '\0';
    if (!name)
        return NULL;
    snprintf(path, sizeof path, "%s/%s", case_dir, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    return path;
}

/* Notes stand in r->text until rows_done(). *out NULL: it was refused, e says why. */
static inline int case_flight(struct rows *r, const char *name, const void *bytes, size_t n,
                              struct flight_dump **out, struct err *e)
{
    rows_init(r, "flight", case_named(name, bytes, n));
    struct parse_ctx c = { .f = &r->file, .run = &r->run, .tmp = r->tmp, .out = sink_count_sink(r->count) };
    int rc = flight_read(out, &c, e);
    assert_int_equal(rc, e->code);
    assert_true((*out == NULL) == (rc != OK));
    r->rows = c.rows;
    r->lost = c.lost;
    (void)case_named(NULL, NULL, 0);
    return rc;
}

#endif
