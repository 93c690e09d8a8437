/* SPDX-License-Identifier: Apache-2.0 */
/* Signal handlers. Everything below "handlers" is called from them and uses async-signal-safe
 * functions only (signal-safety(7)). */
#include "config.h"

#include "base/sig.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

#define STACK_B ((size_t)64 << 10)
#define FILE_B  400

/* Signals closer than this count as one: timeout(1), say, sends its own twice. */
#define AGAIN_NS INT64_C(200000000)

static atomic_int stop, winch, tstp, cont;
static _Atomic int64_t stop_at;  /* when stop was set, by the monotonic clock */
static int wake[2] = { -1, -1 }; /* self-pipe: read end, write end */

/* What the fatal handler needs, prepared beforehand. The counts and indices are set last. */
static struct {
    int tty;
    char reset[SIG_RESET_B];
    atomic_size_t reset_n;
    struct termios modes;
    atomic_int has_modes;
    char file[2][FILE_B];
    atomic_int file_turn; /* 0: none, else 1 + index into file */
} fatal = { .tty = -1 };
static _Thread_local char file_here[FILE_B]; /* "": what fatal says */

/* The six signals that mean a defect, and what was done about them before us. */
static struct fatal_signal {
    int number;
    const char *text;
    struct sigaction before;
} fatal_signals[] = {
    { .number = SIGSEGV, .text = "SIGSEGV" }, { .number = SIGBUS, .text = "SIGBUS" },
    { .number = SIGILL, .text = "SIGILL" },   { .number = SIGFPE, .text = "SIGFPE" },
    { .number = SIGABRT, .text = "SIGABRT" }, { .number = SIGSYS, .text = "SIGSYS" },
};

/* handlers */

static void give_terminal_back(void)
{
    if (fatal.tty < 0)
        return;
    ssize_t ignored = write(fatal.tty, fatal.reset, atomic_load(&fatal.reset_n));
    (void)ignored;
    if (atomic_load(&fatal.has_modes))
        tcsetattr(fatal.tty, TCSANOW, &fatal.modes);
}

/*
 * The user asked before, and the program did not get to it: end as the signal does by itself, with the
 * terminal given back. It is delivered when the handler returns.
 */
static void end_now(int number)
{
    struct sigaction plain = { .sa_handler = SIG_DFL };

    give_terminal_back();
    sigaction(number, &plain, NULL);
    raise(number);
}

/* The first one sets the flag; one that comes later, while it is still set, ends the program. */
static void ask_to_stop(int number)
{
    int none = 0;
    int64_t now = clock_ns(CLOCK_MONOTONIC);

    if (atomic_compare_exchange_strong(&stop, &none, number))
        atomic_store(&stop_at, now);
    else if (now - atomic_load(&stop_at) > AGAIN_NS)
        end_now(number);
}

static void on_flag(int number)
{
    int saved = errno;

    switch (number) {
    case SIGWINCH:
        atomic_store(&winch, 1);
        break;
    case SIGTSTP:
        atomic_store(&tstp, 1);
        break;
    case SIGCONT:
        atomic_store(&cont, 1);
        break;
    default:
        ask_to_stop(number);
    }
    /* A full pipe is readable already. */
    ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
    errno = saved;
}

/* Append text to line as far as it fits; returns the new length. */
static size_t add(char *line, size_t max, size_t used, const char *text)
{
    size_t n = strlen(text);

    if (n > max - used)
        n = max - used;
    memcpy(line + used, text, n);
    return used + n;
}

static void on_fatal(int number)
{
    const struct fatal_signal *s = fatal_signals;
    int turn = atomic_load(&fatal.file_turn);
    char line[FILE_B + 100];
    size_t used = 0;

    while (s->number != number)
        s++;
    give_terminal_back();
    used = add(line, sizeof line, used, "npuscope: fatal: ");
    used = add(line, sizeof line, used, s->text);
    used = add(line, sizeof line, used, ", version " PACKAGE_VERSION);
    if (file_here[0] || turn) {
        used = add(line, sizeof line, used, ", last file read: ");
        used = add(line, sizeof line, used, file_here[0] ? file_here : fatal.file[turn - 1]);
    }
    used = add(line, sizeof line, used, "\n");
    ssize_t ignored = write(STDERR_FILENO, line, used);
    (void)ignored;
    /* Delivered when this handler returns, with the registers of the defect: a core or a
     * sanitizer's report shows the right place. */
    sigaction(number, &s->before, NULL);
    raise(number);
}

/* set-up */

static int open_wake(struct err *e)
{
    if (wake[0] >= 0)
        return OK;
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return err_sys(e, errno, "cannot create a pipe for signals");
    return OK;
}

static int set_handler(int number, void (*handler)(int), int flags, bool keep_ignored, struct err *e)
{
    struct sigaction a = { .sa_handler = handler, .sa_flags = flags }, old;

    sigemptyset(&a.sa_mask);
    if (keep_ignored && sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return OK;
    if (sigaction(number, &a, NULL) != 0)
        return err_sys(e, errno, "cannot handle signal %d", number);
    return OK;
}

/*
 * A stack of its own, so that an overflow of the stack can be reported as well. Threads other than the first
 * have none.
 */
static int set_stack(struct err *e)
{
    static char memory[STACK_B];
    stack_t s = { .ss_sp = memory, .ss_size = sizeof memory }, old;

    if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE))
        return OK; /* a sanitizer's */
    if (sigaltstack(&s, NULL) != 0)
        return err_sys(e, errno, "cannot set a stack for signals");
    return OK;
}

static int set_fatal(struct err *e)
{
    static bool done;
    struct sigaction a = { .sa_handler = on_fatal, .sa_flags = SA_ONSTACK };
    int rc;

    if (done)
        return OK;
    if ((rc = set_stack(e)) != OK)
        return rc;
    /* Nothing may come in between, SIGTTOU of tcsetattr() above all. */
    sigfillset(&a.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++) {
        if (sigaction(fatal_signals[i].number, &a, &fatal_signals[i].before) != 0)
            return err_sys(e, errno, "cannot handle signal %d", fatal_signals[i].number);
    }
    done = true;
    return OK;
}

int sig_init(bool screen, struct err *e)
{
    /* Without SA_RESTART a read that waits for input ends when the user wants to. */
    static const struct {
        int number, flags;
        bool keep_ignored, screen, ignore;
    } table[] = {
        { SIGINT, 0, true, false, false },
        { SIGTERM, 0, false, false, false },
        { SIGHUP, 0, true, false, false },
        { SIGQUIT, 0, true, false, false },
        { SIGPIPE, 0, false, false, true },
        { SIGXFSZ, 0, false, false, true },
        { SIGWINCH, SA_RESTART, false, true, false },
        { SIGTSTP, SA_RESTART, true, true, false },
        { SIGCONT, SA_RESTART, false, true, false },
    };
    int rc = open_wake(e);

    for (size_t i = 0; i < ARRAY_LEN(table) && rc == OK; i++) {
        if (screen || !table[i].screen)
            rc = set_handler(table[i].number, table[i].ignore ? SIG_IGN : on_flag, table[i].flags,
                             table[i].keep_ignored, e);
    }
    return rc == OK ? set_fatal(e) : rc;
}

int sig_stop(void)
{
    return atomic_load(&stop);
}

void sig_clear_stop(void)
{
    atomic_store(&stop, 0);
}

bool sig_take_winch(void)
{
    return atomic_exchange(&winch, 0) != 0;
}

bool sig_take_tstp(void)
{
    return atomic_exchange(&tstp, 0) != 0;
}

bool sig_take_cont(void)
{
    return atomic_exchange(&cont, 0) != 0;
}

int sig_pipe_fd(void)
{
    return wake[0];
}

void sig_drain(void)
{
    char buf[64];

    while (wake[0] >= 0 && read(wake[0], buf, sizeof buf) > 0)
        ;
}

void sig_fatal_terminal(const char *reset, size_t n, const struct termios *modes)
{
    static const int fds[] = { STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO };

    atomic_store(&fatal.reset_n, 0);
    atomic_store(&fatal.has_modes, 0);
    fatal.tty = -1;
    for (size_t i = 0; i < ARRAY_LEN(fds) && fatal.tty < 0; i++) {
        if (isatty(fds[i]))
            fatal.tty = fds[i];
    }
    if (reset && n <= sizeof fatal.reset) {
        memcpy(fatal.reset, reset, n);
        atomic_store(&fatal.reset_n, n);
    }
    if (modes) {
        fatal.modes = *modes;
        atomic_store(&fatal.has_modes, 1);
    }
}

void sig_fatal_file(const char *path)
{
    int next = atomic_load(&fatal.file_turn) == 1 ? 2 : 1;

    if (!path) {
        atomic_store(&fatal.file_turn, 0);
        return;
    }
    text_safe_into(fatal.file[next - 1], FILE_B, str_of(path), TEXT_ASCII);
    atomic_store(&fatal.file_turn, next);
}

void sig_fatal_file_here(const char *path)
{
    file_here[0] = '\0';
    if (path)
        text_safe_into(file_here, FILE_B, str_of(path), TEXT_ASCII);
}
