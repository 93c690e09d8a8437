/* SPDX-License-Identifier: Apache-2.0 */
/* Private to parsers/prof: what the info files of a data folder say (doc/formats/prof.md#metadata). */
#ifndef NPUSCOPE_PARSERS_PROF_META_H
#define NPUSCOPE_PARSERS_PROF_META_H

#include "parsers/prof/prof.h"

enum prof_info_file { /* info files */
                      INFO_FILE_INFO,
                      INFO_FILE_SAMPLE,
                      INFO_FILE_START,
                      INFO_FILE_END,
                      INFO_FILE_HOST_CLOCK,
                      INFO_FILE_DEVICE_CLOCK,
                      N_INFO_FILES
};
struct prof_info_kind {
    const char *name;
    /* a folder of that kind must have it (doc/formats/prof-quirks.md#folders-and-files) */
    bool host, device;
    const char *without; /* what is unknown then */
};
extern const struct prof_info_kind prof_info_kinds[N_INFO_FILES];
/* The info file with this base name; N_INFO_FILES: none. */
enum prof_info_file prof_info_file_of(const char *base);
/* Fill f->meta from the info files (NULL: not there). Damage becomes a note. Errors: ERR_NOMEM. */
NODISCARD int prof_meta_read(struct prof *p, struct prof_folder *f,
                             const struct source_file *const info_file[N_INFO_FILES], struct err *e);

#endif
