/* SPDX-License-Identifier: Apache-2.0 */
/* Text out of the screen: clipboard (OSC 52, tmux, a file), views to files. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lang/tr.h"
#include "base/path.h"
#include "model/writer/export.h"
#include "ui/app/app_int.h"
#include "ui/widget/term.h"

extern char **environ;

static bool write_pipe(int fd, struct str s)
{
    while (s.n) {
        ssize_t k = write(fd, s.p, s.n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        s = str_sub(s, (size_t)k, s.n);
    }
    return true;
}

/* `tmux load-buffer -w -`: into tmux' buffer, and from there to the terminal where tmux is allowed to. */
static bool copy_by_tmux(struct str text)
{
    static char tmux[] = "tmux", load[] = "load-buffer", w[] = "-w", dash[] = "-";
    char *const argv[] = { tmux, load, w, dash, NULL };
    int fd[2], status;
    pid_t pid;
    posix_spawn_file_actions_t fa;
    const char *in = getenv("TMUX");
    if (!in || !*in || pipe2(fd, O_CLOEXEC))
        return false;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, fd[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&fa, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&fa, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int rc = posix_spawnp(&pid, argv[0], &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    close(fd[0]);
    bool ok = rc == 0 && write_pipe(fd[1], text);
    close(fd[1]);
    if (rc)
        return false;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return ok && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool copy_to_file(struct str text, char *path, size_t n, struct err *e)
{
    char dir[3000];
    struct file_write *w;
    if (path_cache_dir(dir, sizeof dir, e) || path_private_dir(dir, e) ||
        !path_join(path, n, dir, "copy.txt") || file_write_open(&w, path, true, e))
        return false;
    if (file_write_data(w, text.p, text.n, e)) {
        file_write_abort(w);
        return false;
    }
    return file_write_commit(w, e) == OK;
}

void app_copy(struct app *a, struct str text, const char *what)
{
    struct err e = ERR_INIT;
    char path[4096];
    if (copy_by_tmux(text))
        app_say(a, ROLE_GOOD, "copied %s (tmux buffer)", tr(what));
    else if (term_clipboard(text))
        app_say(a, ROLE_GOOD, "copied %s (OSC 52)", tr(what));
    else if (copy_to_file(text, path, sizeof path, &e))
        app_say(a, ROLE_TEXT, "the terminal takes no OSC 52 of this size; wrote %s to %s", tr(what), path);
    else
        app_say_err(a, &e);
}

void app_export(struct app *a, struct table *t, struct str path, bool replace)
{
    struct err e = ERR_INIT;
    struct write_opts w = { .text_flags = a->flags, .header = true };
    struct export_rows o = { .top = -1 };
    size_t cols[1024], n = 0;
    char name[4096];
    bool shown;
    if (!format_of(path, &w.format)) {
        app_say(a, ROLE_WARN, "the name must end in .csv, .json, .ndjson, .md or .txt");
        return;
    }
    for (size_t i = 0; i < table_n_columns(t) && n < ARRAY_LEN(cols); i++) {
        size_t c = table_column_at(t, i, &shown);
        if (table_writes(t, i, w.format == FMT_TEXT))
            cols[n++] = c;
    }
    o.cols = cols;
    o.n_cols = n;
    o.times = format_times(w.format);
    if (path.n >= sizeof name) {
        app_say(a, ROLE_WARN, "the name is too long");
        return;
    }
    str_copy(path, name, sizeof name);
    if (export_view_file(name, replace, &w, table_view(t), &o, &e))
        app_say_err(a, &e);
    else
        app_say(a, ROLE_GOOD, "wrote %zu rows to %s", table_rows(t), name);
}
