/* SPDX-License-Identifier: Apache-2.0 */
/* Directories that are ours alone, and files that are whole or not there, in a scratch directory.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/path.h"

static char top[PATH_MAX]; /* scratch directory of one test */

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

static int setup(void **state)
{
    (void)state;
    const char *dir = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/npuscope-test-XXXXXX", dir ? dir : "/tmp");
    umask(022);
    return mkdtemp(top) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    umask(022);
    return nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* NAME in the scratch directory; four results stay valid. */
static const char *in_top(const char *name)
{
    static char paths[4][PATH_MAX];
    static int turn;
    turn = (turn + 1) % 4;
    assert_true(path_join(paths[turn], sizeof paths[turn], top, name));
    return paths[turn];
}

static unsigned mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return (unsigned)(st.st_mode & 07777);
}

static bool exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static void put_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

static const char *file_text(const char *path)
{
    static char text[100];
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    ssize_t n = read(fd, text, sizeof text - 1);
    assert_true(n >= 0);
    text[n] = '\0';
    close(fd);
    return text;
}

static int count_one;
static int count_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)path;
    (void)st;
    (void)flag;
    count_one += ftw->level > 0;
    return 0;
}

/* Entries below the scratch directory: no temporary may be left over. */
static int entries(void)
{
    count_one = 0;
    nftw(top, count_entry, 16, FTW_PHYS);
    return count_one;
}

static void path_join_base_dir(void **state)
{
    (void)state;
    static const struct {
        const char *dir, *name, *joined;
    } joins[] = {
        { "a", "b", "a/b" }, { "a/", "b", "a/b" }, { "", "b", "b" },
        { "/", "b", "/b" },  { "a", "/b", "/b" },  { "a", "", "a/" },
    };
    static const struct {
        const char *path, *base, *dir;
    } parts[] = {
        { "a/b", "b", "a" },       { "b", "b", "." },   { "/b", "b", "/" }, { "a/b/", "b/", "a" },
        { "a//b", "b", "a" },      { "/", "", "/" },    { "", "", "." },    { "//x", "x", "/" },
        { "/a/b/c", "c", "/a/b" }, { "./x", "x", "." },
    };
    char buf[20];
    for (size_t i = 0; i < ARRAY_LEN(joins); i++) {
        assert_true(path_join(buf, sizeof buf, joins[i].dir, joins[i].name));
        assert_string_equal(buf, joins[i].joined);
    }
    assert_false(path_join(buf, 4, "ab", "c"));
    assert_true(path_join(buf, 5, "ab", "c"));
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        assert_string_equal(path_base(parts[i].path), parts[i].base);
        assert_true(path_dir(buf, sizeof buf, parts[i].path));
        assert_string_equal(buf, parts[i].dir);
    }
    assert_false(path_dir(buf, 3, "abc/d"));
}

static void path_is_below_by_names(void **state)
{
    (void)state;
    assert_true(path_is_below("/a/b", "/a"));
    assert_true(path_is_below("/a", "/a"));
    assert_true(path_is_below("/a/b", "/a/"));
    assert_true(path_is_below("/a", "/"));
    assert_true(path_is_below("/", "/"));
    assert_false(path_is_below("/ab", "/a"));
    assert_false(path_is_below("/", "/a"));
    assert_false(path_is_below("/a", "/a/b"));
    assert_false(path_is_below("a", ""));
}

static void path_mkdirs_makes_0700_whatever_the_umask(void **state)
{
    (void)state;
    static const unsigned masks[] = { 0, 022, 077, 0777 };
    for (size_t i = 0; i < ARRAY_LEN(masks); i++) {
        char name[20];
        struct err e = ERR_INIT;
        snprintf(name, sizeof name, "m%zu/a/b", i);
        umask((mode_t)masks[i]);
        assert_int_equal(path_mkdirs(in_top(name), &e), OK);
        assert_int_equal(path_mkdirs(in_top(name), &e), OK);
        assert_int_equal(mode_of(in_top(name)), 0700);
        name[2] = '\0';
        assert_int_equal(mode_of(in_top(name)), 0700);
    }
}

static void path_mkdirs_leaves_what_exists(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    assert_int_equal(mkdir(in_top("old"), 0755), 0);
    assert_int_equal(symlink("old", in_top("link")), 0);
    assert_int_equal(path_mkdirs(in_top("link/new//"), &e), OK);
    assert_int_equal(mode_of(in_top("old")), 0755);
    assert_int_equal(mode_of(in_top("old/new")), 0700);
}

static void path_mkdirs_errors_name_the_path(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    put_file(in_top("file"), "");
    assert_int_equal(path_mkdirs(in_top("file/sub"), &e), ERR_IO);
    assert_string_equal(e.file, in_top("file"));
    err_clear(&e);
    assert_int_equal(path_mkdirs("", &e), ERR_IO);
    err_clear(&e);
    static char longer[PATH_MAX + 10];
    memset(longer, 'a', sizeof longer - 1);
    assert_int_equal(path_mkdirs(longer, &e), ERR_IO);
    assert_int_equal(e.sys, ENAMETOOLONG);
}

static void refused(const char *path, const char *word)
{
    struct err e = ERR_INIT;
    assert_int_equal(path_private_dir(path, &e), ERR_IO);
    if (!strstr(e.text, word))
        fail_msg("%s: %s", path, e.text);
    assert_true(e.file[0] != '\0');
}

static void path_private_dir_is_made_and_tightened(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    umask(0);
    assert_int_equal(path_private_dir(in_top("a/b"), &e), OK);
    assert_int_equal(mode_of(in_top("a/b")), 0700);
    assert_int_equal(chmod(in_top("a/b"), 0755), 0);
    assert_int_equal(path_private_dir(in_top("a/b/"), &e), OK);
    assert_int_equal(mode_of(in_top("a/b")), 0700);
}

static void path_private_dir_refuses_links_files_and_writable(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_top("real"), 0700), 0);
    assert_int_equal(symlink("real", in_top("link")), 0);
    assert_int_equal(symlink("nowhere", in_top("dangling")), 0);
    put_file(in_top("file"), "");
    refused(in_top("link"), "symbolic link");
    refused(in_top("link/"), "symbolic link");
    refused(in_top("dangling"), "symbolic link");
    refused(in_top("file"), "Not a directory");
    assert_int_equal(chmod(in_top("real"), 0770), 0);
    refused(in_top("real"), "write");
    assert_int_equal(chmod(in_top("real"), 0702), 0);
    refused(in_top("real"), "write");
    assert_int_equal(mode_of(in_top("real")), 0702);
    assert_false(exists(in_top("nowhere")));
}

static void path_private_dir_refuses_other_owners(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        refused("/", "another user");
        return;
    }
    assert_int_equal(mkdir(in_top("theirs"), 0700), 0);
    assert_int_equal(chown(in_top("theirs"), 65534, 65534), 0);
    refused(in_top("theirs"), "another user");
}

static void path_cache_dir_follows_the_environment(void **state)
{
    (void)state;
    char buf[100];
    struct err e = ERR_INIT;
    setenv("XDG_CACHE_HOME", "/x/cache", 1);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    setenv("HOME", "/h/u", 1);
    assert_int_equal(path_cache_dir(buf, sizeof buf, &e), OK);
    assert_string_equal(buf, "/x/cache/npuscope");
    assert_int_equal(path_config_dir(buf, sizeof buf, &e), OK);
    assert_string_equal(buf, "/h/u/.config/npuscope");
    setenv("XDG_CACHE_HOME", "", 1);
    assert_int_equal(path_cache_dir(buf, sizeof buf, &e), OK);
    assert_string_equal(buf, "/h/u/.cache/npuscope");
    assert_int_equal(path_cache_dir(buf, 20, &e), ERR_USAGE);
    err_clear(&e);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "not/absolute", 1);
    assert_int_equal(path_cache_dir(buf, sizeof buf, &e), ERR_USAGE);
    err_clear(&e);
    unsetenv("HOME");
    assert_int_equal(path_cache_dir(buf, sizeof buf, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "XDG_CACHE_HOME"));
}

static void path_is_network_by_type(void **state)
{
    (void)state;
    static const uint64_t network[] = { 0x6969,     0x0BD00BD0,
                                        0x65735546, 0xFF534D42,
                                        0x01021997, UINT64_C(0xFFFFFFFFFF534D42) /* sign extended */ };
    static const uint64_t local[] = { 0xEF53, 0x01021994, 0x58465342, 0x9123683E, 0x794C7630, 0 };
    for (size_t i = 0; i < ARRAY_LEN(network); i++)
        assert_true(path_type_is_network(network[i]));
    for (size_t i = 0; i < ARRAY_LEN(local); i++)
        assert_false(path_type_is_network(local[i]));
    assert_false(path_is_network("/proc"));
    assert_false(path_is_network("/proc/not/there/yet"));
}

/* One whole write; returns the status of the step that failed first. */
static int write_file(const char *path, bool replace, const char *text, struct err *e)
{
    struct file_write *w;
    int rc = file_write_open(&w, path, replace, e);
    if (rc != OK)
        return rc;
    if ((rc = file_write_data(w, text, strlen(text), e)) != OK) {
        file_write_abort(w);
        return rc;
    }
    return file_write_commit(w, e);
}

static void file_write_is_there_only_when_whole(void **state)
{
    (void)state;
    struct file_write *w;
    struct err e = ERR_INIT;
    put_file(in_top("out"), "old");
    assert_int_equal(file_write_open(&w, in_top("out"), true, &e), OK);
    assert_int_equal(file_write_data(w, "new", 3, &e), OK);
    assert_string_equal(file_text(in_top("out")), "old");
    assert_int_equal(entries(), 2);
    assert_int_equal(file_write_commit(w, &e), OK);
    assert_string_equal(file_text(in_top("out")), "new");
    assert_int_equal(entries(), 1);
    assert_int_equal(file_write_open(&w, in_top("out"), true, &e), OK);
    assert_int_equal(file_write_data(w, "third", 5, &e), OK);
    file_write_abort(w);
    file_write_abort(NULL);
    assert_string_equal(file_text(in_top("out")), "new");
    assert_int_equal(entries(), 1);
}

static void file_write_mode_comes_from_the_umask(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    umask(027);
    assert_int_equal(write_file(in_top("a"), false, "x", &e), OK);
    assert_int_equal(mode_of(in_top("a")), 0640);
    umask(0);
    assert_int_equal(write_file(in_top("b"), false, "x", &e), OK);
    assert_int_equal(mode_of(in_top("b")), 0666);
}

static void file_write_replaces_only_when_asked(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct file_write *w;
    put_file(in_top("out"), "old");
    assert_int_equal(write_file(in_top("out"), false, "new", &e), ERR_IO);
    assert_non_null(strstr(e.text, "exists"));
    assert_string_equal(e.file, in_top("out"));
    err_clear(&e);
    /* The target appears between open and commit. */
    assert_int_equal(file_write_open(&w, in_top("late"), false, &e), OK);
    assert_int_equal(file_write_data(w, "new", 3, &e), OK);
    put_file(in_top("late"), "theirs");
    assert_int_equal(file_write_commit(w, &e), ERR_IO);
    assert_int_equal(e.sys, EEXIST);
    assert_string_equal(file_text(in_top("late")), "theirs");
    assert_int_equal(entries(), 2);
}

static void file_write_leaves_a_file_alone_that_may_not_be_written(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    put_file(in_top("kept"), "old");
    assert_int_equal(chmod(in_top("kept"), 0444) | chmod(top, 0777), 0);
    if (geteuid() == 0 && seteuid(65534) != 0) /* root may write everything */
        skip();
    int rc = write_file(in_top("kept"), true, "new", &e);
    assert_int_equal(getuid() == 0 ? seteuid(0) : 0, 0);
    assert_int_equal(rc, ERR_IO);
    assert_int_equal(e.sys, EACCES);
    assert_string_equal(file_text(in_top("kept")), "old");
}

static void file_write_never_follows_a_planted_link(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    put_file(in_top("precious"), "keep");
    assert_int_equal(symlink("precious", in_top("out")), 0);
    assert_int_equal(symlink("made-by-link", in_top("dangling")), 0);
    assert_int_equal(write_file(in_top("out"), false, "new", &e), ERR_IO);
    err_clear(&e);
    assert_int_equal(write_file(in_top("dangling"), false, "new", &e), ERR_IO);
    err_clear(&e);
    assert_int_equal(write_file(in_top("out"), true, "new", &e), OK);
    assert_string_equal(file_text(in_top("precious")), "keep");
    assert_string_equal(file_text(in_top("out")), "new");
    assert_false(exists(in_top("made-by-link")));
    /* Links at the names of the temporaries are passed by. */
    for (int i = 0; i < 3; i++) {
        char name[60];
        snprintf(name, sizeof name, ".t.tmp.%ld.%d", (long)getpid(), i);
        assert_int_equal(symlink("precious", in_top(name)), 0);
    }
    assert_int_equal(write_file(in_top("t"), false, "new", &e), OK);
    assert_string_equal(file_text(in_top("precious")), "keep");
}

static void file_write_below_a_folder_follows_no_link(void **state)
{
    (void)state;
    struct file_write *w;
    struct err e = ERR_INIT;

    assert_int_equal(file_write_open_below(&w, in_top(""), "new/deep/out", false, &e), OK);
    assert_int_equal(file_write_data(w, "text", 4, &e), OK);
    assert_int_equal(file_write_commit(w, &e), OK);
    assert_string_equal(file_text(in_top("new/deep/out")), "text");

    assert_int_equal(symlink("deep", in_top("new/link")), 0);
    assert_int_equal(file_write_open_below(&w, in_top("new"), "link/out", true, &e), ERR_IO);
    assert_non_null(strstr(e.text, "symbolic link"));
    err_clear(&e);
    assert_int_equal(symlink("deep/out", in_top("new/file")), 0);
    assert_int_equal(file_write_open_below(&w, in_top("new"), "file", true, &e), OK);
    assert_int_equal(file_write_data(w, "mine", 4, &e), OK);
    assert_int_equal(file_write_commit(w, &e), OK);
    assert_string_equal(file_text(in_top("new/deep/out")), "text"); /* the link went, not what it leads to */
    assert_string_equal(file_text(in_top("new/file")), "mine");
    assert_int_equal(mkfifo(in_top("new/pipe"), 0600), 0);
    assert_int_equal(file_write_open_below(&w, in_top("new"), "pipe", true, &e), ERR_IO);
    err_clear(&e);
}

static void file_write_refuses_what_is_no_file(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    assert_int_equal(mkdir(in_top("d"), 0755), 0);
    assert_int_equal(write_file(in_top("d"), true, "x", &e), ERR_IO);
    assert_int_equal(e.sys, EISDIR);
    err_clear(&e);
    assert_int_equal(write_file(in_top("no/such/dir"), true, "x", &e), ERR_IO);
    assert_int_equal(e.sys, ENOENT);
    err_clear(&e);
    assert_int_equal(write_file("", true, "x", &e), ERR_IO);
    err_clear(&e);
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(write_file(in_top(name), true, "x", &e), ERR_IO);
    name[255] = '\0'; /* the longest name there is */
    err_clear(&e);
    assert_int_equal(write_file(in_top(name), true, "x", &e), OK);
    assert_int_equal(entries(), 2);
}

static void file_write_full_device_is_an_error(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(write_file("/dev/full", true, "x", &e), ERR_FULL);
    err_clear(&e);
    assert_int_equal(write_file("/dev/null", true, "x", &e), OK);
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void file_write_beyond_the_size_limit_leaves_nothing(void **state)
{
    (void)state;
    struct rlimit old, small = { .rlim_cur = 1000 };
    struct err e = ERR_INIT;
    char data[2000];
    struct file_write *w;

    memset(data, 'x', sizeof data);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(file_write_open(&w, in_top("out"), false, &e), OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int rc = file_write_data(w, data, sizeof data, &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(rc, ERR_FULL);
    err_clear(&e);
    assert_int_equal(file_write_commit(w, &e), ERR_IO); /* not half a file under the final name */
    assert_int_equal(entries(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_join_base_dir),
        cmocka_unit_test(path_is_below_by_names),
        cmocka_unit_test(path_mkdirs_makes_0700_whatever_the_umask),
        cmocka_unit_test(path_mkdirs_leaves_what_exists),
        cmocka_unit_test(path_mkdirs_errors_name_the_path),
        cmocka_unit_test(path_private_dir_is_made_and_tightened),
        cmocka_unit_test(path_private_dir_refuses_links_files_and_writable),
        cmocka_unit_test(path_private_dir_refuses_other_owners),
        cmocka_unit_test(path_cache_dir_follows_the_environment),
        cmocka_unit_test(path_is_network_by_type),
        cmocka_unit_test(file_write_is_there_only_when_whole),
        cmocka_unit_test(file_write_mode_comes_from_the_umask),
        cmocka_unit_test(file_write_replaces_only_when_asked),
        cmocka_unit_test(file_write_leaves_a_file_alone_that_may_not_be_written),
        cmocka_unit_test(file_write_never_follows_a_planted_link),
        cmocka_unit_test(file_write_below_a_folder_follows_no_link),
        cmocka_unit_test(file_write_refuses_what_is_no_file),
        cmocka_unit_test(file_write_full_device_is_an_error),
        cmocka_unit_test(file_write_beyond_the_size_limit_leaves_nothing),
    };
    struct CMUnitTest each[ARRAY_LEN(tests)];
    for (size_t i = 0; i < ARRAY_LEN(tests); i++) {
        each[i] = tests[i];
        each[i].setup_func = setup;
        each[i].teardown_func = teardown;
    }
    return cmocka_run_group_tests(each, NULL, NULL);
}
