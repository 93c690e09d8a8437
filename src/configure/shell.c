/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a shell: blanks, quotes, backslashes, comments. */
#include "config.h"

#include "configure/shell.h"

static void put(struct shell *s, size_t at)
{
    uint32_t where = (uint32_t)at;

    buf_addc(&s->word, s->text.p[at]);
    buf_add(&s->map, (struct str){ (const char *)&where, sizeof where });
}

bool shell_next(struct shell *s)
{
    struct str t = s->text;
    char quote = 0;

    buf_clear(&s->word);
    buf_clear(&s->map);
    while (s->at < t.n && (strchr(" \t\r\n", t.p[s->at]) ||
                           (t.p[s->at] == '\\' && s->at + 1 < t.n && t.p[s->at + 1] == '\n')))
        s->at += t.p[s->at] == '\\' ? 2 : 1;
    if (s->at >= t.n)
        return false;
    bool comment = t.p[s->at] == '#';
    for (; s->at < t.n; s->at++) {
        char c = t.p[s->at];
        if (comment ? c == '\n' : !quote && strchr(" \t\r\n", c))
            break;
        if (!comment && c == quote)
            quote = 0;
        else if (!comment && !quote && (c == '\'' || c == '"'))
            quote = c;
        else if (!comment && c == '\\' && quote != '\'' && s->at + 1 < t.n)
            put(s, ++s->at);
        else
            put(s, s->at);
    }
    return true;
}

void shell_begin(struct shell *s, struct str text)
{
    *s = (struct shell){ .text = text };
    buf_init(&s->word, text.n + 1);
    buf_init(&s->map, text.n * 4 + 4);
}

void shell_end(struct shell *s)
{
    buf_done(&s->word);
    buf_done(&s->map);
}
