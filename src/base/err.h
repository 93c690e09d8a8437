/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Status of an operation.
 *
 * Every function that can fail returns an enum err_code as int (0 is success), is marked NODISCARD and takes
 * struct err *e last (never NULL). The caller owns the struct and zeroes it first (struct err e = ERR_INIT).
 * The first error set wins. Damaged input is not an error but a note (store/sink.h).
 */
#ifndef NPUSCOPE_ERR_H
#define NPUSCOPE_ERR_H

#include <stddef.h>
#include <stdint.h>

#define NODISCARD         __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define ARRAY_LEN(a)      (sizeof(a) / sizeof((a)[0]))

enum err_code {
    OK = 0,
    ERR_NOMEM,
    ERR_IO,
    ERR_FORMAT,
    ERR_LIMIT,
    ERR_VERSION,
    ERR_BUSY,
    ERR_FULL,
    ERR_CANCELLED,
    ERR_USAGE,
    ERR_STORE, /* our own store is damaged: it is made anew */
    ERR_BUG
};

#define ERR_NO_OFFSET UINT64_MAX

struct err {
    int code;        /* enum err_code */
    int sys;         /* errno, or 0 */
    uint32_t line;   /* 1-based for text files, 0: not a text file or unknown */
    uint64_t offset; /* bytes from the start of file, or of a statement; ERR_NO_OFFSET: unknown */
    char file[256];  /* path as given (its end, when longer), raw bytes; "" when none */
    char text[200];  /* sentence without the file name; sanitised when shown */
};

#define ERR_INIT                                                                                             \
    {                                                                                                        \
        .code = OK, .offset = ERR_NO_OFFSET                                                                  \
    }

/* Record code and a formatted sentence unless an error is recorded already. Returns the recorded code. */
int err_set(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Our code for an errno: ERR_FULL, ERR_NOMEM, else ERR_IO. */
int err_of_errno(int sys);
/*
 * As err_set with ERR_IO (ERR_FULL for ENOSPC, EDQUOT, EFBIG; ERR_NOMEM for ENOMEM) and the text of errno
 * value sys.
 */
int err_sys(struct err *e, int sys, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Shorthand for ERR_NOMEM. */
int err_nomem(struct err *e);
/* Add where it happened, unless that is known already. offset ERR_NO_OFFSET and line 0 mean unknown. */
void err_where(struct err *e, const char *file, uint64_t offset, uint32_t line);
/* Forget what is recorded. */
void err_clear(struct err *e);
/*
 * The one-line message "FILE: at byte N (line L): sentence" (parts that are unknown left out), not yet
 * sanitised. buf: at least 1 byte; always terminated. Returns buf.
 */
const char *err_message(const struct err *e, char *buf, size_t n);
/* Word for a code, for logs and tests ("ERR_IO"). */
const char *err_name(int code);

/* The analyzer looks at one file at a time: it has to know that an error is never OK. */
#if defined(__clang_analyzer__) && !defined(ERR_C)
#define err_set(e, number, ...) ((e)->code = (number))
#define err_sys(e, number, ...) ((void)(number), (e)->code = ERR_IO)
#define err_nomem(e)            ((e)->code = ERR_NOMEM)
#endif

#endif
