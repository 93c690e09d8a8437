/* SPDX-License-Identifier: Apache-2.0 */
/*
 * old_kernel CMD [ARG...]: runs CMD as on Linux 3.10: system calls that came later are not there (ENOSYS),
 * and open knows no O_TMPFILE, which came with 3.11. Status 77: this host has no such filter, or is another
 * machine.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The first number that 3.10 did not know: sched_setattr, of 3.14. Later ones are above it. */
#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#define LATER   314
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#define LATER   274
#endif

#ifdef MACHINE
#define FIELD(f)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, f))
#define ANSWER(err) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (err))

static int filter(void)
{
    /* clang-format off */
    struct sock_filter code[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
        ANSWER(ENOSYS),
        FIELD(nr),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, LATER, 0, 1),
        ANSWER(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4),
        FIELD(args[2]), /* its lower half: both machines are little-endian */
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TMPFILE),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TMPFILE, 0, 1),
        ANSWER(EISDIR),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    /* clang-format on */
    struct sock_fprog program = { sizeof code / sizeof *code, code };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static int filter(void)
{
    return -1;
}
#endif

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (filter()) {
        puts("skipped, system calls cannot be filtered here");
        return 77;
    }
    /* It is there, or the test would test nothing. */
    if (syscall(SYS_getrandom, NULL, 0, 0) != -1 || errno != ENOSYS ||
        open("/", O_TMPFILE | O_RDWR, 0600) != -1 || errno != EISDIR)
        return 3;
    execv(argv[1], argv + 1);
    return 4;
}
