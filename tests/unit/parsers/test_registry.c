/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of kinds: well-formed, no name claimed twice, right for the samples of doc/formats/samples.md
 * (skipped without them), also when a file was renamed.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/read/infile.h"
#include "run/probe.h"
#include "tests/unit/parsers/kind_names.h"
#include "tests/unit/tree.h"

static struct inventory_tables tables;

/* ---- the table itself ---- */

static bool is_placeholder(struct str s)
{
    return (s.n == 1 && strchr("NRDMITSK*", s.p[0])) ||
           (s.n > 1 && str_chr(s, ',') != SIZE_MAX && str_chr(s, '{') == SIZE_MAX);
}

static void check_pattern(const char *pattern)
{
    for (const char *p = pattern; *p; p++) {
        const char *end;

        assert_true(*p != '}');
        if (*p != '{')
            continue;
        end = strchr(p, '}');
        assert_non_null(end);
        if (!is_placeholder((struct str){ p + 1, (size_t)(end - p - 1) }))
            fail_msg("bad placeholder in %s", pattern);
        p = end;
    }
}

static void registry_rows_are_well_formed(void **state)
{
    (void)state;
    const struct file_kind *k;

    for (size_t i = 0; (k = registry_kind(i)); i++) {
        bool sliced = false;

        assert_non_null(k->id);
        assert_non_null(k->feeds);
        assert_non_null(k->content);
        assert_non_null(k->option);
        assert_non_null(k->patterns[0]);
        assert_true(k->panes != 0 && k->order > 0);
        assert_true(k->topic ? k->priority >= 1 : k->priority == 0);
        assert_ptr_equal(registry_find(str_of(k->id)), k); /* ids are unique */
        for (size_t p = 0; p < ARRAY_LEN(k->patterns) && k->patterns[p]; p++) {
            check_pattern(k->patterns[p]);
            sliced |= strstr(k->patterns[p], "{S}") || strstr(k->patterns[p], "{K}");
        }
        if (sliced != k->slices)
            fail_msg("%s: slices does not fit its patterns", k->id);
    }
    assert_ptr_equal(registry_find(STR("unknown")), &registry_unknown);
    assert_null(registry_find(STR("no such kind")));
}

static void expect_rules_and_kinds_name_each_other(void **state)
{
    (void)state;
    const struct file_kind *k;

    for (size_t i = 0; i < expect_n_rules; i++) {
        const struct expect_rule *r = &expect_rules[i];

        k = kind_by_id(&tables, r->id);

        if (!k || !k->expect || strcmp(k->expect, r->id) != 0)
            fail_msg("rule %s has no kind", r->id);
        for (size_t c = 0; c < ARRAY_LEN(r->cond) && r->cond[c].what != EX_END; c++)
            if (r->cond[c].what >= EX_WITH && r->cond[c].what <= EX_LACK) {
                struct str rest = str_of(r->cond[c].arg), one;

                while (str_next(&rest, ',', &one))
                    if (!registry_find(one))
                        fail_msg("rule %s asks for kind %.*s", r->id, (int)one.n, one.p);
            }
    }
    for (size_t i = 0; (k = registry_kind(i)); i++) {
        bool found = !k->expect;

        for (size_t r = 0; r < expect_n_rules; r++)
            found |= k->expect && strcmp(expect_rules[r].id, k->expect) == 0;
        if (!found)
            fail_msg("no rule %s", k->expect);
    }
}

static void expected_names_match_their_own_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < expect_n_rules; i++) {
        char name[256];
        const char *hole = strstr(expect_rules[i].path, "{R}");
        const struct file_kind *k;

        if (hole)
            snprintf(name, sizeof(name), "%.*s3%s", (int)(hole - expect_rules[i].path), expect_rules[i].path,
                     hole + 3);
        else
            snprintf(name, sizeof(name), "%s", expect_rules[i].path);
        if (strchr(name, '*'))
            continue; /* a name with a time stamp */
        k = kind_of_path(&tables, str_of(name), NULL);
        assert_non_null(k);
        assert_string_equal(k->id, expect_rules[i].id);
    }
}

/* ---- no name is claimed twice ---- */

static bool kind_fits(const struct file_kind *k, const char *name)
{
    for (size_t p = 0; p < ARRAY_LEN(k->patterns) && k->patterns[p]; p++)
        if (kind_pattern_match(k->patterns[p], str_of(name), NULL))
            return true;
    return false;
}

static void assert_same_kind(const struct inventory_tables *fast, const char *name)
{
    struct kind_match a, b;

    if (kind_of_path(&tables, str_of(name), &a) != kind_of_path(fast, str_of(name), &b))
        fail_msg("%s: the index gives another kind", name);
    assert_true(a.which == b.which && a.number == b.number && a.slice == b.slice && a.stamp == b.stamp);
}

/* Names that fit, packed, in a folder, with more or less at the end, and without a name. */
static void an_index_gives_the_same_kinds(void **state)
{
    static const char *const forms[] = { "%s", "run/%s", "%s.gz", "a/b/%s.gz", "%sx", "x%s", "%s/", "%s/x" };
    struct inventory_tables fast = tables;
    const struct file_kind *kind;
    struct err e = ERR_INIT;
    struct arena *a;

    (void)state;
    assert_int_equal(arena_new(&a, 1 << 20, &e), OK);
    assert_int_equal(kind_index_new(&fast.index, &tables, a, &e), OK);
    for (size_t i = 0; (kind = registry_kind(i)); i++)
        for (size_t p = 0; p < ARRAY_LEN(kind->patterns) && kind->patterns[p]; p++)
            for (size_t f = 0; f < ARRAY_LEN(forms); f++) {
                struct buf name;
                char plain[512];

                kind_name(kind->patterns[p], plain, sizeof(plain));
                buf_init(&name, 1024);
                for (const char *c = forms[f]; *c; c++)
                    if (*c == '%')
                        buf_puts(&name, plain), c++;
                    else
                        buf_addc(&name, *c);
                assert_same_kind(&fast, name.p);
                buf_done(&name);
            }
    assert_same_kind(&fast, "");
    assert_same_kind(&fast, "/");
    assert_same_kind(&fast, ".gz");
    arena_free(a);
}

static void every_standard_name_has_one_row(void **state)
{
    const struct file_kind *kind, *other;
    size_t names = 0;

    (void)state;
    for (size_t i = 0; (kind = registry_kind(i)); i++) {
        for (size_t p = 0; p < 6 && kind->patterns[p]; p++) {
            char name[512];

            kind_name(kind->patterns[p], name, sizeof(name));
            if (kind_of_path(&tables, str_of(name), NULL) != kind)
                fail_msg("%s is not %s", name, kind->id);
            names++;
            for (size_t k = 0; (other = registry_kind(k)); k++)
                /* the rows of raw data overlap on purpose: the finer ones come first */
                if (k != i && strncmp(other->id, "raw", 3) != 0 && kind_fits(other, name))
                    fail_msg("%s is %s and %s", name, kind->id, other->id);
        }
    }
    print_message("%zu names\n", names);
    assert_true(names > 200);
}

/* ---- samples ---- */

struct sample {
    char path[512]; /* below data/outputs */
    char kind[64];
    char file[1024];
};

static bool next_cell(struct str *line, char *out, size_t n)
{
    struct str cell;

    if (!str_next(line, '|', &cell))
        return false;
    str_copy(str_trim(cell), out, n);
    return true;
}

/* Next row of the table that names a file: "| path | bytes | kind | rows | facts |". */
static bool next_sample(struct str *text, struct sample *s)
{
    const char *samples = getenv("NPUSCOPE_SAMPLES");
    struct str line;

    while (str_next(text, '\n', &line)) {
        char none[8], bytes[32];
        uint64_t n;

        if (!str_starts(line, STR("| ")) || !next_cell(&line, none, sizeof(none)) ||
            !next_cell(&line, s->path, sizeof(s->path)) || !next_cell(&line, bytes, sizeof(bytes)) ||
            !next_cell(&line, s->kind, sizeof(s->kind)) || !str_u64(str_of(bytes), &n))
            continue;
        snprintf(s->file, sizeof(s->file), "%s/data/outputs/%s", samples, s->path);
        return true;
    }
    return false;
}

static char *read_table(void)
{
    const char *top = getenv("top_srcdir"), *samples = getenv("NPUSCOPE_SAMPLES");
    struct err e = ERR_INIT;
    char path[1024], *text = NULL;
    size_t n;

    snprintf(path, sizeof(path), "%s/data/outputs", samples ? samples : "");
    if (!top || !samples || access(path, R_OK) != 0)
        return NULL;
    snprintf(path, sizeof(path), "%s/doc/formats/samples.md", top);
    assert_int_equal(infile_read_all(path, 1 << 20, &text, &n, &e), OK);
    return text;
}

/* The table calls all raw files "raw" and test data "mi_*". */
static bool same_kind(const char *id, const char *table)
{
    size_t star = strcspn(table, "*");

    if (strcmp(table, "raw") == 0)
        return strncmp(id, "raw", 3) == 0;
    return table[star] ? strncmp(id, table, star) == 0 : strcmp(id, table) == 0;
}

static void every_sample_gets_its_kind(void **state)
{
    char *text = read_table();
    struct str rest = str_of(text);
    struct sample s;
    size_t n = 0, probed = 0;

    (void)state;
    if (!text) {
        print_message("skipped: no samples\n");
        skip();
    }
    while (next_sample(&rest, &s)) {
        const struct file_kind *k = kind_of_path(&tables, str_of(s.path), NULL);

        assert_int_equal(access(s.file, R_OK), 0);
        n++;
        if (!k) {
            k = probe_file(&tables, s.file);
            probed++;
        }
        if (!k || !same_kind(k->id, s.kind))
            fail_msg("%s: %s, should be %s", s.path, k ? k->id : "unknown", s.kind);
    }
    print_message("%zu files, %zu told by content\n", n, probed);
    assert_int_equal(n, 153);
    assert_int_equal(probed, 3);
    free(text);
}

/*
 * Kinds whose files have nothing in them that tells, or that look like another kind to a reader who does not
 * know the name.
 */
static bool names_itself(const char *kind, const char *path)
{
    static const char *const silent[] = { "marker",
                                          "raw",
                                          "mi_*",
                                          "g1_min_cycle",
                                          "g1_op_time_report",
                                          "g1_op_compute_time",
                                          "g1_flops",
                                          "g1_flops_scope",
                                          "md_device_queue",
                                          "g1_dynamic_shape",
                                          "msprof_part_json",
                                          "step_trace_json",
                                          "g1_timeline_display" };

    for (size_t i = 0; i < ARRAY_LEN(silent); i++)
        if (strcmp(kind, silent[i]) == 0)
            return false;
    /* one that a tool wrote anew, with nothing of the framework left */
    return strstr(path, "timeline_advice") == NULL;
}

static void renamed_samples_are_recognised_by_content(void **state)
{
    char *text = read_table();
    struct str rest = str_of(text);
    struct sample s;
    size_t n = 0, csv = 0;

    (void)state;
    if (!text) {
        print_message("skipped: no samples\n");
        skip();
    }
    while (next_sample(&rest, &s)) {
        const struct file_kind *k;

        if (!names_itself(s.kind, s.path))
            continue;
        k = probe_file(&tables, s.file);
        if (!k || !same_kind(k->id, s.kind))
            fail_msg("%s: %s, should be %s", s.path, k ? k->id : "unknown", s.kind);
        n++;
        csv += str_ends(str_of(s.path), STR(".csv"));
    }
    print_message("%zu files, %zu of them CSV\n", n, csv);
    assert_true(n >= 100);
    free(text);
}

/* ---- probes on text of our own ---- */

static const char *probed(const char *text)
{
    const struct file_kind *k = probe_text(&tables, str_of(text));

    return k ? k->id : "unknown";
}

static void probe_headers_decide(void **state)
{
    (void)state;
    assert_string_equal(probed("Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us)\n"),
                        "kernel_details");
    assert_string_equal(
        probed("\xef\xbb\xbf\"Device_id\", \"op name\" ,OP Type,TASK TYPE,Task Duration(us)\r\n1,2"),
        "op_summary");
    assert_string_equal(probed("Device_id,OP Type,Core Type,Count,Total Time(us),Ratio(%)\n"),
                        "op_statistic");
    assert_string_equal(probed("Device_id,OP Type,Count,Total Time(us),Ratio(%)\n"),
                        "communication_statistic");
    assert_string_equal(probed("Step,Computing,Overlapped,Free\n"), "step_trace_time");
    assert_string_equal(probed("Step,Type,Index,Computing,Overlapped,Free\n"), "cluster_step_trace_time");
    assert_string_equal(probed("Component,Timestamp(us),Total Reserved(KB),Device\t\n"), "npu_module_mem");
    assert_string_equal(
        probed("Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n"),
        "memory_record");
    assert_string_equal(probed("Mode,Max,Min,Average\n"), "hccs");
    assert_string_equal(probed("Mode,Min,Max,Avg\n"), "pcie");
    assert_string_equal(probed("a,b,c\n"), "unknown");
    assert_string_equal(probed("Mode\n"), "unknown");
    assert_string_equal(probed(""), "unknown");
    /* a column of the second line does not count */
    assert_string_equal(probed("a,b\nName,Type,Accelerator Core,Duration(us)\n"), "unknown");
}

static void probe_json_starts_decide(void **state)
{
    (void)state;
    assert_string_equal(probed("{\"config\": {\"common_config\": {}}}"), "profiler_info");
    assert_string_equal(probed("{\"config\": {\"rankId\": 0}}"), "parallel_strategy");
    assert_string_equal(probed("{\"rank_id\": \"0\", \"profiling_start_time\": 0}"), "profiler_info");
    assert_string_equal(probed(" \n{\"step\": {\"p2p\": {}, \"collective\": {\"a\": "
                               "{\"Communication Time Info\""),
                        "communication");
    assert_string_equal(probed("{\"hcom_a@1\": {\"0-1\": {\"Transport Type\": \"LOCAL\""),
                        "communication_matrix");
    assert_string_equal(probed("{\"(0, 1)\": {\"step\": {\"op\": {\"0\": {\"Communication Time Info\""),
                        "cluster_communication");
    assert_string_equal(probed("{\"collective\": [], \"p2p\": []}"), "communication_group");
    assert_string_equal(probed("[{\"name\": \"process_name\", \"args\": {\"name\": \"Python\"}, "
                               "\"ph\": \"M\"}]"),
                        "trace_view");
    assert_string_equal(probed("[{\"name\": \"process_name\", \"args\": {\"name\": \"CANN\"}, "
                               "\"ph\": \"M\"}]"),
                        "msprof_json");
    assert_string_equal(probed("[1, 2]"), "unknown");
    assert_string_equal(probed("{}"), "unknown");
    assert_string_equal(probed("{\""), "unknown");
    assert_string_equal(probed("{"), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registry_rows_are_well_formed),
        cmocka_unit_test(expect_rules_and_kinds_name_each_other),
        cmocka_unit_test(expected_names_match_their_own_kind),
        cmocka_unit_test(every_standard_name_has_one_row),
        cmocka_unit_test(an_index_gives_the_same_kinds),
        cmocka_unit_test(every_sample_gets_its_kind),
        cmocka_unit_test(renamed_samples_are_recognised_by_content),
        cmocka_unit_test(probe_headers_decide),
        cmocka_unit_test(probe_json_starts_decide),
    };

    tables = tree_all_tables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
