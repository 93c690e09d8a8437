/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing a catalogue, and looking up texts in it. */
#include "config.h"

#include "base/lang/tr.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/str.h"

#define ENDS '\037' /* a text of a packed catalogue */

static struct catalogue {
    const char *language; /* as the settings say it */
    const char *prefixes; /* of names of locales: the whole name, or followed by '.' or '@' */
    const struct tr_packed *packed;
    struct tr_entry *entries; /* NULL: not unpacked yet */
    size_t n;
} catalogues[] = {
    { "zh_CN", "zh zh_CN zh_SG zh_Hans zh_Hans_CN", &tr_zh_CN, NULL, 0 },
};

static const struct catalogue *chosen;   /* NULL: English */
static const struct catalogue *messages; /* of what is said on standard error */

static bool unpack(const struct tr_packed *x, char *out)
{
    z_stream z = { .next_in = (unsigned char *)x->p, .avail_in = (unsigned)x->n };

    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
        return false;
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)x->unpacked;
    bool whole = inflate(&z, Z_FINISH) == Z_STREAM_END && !z.avail_out;
    inflateEnd(&z);
    return whole;
}

/* The texts between their ends, three to an entry. */
static size_t split(char *text, size_t n, struct tr_entry *v)
{
    size_t k = 0;

    for (char *p = text, *end; p < text + n; p = end + 1, k++) {
        end = memchr(p, ENDS, n - (size_t)(p - text));
        if (!end)
            break;
        *end = '\0';
        *(k % 3 == 0 ? &v[k / 3].msgid : k % 3 == 1 ? &v[k / 3].context : &v[k / 3].text) = p;
    }
    return k / 3;
}

/*
 * c with its entries, which stay until the program ends; NULL: there is no memory for them, all is English.
 */
static const struct catalogue *ready(struct catalogue *c)
{
    char *text;
    size_t ends = 0;

    if (!c || c->entries)
        return c;
    text = malloc(c->packed->unpacked + 1);
    if (!text || !unpack(c->packed, text)) {
        free(text);
        return NULL;
    }
    for (size_t i = 0; i < c->packed->unpacked; i++)
        ends += text[i] == ENDS;
    c->entries = calloc(ends / 3 + 1, sizeof *c->entries);
    if (!c->entries) {
        free(text);
        return NULL;
    }
    c->n = split(text, c->packed->unpacked, c->entries);
    return c;
}

static struct catalogue *by_language(const char *language)
{
    for (size_t i = 0; i < ARRAY_LEN(catalogues); i++)
        if (!strcmp(language, catalogues[i].language))
            return &catalogues[i];
    return NULL;
}

/* "zh_CN.UTF-8", "zh_CN@x", "zh" -> its catalogue. */
static struct catalogue *by_locale(struct str name)
{
    size_t end = 0;
    struct str rest, prefix;

    while (end < name.n && name.p[end] != '.' && name.p[end] != '@')
        end++;
    name = str_sub(name, 0, end);
    for (size_t i = 0; i < ARRAY_LEN(catalogues); i++) {
        rest = str_of(catalogues[i].prefixes);
        while (str_next(&rest, ' ', &prefix))
            if (str_eq(name, prefix))
                return &catalogues[i];
    }
    return NULL;
}

/* The locale of messages; "" where none is named. */
static const char *messages_locale(void)
{
    static const char *const names[] = { "LC_ALL", "LC_MESSAGES", "LANG" };

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return value;
    }
    return "";
}

/* As gettext does: the list in LANGUAGE goes first, but not in the locales that are no country's. */
static struct catalogue *by_environment(void)
{
    const struct str locale = str_of(messages_locale());
    const char *list = getenv("LANGUAGE");
    struct str rest = str_of(list), name;

    if (!locale.n || str_eq(locale, STR("C")) || str_eq(locale, STR("POSIX")) ||
        str_starts(locale, STR("C.")))
        return NULL;
    while (rest.n && str_next(&rest, ':', &name)) {
        struct catalogue *c = by_locale(name);
        if (c || str_starts(name, STR("en")))
            return c;
    }
    return by_locale(locale);
}

void tr_choose(const char *wish, bool utf8)
{
    bool is_auto = !wish || !strcmp(wish, "auto");

    messages = chosen = ready(!utf8 ? NULL : is_auto ? by_environment() : by_language(wish));
}

void tr_choose_messages(bool utf8)
{
    messages = ready(utf8 ? by_environment() : NULL);
}

const struct tr_entry *tr_messages(size_t *n)
{
    *n = messages ? messages->n : 0;
    return messages ? messages->entries : NULL;
}

const char *tr_of_environment(void)
{
    const struct catalogue *c = by_environment();

    return c ? c->language : "en";
}

const char *tr_language(void)
{
    return chosen ? chosen->language : "en";
}

bool tr_is_english(void)
{
    return !chosen;
}

static int compare(const struct tr_entry *x, const char *context, const char *msgid)
{
    int d = strcmp(msgid, x->msgid);

    return d ? d : strcmp(context, x->context);
}

static const char *look_up(const struct catalogue *c, const char *context, const char *msgid)
{
    size_t from = 0, to = c && msgid ? c->n : 0;

    while (from < to) {
        const size_t mid = from + (to - from) / 2;
        const struct tr_entry *x = &c->entries[mid];
        const int d = compare(x, context, msgid);
        if (!d)
            return x->text;
        if (d < 0)
            to = mid;
        else
            from = mid + 1;
    }
    return msgid;
}

const char *tr(const char *msgid)
{
    return look_up(chosen, "", msgid);
}

const char *tr_pane(const char *title)
{
    return look_up(chosen, "pane", title);
}

const char *tr_view(const char *title)
{
    return look_up(chosen, "view", title);
}

const char *tr_column(const char *title)
{
    return look_up(chosen, "column", title);
}

const char *tr_key(const char *label)
{
    return look_up(chosen, "key", label);
}

const char *tr_unit(const char *plural)
{
    return look_up(chosen, "unit", plural);
}

const char *tr_message(const char *msgid)
{
    return look_up(messages, "", msgid);
}
