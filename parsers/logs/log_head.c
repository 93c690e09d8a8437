/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/logs/log_head.h"

static const struct level_word {
    const char *word;
    enum log_level level;
} levels[] = { { "ERROR", LOG_ERROR },     { "INFO", LOG_INFO },   { "EVENT", LOG_EVENT },
               { "WARNING", LOG_WARNING }, { "TRACE", LOG_INFO },  { "DEBUG", LOG_DEBUG },
               { "OPLOG", LOG_INFO },      { "NULL", LOG_INFO },   { "CRITICAL", LOG_ERROR },
               { "FATAL", LOG_ERROR },     { "WARN", LOG_WARNING } };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static enum log_level level_of(struct str word)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (str_eq(word, str_of(levels[i].word)))
            return levels[i].level;
    return LOG_NO_LEVEL;
}

/* "[ERROR]" or "[5]" at `at`: returns what follows it, 0: it is none. */
static size_t bracket_level(struct str s, size_t at, enum log_level *level)
{
    size_t close = at + 1;

    if (at >= s.n || s.p[at] != '[')
        return 0;
    while (close < s.n && close - at < 10 && s.p[close] != ']')
        close++;
    if (close >= s.n || s.p[close] != ']' || close == at + 1)
        return 0;
    struct str word = str_sub(s, at + 1, close - at - 1);
    *level = level_of(word);
    return *level != LOG_NO_LEVEL || (word.n == 1 && is_digit(word.p[0])) ? close + 1 : 0;
}

static size_t take_number(struct str s, size_t at, int64_t *out)
{
    size_t to = at + (at < s.n && s.p[at] == '-');

    while (to < s.n && is_digit(s.p[to]))
        to++;
    return str_i64(str_sub(s, at, to - at), out) ? to : 0;
}

/*
 * [LEVEL] MODULE(PID,NAME):STAMP at `at` (doc/formats/logs.md#cann-line); MindSpore's lines have the same
 * form.
 */
static bool read_module(struct str s, size_t at, struct log_head *out)
{
    enum log_level level;
    size_t p = bracket_level(s, at, &level), from;
    struct log_time time = { 0 };
    int64_t pid;

    if (!p)
        return false;
    while (p < s.n && s.p[p] == ' ')
        p++;
    from = p;
    while (p < s.n && p - from < 24 && str_is_word(s.p[p]))
        p++;
    if (p == from || p >= s.n || s.p[p] != '(')
        return false;
    struct str module = str_sub(s, from, p - from);
    p = take_number(s, p + 1, &pid);
    if (!p || p >= s.n || !memchr(",:)", s.p[p], 3))
        return false;
    while (p < s.n && s.p[p] != ')' && p - from < 160)
        p++;
    if (p + 1 >= s.n || s.p[p] != ')' || s.p[p + 1] != ':')
        return false;
    p += 2;
    while (p < s.n && s.p[p] == ' ')
        p++;
    p += log_time_read(str_sub(s, p, SIZE_MAX), &time);
    out->time = time;
    out->level = level;
    out->module = module;
    out->pid = pid;
    out->text_at = p;
    return true;
}

size_t log_head_glued(struct str line, size_t from)
{
    for (size_t at = from; at < line.n; at++) {
        const char *p = memchr(line.p + at, '[', line.n - at);
        struct log_head h;
        if (!p)
            break;
        at = (size_t)(p - line.p);
        if (read_module(line, at, &h))
            return at;
    }
    return SIZE_MAX;
}

/* "(PID:2793, Device:2, RankID:2)" as torch_npu writes behind its errors' time. */
static void read_torch_tail(struct str s, struct log_head *out)
{
    static const struct {
        const char *key;
        size_t n;
    } keys[] = { { "(PID:", 5 }, { "Device:", 7 }, { "RankID:", 7 } };
    int64_t v[3] = { -1, -1, -1 };

    for (size_t i = 0; i < 3; i++) {
        size_t at = str_find(s, (struct str){ keys[i].key, keys[i].n }, 0);
        if (at == SIZE_MAX || !take_number(s, at + keys[i].n, &v[i]))
            return;
    }
    out->pid = v[0];
    out->device = v[1] >= 0 && v[1] < 1 << 16 ? (int)v[1] : -1;
    if (v[2] >= 0 && v[2] < 1 << 20)
        out->rank = (int)v[2];
}

/* A level in letters before or after the time: "- INFO -", "[ERROR]", "E1009 ...". */
static void read_level_word(struct str s, struct log_head *out)
{
    for (size_t i = 0; i < s.n && i < 60; i++) {
        size_t to = i;
        while (to < s.n && s.p[to] >= 'A' && s.p[to] <= 'Z')
            to++;
        if (to - i >= 4) {
            out->level = level_of(str_sub(s, i, to - i));
            if (out->level != LOG_NO_LEVEL)
                return;
        }
        i = to;
    }
}

/* I, W, E or F and month and day: klog, torch C++, torch elastic. */
static bool read_klog(struct str s, struct log_head *out)
{
    static const char letters[] = "IWEF";
    static const enum log_level level[] = { LOG_INFO, LOG_WARNING, LOG_ERROR, LOG_ERROR };
    size_t at = s.n && s.p[0] == '[';
    const char *l = s.n > at && s.p[at] ? strchr(letters, s.p[at]) : NULL;
    size_t n = l ? log_time_read_klog(str_sub(s, at + 1, SIZE_MAX), &out->time) : 0;

    if (!n)
        return false;
    out->level = level[l - letters];
    out->text_at = at + 1 + n;
    size_t p = out->text_at;
    while (p < s.n && s.p[p] == ' ')
        p++;
    int64_t pid;
    size_t to = take_number(s, p, &pid);
    if (to && to < s.n && s.p[to] == ' ' && pid >= 0) /* of klog and elastic; torch has a file there */
        out->pid = pid;
    return true;
}

/* "[PID: 324] " before the time of CANN's error messages, at `at`. */
static size_t read_pid_bracket(struct str s, size_t at, struct log_head *out)
{
    size_t p = at, to;
    int64_t pid;

    if (!str_starts(str_sub(s, at, SIZE_MAX), STR("[PID:")))
        return at;
    for (p = at + 5; p < s.n && s.p[p] == ' '; p++)
        ;
    to = take_number(s, p, &pid);
    if (!to || to >= s.n || s.p[to] != ']')
        return at;
    out->pid = pid;
    for (p = to + 1; p < s.n && s.p[p] == ' '; p++)
        ;
    return p;
}

/* "EI0006: ", "EZ9999[PID: 324] " or "[PID: 324] " and a time (doc/formats/logs.md#cann-error-blocks). */
static bool read_code(struct str s, struct log_head *out)
{
    size_t p = 0;
    bool code = s.n >= 6 && (s.p[0] == 'E' || s.p[0] == 'W') &&
                (is_digit(s.p[1]) || (s.p[1] >= 'A' && s.p[1] <= 'Z')) && (s.n == 6 || !str_is_word(s.p[6]));

    for (size_t i = 2; code && i < 6; i++)
        code = is_digit(s.p[i]);
    if (code)
        p = 6;
    while (p < s.n && (s.p[p] == ':' || s.p[p] == ' '))
        p++;
    size_t after = read_pid_bracket(s, p, out);
    if (!code && after == p)
        return false;
    size_t n = log_time_read(str_sub(s, after, SIZE_MAX), &out->time);
    out->text_at = after + n;
    out->level = code && s.p[0] == 'W' ? LOG_WARNING : LOG_ERROR;
    return true;
}

/* "[4711]" at the beginning. */
static bool bracket_number(struct str s, int64_t *out)
{
    int64_t v;
    size_t to = s.n && s.p[0] == '[' ? take_number(s, 1, &v) : 0;

    if (!to || to >= s.n || s.p[to] != ']' || v < 0)
        return false;
    *out = v;
    return true;
}

/* "devid: 2, module: 1 2023-07-13 16:20:44 070000": driver.txt of a black box, which is in UTC. */
static void read_driver(struct str s, struct log_head *out)
{
    size_t year = str_starts(s, STR("devid: ")) ? str_find(s, STR(" 20"), 0) : SIZE_MAX;
    size_t n = year == SIZE_MAX ? 0 : log_time_read(str_sub(s, year + 1, SIZE_MAX), &out->time);
    int64_t us;

    if (!n)
        return;
    out->time.clock = LOG_UTC;
    out->text_at = year + 1 + n;
    struct str part = str_sub(s, out->text_at, 7);
    if (part.n == 7 && part.p[0] == ' ' && str_i64(str_sub(part, 1, 6), &us) && us >= 0) {
        out->time.ns += us * 1000;
        out->text_at += 7;
    }
}

/* A time at the beginning, or after a bracket or a level in one: all other dialects. */
static void read_plain(struct str s, struct log_head *out)
{
    size_t at = 0;

    for (int i = 0; i < 3 && at < s.n; i++) {
        size_t n = log_time_read(str_sub(s, at, SIZE_MAX), &out->time);
        if (!n && s.p[at] == '[') { /* "[2024-12-24 11:56:59,095]" */
            n = log_time_read(str_sub(s, at + 1, SIZE_MAX), &out->time);
            at += n > 0;
            if (n && i == 1) /* "[4711] [2025-10-09 16:54:15:497] " of torch_npu */
                (void)!bracket_number(s, &out->pid);
        }
        if (n) {
            out->text_at = at + n;
            if (out->level == LOG_NO_LEVEL)
                read_level_word(str_sub(s, at + n, SIZE_MAX), out);
            return;
        }
        if (s.p[at] != '[' && s.p[at] != '(')
            break;
        size_t close = at + 1;
        while (close < s.n && close - at < 40 && s.p[close] != ']' && s.p[close] != ')')
            close++;
        if (!i && close < s.n)
            out->level = level_of(str_trim(str_sub(s, at + 1, close - at - 1)));
        at = close + 1;
        while (at < s.n && s.p[at] == ' ')
            at++;
    }
    struct str word = str_sub(s, 0, 10), rest = word;
    if (out->level == LOG_NO_LEVEL && str_next(&rest, ':', &word) && word.n < 10)
        out->level = level_of(word); /* "WARNING:torch.distributed.elastic" */
    read_driver(s, out);
}

size_t log_head_uncolour(char *p, size_t n)
{
    size_t to = 0;

    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\033' && i + 1 < n && p[i + 1] == '[') {
            size_t end = i + 2;
            while (end < n && end - i < 24 && (p[end] < '@' || p[end] > '~'))
                end++;
            if (end < n && p[end] >= '@' && p[end] <= '~') {
                i = end;
                continue;
            }
        }
        p[to++] = p[i];
    }
    return to;
}

static int number_after(struct str s, const char *key)
{
    size_t n = strlen(key), at = str_find(s, (struct str){ key, n }, 0);
    int64_t v;
    return at != SIZE_MAX && take_number(s, at + n, &v) && v >= 0 && v < INT32_MAX ? (int)v : -1;
}

/* "file.log-11454-[rank1953]: " of grep -n: the line from its '[' on. */
static struct str without_grep(struct str line)
{
    size_t at = 0;

    while (at < line.n && at < 300 && line.p[at] != ' ' && line.p[at] != '[')
        at++;
    return at && at < line.n && str_starts(str_sub(line, at, SIZE_MAX), STR("[rank"))
               ? str_sub(line, at, SIZE_MAX)
               : line;
}

struct str log_head_bare(struct str line, struct log_head *head)
{
    line = without_grep(line);
    for (int i = 0; i < 3; i++) {
        size_t close = SIZE_MAX;
        int rank = -1, pid = -1;
        if (str_starts(line, STR("[rank"))) {
            close = str_chr(line, ']');
            rank = number_after(line, "[rank");
            if (rank < 0)
                break;
        } else if (line.n && line.p[0] == '(') {
            close = str_chr(line, ')');
            if (close == SIZE_MAX || close > 120)
                break;
            pid = number_after(str_sub(line, 0, close), "pid=");
            if (pid < 0)
                break;
        }
        if (close == SIZE_MAX)
            break;
        close++;
        if (close < line.n && line.p[close] == ':')
            close++;
        if (close < line.n && line.p[close] == ' ')
            close++;
        line = str_sub(line, close, SIZE_MAX);
        if (head && rank >= 0)
            head->rank = rank;
        if (head && pid >= 0)
            head->pid = pid;
    }
    return line;
}

void log_head_read(struct str line, struct log_head *out)
{
    *out = (struct log_head){ .pid = -1, .rank = -1, .device = -1 };
    struct str s = log_head_bare(line, out);
    size_t prefix = line.n - s.n, at = log_head_glued(s, 0);

    if (at != SIZE_MAX && at < 300)
        read_module(s, at, out);
    else if (!read_klog(s, out) && !read_code(s, out))
        read_plain(s, out);
    if (!out->module.n && str_find(s, STR("(PID:"), 0) != SIZE_MAX)
        read_torch_tail(s, out);
    out->text_at += prefix;
}
