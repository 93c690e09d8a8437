/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes and their messages. */
#include "config.h"

#define ERR_C
#include "base/err.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

PRINTF_LIKE(3, 0) static int set_v(struct err *e, int code, const char *fmt, va_list ap)
{
    if (e->code != OK)
        return e->code;
    e->code = code;
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    return e->code;
}

int err_set(struct err *e, int code, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int rc = set_v(e, code, fmt, ap);
    va_end(ap);
    return rc;
}

int err_of_errno(int sys)
{
    switch (sys) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return ERR_FULL;
    case ENOMEM:
        return ERR_NOMEM;
    default:
        return ERR_IO;
    }
}

int err_sys(struct err *e, int sys, const char *fmt, ...)
{
    va_list ap;

    if (e->code != OK)
        return e->code;
    va_start(ap, fmt);
    set_v(e, err_of_errno(sys), fmt, ap);
    va_end(ap);
    e->sys = sys;
    size_t used = strlen(e->text);
    snprintf(e->text + used, sizeof e->text - used, ": %s", strerror(sys));
    return e->code;
}

int err_nomem(struct err *e)
{
    return err_set(e, ERR_NOMEM, "out of memory");
}

void err_where(struct err *e, const char *file, uint64_t offset, uint32_t line)
{
    if (file && !e->file[0]) {
        size_t n = strlen(file);
        size_t skip = n >= sizeof e->file ? n - sizeof e->file + 1 : 0;
        memcpy(e->file, file + skip, n - skip + 1);
    }
    if (e->offset == ERR_NO_OFFSET)
        e->offset = offset;
    if (!e->line)
        e->line = line;
}

void err_clear(struct err *e)
{
    *e = (struct err)ERR_INIT;
}

const char *err_message(const struct err *e, char *buf, size_t n)
{
    char at[80] = "";

    if (e->line && e->offset != ERR_NO_OFFSET)
        snprintf(at, sizeof at, "at byte %" PRIu64 " (line %" PRIu32 "): ", e->offset, e->line);
    else if (e->line)
        snprintf(at, sizeof at, "line %" PRIu32 ": ", e->line);
    else if (e->offset != ERR_NO_OFFSET)
        snprintf(at, sizeof at, "at byte %" PRIu64 ": ", e->offset);
    snprintf(buf, n, "%s%s%s%s", e->file, e->file[0] ? ": " : "", at, e->text);
    return buf;
}

const char *err_name(int code)
{
    static const char *const names[] = {
        [OK] = "OK",
        [ERR_NOMEM] = "ERR_NOMEM",
        [ERR_IO] = "ERR_IO",
        [ERR_FORMAT] = "ERR_FORMAT",
        [ERR_LIMIT] = "ERR_LIMIT",
        [ERR_VERSION] = "ERR_VERSION",
        [ERR_BUSY] = "ERR_BUSY",
        [ERR_FULL] = "ERR_FULL",
        [ERR_CANCELLED] = "ERR_CANCELLED",
        [ERR_USAGE] = "ERR_USAGE",
        [ERR_STORE] = "ERR_STORE",
        [ERR_BUG] = "ERR_BUG",
    };
    return (size_t)code < ARRAY_LEN(names) ? names[code] : "?";
}
