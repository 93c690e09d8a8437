/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded under valgrind. Patterns are not compiled to machine code, whose reads of whole words beside a
 * text it cannot judge. Clocks that measure work go slower by as much as the program does, so that budgets
 * and slices hold what they hold without it.
 */
#define _GNU_SOURCE
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TIMES_SLOWER 40

int pcre2_jit_compile_8(pcre2_code_8 *code, uint32_t options)
{
    (void)code;
    (void)options;
    return PCRE2_ERROR_JIT_BADOPTION;
}

clock_t clock(void)
{
    struct timespec t;

    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t);
    return (clock_t)((t.tv_sec * 1000000000LL + t.tv_nsec) / 1000 / TIMES_SLOWER);
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    int rc = (int)syscall(SYS_clock_gettime, id, t);

    if (rc == 0 && (id == CLOCK_MONOTONIC || id == CLOCK_THREAD_CPUTIME_ID)) {
        long long ns = (t->tv_sec * 1000000000LL + t->tv_nsec) / TIMES_SLOWER;
        t->tv_sec = (time_t)(ns / 1000000000);
        t->tv_nsec = (long)(ns % 1000000000);
    }
    return rc;
}
