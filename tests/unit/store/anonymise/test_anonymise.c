/* SPDX-License-Identifier: Apache-2.0 */
/* Aliases for names: parts, words of prose, the key file; every text column of the schema has a kind. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store/anonymise/anonymise.h"
#include "store/anonymise/columns.h"
#include "store/fill/fill.h"
#include "tests/unit/tree_case.h"

static struct aliases *begin(void)
{
    struct err e = ERR_INIT;
    struct aliases *a = NULL;

    assert_int_equal(aliases_new(&a, &e), OK);
    assert_int_equal(aliases_keep(a, STR("MatMul"), &e), OK);
    return a;
}

static void check(struct aliases *a, enum name_class c, const char *text, const char *want)
{
    struct err e = ERR_INIT;
    struct buf b;

    buf_init(&b, 4096);
    assert_int_equal(aliases_replace(a, c, str_of(text), &b, &e), OK);
    buf_addc(&b, 0);
    assert_string_equal(b.p, want);
    buf_done(&b);
}

static void check_prose(struct aliases *a, bool names, const char *text, const char *want)
{
    struct err e = ERR_INIT;
    struct buf b;

    buf_init(&b, 4096);
    assert_int_equal(aliases_scrub(a, names, str_of(text), &b, &e), OK);
    buf_addc(&b, 0);
    assert_string_equal(b.p, want);
    buf_done(&b);
}

static void aliases_of_parts_are_the_same_everywhere(void **state)
{
    struct aliases *a = begin();

    (void)state;
    check(a, NC_OP, "Default/net-Cell/MatMul-op3", "Default/op_anon1/MatMul-op_anon2");
    check(a, NC_OP, "Default/net-Cell", "Default/op_anon1");
    check(a, NC_OP, "Kernel::KernelLaunch::Default/net-Cell/MatMul-op4",
          "Kernel::KernelLaunch::Default/op_anon1/MatMul-op_anon3");
    check(a, NC_OP, "MatMul", "MatMul");
    check(a, NC_OP, "aten::linear", "aten::linear");
    check(a, NC_OP, "aten::linear/own", "aten::op_anon4/op_anon5");
    check(a, NC_OP, "a;b", "op_anon6;op_anon7");
    check(a, NC_OP, "", "");
    check(a, NC_OP, "12/3.5", "12/3.5");
    check(a, NC_OP, "connector 2", "connector 2"); /* a word of the profiler and its number */
    check(a, NC_PATH, "/opt/ann/run.py(3): main;\n/usr/x1",
          "/opt/path_anon8/path_anon9: path_anon10;\n/usr/path_anon11");
    check(a, NC_PATH, "device_0/data/trace.slice_3.csv", "device_0/data/trace.slice_3.csv");
    check(a, NC_HOST, "ann", "path_anon8");
    check(a, NC_HOST, "node/3:1", "host_anon12");
    check(a, NC_USER, "1007", "user_anon13");
    check(a, NC_OP, "\xe5\x90\x8d", "op_anon14"); /* letters beyond ASCII */
    assert_int_equal(aliases_count(a), 14);
    aliases_free(a);
}

static void aliases_in_prose_stand_for_words(void **state)
{
    struct aliases *a = begin();

    (void)state;
    check(a, NC_OP, "net/attn", "op_anon1/op_anon2");
    check(a, NC_HOST, "node-1", "host_anon3");
    check_prose(a, true, "op 'net/attn' of node-1, network, attn2: (net)",
                "op 'op_anon1/op_anon2' of host_anon3, network, attn2: (op_anon1)");
    check_prose(a, false, "op net on 10.1.2.3%eth0 and 1.2.3", "op net on host_anon4%eth0 and 1.2.3");
    check_prose(a, true, "8.2.0.1.5 256.1.1.1 10.1.2.3:60", "8.2.0.1.5 256.1.1.1 host_anon4:60");
    check_prose(a, true, "see /opt/bob/x.csv, 12/30 a / b", "see /opt/path_anon5/path_anon6, 12/30 a / b");
    check_prose(a, true, "", "");
    aliases_free(a);
}

/* A cut leaves parts of names, beside a mark. */
static void aliases_in_prose_stand_for_what_a_cut_left(void **state)
{
    struct aliases *a = begin();

    (void)state;
    check(a, NC_OP, "net/attention-Cell/own", "op_anon1/op_anon2/op_anon3");
    check(a, NC_HOST, "node-1200", "host_anon4");
    check_prose(a, true, "still in net/attention-C... (step 3)", "still in op_anon1/op_anon2... (step 3)");
    check_prose(a, true, "net/atten...", "op_anon1/op_anon2...");
    check_prose(a, true, "atten\xe2\x80\xa6 of no", "op_anon2\xe2\x80\xa6 of no");
    check_prose(a, true, "~tion-Cell/own: 3 rows", "~op_anon2/op_anon3: 3 rows");
    check_prose(a, true, "...tion-Cell and tion-Cell", "...op_anon2 and tion-Cell");
    /* neither numbers nor public words nor what no name begins or ends with */
    check_prose(a, true, "~1200 ms, MatMul..., so..., attn...", "~1200 ms, MatMul..., so..., attn...");
    check_prose(a, true, "attentio", "attentio"); /* no mark: not cut */
    check_prose(a, false, "atten...", "atten...");
    aliases_free(a);
}

static void put_rows(struct fill *f, struct err *e)
{
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;

    k.name_id = sink_intern(fill_sink(f), STR("secret/MatMul-op1"));
    k.type_id = sink_intern(fill_sink(f), STR("MatMul"));
    const struct val exec[N_COLS(op_exec)] = { [COL(op_exec, op_id)] =
                                                   val_int(sink_op(fill_sink(f), &k, &a, e)),
                                               [COL(op_exec, rank)] = val_int(0),
                                               [COL(op_exec, ts_ns)] = val_int(1700000000000000000),
                                               [COL(op_exec, dur_ns)] = val_int(500) };
    const struct val op[N_COLS(rank_op)] = {
        [COL(rank_op, rank)] = val_int(0),
        [COL(rank_op, by)] = val_cstr("op"),
        [COL(rank_op, name_id)] = val_int(sink_intern(fill_sink(f), STR("other/Add-op2"))),
        [COL(rank_op, total_ns)] = val_int(77),
    };

    assert_int_equal(fill_begin(f, 0, e), OK);
    assert_int_equal(sink_row(fill_sink(f), T_op_exec, exec, N_COLS(op_exec), NULL, e), OK);
    assert_int_equal(sink_row(fill_sink(f), T_rank_op, op, N_COLS(rank_op), NULL, e), OK);
    assert_int_equal(fill_end(f, true, e), OK);
}

static void check_copy(struct store *s, enum anonymise_part part, const char *count, int64_t n)
{
    struct err e = ERR_INIT;
    struct aliases *a = begin();
    struct store *copy = NULL;

    assert_int_equal(store_public_words(s, part, a, &e), OK);
    assert_int_equal(store_anonymise(s, part, a, &copy, &e), OK);
    assert_int_equal(store_int(copy, -1, count, NULL), n);
    assert_int_equal(store_int(copy, -1,
                               "SELECT total_ns FROM rank_op JOIN string s ON s.id = name_id WHERE "
                               "s.text LIKE 'op!_anon%/op!_anon%' ESCAPE '!'",
                               NULL),
                     77);
    assert_int_equal(store_int(copy, -1,
                               "SELECT count(*) FROM string WHERE text LIKE '%secret%' OR text "
                               "LIKE '%other%'",
                               NULL),
                     0);
    store_close(copy);
    aliases_free(a);
}

static void copies_of_ranks_that_are_compared_have_small_tables_only(void **state)
{
    static const char execs[] = "SELECT count(*) FROM op_exec";
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    struct store *s = NULL;
    const char *path = tree_path(&tree, "x.store");

    (void)state;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = path }, &e), OK);
    put_rows(f, &e);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_publish(f, &e), OK);
    assert_int_equal(store_open(&s, path, false, &e), OK);
    check_copy(s, ANONYMISE_WHOLE, execs, 1);
    check_copy(s, ANONYMISE_COMPARED, execs, 0);
    check_copy(s, ANONYMISE_COMPARED, "SELECT count(*) FROM string WHERE id > 0", 1);
    store_close(s);
}

static void aliases_are_kept_by_the_key_file(void **state)
{
    struct err e = ERR_INIT;
    struct aliases *a = begin(), *b = begin();
    char path[PATH_MAX];
    struct stat st;

    (void)state;
    snprintf(path, sizeof path, "%s", tree_path(&tree, "key"));
    assert_int_equal(aliases_read(a, path, &e), OK); /* it is not there yet */
    check(a, NC_HOST, "tab\tback\\slash\nline\x01", "host_anon1");
    check(a, NC_OP, "MatMul-op1", "MatMul-op_anon2");
    assert_int_equal(aliases_write(a, path, &e), OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(aliases_read(b, path, &e), OK);
    assert_int_equal(aliases_count(b), 2);
    check(b, NC_OP, "x/MatMul-op1", "op_anon3/MatMul-op_anon2");
    check(b, NC_HOST, "tab\tback\\slash\nline\x01", "host_anon1");
    assert_int_equal(aliases_write(b, path, &e), OK); /* replaces it */
    aliases_free(a);
    aliases_free(b);
}

static void aliases_of_a_damaged_key_file_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "something else\n",
        "npuscope key 1\nop_anon1",
        "npuscope key 1\nop_anon1\n",
        "npuscope key 1\n\tname\n",
        "npuscope key 1\n\n",
        "npuscope key 1\nop_anon1\ta\nop_anon1\tb\n",
        "npuscope key 1\nop_anon1\ta\nop_anon2\ta\n",
        "npuscope key 1\nop_anon1\t\\x\n",
        "npuscope key 1\nop_anon1\t\\x4g\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct err e = ERR_INIT;
        struct aliases *a = begin();
        tree_file(&tree, "bad", texts[i]);
        if (aliases_read(a, tree_path(&tree, "bad"), &e) != ERR_FORMAT)
            fail_msg("text %zu is taken for a key file", i);
        aliases_free(a);
    }
}

/* Nothing is shared unseen: a column that is new to the schema needs a kind. */
static void columns_of_texts_have_kinds(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TABLES; t++)
        for (size_t c = 0; c < schema_tables[t].n_cols; c++) {
            const struct schema_column *col = &schema_tables[t].cols[c];
            unsigned n = 0;
            for (size_t i = 0; i < n_anonymise_columns; i++)
                n += !strcmp(anonymise_columns[i].table, schema_tables[t].name) &&
                     !strcmp(anonymise_columns[i].column, col->name);
            if (n != (col->type == CT_TEXT || col->type == CT_STR))
                fail_msg("%s.%s has %u rows in anonymise_columns", schema_tables[t].name, col->name, n);
        }
    assert_int_equal(anonymise_kind_of_key(STR("prof.info.hostname")), TX_HOST);
    assert_int_equal(anonymise_kind_of_key(STR("root")), TX_PATH);
    assert_int_equal(anonymise_kind_of_key(STR("chroot")), TX_PROSE);
    assert_int_equal(anonymise_kind_of_events(STR("host_thread"), STR("CANN")), TX_PUBLIC);
    assert_int_equal(anonymise_kind_of_events(STR("host_thread"), STR("Python")), TX_OP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliases_of_parts_are_the_same_everywhere),
        cmocka_unit_test(aliases_in_prose_stand_for_words),
        cmocka_unit_test(aliases_in_prose_stand_for_what_a_cut_left),
        cmocka_unit_test_setup_teardown(copies_of_ranks_that_are_compared_have_small_tables_only, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(aliases_are_kept_by_the_key_file, setup, teardown),
        cmocka_unit_test_setup_teardown(aliases_of_a_damaged_key_file_are_refused, setup, teardown),
        cmocka_unit_test(columns_of_texts_have_kinds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
