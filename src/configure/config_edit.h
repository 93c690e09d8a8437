/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Editing a profiler_config.json that a job polls (doc/formats/framework.md#dynamic-profiling): only the
 * values that change are written anew; all else stays byte by byte, keys in their order, also those that
 * nobody knows. The file is replaced as a whole, so that the job reads the old or the new one.
 */
#ifndef NPUSCOPE_CONFIGURE_CONFIG_EDIT_H
#define NPUSCOPE_CONFIGURE_CONFIG_EDIT_H

#include "configure/config_read.h"

/*
 * Append the text with the chosen values in it. Integers of older versions stay integers. ERR_USAGE: the form
 * has no such switch; ERR_FORMAT with the place: text is no JSON object.
 */
NODISCARD int config_edit_text(struct str text, const struct config_target *t, const struct choice *changes,
                               struct buf *out, struct err *e);
/*
 * Change a file by texts as choice_set_all() takes them; version 0: guessed. Mode and owner stay, its time
 * becomes later in whole seconds, because jobs compare these. What would make the file wrong is not
 * written: ERR_USAGE. ERR_BUSY: somebody else has changed the file meanwhile. *same: it says so already,
 * and nothing was written.
 */
NODISCARD int config_edit_file(const char *path, unsigned version, const char *const *texts, size_t n,
                               bool *same, struct err *e);
/* The text of a small file, appended; out has room for CONFIG_LOAD_B. ERR_LIMIT above CONFIG_MAX_B. */
NODISCARD int config_load(const char *path, struct buf *out, struct err *e);
NODISCARD int config_load_fd(int fd, struct buf *out, struct err *e);

#endif
