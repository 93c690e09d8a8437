/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One automaton (Aho-Corasick) finds all first words of a record in a single pass; further words of a row are
 * looked for only in the records that it finds. Bytes that no word has share a column of its table.
 *
 * From record to record it skips (Wu and Manber, 1994): three bytes tell how far the next word may begin at
 * least, so that most bytes of a log are never looked at.
 */
#include "parsers/logs/signature.h"

#include <stdlib.h>

static const struct signature_table *const tables[] = { &signatures_hccl, &signatures_runtime,
                                                        &signatures_device, &signatures_program,
                                                        &signatures_marks };
#define N_TABLES (sizeof tables / sizeof *tables)

static struct signature_table own; /* of the user */

static const struct cause_text {
    const char *word, *text;
} causes[N_CAUSES] = {
#define X(id, word, text) { word, text },
    CAUSE_CLASSES(X)
#undef X
};

const char *cause_word(enum cause_class c)
{
    return causes[c].word;
}

const char *cause_text(enum cause_class c)
{
    return causes[c].text;
}

static size_t n_of_program(void)
{
    size_t n = 0;
    for (size_t t = 0; t < N_TABLES; t++)
        n += tables[t]->n;
    return n;
}

size_t signature_n(void)
{
    return n_of_program() + own.n;
}

void signature_set_own(struct signature_table t)
{
    own = t;
}

bool signature_is_own(size_t i)
{
    return i >= n_of_program();
}

const struct signature *signature_at(size_t i)
{
    for (size_t t = 0; t < N_TABLES; t++) {
        if (i < tables[t]->n)
            return &tables[t]->v[i];
        i -= tables[t]->n;
    }
    return i < own.n ? &own.v[i] : NULL;
}

size_t signature_find(const char *id)
{
    for (size_t i = 0, n = signature_n(); i < n; i++)
        if (!strcmp(signature_at(i)->id, id))
            return i;
    return SIZE_MAX;
}

/* Text of a process is often found in another file of it: a console has lines of CANN and of the launcher. */
static const struct where_kinds {
    char letter;
    unsigned kinds;
} wheres[] = {
    { 'p', 1u << LOG_PLOG | 1u << LOG_DEVLOG | 1u << LOG_CONSOLE | 1u << LOG_LAUNCHER },
    { 'd', 1u << LOG_DEVLOG | 1u << LOG_PLOG },
    { 'o', 1u << LOG_DEVICE | 1u << LOG_BBOX | 1u << LOG_HOST },
    { 's', 1u << LOG_HOST },
    { 'c', 1u << LOG_CONSOLE | 1u << LOG_LAUNCHER | 1u << LOG_PLOG },
    { 'l', 1u << LOG_LAUNCHER | 1u << LOG_CONSOLE },
    { 'e', 1u << LOG_ENV },
    { 'a', 1u << LOG_AGENT },
};

unsigned signature_kinds(const struct signature *s)
{
    unsigned kinds = 0;
    for (const char *w = s->where; *w; w++)
        for (size_t i = 0; i < sizeof wheres / sizeof *wheres; i++)
            if (wheres[i].letter == *w)
                kinds |= wheres[i].kinds;
    return kinds;
}

struct pattern {
    struct str word, rest; /* rest: further words, each after an ALSO */
    uint16_t sig, next;    /* next pattern that ends in the same state, 0xffff none */
    bool whole, number;    /* a code or name, which is a word of its own; of digits alone */
};
#define NO_PATTERN 0xffff

#define SKIP_BITS 14
#define BEGIN_B   16 /* bytes of a word that are looked at for skipping */

struct signature_scan {
    uint8_t column[256];
    size_t columns, states;
    uint16_t *go;     /* [states][columns] */
    uint16_t *ends;   /* [states]: first pattern that ends there */
    uint16_t *suffix; /* [states]: longest proper suffix */
    bool *hit;        /* [states]: it or a suffix of it ends a pattern */
    uint16_t *depth;  /* [states]: bytes from the beginning of a word */
    size_t shortest;  /* bytes of the shortest word, at most BEGIN_B */
    uint8_t
        skip[1 << SKIP_BITS]; /* by three bytes: how many follow before a word can end its first `shortest` */
    struct pattern *patterns;
    size_t n;
    unsigned *kinds; /* [signature_n()] */
};

static size_t count_alternatives(void)
{
    size_t n = 0;
    for (size_t i = 0; i < signature_n(); i++) {
        n++;
        for (const char *p = signature_at(i)->match; *p; p++)
            n += *p == *OR;
    }
    return n;
}

/* "EI0002", "0x80e01801", "MemoryError": letters and digits that end in a digit or in "Error". */
static bool is_whole(struct str w)
{
    bool digit = false;

    for (size_t i = 0; i < w.n; i++) {
        if (!str_is_word(w.p[i]) || w.p[i] == '_')
            return false;
        digit |= w.p[i] >= '0' && w.p[i] <= '9';
    }
    return digit || str_ends(w, STR("Error"));
}

static bool is_number(struct str w)
{
    for (size_t i = 0; i < w.n; i++)
        if (w.p[i] < '0' || w.p[i] > '9')
            return false;
    return true;
}

static void list_patterns(struct signature_scan *m)
{
    for (size_t i = 0; i < signature_n(); i++) {
        struct str all = str_of(signature_at(i)->match), one;
        while (str_next(&all, *OR, &one)) {
            struct pattern *p = &m->patterns[m->n++];
            p->rest = one;
            str_next(&p->rest, *ALSO, &p->word);
            p->sig = (uint16_t)i;
            p->next = NO_PATTERN;
            p->whole = is_whole(p->word);
            p->number = is_number(p->word);
        }
    }
}

/*
 * Columns of the table: one for each byte that occurs in a word, 0 for all others. Returns the sum of
 * lengths.
 */
static size_t number_columns(struct signature_scan *m)
{
    size_t bytes = 0;

    m->columns = 1;
    for (size_t i = 0; i < m->n; i++) {
        for (size_t k = 0; k < m->patterns[i].word.n; k++) {
            uint8_t c = (uint8_t)m->patterns[i].word.p[k];
            if (!m->column[c])
                m->column[c] = (uint8_t)m->columns++;
        }
        bytes += m->patterns[i].word.n;
    }
    return bytes;
}

static void add_words(struct signature_scan *m)
{
    m->states = 1;
    for (size_t i = 0; i < m->n; i++) {
        size_t at = 0;
        for (size_t k = 0; k < m->patterns[i].word.n; k++) {
            uint16_t *to = &m->go[at * m->columns + m->column[(uint8_t)m->patterns[i].word.p[k]]];
            if (!*to)
                *to = (uint16_t)m->states++;
            at = *to;
            m->depth[at] = (uint16_t)(k + 1);
        }
        m->patterns[i].next = m->ends[at];
        m->ends[at] = (uint16_t)i;
        m->hit[at] = true;
    }
}

/* Breadth first: a state without an edge goes where its longest suffix goes. */
static void link_suffixes(struct signature_scan *m, uint16_t *queue)
{
    size_t head = 0, tail = 0;

    for (size_t c = 0; c < m->columns; c++)
        if (m->go[c])
            queue[tail++] = m->go[c];
    while (head < tail) {
        size_t s = queue[head++];
        for (size_t c = 0; c < m->columns; c++) {
            uint16_t *to = &m->go[s * m->columns + c], other = m->go[m->suffix[s] * m->columns + c];
            if (*to) {
                m->suffix[*to] = other;
                m->hit[*to] |= m->hit[other];
                queue[tail++] = *to;
            } else {
                *to = other;
            }
        }
    }
}

static size_t skip_at(const uint8_t *p)
{
    uint32_t three = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    return (three * UINT32_C(0x9e3779b1)) >> (32 - SKIP_BITS);
}

/* Of the first bytes of all words. */
static void set_skips(struct signature_scan *m)
{
    m->shortest = BEGIN_B;
    for (size_t i = 0; i < m->n; i++)
        if (m->patterns[i].word.n < m->shortest)
            m->shortest = m->patterns[i].word.n;
    if (m->shortest < 3) /* nothing is skipped */
        return;
    memset(m->skip, (int)(m->shortest - 2), sizeof m->skip);
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k + 3 <= m->shortest; k++) {
            uint8_t *s = &m->skip[skip_at((const uint8_t *)m->patterns[i].word.p + k)];
            uint8_t left = (uint8_t)(m->shortest - 3 - k);
            *s = left < *s ? left : *s;
        }
}

void signature_scan_free(struct signature_scan *m)
{
    if (!m)
        return;
    free(m->go);
    free(m->ends);
    free(m->suffix);
    free(m->hit);
    free(m->depth);
    free(m->patterns);
    free(m->kinds);
    free(m);
}

int signature_scan_new(struct signature_scan **out, struct err *e)
{
    struct signature_scan *m = *out = calloc(1, sizeof *m);
    uint16_t *queue = NULL;
    size_t most;

    if (m)
        m->patterns = calloc(count_alternatives(), sizeof *m->patterns);
    if (!m || !m->patterns)
        goto nomem;
    list_patterns(m);
    most = number_columns(m) + 1;
    m->go = calloc(most * m->columns, sizeof *m->go);
    m->ends = malloc(most * sizeof *m->ends);
    m->suffix = calloc(most, sizeof *m->suffix);
    m->hit = calloc(most, sizeof *m->hit);
    m->depth = calloc(most, sizeof *m->depth);
    m->kinds = calloc(signature_n(), sizeof *m->kinds);
    queue = malloc(most * sizeof *queue);
    if (!m->go || !m->ends || !m->suffix || !m->hit || !m->depth || !m->kinds || !queue)
        goto nomem;
    memset(m->ends, 0xff, most * sizeof *m->ends);
    for (size_t i = 0; i < signature_n(); i++)
        m->kinds[i] = signature_kinds(signature_at(i));
    add_words(m);
    link_suffixes(m, queue);
    set_skips(m);
    free(queue);
    return OK;
nomem:
    free(queue);
    signature_scan_free(m);
    *out = NULL;
    return err_nomem(e);
}

/* End of a word that begins at `at`, SIZE_MAX: none does. */
static size_t word_end(const struct signature_scan *m, struct str text, size_t at)
{
    const uint8_t *p = (const uint8_t *)text.p;
    size_t state = 0;

    for (size_t i = at; i < text.n; i++) {
        state = m->go[state * m->columns + m->column[p[i]]];
        if (m->depth[state] != i + 1 - at) /* a suffix, which begins later */
            return SIZE_MAX;
        if (m->ends[state] != NO_PATTERN)
            return i + 1;
    }
    return SIZE_MAX;
}

size_t signature_next(const struct signature_scan *m, struct str text, size_t from)
{
    const uint8_t *p = (const uint8_t *)text.p;
    size_t all = m->shortest;

    for (size_t i = from; all <= text.n && i <= text.n - all;) {
        uint8_t skip = all < 3 ? 0 : m->skip[skip_at(p + i + all - 3)];
        if (skip) {
            i += skip;
            continue;
        }
        size_t end = word_end(m, text, i++);
        if (end != SIZE_MAX)
            return end;
    }
    return SIZE_MAX;
}

/* A word that ends in a digit does not go on with a further one: "errType=1" is not in "errType=12". */
static bool ends_there(struct str word, struct str record, size_t end)
{
    char last = word.p[word.n - 1];
    return last < '0' || last > '9' || end >= record.n || !str_is_word(record.p[end]);
}

static bool has_word(struct str record, struct str word)
{
    for (size_t at = 0; (at = str_find(record, word, at)) != SIZE_MAX; at++)
        if (ends_there(word, record, at + word.n))
            return true;
    return false;
}

static bool has_rest(const struct pattern *p, struct str record)
{
    struct str rest = p->rest, word;
    while (str_next(&rest, *ALSO, &word))
        if (word.n && !has_word(record, word))
            return false;
    return true;
}

/* "error code is 507010", "runtime result = ", "retCode=", "ErrCode:", "ret(", "errNo[". */
static bool is_called_code(struct str record, size_t at)
{
    static const char *const words[] = { "code", "Code", "result", "ret", "errno", "errNo" };
    size_t from = at > 24 ? at - 24 : 0;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_find(str_sub(record, from, at - from), str_of(words[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

/* The first word of a pattern stands at [end - its length, end) of the record. */
static bool is_there(const struct pattern *p, struct str record, size_t end)
{
    size_t at = end - p->word.n;

    if (!ends_there(p->word, record, end) || (p->whole && at && str_is_word(record.p[at - 1])) ||
        (p->number && !is_called_code(record, at)))
        return false;
    return has_rest(p, record);
}

/* In order, each once. */
static size_t put_sorted(uint16_t *v, size_t n, size_t max, uint16_t sig)
{
    size_t at = 0;
    while (at < n && v[at] < sig)
        at++;
    if ((at < n && v[at] == sig) || n == max)
        return n;
    memmove(v + at + 1, v + at, (n - at) * sizeof *v);
    v[at] = sig;
    return n + 1;
}

size_t signature_match(const struct signature_scan *m, struct str record, enum log_kind kind, uint16_t *out,
                       size_t max)
{
    const uint8_t *p = (const uint8_t *)record.p;
    size_t state = 0, n = 0;

    for (size_t i = 0; i < record.n; i++) {
        state = m->go[state * m->columns + m->column[p[i]]];
        if (!m->hit[state])
            continue;
        for (size_t s = state; s; s = m->suffix[s])
            for (size_t k = m->ends[s]; k != NO_PATTERN; k = m->patterns[k].next) {
                const struct pattern *f = &m->patterns[k];
                if (m->kinds[f->sig] >> kind & 1 && is_there(f, record, i + 1))
                    n = put_sorted(out, n, max, f->sig);
            }
    }
    return n;
}
