/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/logs/log_block.h"

struct str log_text_copy(char *buf, size_t n, struct str s)
{
    size_t take = s.n < n ? s.n : n;
    if (take)
        memcpy(buf, s.p, take);
    return (struct str){ buf, take };
}

void log_block_begin(struct log_block *b, const struct log_event *head, struct str line)
{
    struct log_head h = { .pid = -1, .rank = -1, .device = -1 };

    (void)log_head_bare(line, &h);
    b->event = *head;
    b->event.text = b->event.frame = STR("");
    b->event.head.module = str_of(str_copy(head->head.module, b->module, sizeof b->module));
    b->open = true;
    b->whole = b->own = b->frames = b->blank = false;
    b->lines = b->others = 0;
    b->rank = h.rank;
    b->pid = h.pid;
    b->frame[0] = b->text[0] = '\0';
    b->frame_line = 0;
}

bool log_block_is_open(const struct log_block *b)
{
    return b->open;
}

/* `  File "train/pretrain.py", line 214, in main` */
static bool take_frame(struct log_block *b, struct str s)
{
    static const char open[] = "  File \"", line[] = "\", line ";
    if (!str_starts(s, STR("  File \"")))
        return false;
    b->frames = true;
    size_t from = sizeof open - 1, to = str_find(s, STR("\", line "), from);
    if (to == SIZE_MAX)
        return true;
    struct str file = str_sub(s, from, to - from), rest = str_sub(s, to + sizeof line - 1, SIZE_MAX);
    bool own = str_find(file, STR("site-packages"), 0) == SIZE_MAX &&
               str_find(file, STR("/lib/python"), 0) == SIZE_MAX && file.n && file.p[0] != '<';
    uint32_t n = 0;
    for (size_t i = 0; i < rest.n && rest.p[i] >= '0' && rest.p[i] <= '9' && n < 100000000; i++)
        n = n * 10 + (uint32_t)(rest.p[i] - '0');
    if (own || !b->own) {
        str_copy(file, b->frame, sizeof b->frame);
        b->frame_line = n;
        b->own = own;
    }
    return true;
}

/* Where the name of an exception begins in a line that is not indented; SIZE_MAX: it has none. */
static size_t exception_at(struct str s)
{
    static const char *const ends[] = { "Error", "Exception", "Interrupt", "Exit", "Timeout", "Expired" };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]), at = str_find(s, (struct str){ ends[i], n }, 0);
        if (at == SIZE_MAX || at > 200 || (at + n < s.n && str_is_word(s.p[at + n])))
            continue;
        if (at + n < s.n && s.p[at + n] != ':' && s.p[at + n] != '(')
            continue;
        while (at > 0 && (str_is_word(s.p[at - 1]) || s.p[at - 1] == '.'))
            at--;
        return at;
    }
    return SIZE_MAX;
}

/* A name alone, or before ": ": exceptions that are not called so (StopIteration, the program's own ones). */
static bool is_bare_name(struct str s)
{
    size_t n = 0;

    while (n < s.n && (str_is_word(s.p[n]) || s.p[n] == '.'))
        n++;
    bool named = n && (s.p[0] < '0' || s.p[0] > '9') && s.p[0] != '.' && s.p[n - 1] != '.';
    return named && (n == s.n || (s.p[n] == ':' && n + 1 < s.n && s.p[n + 1] == ' '));
}

static bool joins_chain(struct str s)
{
    return str_starts(s, STR("During handling of the above exception")) ||
           str_starts(s, STR("The above exception was the direct cause"));
}

/* A line that is not indented: the exception itself, or one of another writer in between. */
static enum log_block_step take_plain(struct log_block *b, struct str line, struct str s)
{
    struct log_head h;

    log_head_read(str_sub(line, 0, 512), &h);
    size_t at = h.module.n || h.time.clock != LOG_NO_TIME ? SIZE_MAX : exception_at(s);
    if (at == SIZE_MAX && b->frames && h.level == LOG_NO_LEVEL && h.time.clock == LOG_NO_TIME &&
        is_bare_name(s))
        at = 0;
    if (at == SIZE_MAX)
        return LOG_BLOCK_BETWEEN;
    str_copy(str_sub(s, at, SIZE_MAX), b->text, sizeof b->text);
    b->whole = true;
    return LOG_BLOCK_GOES_ON;
}

static enum log_block_step ended(struct log_block *b)
{
    b->open = false;
    return LOG_BLOCK_ENDED_BEFORE;
}

enum log_block_step log_block_line(struct log_block *b, struct str line)
{
    struct log_head h = { .pid = -1, .rank = -1, .device = -1 };
    struct str s = log_head_bare(line, &h);
    bool after_end = b->whole && !b->blank;

    if (h.rank != b->rank || h.pid != b->pid) /* another rank or process of the console */
        return ++b->others > LOG_BLOCK_OTHERS ? ended(b) : LOG_BLOCK_BETWEEN;
    if (++b->lines > LOG_BLOCK_LINES)
        return ended(b);
    if (take_frame(b, s) || joins_chain(s)) {
        b->whole = false;
        return LOG_BLOCK_GOES_ON;
    }
    if (!b->whole && str_starts(s, STR("Traceback (most recent call last):")))
        return LOG_BLOCK_GOES_ON;
    if (b->whole && s.n) /* "queue.Empty" and what was raised for it, without the words of a chain */
        return after_end && exception_at(s) == 0 ? take_plain(b, line, s) : ended(b);
    b->blank = !s.n;
    if (!s.n || s.p[0] == ' ' || s.p[0] == '\t')
        return LOG_BLOCK_GOES_ON;
    return take_plain(b, line, s);
}

void log_block_cut(struct log_block *b)
{
    b->open = false;
}

struct str log_block_text(const struct log_block *b)
{
    return b->text[0] ? str_of(b->text) : STR("exception without its last line");
}
