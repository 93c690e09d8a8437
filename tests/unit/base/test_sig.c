/* SPDX-License-Identifier: Apache-2.0 */
/* Signals, each in a child process; what the fatal handler does to a terminal is watched from the
 * other side of a pty. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sig.h"
#include "tests/unit/guest.h"

#define CHECK(truth)                                                                                         \
    do {                                                                                                     \
        if (!(truth))                                                                                        \
            _exit(100 + __LINE__ % 100);                                                                     \
    } while (0)

static const int all_signals[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGWINCH, SIGTSTP,
                                   SIGCONT, SIGSEGV, SIGBUS, SIGILL,  SIGFPE,  SIGABRT, SIGSYS };

/* Run body in a child that starts with default signals; its wait status. */
static int in_child(void (*body)(void))
{
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        alarm(20);
        for (size_t i = 0; i < ARRAY_LEN(all_signals); i++)
            signal(all_signals[i], SIG_DFL);
        body();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void passes(void (*body)(void))
{
    int status = in_child(body);
    if (status != 0)
        fail_msg("child ended with status 0x%x (exit %d, signal %d)", (unsigned)status, WEXITSTATUS(status),
                 WTERMSIG(status));
}

static bool readable(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    return poll(&p, 1, 0) == 1;
}

static void stop_body(void)
{
    static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    struct err e = ERR_INIT;
    CHECK(sig_init(false, &e) == OK);
    CHECK(sig_stop() == 0 && !readable(sig_pipe_fd()));
    for (size_t i = 0; i < ARRAY_LEN(stops); i++) {
        errno = 77;
        raise(stops[i]);
        CHECK(errno == 77);
        CHECK(sig_stop() == stops[i]);
        CHECK(readable(sig_pipe_fd()));
        raise(SIGTERM);
        CHECK(sig_stop() == stops[i]); /* the first one counts */
        sig_drain();
        CHECK(!readable(sig_pipe_fd()));
        sig_clear_stop();
        CHECK(sig_stop() == 0);
    }
    raise(SIGPIPE);
    raise(SIGXFSZ);
    CHECK(sig_stop() == 0);
}

static void sig_stop_reports_the_first_signal(void **state)
{
    (void)state;
    passes(stop_body);
}

/* A program that does not look at the flag: it works on for ever. */
static void second_signal_body(void)
{
    const struct timespec apart = { .tv_nsec = 300000000 };
    struct err e = ERR_INIT;

    CHECK(sig_init(false, &e) == OK);
    raise(SIGINT);
    raise(SIGINT); /* at the same time: one request that was sent twice */
    CHECK(sig_stop() == SIGINT);
    nanosleep(&apart, NULL);
    sig_clear_stop(); /* the program got to it: what comes next is a first one again */
    raise(SIGTERM);
    CHECK(sig_stop() == SIGTERM);
    nanosleep(&apart, NULL);
    raise(SIGINT);
    _exit(1); /* still there */
}

static void sig_second_ends_a_program_that_does_not_listen(void **state)
{
    (void)state;
    int status = in_child(second_signal_body);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
}

static void screen_body(void)
{
    struct err e = ERR_INIT;
    CHECK(sig_init(false, &e) == OK);
    raise(SIGWINCH); /* ignored by default: no flag yet */
    CHECK(!sig_take_winch());
    CHECK(sig_init(true, &e) == OK);
    raise(SIGWINCH);
    raise(SIGWINCH);
    raise(SIGTSTP);
    raise(SIGCONT);
    CHECK(readable(sig_pipe_fd()));
    CHECK(sig_take_winch() && !sig_take_winch());
    CHECK(sig_take_tstp() && !sig_take_tstp());
    CHECK(sig_take_cont() && !sig_take_cont());
    CHECK(sig_stop() == 0);
}

static void sig_screen_flags_are_taken_once(void **state)
{
    (void)state;
    passes(screen_body);
}

static void storm_body(void)
{
    struct err e = ERR_INIT;
    CHECK(sig_init(true, &e) == OK);
    for (int i = 0; i < 200000; i++) /* more than a pipe holds: must not block */
        raise(SIGWINCH);
    CHECK(sig_take_winch());
    sig_drain();
    CHECK(!readable(sig_pipe_fd()));
}

static void sig_storm_does_not_block(void **state)
{
    (void)state;
    passes(storm_body);
}

static void nohup_body(void)
{
    struct err e = ERR_INIT;
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    CHECK(sig_init(false, &e) == OK);
    raise(SIGHUP);
    raise(SIGINT);
    CHECK(sig_stop() == 0);
    raise(SIGTERM);
    CHECK(sig_stop() == SIGTERM);
}

static void sig_ignored_by_the_parent_stays_ignored(void **state)
{
    (void)state;
    passes(nohup_body);
}

static void interrupt_body(void)
{
    struct err e = ERR_INIT;
    char c;
    int fds[2];
    CHECK(sig_init(false, &e) == OK && pipe(fds) == 0);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        usleep(50000);
        kill(parent, SIGINT);
        _exit(0);
    }
    CHECK(read(fds[0], &c, 1) == -1 && errno == EINTR);
    CHECK(sig_stop() == SIGINT);
}

static void sig_stop_ends_a_waiting_read(void **state)
{
    (void)state;
    passes(interrupt_body);
}

static const char reset[] = "\x1b[?1049l\x1b[?25h";
static int fatal_number, slave;
static void (*fatal_how)(void);

static void by_raise(void)
{
    raise(fatal_number);
}

static void by_memory(void)
{
    volatile char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *p = 1;
}

static volatile int depth;
static int recurse(int n)
{
    volatile char fill[1000];
    fill[0] = (char)n;
    depth = n;
    return n < 0 ? 0 : recurse(n + 1) + fill[0];
}

static void by_stack(void)
{
    struct rlimit small = { 1 << 20, 1 << 20 };
    setrlimit(RLIMIT_STACK, &small);
    recurse(0);
}

static void fatal_body(void)
{
    struct err e = ERR_INIT;
    struct termios before, raw;
    struct rlimit none = { 0, 0 };

    setrlimit(RLIMIT_CORE, &none);
    setsid();
    for (int fd = 0; fd < 3; fd++)
        CHECK(dup2(slave, fd) == fd);
    CHECK(tcgetattr(0, &before) == 0);
    CHECK(sig_init(true, &e) == OK);
    sig_fatal_terminal(reset, sizeof reset - 1, &before);
    sig_fatal_file("first");
    sig_fatal_file("PROF_1/hwts\x1b[2J.data");
    raw = before;
    cfmakeraw(&raw);
    CHECK(tcsetattr(0, TCSANOW, &raw) == 0);
    fatal_how();
}

/* Everything the child wrote to the terminal. */
static const char *drain(int master)
{
    static char text[65536];
    size_t used = 0;
    ssize_t n;

    fcntl(master, F_SETFL, O_NONBLOCK);
    while ((n = read(master, text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)n;
    text[used] = '\0';
    return text;
}

static void check_fatal(int number, const char *name, void (*how)(void))
{
    struct termios before, after;
    char want[200];
    int master = posix_openpt(O_RDWR | O_NOCTTY);

    if (master < 0)
        skip();
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(tcgetattr(slave, &before), 0);
    fatal_number = number;
    fatal_how = how;
    int status = in_child(fatal_body);
    const char *text = drain(master);
    assert_int_equal(tcgetattr(slave, &after), 0);
#ifdef NPUSCOPE_SANITIZE
    assert_true(status != 0); /* the sanitizer's handler may come after ours */
#else
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), number);
#endif
    snprintf(want, sizeof want,
             "%snpuscope: fatal: %s, version " PACKAGE_VERSION ", last file read: PROF_1/hwts^[[2J.data\r\n",
             reset, name);
    if (strncmp(text, want, strlen(want)) != 0)
        fail_msg("%s: the terminal got \"%.300s\"", name, text);
    assert_int_equal(after.c_lflag, before.c_lflag);
    assert_int_equal(after.c_iflag, before.c_iflag);
    assert_int_equal(after.c_oflag, before.c_oflag);
    close(slave);
    close(master);
}

static void sig_fatal_gives_the_terminal_back(void **state)
{
    (void)state;
    check_fatal(SIGSEGV, "SIGSEGV", by_raise);
    check_fatal(SIGBUS, "SIGBUS", by_raise);
    check_fatal(SIGILL, "SIGILL", by_raise);
    check_fatal(SIGFPE, "SIGFPE", by_raise);
    check_fatal(SIGABRT, "SIGABRT", abort);
    check_fatal(SIGSYS, "SIGSYS", by_raise);
}

static void sig_fatal_real_defects(void **state)
{
    (void)state;
    check_fatal(SIGSEGV, "SIGSEGV", by_memory);
    check_fatal(SIGSEGV, "SIGSEGV", by_stack);
}

static void fatal_quiet_body(void)
{
    struct err e = ERR_INIT;
    static char longer[SIG_RESET_B + 1];
    struct rlimit none = { 0, 0 };

    setrlimit(RLIMIT_CORE, &none);
    CHECK(dup2(slave, 2) == 2);
    CHECK(sig_init(false, &e) == OK);
    sig_fatal_terminal(longer, sizeof longer, NULL);
    sig_fatal_file("x");
    sig_fatal_file(NULL);
    raise(SIGABRT);
}

static void sig_fatal_without_terminal_or_file(void **state)
{
    (void)state;
    int fds[2];
    char text[200];
    assert_int_equal(pipe(fds), 0);
    slave = fds[1];
    in_child(fatal_quiet_body);
    ssize_t n = read(fds[0], text, sizeof text - 1);
    assert_true(n > 0);
    text[n] = '\0';
    char *emulator = strstr(text, "qemu: "); /* says it, too */
    if (is_guest() && emulator)
        *emulator = '\0';
    assert_string_equal(text, "npuscope: fatal: SIGABRT, version " PACKAGE_VERSION "\n");
    close(fds[0]);
    close(fds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sig_stop_reports_the_first_signal),
        cmocka_unit_test(sig_second_ends_a_program_that_does_not_listen),
        cmocka_unit_test(sig_screen_flags_are_taken_once),
        cmocka_unit_test(sig_storm_does_not_block),
        cmocka_unit_test(sig_ignored_by_the_parent_stays_ignored),
        cmocka_unit_test(sig_stop_ends_a_waiting_read),
        cmocka_unit_test(sig_fatal_gives_the_terminal_back),
        cmocka_unit_test(sig_fatal_real_defects),
        cmocka_unit_test(sig_fatal_without_terminal_or_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
