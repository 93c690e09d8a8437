/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives of any bytes, unpacked into a private folder: there are files and folders in it and nothing else,
 * as many as the record tells, within the limits; the record can be read back.
 */
#include "config.h"

#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/inner.h"
#include "archive/record.h"
#include "tests/fuzz/fuzz_folder.h"

#define MAX_B ((uint64_t)1 << 20)

static uint64_t files, bytes;

static int look(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)path;
    (void)type;
    (void)f;
    FUZZ_CHECK(S_ISREG(st->st_mode) || S_ISDIR(st->st_mode));
    FUZZ_CHECK((st->st_mode & 07777) == (S_ISDIR(st->st_mode) ? 0700 : 0600));
    files += S_ISREG(st->st_mode);
    bytes += S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0;
    return 0;
}

/* What is written can be read, and says the same. */
static void check_record(struct archive_record *r, int dir, const char *folder)
{
    struct archive_record back;
    struct stat st;
    struct err e = ERR_INIT;

    FUZZ_CHECK(fstat(dir, &st) == 0);
    r->inode = (uint64_t)st.st_ino;
    r->path = strdup("/a b%\n");
    r->top = strdup("members");
    FUZZ_CHECK(r->path && r->top && record_write(r, dir, &e) == OK);
    FUZZ_CHECK(record_read(&back, folder) && back.n == r->n && back.more == r->more &&
               back.files == r->files);
    FUZZ_CHECK(strcmp(back.path, r->path) == 0);
    for (size_t i = 0; i < r->n; i++)
        FUZZ_CHECK(back.v[i].what == r->v[i].what && strcmp(back.v[i].name, r->v[i].name) == 0 &&
                   strcmp(back.v[i].text, r->v[i].text) == 0);
    record_done(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct unpack_limits limits = { 200, MAX_B, 64, MAX_B };
    struct archive_record r = { 0 };
    struct err e = ERR_INIT;
    const char *folder = fuzz_folder_out();
    int fd = open(fuzz_file(data, size), O_RDONLY), dir = open(folder, O_RDONLY | O_DIRECTORY);
    const struct unpack u = {
        .fd = fd, .name = "fuzz", .size_b = size, .dir = dir, .top = "members", .limits = &limits
    };

    FUZZ_CHECK(fd >= 0 && dir >= 0);
    if (unpack_is_archive(fd)) {
        FUZZ_CHECK(unpack_all(&u, &r, &e) == OK && r.bytes <= MAX_B && r.files <= limits.members);
        files = bytes = 0;
        FUZZ_CHECK(nftw(folder, look, 16, FTW_PHYS) == 0);
        FUZZ_CHECK(files <= r.files && bytes <= MAX_B * limits.members);
        check_record(&r, dir, folder);
        record_done(&r);
    }
    close(fd);
    close(dir);
    return 0;
}
