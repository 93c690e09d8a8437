/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python stacks of all threads of a process, as torch_npu writes them beside a flight recorder dump
 * (*_py_traceback) and as Python's faulthandler does (doc/formats/logs.md#python-stacks). A stack owns its
 * texts until pystack_free(). Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_PYSTACK_H
#define NPUSCOPE_PARSERS_LOGS_PYSTACK_H

#include "base/arena.h"
#include "parsers/registry.h"

/* Limits; what is above them is left out with a note. */
#define PYSTACK_THREADS 4096
#define PYSTACK_FRAMES  65536 /* of all threads */
#define PYSTACK_TEXT_B  4096  /* of one text: longer ones are cut */

struct pystack_frame {
    struct str function, file; /* function may be empty */
    struct str code;           /* the source line, p NULL: not written */
    int64_t line;
};

struct pystack_thread {
    struct str name; /* p NULL: not written */
    uint64_t id;     /* 0: not written */
    bool is_main;
    const struct pystack_frame *frames; /* innermost first, in the dump's array */
    size_t n_frames;
};

struct pystack {
    int rank;    /* of the name; of torch_npu it is the rank in the group. -1: none */
    int64_t pid; /* -1: not written */
    struct pystack_thread *threads;
    size_t n_threads;
    bool main_guessed; /* no thread is called MainThread: faulthandler writes the main thread last */
    struct pystack_frame *frames; /* private */
    struct arena *mem;            /* private */
};

/*
 * Read the file of c; c->rows counts frames. *out is NULL after an error. Notes: those of lines
 * (parsers/read/lines.h), LIMIT. Errors: ERR_FORMAT (text without any thread or frame), ERR_IO, ERR_NOMEM,
 * ERR_CANCELLED.
 */
NODISCARD int pystack_read(struct pystack **out, struct parse_ctx *c, struct err *e);
void pystack_free(struct pystack *s); /* NULL is allowed */

/* The main thread; NULL: there is none. */
const struct pystack_thread *pystack_main(const struct pystack *s);
/* Where it is: its innermost frame; NULL: none. */
const struct pystack_frame *pystack_last(const struct pystack *s);

#endif
