/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What damage costs the records of a PROF folder, family by family: every file cut at each border of records
 * and a byte beside it, and with bits flipped. Whole records are given, what was cut is told once, a flip
 * costs its own record at most; and whatever is made of the whole folder then (host, device, counters,
 * communication, steps, memory, AI CPUs, samples) is made without harm.
 *
 * Of records made here, and of the samples below NPUSCOPE_SAMPLES. NPUSCOPE_DAMAGE: flips of each file (a
 * check does few of them); NPUSCOPE_DAMAGE_CASE: only those samples, a pattern of their names.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <glob.h>

#include "store/store.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define HOLDS(x) assert_true(x)
#include "tests/lib/prof_families.h"
#include "tests/lib/prof_holds.h"

#define FILES_MAX 100
#define FLIPS     30 /* of a file made here */

/* ---- a folder of files in memory and, for readers, in a folder of their own ---- */

struct folder {
    struct tree tree;
    struct damaged {
        struct source_file f;
        unsigned char *p;
        size_t n;
        FILE *out;
    } v[FILES_MAX];
    const struct source_file *files[FILES_MAX];
    size_t n;
    struct runinfo run;
};

static void folder_add(struct folder *d, const char *rel, const void *p, size_t n)
{
    struct damaged *x = &d->v[d->n];

    assert_true(d->n < FILES_MAX);
    if (!d->n)
        tree_new(&d->tree);
    tree_file_n(&d->tree, rel, p, n);
    x->f = (struct source_file){ .id = (uint32_t)d->n + 1,
                                 .path = strdup(tree_path(&d->tree, rel)),
                                 .rel = strdup(rel),
                                 .size_b = n,
                                 .regular = true };
    x->p = malloc(n + 1);
    assert_non_null(x->p);
    memcpy(x->p, p, n);
    x->n = n;
    x->out = fopen(x->f.path, "r+b");
    assert_non_null(x->out);
    setvbuf(x->out, NULL, _IONBF, 0);
    d->files[d->n++] = &x->f;
}

static void folder_done(struct folder *d)
{
    for (size_t i = 0; i < d->n; i++) {
        fclose(d->v[i].out);
        free((char *)(uintptr_t)d->v[i].f.path);
        free((char *)(uintptr_t)d->v[i].f.rel);
        free(d->v[i].p);
    }
    tree_done(&d->tree);
    memset(d, 0, sizeof *d);
}

/* Cut to n bytes, at most what it has. */
static void cut(struct damaged *x, size_t n)
{
    assert_int_equal(ftruncate(fileno(x->out), (off_t)n), 0);
    x->f.size_b = n;
}

static void put_byte(struct damaged *x, size_t at, unsigned char b)
{
    assert_int_equal(fseek(x->out, (long)at, SEEK_SET), 0);
    assert_int_equal(fwrite(&b, 1, 1, x->out), 1);
}

static void restore(struct damaged *x)
{
    assert_int_equal(fseek(x->out, 0, SEEK_SET), 0);
    assert_true(x->n == 0 || fwrite(x->p, x->n, 1, x->out) == 1);
    x->f.size_b = x->n;
}

/* ---- records of one file ---- */

struct given {
    uint32_t source;
    size_t n, record_b;
    uint64_t *at; /* where they begin; NULL: not asked */
    uint64_t notes;
};

static int on_record(void *arg, struct prof_record *r, struct err *e)
{
    struct given *g = arg;

    (void)e;
    if (r->where.source_id != g->source)
        return OK;
    if (g->at)
        g->at[g->n] = r->where.offset;
    g->record_b = r->rec.n;
    g->n++;
    return OK;
}

/* Which tag of which folder a file is of; false: of none with records. */
static bool find_tag(const struct prof *p, const struct source_file *f, const struct prof_folder **in,
                     enum prof_tag *tag)
{
    for (size_t k = 0; k <= p->n_devices; k++) {
        *in = k < p->n_devices ? p->device[k] : p->host;
        for (size_t t = 0; *in && t < N_PROF_TAGS; t++)
            if (((*in)->file[t][0] == f || (*in)->file[t][1] == f) && prof_tags[t].record_b) {
                *tag = (enum prof_tag)t;
                return true;
            }
    }
    return false;
}

static struct prof *open_folder(const struct folder *d, const struct source_file *const *files, size_t n,
                                struct sink_count *notes)
{
    const struct prof_input in = {
        .files = files, .n = n, .root = STR(""), .device = -1, .run = &d->run, .notes = sink_count_sink(notes)
    };
    struct err e = ERR_INIT;
    struct prof *p = NULL;

    if (prof_open(&p, &in, &e) && e.code != ERR_FORMAT)
        fail_msg("prof_open: %s", e.text);
    return p;
}

/* Records of a file, with nothing but the info files beside it. false: it has no records. */
static bool count(const struct folder *d, const struct damaged *x, struct given *g)
{
    const struct source_file *files[FILES_MAX];
    const struct prof_folder *in;
    struct sink_count *notes;
    struct err e = ERR_INIT;
    enum prof_tag tag = N_PROF_TAGS;
    size_t n = 0;

    for (size_t i = 0; i < d->n; i++)
        if (&d->v[i] == x || strstr(d->v[i].f.rel, "info.json"))
            files[n++] = &d->v[i].f;
    assert_int_equal(sink_count_new(&notes, &e), OK);
    struct prof *p = open_folder(d, files, n, notes);
    assert_non_null(p);
    g->source = x->f.id;
    g->n = 0;
    bool found = find_tag(p, &x->f, &in, &tag);
    uint64_t before = sink_count_get(notes)->note_calls;
    if (found)
        assert_int_equal(prof_read(p, in, tag, on_record, g, &e), OK);
    g->notes = sink_count_get(notes)->note_calls - before;
    prof_close(p);
    sink_count_free(notes);
    return found;
}

/* ---- all that is made of a folder ---- */

/* Notes in all. */
static uint64_t read_all(const struct folder *d)
{
    struct sink_count *notes;
    struct err e = ERR_INIT;

    assert_int_equal(sink_count_new(&notes, &e), OK);
    struct prof *p = open_folder(d, d->files, d->n, notes);
    if (p)
        read_folder(p);
    prof_close(p);
    uint64_t sum = sink_count_get(notes)->note_calls;
    sink_count_free(notes);
    return sum;
}

/* ---- cuts ---- */

/* Records of all that end by `to`; a lost head is known by its rest, which a cut changes. */
static void expect_cut(const struct folder *d, struct damaged *x, const struct given *all, size_t to)
{
    struct given g = { 0 };
    size_t whole = 0;

    cut(x, to);
    assert_true(count(d, x, &g));
    while (whole < all->n && all->at[whole] + all->record_b <= to)
        whole++;
    size_t end = whole ? (size_t)all->at[whole - 1] + all->record_b : (size_t)all->at[0];
    if (g.n != whole)
        fail_msg("%s cut at %zu of %zu: %zu records of %zu", x->f.rel, to, x->n, g.n, whole);
    /* behind the last whole one */
    if (to != end && !g.notes)
        fail_msg("%s cut at %zu of %zu: no note", x->f.rel, to, x->n);
    if (g.notes > all->notes + (to != end))
        fail_msg("%s cut at %zu of %zu: %d notes", x->f.rel, to, x->n, (int)g.notes);
}

/* Every cut is counted; every `read`th is also read with the whole folder. */
static size_t cut_file(const struct folder *d, struct damaged *x, size_t step, size_t read)
{
    struct given all = { .at = calloc(x->n + 1, sizeof *all.at) };
    size_t n = 0;

    assert_non_null(all.at);
    if (!count(d, x, &all) || !all.n) {
        free(all.at);
        return 0;
    }
    bool counted = all.at[0] == 0; /* its head is there */
    for (size_t k = all.n; k > 0; k -= k > step ? step : k)
        for (size_t to = (size_t)all.at[k - 1] + all.record_b + 1; to + 2 >= all.at[k - 1] + all.record_b;
             to--) {
            if (to > x->n)
                continue;
            if (counted)
                expect_cut(d, x, &all, to);
            else
                cut(x, to);
            if (n++ % read == 0)
                read_all(d);
            if (!to)
                break;
        }
    restore(x);
    free(all.at);
    return n;
}

/* ---- flips ---- */

static void expect_flip(const struct folder *d, const struct damaged *x, size_t all, size_t at)
{
    struct given g = { 0 };

    if (count(d, x, &g) && (g.n > all || g.n + 1 < all))
        fail_msg("%s with a flip at %zu: %zu records of %zu", x->f.rel, at, g.n, all);
}

/*
 * Flips of each file, one bit each; every `read`th is also read with the whole folder, of a file without
 * records five times as many.
 */
static size_t flip_file(const struct folder *d, struct damaged *x, size_t flips, size_t read, uint64_t *seed)
{
    struct given all = { 0 };
    bool counted = count(d, x, &all);

    if (!counted)
        read = flips < 100 ? 1 : read > 5 ? read / 5 : 1;
    for (size_t i = 0; i < flips && x->n; i++) {
        size_t at = (size_t)(scratch_random(seed) % x->n);
        put_byte(x, at, (unsigned char)(x->p[at] ^ 1u << scratch_random(seed) % 8));
        if (counted)
            expect_flip(d, x, all.n, at);
        if (i % read == 0)
            read_all(d);
        put_byte(x, at, x->p[at]);
    }
    return x->n ? flips : 0;
}

/* ---- the tests ---- */

static size_t flips_wanted(size_t otherwise)
{
    const char *text = getenv("NPUSCOPE_DAMAGE");

    return text ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

/* chip: 5 stars, 1 hwts, 15 V6; version of the collection, 3: counters were sampled. */
static void make_folder(struct folder *d, int chip, int version)
{
    unsigned char p[RECORDS * RECORD_MAX];
    char text[1000];

    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < ARRAY_LEN(families); i++)
        folder_add(d, families[i].name, p, family_make(&families[i], p));
    for (size_t i = 0; i < ARRAY_LEN(info_files); i++)
        if (version == 3 && strstr(info_files[i].name, "sample.json"))
            folder_add(d, info_files[i].name, SAMPLED, strlen(SAMPLED));
        else
            folder_add(d, info_files[i].name, info_files[i].text, strlen(info_files[i].text));
    for (int host = 0; host < 2; host++) {
        snprintf(text, sizeof text, host ? PROF_HOST_JSON : PROF_DEVICE_JSON, chip);
        if (version == 2)
            *(strstr(text, "\"1.0\"") + 1) = '2';
        folder_add(d, host ? "host/info.json" : "device_0/info.json.0", text, strlen(text));
    }
}

/* Numbers that do not fit are none in the tables. */
static void rows_leave_out_what_does_not_fit(void **state)
{
    unsigned char p[RECORDS * RECORD_MAX];
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *job = NULL;
    struct tree t;
    bool partial;

    (void)state;
    tree_new(&t);
    prof_info_files(&t, 5);
    for (size_t i = 0; i < ARRAY_LEN(families); i++) {
        char name[200];
        snprintf(name, sizeof name, PROF_NAME "/%s", families[i].name);
        tree_file_n(&t, name, (const char *)p, family_make(&families[i], p));
    }
    prof_head(p, 256, PROF_L_AICPU, 0, 1, 10000);
    put_le(p + 40, 20000, 8);
    put_le(p + 48, 1, 8);
    put_le(p + 56, UINT64_MAX / 4, 8);
    put_le(p + 64, UINT64_MAX / 4 + 7, 8);
    put_le(p + 80, UINT64_MAX, 8);
    tree_file_n(&t, PROF_NAME "/device_0/data/aicpu.data.0.slice_0", (const char *)p, 256);
    assert_int_equal(import_scan(&job, tree_path(&t, PROF_NAME), &e), OK);
    const struct import_opts o = { .store_path = NULL };
    assert_int_equal(import_unit(job->units[0], &o, &s, &partial, &e), OK);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM aicpu_exec", NULL), 1);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM aicpu_exec WHERE compute_ns IS NULL", NULL), 1);
    assert_int_equal(store_int(s, -1, "SELECT memcpy_ns FROM aicpu_exec", NULL), 7000);
    assert_int_equal(store_int(s, -1, "SELECT count(*) FROM aicpu_exec WHERE task_ns > 1 << 61", NULL), 1);
    store_close(s);
    job_free(job);
    tree_done(&t);
}

static const struct variant {
    int chip, version;
} variants[] = { { 5, 1 }, { 0, 2 }, { 1, 1 }, { 4, 1 }, { 15, 1 }, { 1, 3 }, { 15, 3 } };

static void records_made_here_are_whole(void **state)
{
    struct folder d;

    (void)state;
    make_folder(&d, 5, 1);
    for (size_t i = 0; i < ARRAY_LEN(families); i++) {
        struct given g = { 0 };
        assert_true(count(&d, &d.v[i], &g));
        if (g.n != RECORDS || g.notes || g.record_b != families[i].record_b)
            fail_msg("%s: %zu records", families[i].name, g.n);
    }
    folder_done(&d);
}

static void cuts_keep_whole_records(void **state)
{
    struct folder d;
    size_t n = 0;

    (void)state;
    for (size_t v = 0; v < ARRAY_LEN(variants); v++) {
        make_folder(&d, variants[v].chip, variants[v].version);
        for (size_t i = 0; i < ARRAY_LEN(families); i++)
            n += cut_file(&d, &d.v[i], 1, 12);
        folder_done(&d);
    }
    assert_true(n >= ARRAY_LEN(variants) * ARRAY_LEN(families) * (RECORDS - 4) * 3);
}

static void flips_cost_their_record(void **state)
{
    uint64_t seed = 88172645463325252u;
    struct folder d;

    (void)state;
    for (size_t v = 0; v < ARRAY_LEN(variants); v++) {
        make_folder(&d, variants[v].chip, variants[v].version);
        for (size_t i = 0; i < d.n; i++)
            flip_file(&d, &d.v[i], flips_wanted(FLIPS), 10, &seed);
        folder_done(&d);
    }
}

/* ---- samples ---- */

/* All slices of a file as one. */
static void add_whole(struct folder *d, const struct source_file *f)
{
    static unsigned char p[(size_t)8 << 20];
    size_t n = 0;

    for (const struct source_file *s = f; s; s = s->next_slice) {
        FILE *in = fopen(s->path, "rb");
        assert_non_null(in);
        n += fread(p + n, 1, sizeof p - n, in);
        fclose(in);
    }
    folder_add(d, f->rel, p, n);
}

static bool load_folder(struct folder *d, const char *path)
{
    struct err e = ERR_INIT;
    struct job *job = NULL;

    memset(d, 0, sizeof *d);
    assert_int_equal(import_scan(&job, path, &e), OK);
    for (size_t i = 0; i < job->units[0]->n_files; i++) {
        const struct source_file *f = job->units[0]->files[i];
        if (f->regular && !f->later_slice && !str_ends(str_of(f->rel), STR(".done")))
            add_whole(d, f);
    }
    job_free(job);
    return d->n > 0;
}

static void damage_samples(const char *path, size_t flips, uint64_t *seed)
{
    struct folder d;
    size_t cuts = 0;

    assert_true(load_folder(&d, path));
    for (size_t i = 0; i < d.n; i++) {
        bool few = flips < 100;
        cuts += cut_file(&d, &d.v[i], few ? 1 + d.v[i].n / 1024 : 1, few ? 50 : 100);
        flip_file(&d, &d.v[i], flips, few ? 8 : 20, seed);
    }
    print_message("%s: %zu files, %zu cuts, %zu flips each\n", path, d.n, cuts, flips);
    folder_done(&d);
}

static void samples_survive_cuts_and_flips(void **state)
{
    const char *samples = getenv("NPUSCOPE_SAMPLES"), *which = getenv("NPUSCOPE_DAMAGE_CASE");
    uint64_t seed = 1442695040888963407u;
    char pattern[1000];
    glob_t found;

    (void)state;
    snprintf(pattern, sizeof pattern, "%s/data/msprof/%s/PROF_*", samples ? samples : "/none",
             which ? which : "*");
    if (glob(pattern, 0, NULL, &found))
        skip();
    for (size_t i = 0; i < found.gl_pathc; i++)
        damage_samples(found.gl_pathv[i], flips_wanted(2), &seed);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_made_here_are_whole),    cmocka_unit_test(cuts_keep_whole_records),
        cmocka_unit_test(flips_cost_their_record),        cmocka_unit_test(rows_leave_out_what_does_not_fit),
        cmocka_unit_test(samples_survive_cuts_and_flips),
    };

    if (getenv("NPUSCOPE_DAMAGE_CASE"))
        cmocka_set_test_filter("samples_*");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
