/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches in the cache: one file each, of texts that end in NUL. A letter says what a text is:
 * H head, P path, S state, R root, U folder not entered, T its text, F folder with its times, E end.
 */
#include "config.h"

#include "run/find/search_kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"

#define FOLDER_NAME "searches"
#define HEAD        "2 " PACKAGE_VERSION " "
#define KEPT_LEAST  2000 /* entries: below, listing them takes no longer than reading this */
#define KEPT_MAX_B  ((size_t)32 << 20)
/* file systems keep times as roughly as this, some of them */
#define REST_NS INT64_C(2000000000)

static int64_t ns_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- noting ---- */

void search_kept_begin(struct search_kept *k)
{
    *k = (struct search_kept){ .begin_ns = clock_ns(CLOCK_REALTIME) };
    buf_init(&k->folders, KEPT_MAX_B);
}

void search_kept_done(struct search_kept *k)
{
    buf_done(&k->folders);
}

/* What shows a change of a folder. */
static void put_facts(struct buf *b, const struct stat *st)
{
    buf_printf(b, "F%" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 " ", (uint64_t)st->st_dev,
               (uint64_t)st->st_ino, ns_of(st->st_mtim), ns_of(st->st_ctim));
}

void search_kept_folder(struct search_kept *k, const char *path, const struct stat *st)
{
    k->young |= ns_of(st->st_mtim) > k->begin_ns - REST_NS || ns_of(st->st_ctim) > k->begin_ns - REST_NS;
    put_facts(&k->folders, st);
    buf_puts(&k->folders, path);
    buf_addc(&k->folders, '\0');
}

/* ---- files ---- */

static bool kept_dir(char *buf, size_t n)
{
    struct err ignored = ERR_INIT;
    char cache[900];

    return path_cache_dir(cache, sizeof cache, &ignored) == OK && path_join(buf, n, cache, FOLDER_NAME);
}

/* FNV-1a: the same in each process. Two paths with one hash take turns. */
static bool kept_path(char *buf, size_t n, const char *path)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    char dir[1000], name[32];

    for (; *path; path++)
        h = (h ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
    snprintf(name, sizeof name, "%016" PRIx64, h);
    return kept_dir(dir, sizeof dir) && path_join(buf, n, dir, name);
}

/* Whole contents of a file of ours. */
static bool read_own(struct buf *b, const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
              st.st_size > 0 && (uint64_t)st.st_size <= KEPT_MAX_B;
    char *p = ok ? buf_room(b, (size_t)st.st_size) : NULL;

    while (p && b->n < (size_t)st.st_size) {
        ssize_t got = read(fd, p + b->n, (size_t)st.st_size - b->n);
        if (got <= 0)
            break;
        b->n += (size_t)got;
    }
    if (fd >= 0)
        close(fd);
    return p && b->n == (size_t)st.st_size && !p[b->n - 1]; /* so that each text ends */
}

/* ---- reading ---- */

/* The next text and its letter, 0 at the end. */
static char next_text(struct str *rest, struct str *text)
{
    if (!str_next(rest, '\0', text) || text->n == 0)
        return 0;
    char letter = text->p[0];
    *text = str_sub(*text, 1, text->n);
    return letter;
}

/* "F" and its facts: the folder is as it was. */
static bool is_same_folder(struct str text)
{
    struct str path = text, skip;
    struct buf now;
    struct stat st;
    bool same = false;

    buf_init(&now, 4096);
    for (int i = 0; i < 4; i++)
        (void)!str_next(&path, ' ', &skip);
    if (path.n && lstat(path.p, &st) == 0) { /* the text ends in NUL */
        put_facts(&now, &st);
        same = text.n > path.n && now.n == text.n - path.n + 1 && memcmp(now.p + 1, text.p, now.n - 1) == 0;
    }
    buf_done(&now);
    return same;
}

static bool is_small_number(struct str s, uint64_t below, uint64_t *out)
{
    return str_u64(s, out) && *out < below;
}

static bool take_root(struct root_list *out, struct str text, struct arena *a)
{
    struct err ignored = ERR_INIT;
    struct str kind;
    uint64_t k;

    return str_next(&text, ' ', &kind) && is_small_number(kind, ROOT_FILE + 1, &k) && text.n &&
           root_add(out, a, text.p, (enum root_kind)k, &ignored) == OK;
}

static bool take_unread(struct root_list *out, struct str text, struct str why, struct arena *a)
{
    struct str number;
    uint64_t w;

    if (!str_next(&text, ' ', &number) || !is_small_number(number, N_UNREAD, &w) || !text.n)
        return false;
    unread_add(&out->unread, a, text.p, (enum unread_why)w, why.p);
    return true;
}

static bool take_all(struct root_list *out, struct str rest, const char *path, const char *tables,
                     struct arena *a)
{
    struct str text, why;

    if (next_text(&rest, &text) != 'H' || !str_starts(text, STR(HEAD)) ||
        !str_eq(str_sub(text, sizeof HEAD - 1, text.n), str_of(tables)) || next_text(&rest, &text) != 'P' ||
        !str_eq(text, str_of(path)) || next_text(&rest, &text) != 'S' || text.n != 2)
        return false;
    out->cut = text.p[0] == '1';
    out->empty = text.p[1] == '1';
    for (;;) {
        switch (next_text(&rest, &text)) {
        case 'R':
            if (!take_root(out, text, a))
                return false;
            break;
        case 'U':
            if (next_text(&rest, &why) != 'T' || !take_unread(out, text, why, a))
                return false;
            break;
        case 'F':
            if (!is_same_folder(text))
                return false;
            break;
        case 'E':
            return rest.n == 0;
        default:
            return false;
        }
    }
}

bool search_kept_load(struct root_list *out, const char *path, const char *tables, struct arena *a)
{
    struct root_list found = { 0 };
    char file[1100];
    struct buf b;
    bool ok;

    buf_init(&b, KEPT_MAX_B + 1);
    ok = kept_path(file, sizeof file, path) && read_own(&b, file) &&
         take_all(&found, buf_str(&b), path, tables, a);
    buf_done(&b);
    if (ok)
        *out = found;
    return ok;
}

/* ---- writing ---- */

static void put_result(struct buf *b, const struct root_list *found)
{
    buf_printf(b, "S%d%d", found->cut, found->empty);
    buf_addc(b, '\0');
    for (size_t i = 0; i < found->n; i++) {
        buf_printf(b, "R%d %s", (int)found->v[i].kind, found->v[i].path);
        buf_addc(b, '\0');
    }
    for (const struct unread_folder *f = found->unread; f; f = f->next) {
        buf_printf(b, "U%d %s", (int)f->why, f->path);
        buf_addc(b, '\0');
        buf_printf(b, "T%s", f->text);
        buf_addc(b, '\0');
    }
}

/* Searches that nobody made anew for long. */
static void drop_old(const char *dir)
{
    int64_t since = clock_ns(CLOCK_REALTIME) - (int64_t)LIM_CACHE_DAYS * 86400 * 1000000000;
    char path[1300];
    struct stat st;
    DIR *d = opendir(dir);

    for (struct dirent *x; d && (x = readdir(d)) != NULL;)
        if (x->d_name[0] != '.' && path_join(path, sizeof path, dir, x->d_name) && lstat(path, &st) == 0 &&
            ns_of(st.st_mtim) < since)
            unlink(path);
    if (d)
        closedir(d);
}

static void write_file(const char *path, const struct buf *head, const struct buf *folders)
{
    struct err ignored = ERR_INIT;
    struct file_write *w = NULL;

    if (file_write_open(&w, path, true, &ignored))
        return;
    if (fchmod(file_write_fd(w), 0600) == 0 && file_write_data(w, head->p, head->n, &ignored) == OK &&
        (!folders->n || file_write_data(w, folders->p, folders->n, &ignored) == OK) &&
        file_write_data(w, "E", 2, &ignored) == OK)
        (void)!file_write_commit(w, &ignored);
    else
        file_write_abort(w);
}

void search_kept_save(const struct search_kept *k, const struct root_list *found, size_t seen,
                      const char *path, const char *tables)
{
    struct err ignored = ERR_INIT;
    char cache[900], dir[1000], file[1100];
    struct buf head;

    if (seen < KEPT_LEAST || k->young || buf_failed(&k->folders) ||
        path_cache_dir(cache, sizeof cache, &ignored) || path_private_dir(cache, &ignored) ||
        !kept_dir(dir, sizeof dir) || path_private_dir(dir, &ignored) || !kept_path(file, sizeof file, path))
        return;
    drop_old(dir);
    buf_init(&head, KEPT_MAX_B);
    buf_printf(&head, "H" HEAD "%s", tables);
    buf_addc(&head, '\0');
    buf_printf(&head, "P%s", path);
    buf_addc(&head, '\0');
    put_result(&head, found);
    if (!buf_failed(&head) && head.n + k->folders.n + 2 <= KEPT_MAX_B)
        write_file(file, &head, &k->folders);
    buf_done(&head);
}

void search_kept_remove(void)
{
    char dir[1000], path[1300];
    DIR *d = kept_dir(dir, sizeof dir) ? opendir(dir) : NULL;

    for (struct dirent *x; d && (x = readdir(d)) != NULL;)
        if (x->d_name[0] != '.' && path_join(path, sizeof path, dir, x->d_name))
            unlink(path);
    if (d)
        closedir(d);
    if (kept_dir(dir, sizeof dir))
        (void)!rmdir(dir);
}
