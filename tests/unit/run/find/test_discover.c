/* SPDX-License-Identifier: Apache-2.0 */
/* From a path to units: layouts, parents, errors. */
#include "config.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "run/find/search_kept.h"
#include "tests/unit/tree_case.h"

/* ---- errors ---- */

static void missing_path_is_reported(void **state)
{
    (void)state;
    assert_fails("nothing/here", ERR_IO, "No such file");
}

static void empty_folder_is_reported(void **state)
{
    (void)state;
    tree_dir(&tree, "empty");
    assert_fails("empty", ERR_FORMAT, "the folder is empty");
    tree_dir(&tree, "x_ascend_ms");
    assert_fails("x_ascend_ms", ERR_FORMAT, "empty");
}

static void foreign_folder_is_reported(void **state)
{
    (void)state;
    tree_file(&tree, "src/main.py", "print()\n");
    assert_fails("src", ERR_FORMAT, "no profile found here, 16 levels below");
    tree_file(&tree, "src/run one.tar.gz", "x");
    assert_fails("src", ERR_FORMAT,
                 "no profile found here, but an archive: run one.tar.gz; give the path of it");
    for (int i = 0; i < 4; i++) {
        char name[40];
        snprintf(name, sizeof name, "src/z%d.zip", i);
        tree_file(&tree, name, "x");
    }
    assert_fails("src", ERR_FORMAT,
                 "archives: run one.tar.gz, z0.zip, z1.zip and 2 more; give the path of one");
    assert_fails("src/main.py", ERR_FORMAT, "no profile here");
}

static void strange_start_paths_are_reported(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(tree_path(&tree, "pipe"), 0600), 0);
    assert_fails("pipe", ERR_FORMAT, "neither a folder nor a regular file");
}

static void folder_without_permission_is_reported(void **state)
{
    (void)state;
    tree_file(&tree, "closed/trace_view.json", "[]");
    assert_int_equal(chmod(tree_path(&tree, "closed"), 0), 0);
    if (!drop_root())
        skip();
    assert_fails("closed", ERR_IO, "Permission denied");
    take_root();
    assert_int_equal(chmod(tree_path(&tree, "closed"), 0700), 0);
}

/* ---- discovery ---- */

/* What other tools left is found by its name, above and below. */
static void tool_folders_are_found_by_name(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "out/msmemscope_41_20251203_ascend/device_0/dump/memscope_dump_20251203091123.csv",
              "ID\n");
    tree_file(&tree, "out/OPPROF_20250102030405_ABC/OpBasicInfo.csv", "Op Name\n");
    j = scan("out");
    assert_int_equal(j->n_units, 2);
    assert_root(j, 0, "out/msmemscope_41_20251203_ascend");
    assert_root(j, 1, "out/OPPROF_20250102030405_ABC");
    job_free(j);
    j = scan("out/msmemscope_41_20251203_ascend/device_0/dump");
    assert_root(j, 0, "out/msmemscope_41_20251203_ascend");
    job_free(j);
}

/* A file that is a profile of its own makes a unit of the files of its folder, but not beside runs. */
static void whole_files_are_found_below(void **state)
{
    static const char *const names[] = {
        "msmonitor_41_20240611062509123_3.db", "msmonitor_41_20240611062509123_3.jsonl",
        "memscope_dump_20251203091123.csv",    "msprof_20240611062509.db",
        "ascend_pytorch_profiler_3.db",        "ascend_mindspore_profiler_3.db"
    };
    char path[200];
    struct job *j;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "out%zu/deep/er/%s", i, names[i]);
        tree_file(&tree, path, "{}\n");
        snprintf(path, sizeof path, "out%zu/deep/unrelated.csv", i);
        tree_file(&tree, path, "a,b\n");
        snprintf(path, sizeof path, "out%zu", i);
        j = scan(path);
        assert_int_equal(j->n_units, 1);
        assert_int_equal(j->units[0]->n_files, 1);
        snprintf(path, sizeof path, "out%zu/deep/er", i);
        assert_root(j, 0, path);
        job_free(j);
        j = scan(path); /* the folder itself: the same unit */
        assert_root(j, 0, path);
        job_free(j);
        tree_file(&tree, "out0/deep/er/" PT "/ASCEND_PROFILER_OUTPUT/trace_view.json", "[]");
    }
    /* Beside a run the files are what they were before: of no unit. */
    j = scan("out0");
    assert_int_equal(j->n_units, 1);
    assert_root(j, 0, "out0/deep/er/" PT);
    job_free(j);
    /* Every folder is one of its own, with the rank that its name says. */
    tree_file(&tree, "two/a/msmonitor_41_20240611062509123_3.jsonl", "{}\n");
    tree_file(&tree, "two/b/msmonitor_42_20240611062509123_1.jsonl", "{}\n");
    j = scan("two");
    assert_int_equal(j->n_units, 2);
    assert_root(j, 0, "two/b");
    assert_root(j, 1, "two/a");
    assert_int_equal(j->units[0]->info.ranks[0].rank, 1);
    assert_int_equal(j->units[1]->info.ranks[0].rank, 3);
    job_free(j);
}

static void rank_folder_is_found_from_everywhere(void **state)
{
    static const char *const from[] = { "run/" PT, "run/" PT "/ASCEND_PROFILER_OUTPUT",
                                        "run",     "run/" PT "/" PROF "/device_0/data",
                                        "",        "run/" PT "/" PROF };

    (void)state;
    make_pt("run/" PT);
    tree_file(&tree, "run/" PT "/" PROF "/device_0/data/stars_soc.data.0.slice_0", "x");
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        struct job *j = scan(from[i]);

        assert_int_equal(j->n_units, 1);
        assert_root(j, 0, "run/" PT);
        assert_int_equal(j->units[0]->gen, GEN_P);
        assert_null(j->only);
        job_free(j);
    }
}

static void one_file_names_its_unit(void **state)
{
    struct job *j;

    (void)state;
    make_pt("run/" PT);
    j = scan("run/" PT "/ASCEND_PROFILER_OUTPUT/trace_view.json");
    assert_root(j, 0, "run/" PT);
    assert_string_equal(j->only, tree_path(&tree, "run/" PT "/ASCEND_PROFILER_OUTPUT/trace_view.json"));
    job_free(j);
}

static void lone_file_is_a_unit_of_its_own(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "downloads/trace_view.json", "[]");
    tree_file(&tree, "downloads/letter.txt", "dear\n");
    j = scan("downloads/trace_view.json");
    assert_root(j, 0, "downloads/trace_view.json");
    assert_int_equal(j->units[0]->n_files, 1);
    assert_string_equal(j->units[0]->files[0]->path, j->only);
    assert_string_equal(j->units[0]->files[0]->rel, "trace_view.json");
    assert_string_equal(j->units[0]->files[0]->kind->id, "trace_view");
    job_free(j);
}

static void loose_files_of_a_folder_are_a_unit(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "loose/kernel_details_old.csv", "Name,Type,Accelerator Core,Duration(us)\na,b,c,1\n");
    tree_file(&tree, "loose/sub/other.txt", "x");
    j = scan("loose");
    assert_root(j, 0, "loose");
    assert_int_equal(j->units[0]->n_files, 1); /* folders below are not ours */
    assert_string_equal(find(j, 0, "kernel_details_old.csv")->kind->id, "kernel_details");
    job_free(j);
}

static void parent_of_many_is_sorted_by_rank_and_time(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "job/b_2_20250101000000000_ascend_ms/profiler_info_10.json", "{}");
    tree_file(&tree, "job/a_1_20250101000000000_ascend_ms/profiler_info_2.json", "{}");
    tree_file(&tree, "job/c_1_20240101000000000_ascend_ms/profiler_info_2.json", "{}");
    tree_file(&tree, "job/cluster_analysis_output/cluster_step_trace_time.csv", "Step,Type,Index\n");
    j = scan("job");
    assert_int_equal(j->n_units, 3);
    assert_root(j, 0, "job/c_1_20240101000000000_ascend_ms");
    assert_root(j, 1, "job/a_1_20250101000000000_ascend_ms");
    assert_root(j, 2, "job/b_2_20250101000000000_ascend_ms");
    assert_int_equal(j->units[2]->info.ranks[0].rank, 10);
    assert_int_equal(j->n_loose, 1);
    assert_string_equal(j->loose[0]->kind->id, "cluster_step_trace_time");
    assert_ptr_equal(job_find_unit(j, j->units[1]->root), j->units[1]);
    assert_null(job_find_unit(j, "/nowhere"));
    job_free(j);
    /* alone it is a unit */
    j = scan("job/cluster_analysis_output");
    assert_int_equal(j->n_units, 1);
    assert_int_equal(j->units[0]->gen, GEN_C);
    assert_int_equal(j->n_loose, 0);
    job_free(j);
}

static void assert_ranks(const char *rel, const int *ranks, size_t n)
{
    struct job *j = scan(rel);

    assert_int_equal(j->n_units, 1);
    assert_int_equal(j->units[0]->info.n_ranks, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(j->units[0]->info.ranks[i].rank, ranks[i]);
    job_free(j);
}

static void cluster_output_has_the_ranks_that_its_files_name(void **state)
{
    (void)state;
    tree_file(&tree, "steps/cluster_step_trace_time.csv",
              "Step,Type,Index,Computing\n1,rank,9,1.0\n1,rank,3,1.0\n2,rank,3,1.0\n"
              "1,stage,\"(3, 9, 12)\",1.0\n1,rank,7");
    tree_file(&tree, "steps/communication_group.json", "{\"collective\": [[0, 1]], \"p2p\": []}");
    assert_ranks("steps", (const int[]){ 3, 9 }, 2);
    tree_file(&tree, "groups/communication_group.json",
              "{\"collective\": [[ 4,\n 0], [1, \"x\"], []], \"p2p\": [[2]]}");
    assert_ranks("groups", (const int[]){ 0, 2, 4 }, 3);
    tree_file(&tree, "ops/cluster_communication.json", "{\"(5, 6)\": {\"step\": {\"a (b)\": {}}}");
    assert_ranks("ops", (const int[]){ 5, 6 }, 2);
    tree_file(&tree, "none/cluster_communication.json", "{\"p2p\": {}}");
    assert_ranks("none", (const int[]){ 0 }, 1);
}

static void data_folder_of_the_default_output_path_is_searched(void **state)
{
    struct job *j;

    (void)state;
    make_pt("exp/data/" PT);
    j = scan("exp/data");
    assert_root(j, 0, "exp/data/" PT);
    job_free(j);
}

static void dynamic_windows_are_distinguished(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "out/rank3_start10_stop12/h_1_20250101000000000_ascend_ms/profiler_metadata.json", "{}");
    tree_file(&tree, "out/rank3_start2_stop4/h_1_20240101000000000_ascend_ms/profiler_metadata.json", "{}");
    j = scan("out");
    assert_int_equal(j->n_units, 2);
    assert_string_equal(j->units[0]->window, "rank3_start2_stop4");
    assert_string_equal(j->units[1]->window, "rank3_start10_stop12");
    assert_int_equal(j->units[0]->info.ranks[0].rank, 3);
    assert_true(j->units[0]->info.ranks[0].known);
    job_free(j);
}

static void prof_folder_belongs_to_what_it_lies_in(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "a/" PROF "/host/info.json", "{\"rank_id\": \"-1\"}");
    j = scan("a");
    assert_root(j, 0, "a/" PROF);
    assert_int_equal(j->units[0]->gen, GEN_M);
    job_free(j);
    tree_file(&tree, "b/profiler/" PROF "/device_0/info.json.0", "{}");
    j = scan("b/profiler/" PROF "/device_0");
    assert_root(j, 0, "b/profiler");
    assert_int_equal(j->units[0]->gen, GEN_1);
    assert_string_equal(j->units[0]->name, "b/profiler");
    job_free(j);
}

static void flat_folder_leaves_rank_folders_out(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "p/profiler/flops_0.txt", "x\n");
    tree_file(&tree, "p/profiler/FRAMEWORK/op_range_0", "x");
    tree_file(&tree, "p/profiler/rank-0_20240101000000_ascend_ms/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
              "x\n");
    j = scan("p");
    assert_int_equal(j->n_units, 2);
    const struct unit *flat = job_find_unit(j, tree_path(&tree, "p/profiler"));

    assert_non_null(flat);
    assert_int_equal(flat->gen, GEN_1B);
    for (size_t i = 0; i < flat->n_files; i++)
        assert_null(strstr(flat->files[i]->rel, "ascend_ms"));
    job_free(j);
}

static void folders_called_profiler_are_not_roots_by_name_alone(void **state)
{
    struct job *j;

    (void)state;
    make_pt("x/profiler/" PT);
    j = scan("x/profiler");
    assert_int_equal(j->n_units, 1);
    assert_root(j, 0, "x/profiler/" PT);
    job_free(j);
}

static void lone_job_folder_is_raw_gen_1(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "JOBABC/host_start.log.1", "[Device1]\nclock_realtime: 5\n");
    tree_file(&tree, "JOBABC/data/hwts.log.data.45.dev.profiler_default_tag.1.slice_0", "x");
    j = scan("JOBABC/data");
    assert_root(j, 0, "JOBABC");
    assert_int_equal(j->units[0]->gen, GEN_1);
    assert_int_equal(j->units[0]->info.ranks[0].device, 1);
    job_free(j);
}

static const struct unread_folder *unread_of(const struct job *j, const char *rel)
{
    for (const struct unread_folder *f = j->unread; f; f = f->next)
        if (strcmp(f->path, tree_path(&tree, rel)) == 0)
            return f;
    fail_msg("%s is not named", rel);
    return NULL;
}

#define DEEP_10 "1/2/3/4/5/6/7/8/9/10/"

static void roots_are_found_16_levels_down(void **state)
{
    struct job *j;

    (void)state;
    make_pt(DEEP_10 "11/12/13/14/15/" PT);
    j = scan("");
    assert_int_equal(j->n_units, 1);
    assert_root(j, 0, DEEP_10 "11/12/13/14/15/" PT);
    assert_null(j->unread);
    job_free(j);
    make_pt("a/" DEEP_10 "11/12/13/14/15/16/" PT);
    assert_fails("a", ERR_FORMAT, "no profile found here, 16 levels below");
    j = scan("");
    assert_int_equal(j->n_units, 1);
    assert_int_equal(unread_count(j->unread, UNREAD_DEEP, NULL), 1);
    assert_int_equal(unread_of(j, "a/" DEEP_10 "11/12/13/14/15/16")->why, UNREAD_DEEP);
    job_free(j);
}

/* Links are named when what they lead to is not found without them. */
static void folders_that_are_not_entered_are_named(void **state)
{
    struct job *j;

    (void)state;
    make_pt("job/" PT);
    make_pt("elsewhere/" PT);
    tree_file(&tree, "job/.old/x.txt", "x");
    tree_file(&tree, "job/file", "x");
    tree_file(&tree, "job/a.tar.gz", "x");
    tree_file(&tree, "job/" PT "/of_the_run.zip", "x"); /* its own list has it */
    assert_int_equal(symlink("../elsewhere", tree_path(&tree, "job/out")), 0);
    assert_int_equal(symlink(PT, tree_path(&tree, "job/latest")), 0);
    assert_int_equal(symlink("file", tree_path(&tree, "job/to_file")), 0);
    assert_int_equal(symlink("nowhere", tree_path(&tree, "job/dangling")), 0);
    assert_int_equal(symlink("loop", tree_path(&tree, "job/loop")), 0);
    j = scan("job");
    assert_int_equal(j->n_units, 1);
    assert_int_equal(unread_of(j, "job/out")->why, UNREAD_LINK);
    assert_int_equal(unread_of(j, "job/.old")->why, UNREAD_HIDDEN);
    assert_int_equal(unread_of(j, "job/a.tar.gz")->why, UNREAD_ARCHIVE);
    assert_int_equal(unread_count(j->unread, UNREAD_ARCHIVE, NULL), 1);
    assert_int_equal(unread_count(j->unread, UNREAD_LINK, NULL), 1);
    assert_int_equal(unread_count(j->unread, UNREAD_HIDDEN, NULL), 1);
    assert_int_equal(unread_count(j->unread, UNREAD_CLOSED, NULL), 0);
    assert_false(j->cut);
    job_free(j);
}

/* ---- searches in the cache ---- */

static struct job *scan_kept(const char *rel)
{
    struct inventory_tables t = tree_all_tables();
    struct err e = ERR_INIT;
    struct job *j = NULL;

    t.stamp = "test";
    if (job_scan(&j, tree_path(&tree, rel), &t, &e))
        fail_msg("%s", e.text);
    return j;
}

/* All folders look as if nothing had happened to them for an hour. */
static void let_rest(const char *rel)
{
    struct timespec past[2];

    clock_gettime(CLOCK_REALTIME, &past[0]);
    past[0].tv_sec -= 3600;
    past[1] = past[0];
    assert_int_equal(utimensat(AT_FDCWD, tree_path(&tree, rel), past, 0), 0);
}

static unsigned kept_files(void)
{
    char dir[PATH_MAX * 2];
    unsigned n = 0;

    snprintf(dir, sizeof(dir), "%s/npuscope/searches", tree_path(&tree, "cache"));
    DIR *d = opendir(dir);
    for (struct dirent *x; d && (x = readdir(d)) != NULL;)
        n += x->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

/*
 * What was found is found again without listing the many files, until a folder changes. That it is not
 * listed shows in a file that comes without a trace in its folder's time.
 */
static void search_of_many_files_is_kept(void **state)
{
    struct job *j;

    (void)state;
    assert_int_equal(setenv("XDG_CACHE_HOME", tree_path(&tree, "cache"), 1), 0);
    make_pt("job/deep/er/" PT);
    tree_dir(&tree, "job/.git");
    for (int i = 0; i < 2500; i++) {
        char rel[64];

        snprintf(rel, sizeof(rel), "job/many/%d.txt", i);
        tree_file(&tree, rel, "");
    }
    job_free(scan_kept("job"));
    assert_int_equal(kept_files(), 0); /* the folders are too young */
    sleep(3);                          /* nothing but time makes a ctime older */
    job_free(scan_kept("job"));
    assert_int_equal(kept_files(), 1);
    j = scan_kept("job");
    assert_int_equal(j->n_units, 1);
    assert_root(j, 0, "job/deep/er/" PT);
    assert_int_equal(unread_count(j->unread, UNREAD_HIDDEN, NULL), 1);
    job_free(j);
    make_pt("job/many/" PT);
    let_rest("job/many"); /* its ctime tells */
    j = scan_kept("job");
    assert_int_equal(j->n_units, 2);
    job_free(j);
    search_kept_remove();
    assert_int_equal(kept_files(), 0);
}

/* A damaged record is not believed, whatever is wrong with it. */
static void damaged_record_of_a_search_is_searched_anew(void **state)
{
    struct search_kept k;
    struct root_list found = { 0 }, again;
    struct err e = ERR_INIT;
    struct arena *a;
    struct stat st;
    char file[PATH_MAX * 3] = "", bytes[4096];

    (void)state;
    assert_int_equal(setenv("XDG_CACHE_HOME", tree_path(&tree, "cache"), 1), 0);
    assert_int_equal(arena_new(&a, 8 << 20, &e), OK);
    assert_int_equal(stat("/", &st), 0);
    search_kept_begin(&k);
    search_kept_folder(&k, "/", &st);
    assert_int_equal(root_add(&found, a, "/x", ROOT_PROF, &e), OK);
    unread_add(&found.unread, a, "/y z", UNREAD_CLOSED, "no permission");
    k.young = false;
    search_kept_save(&k, &found, 5000, "/", "test");
    search_kept_done(&k);
    assert_int_equal(kept_files(), 1);
    assert_true(search_kept_load(&again, "/", "test", a));
    assert_int_equal(again.n, 1);
    assert_string_equal(again.v[0].path, "/x");
    assert_string_equal(again.unread->path, "/y z");
    assert_string_equal(again.unread->text, "no permission");
    assert_false(search_kept_load(&again, "/", "other tables", a));
    assert_false(search_kept_load(&again, "/etc", "test", a));

    char dir[PATH_MAX * 2];
    snprintf(dir, sizeof(dir), "%s/npuscope/searches", tree_path(&tree, "cache"));
    DIR *d = opendir(dir);
    for (struct dirent *x; (x = readdir(d)) != NULL;)
        if (x->d_name[0] != '.')
            snprintf(file, sizeof(file), "%s/%s", dir, x->d_name);
    closedir(d);
    FILE *f = fopen(file, "r");
    size_t n = fread(bytes, 1, sizeof(bytes), f);
    fclose(f);
    for (size_t cut = 0; cut < n; cut++) {
        f = fopen(file, "w");
        assert_int_equal(fwrite(bytes, 1, cut, f), cut);
        fclose(f);
        assert_false(search_kept_load(&again, "/", "test", a));
    }
    f = fopen(file, "w");
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fputc('x', f), 'x');
    fclose(f);
    assert_false(search_kept_load(&again, "/", "test", a));
    arena_free(a);
}

/* info.json in host or device_N tells it, whatever the folder is called. */
static void prof_folder_by_another_name_is_found(void **state)
{
    struct job *j;

    (void)state;
    tree_file(&tree, "base line/device_4/info.json.4", "{\"platform_version\": \"5\"}");
    tree_file(&tree, "base line/device_4/data/stars_soc.data.4.slice_0", "");
    tree_file(&tree, "PROF_old/host/data/unaging.api_event.data.slice_0", "");
    j = scan("base line");
    assert_int_equal(j->n_units, 1);
    assert_int_equal(j->units[0]->gen, GEN_M);
    job_free(j);
    j = scan("base line/device_4/data");
    assert_root(j, 0, "base line");
    job_free(j);
    j = scan("");
    assert_int_equal(j->n_units, 2);
    job_free(j);
    tree_file(&tree, "src/host/main.py", "print()\n");
    assert_fails("src", ERR_FORMAT, "no profile found here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(missing_path_is_reported),
        CASE(empty_folder_is_reported),
        CASE(foreign_folder_is_reported),
        CASE(strange_start_paths_are_reported),
        CASE(folder_without_permission_is_reported),
        CASE(tool_folders_are_found_by_name),
        CASE(whole_files_are_found_below),
        CASE(rank_folder_is_found_from_everywhere),
        CASE(one_file_names_its_unit),
        CASE(lone_file_is_a_unit_of_its_own),
        CASE(loose_files_of_a_folder_are_a_unit),
        CASE(parent_of_many_is_sorted_by_rank_and_time),
        CASE(cluster_output_has_the_ranks_that_its_files_name),
        CASE(data_folder_of_the_default_output_path_is_searched),
        CASE(dynamic_windows_are_distinguished),
        CASE(prof_folder_belongs_to_what_it_lies_in),
        CASE(flat_folder_leaves_rank_folders_out),
        CASE(folders_called_profiler_are_not_roots_by_name_alone),
        CASE(lone_job_folder_is_raw_gen_1),
        CASE(prof_folder_by_another_name_is_found),
        CASE(roots_are_found_16_levels_down),
        CASE(folders_that_are_not_entered_are_named),
        CASE(search_of_many_files_is_kept),
        CASE(damaged_record_of_a_search_is_searched_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
