/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "parsers/logs/log_code.h"

#include <stdio.h>
#include <string.h>

#include "parsers/logs/log_field.h"

static const struct code {
    int64_t code;
    enum cause_class cls;
    const char *text;
} codes[] = {
    { 107000, CAUSE_UNKNOWN, "bad parameter" },
    { 107001, CAUSE_UNKNOWN, "bad device id" },
    { 107002, CAUSE_UNKNOWN, "no context" },
    { 107003, CAUSE_UNKNOWN, "stream of another context" },
    { 107019, CAUSE_WAIT, "wait timeout" },
    { 107020, CAUSE_WAIT, "task timeout" },
    { 107022, CAUSE_UNKNOWN, "device task abort" },
    { 107023, CAUSE_UNKNOWN, "stream abort" },
    { 207000, CAUSE_UNKNOWN, "not supported" },
    { 207001, CAUSE_DOOM, "out of memory" },
    { 207004, CAUSE_START, "no device" },
    { 207005, CAUSE_RES, "no resource" },
    { 207006, CAUSE_CONF, "no permission" },
    { 207007, CAUSE_RES, "no event left" },
    { 207008, CAUSE_RES, "no stream left" },
    { 207009, CAUSE_RES, "no notify left" },
    { 207010, CAUSE_RES, "no model left" },
    { 207018, CAUSE_DOOM, "device out of memory" },
    { 207020, CAUSE_UNKNOWN, "driver timeout" },
    { 500002, CAUSE_UNKNOWN, "internal error of GE" },
    { 500003, CAUSE_UNKNOWN, "internal error of the runtime" },
    { 500004, CAUSE_UNKNOWN, "internal error of the driver" },
    { 507000, CAUSE_UNKNOWN, "internal error" },
    { 507001, CAUSE_UNKNOWN, "internal error of the task scheduler" },
    { 507010, CAUSE_DEV, "heartbeat of the task scheduler lost" },
    { 507011, CAUSE_UNKNOWN, "graph failed" },
    { 507012, CAUSE_UNKNOWN, "report timeout" },
    { 507013, CAUSE_SDMA, "system DMA error" },
    { 507014, CAUSE_CORE, "AI Core timeout" },
    { 507015, CAUSE_CORE, "AI Core exception" },
    { 507016, CAUSE_CORE, "AI Core trap" },
    { 507017, CAUSE_AICPU, "AI CPU timeout" },
    { 507018, CAUSE_AICPU, "AI CPU exception" },
    { 507033, CAUSE_START, "device did not start" },
    { 507034, CAUSE_CORE, "vector core timeout" },
    { 507035, CAUSE_CORE, "vector core exception" },
    { 507036, CAUSE_CORE, "vector core trap" },
    { 507046, CAUSE_UNKNOWN, "stream synchronisation timeout" },
    { 507047, CAUSE_UNKNOWN, "event synchronisation timeout" },
    { 507048, CAUSE_WAIT, "FFTS+ timeout" },
    { 507049, CAUSE_TASK, "FFTS+ exception" },
    { 507051, CAUSE_PCIE, "HDC send failed" },
    { 507052, CAUSE_SDMA, "copy failed" },
    { 507053, CAUSE_ECC, "device memory error" },
    { 507054, CAUSE_ECC, "HBM multi-bit ECC" },
    { 507055, CAUSE_ECC, "suspected memory error" },
    { 507056, CAUSE_LINK, "link error" },
    { 507057, CAUSE_LINK, "suspected remote error" },
    { 507899, CAUSE_UNKNOWN, "driver error" },
    { 507900, CAUSE_AICPU, "internal error of the AI CPU" },
    { 507901, CAUSE_UNKNOWN, "HDC closed" },
    { 507904, CAUSE_LINK, "retry of a collective failed" },
    { 545601, CAUSE_UNKNOWN, "graph timeout" },
};

/* Of the task scheduler: retCode=0x26 (doc/formats/logs.md#task-scheduler-codes). */
static const struct code scheduler[] = {
    { 0x25, CAUSE_CORE, "AI Core timeout" },
    { 0x26, CAUSE_CORE, "AI Core exception" },
    { 0x27, CAUSE_CORE, "AI Core trap" },
    { 0x28, CAUSE_AICPU, "AI CPU timeout" },
    { 0x2a, CAUSE_AICPU, "AI CPU exception" },
    { 0x2f, CAUSE_CORE, "AI Core overflow" },
    { 0x30, CAUSE_CORE, "vector core timeout" },
    { 0x31, CAUSE_CORE, "vector core exception" },
    { 0x32, CAUSE_CORE, "vector core trap" },
    { 0x58, CAUSE_ECC, "MTE memory error" },
    { 0x5a, CAUSE_ECC, "suspected MTE error" },
    { 0x5b, CAUSE_UNKNOWN, "software error" },
    { 0x5c, CAUSE_UNKNOWN, "hardware error" },
    { 0x5d, CAUSE_LINK, "link error" },
    { 0x91, CAUSE_UNKNOWN, "model stream failed" },
    { 0x95, CAUSE_UNKNOWN, "end of data" },
    { 0x99, CAUSE_UNKNOWN, "model exit" },
    { 0x103, CAUSE_TASK, "task exception" },
    { 0x104, CAUSE_TASK, "task trap" },
    { 0x105, CAUSE_WAIT, "task timeout" },
    { 0x106, CAUSE_TASK, "bad SQE" },
    { 0x10f, CAUSE_TASK, "FFTS+ exception" },
    { 0x111, CAUSE_WAIT, "FFTS+ timeout" },
    { 0x116, CAUSE_UNKNOWN, "task abort" },
    { 0x224, CAUSE_LINK, "retry of an op failed" },
};

/* What HCCL returns (doc/formats/logs.md#hccl-results). */
static const struct code results[] = {
    { 1, CAUSE_UNKNOWN, "bad parameter" },
    { 2, CAUSE_UNKNOWN, "empty pointer" },
    { 3, CAUSE_UNKNOWN, "memory error" },
    { 4, CAUSE_UNKNOWN, "internal error" },
    { 5, CAUSE_UNKNOWN, "not supported" },
    { 6, CAUSE_UNKNOWN, "not found" },
    { 7, CAUSE_UNKNOWN, "resource not available" },
    { 8, CAUSE_UNKNOWN, "system call failed" },
    { 9, CAUSE_UNKNOWN, "timeout" },
    { 10, CAUSE_UNKNOWN, "file cannot be opened" },
    { 11, CAUSE_UNKNOWN, "TCP connection failed" },
    { 12, CAUSE_UNKNOWN, "RoCE connection failed" },
    { 13, CAUSE_UNKNOWN, "TCP transfer failed" },
    { 14, CAUSE_UNKNOWN, "RoCE transfer failed" },
    { 15, CAUSE_UNKNOWN, "call of the runtime failed" },
    { 16, CAUSE_UNKNOWN, "call of the driver failed" },
    { 17, CAUSE_UNKNOWN, "call of the profiler failed" },
    { 18, CAUSE_UNKNOWN, "call of CCE failed" },
    { 19, CAUSE_UNKNOWN, "call of the network failed" },
    { 20, CAUSE_UNKNOWN, "to be tried again" },
    { 21, CAUSE_CQE, "the remote side did not answer (CQE)" },
    { 22, CAUSE_UNKNOWN, "communicator suspended" },
    { 23, CAUSE_UNKNOWN, "retry failed" },
    { 24, CAUSE_DOOM, "out of memory" },
    { 1041, CAUSE_UNKNOWN, "the error is in the status" },
};

/* Digits after "0x", at most 16. */
static bool hex_number(struct str s, uint64_t *v)
{
    *v = 0;
    for (size_t i = 2; i < s.n; i++) {
        int c = s.p[i] | 32, d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (d < 0 || i >= 18)
            return false;
        *v = *v << 4 | (uint64_t)d;
    }
    return str_starts(s, STR("0x")) && s.n > 2;
}

static const char *result_name(struct str code)
{
    uint64_t v = 0;
    int64_t number = -1;

    if (hex_number(code, &v)) /* errNo: module 5 is HCCL, the lowest byte is the result */
        number = v >> 24 == 5 ? (int64_t)(v & 0xff) : -1;
    else if (!str_i64(code, &number))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(results); i++)
        if (results[i].code == number)
            return results[i].text;
    return NULL;
}

char *log_code_in(struct str text, char *buf, size_t n)
{
    bool of_hccl = str_find(text, STR("HCCL("), 0) != SIZE_MAX ||
                   str_find(text, STR("HCCL function error"), 0) != SIZE_MAX;
    struct str code = log_field(text, LOG_F_CODE);
    const char *name = NULL;

    if (code.n && (!of_hccl || !(name = result_name(code))))
        return log_code_name(code, buf, n);
    if (!code.n && of_hccl) {
        code = log_field(text, LOG_F_RESULT);
        name = result_name(code);
    }
    buf[0] = '\0';
    if (name)
        snprintf(buf, n, "%.*s %s", (int)code.n, code.p, name);
    return buf;
}

char *log_code_name(struct str code, char *buf, size_t n)
{
    const char *name = NULL;
    uint64_t v = 0;
    bool hex = hex_number(code, &v);

    for (size_t i = 0; hex && i < sizeof scheduler / sizeof *scheduler; i++)
        if ((uint64_t)scheduler[i].code == v)
            name = scheduler[i].text;
    int64_t number = 0;
    if ((hex && !name) || str_i64(code, &number))
        name = log_code_text(hex ? (int64_t)v : number); /* some writers have those of ACL in hex */
    str_copy_cut(code, buf, n);
    size_t used = strlen(buf);
    if (name && used < n)
        snprintf(buf + used, n - used, " %s", name);
    return buf;
}

static const struct code *find(int64_t code)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code)
            return &codes[i];
    return NULL;
}

enum cause_class log_code_class(int64_t code)
{
    const struct code *c = find(code);
    return c ? c->cls : CAUSE_UNKNOWN;
}

const char *log_code_text(int64_t code)
{
    const struct code *c = find(code);
    return c ? c->text : NULL;
}
