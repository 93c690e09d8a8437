/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths: joining, safe opening and creating, private directories (doc/reliability.md#strange-files,
 * #private-cache, #whole-outputs).
 */
#ifndef NPUSCOPE_PATH_H
#define NPUSCOPE_PATH_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/str.h"

/* dir "/" name into buf (name alone when dir is empty or name is absolute); false when it does not fit. */
bool path_join(char *buf, size_t n, const char *dir, const char *name);
/* What follows the last '/' that is not at the end; borrowed from path. */
const char *path_base(const char *path);
/* path is the folder or lies in it, by the names alone: both absolute, or both relative. */
bool path_is_below(const char *path, const char *folder);
/* The name is that of an archive that we open (archive/unpack.h), whatever is in it. */
bool path_is_archive(const char *path);
/* Parent directory into buf ("." when none); false when it does not fit. */
bool path_dir(char *buf, size_t n, const char *path);
/*
 * Create path and its parents, mode 0700, whatever the umask. What exists stays as it is; links to
 * directories are followed.
 */
NODISCARD int path_mkdirs(const char *path, struct err *e);
/* Our private directory: 0700, owned by us, no link, not group- or world-writable; made when missing.
 * One of ours that others may only read is set to 0700. Errors: ERR_IO with a reason. */
NODISCARD int path_private_dir(const char *path, struct err *e);
/*
 * What lies there instead of a regular file ("a FIFO, not a file"), by st_mode; NULL: it is one. To be asked
 * before opening what others may have put there: opening a FIFO waits for its other end.
 */
const char *path_strange(mode_t mode);
/* The same for what path leads to; NULL also when nothing does. */
const char *path_strange_at(const char *path);
/*
 * Descriptor of a regular file to read, with its facts in *st; nothing else is opened or waited for. -1:
 * errors ERR_IO, ERR_FORMAT (what lies there instead).
 */
int path_open_file(const char *path, struct stat *st, struct err *e);
/*
 * $XDG_CACHE_HOME/npuscope (or ~/.cache/npuscope) into buf. ERR_USAGE when neither is usable. Does not create
 * it.
 */
NODISCARD int path_cache_dir(char *buf, size_t n, struct err *e);
NODISCARD int path_config_dir(char *buf, size_t n, struct err *e);
/* The file system of path is a network one (NFS, Lustre, FUSE, CIFS, 9p). */
bool path_is_network(const char *path);
/* The same for the f_type of statfs(2). */
bool path_type_is_network(uint64_t type);

/*
 * A file written beside its target and renamed over it when whole; mode from the umask. replace false: an
 * existing target is an error, also when it appears before the commit; true: only a target that may not be
 * written is an error. A link is replaced, never followed. Devices and FIFOs (and what lies in /dev and
 * /proc) are written in place. file_write_commit() fsyncs, renames and fsyncs the directory.
 * file_write_abort() removes the temporary. Both free w (NULL is allowed for abort). After a failed
 * file_write_data() the commit fails as well.
 */
struct file_write;
NODISCARD int file_write_open(struct file_write **out, const char *path, bool replace, struct err *e);
/*
 * The same for name (which may lie in folders, made where they are missing) below the folder base. Only base
 * is followed where it is a link: what else lies there can have been put there by others, so that a link in
 * place of a folder is an error, and nothing is written in place.
 */
NODISCARD int file_write_open_below(struct file_write **out, const char *base, const char *name, bool replace,
                                    struct err *e);
int file_write_fd(const struct file_write *w);
NODISCARD int file_write_data(struct file_write *w, const void *p, size_t n, struct err *e);
NODISCARD int file_write_commit(struct file_write *w, struct err *e);
void file_write_abort(struct file_write *w);

#endif
