/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding logs (doc/formats/logs.md#places): files by their names, in the folders that are given. Nothing is
 * opened but folders; links are not followed.
 */
#ifndef NPUSCOPE_LOG_FILES_H
#define NPUSCOPE_LOG_FILES_H

#include "base/arena.h"
#include "base/err.h"
#include "parsers/logs/signature.h"

struct log_found {
    const char *path; /* to open it */
    const char *name; /* below the folder that was searched */
    enum log_kind kind;
    int server;  /* number of its server's folder, from 0 */
    int64_t pid; /* of the name, -1: none; so the following */
    int rank, device;
    int64_t stamp_ns; /* local time of creation in the name, 0: none */
    int64_t modified_ns;
    uint64_t size;
};
struct log_folder {   /* of a server */
    const char *name; /* "" for files that lie in no server's folder */
};
struct log_list {
    struct log_found *v;
    size_t n;
    struct log_folder *servers;
    size_t n_servers;
    bool cut;                /* more entries than LIM_LOG_ENTRIES */
    size_t unread;           /* folders without permission */
    const char *unread_path; /* the first of them; lives as long as the arena */
};

#define LIM_LOG_ENTRIES 200000
#define LIM_LOG_DEPTH   12

/* How far logs_find() goes. */
enum log_reach {
    LOG_ALL,   /* everything below the folder */
    LOG_KNOWN, /* only logs in the folder itself, and all below folders that are known to hold logs */
    LOG_NEAR,  /* the same, but of the folders in it only those that hold nothing else */
    LOG_FLAT,  /* only the folder itself */
};

/* Add the logs of a folder. What cannot be read is counted. Errors: ERR_NOMEM. */
NODISCARD int log_files_find(struct log_list *out, const char *folder, enum log_reach reach, struct arena *a,
                             struct err *e);
/*
 * Kind of a file by its path below the searched folder; false: it is no log. Fills pid, rank, device, stamp.
 */
bool log_files_know(const char *name, struct log_found *out);
/* In order of paths, each file once. */
void log_files_sort(struct log_list *l);

#endif
