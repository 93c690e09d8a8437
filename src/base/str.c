/* SPDX-License-Identifier: Apache-2.0 */
/* String views, exact decimals, hashing, interning. */
#include "config.h"

#include "base/str.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "base/limits.h"

__extension__ typedef unsigned __int128 u128;

/* ---- views ---- */

static inline unsigned char lower(char c)
{
    unsigned char u = (unsigned char)c;
    return u >= 'A' && u <= 'Z' ? (unsigned char)(u + 32) : u;
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool str_eq_nocase(struct str a, struct str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (lower(a.p[i]) != lower(b.p[i]))
            return false;
    return true;
}

bool str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && str_eq(str_sub(s, 0, prefix.n), prefix);
}

bool str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n && str_eq(str_sub(s, s.n - suffix.n, suffix.n), suffix);
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int d = n ? memcmp(a.p, b.p, n) : 0;

    return d ? d : a.n < b.n ? -1 : a.n > b.n;
}

/* The run of digits at *pos without its leading zeros; moves *pos past it. */
static struct str digit_run(struct str s, size_t *pos)
{
    size_t i = *pos;

    while (i < s.n && s.p[i] == '0')
        i++;
    size_t from = i;
    while (i < s.n && is_digit(s.p[i]))
        i++;
    *pos = i;
    return (struct str){ s.p + from, i - from };
}

size_t str_common(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n, i = 0;

    for (; n - i >= 8; i += 8) {
        uint64_t x, y;
        memcpy(&x, a.p + i, 8);
        memcpy(&y, b.p + i, 8);
        if (x != y)
            break; /* the byte is found below, whatever the byte order */
    }
    while (i < n && a.p[i] == b.p[i])
        i++;
    return i;
}

int str_cmp_natural(struct str a, struct str b)
{
    /* Names begin alike for a hundred bytes: start where they differ, or at the number that differs. */
    size_t i = str_common(a, b);
    while (i && is_digit(a.p[i - 1]))
        i--;
    size_t j = i;

    while (i < a.n && j < b.n) {
        if (is_digit(a.p[i]) && is_digit(b.p[j])) {
            struct str x = digit_run(a, &i), y = digit_run(b, &j);
            if (x.n != y.n)
                return x.n < y.n ? -1 : 1;
            int d = str_cmp(x, y);
            if (d)
                return d;
            continue;
        }
        unsigned char x = (unsigned char)a.p[i++], y = (unsigned char)b.p[j++];
        if (x != y)
            return x < y ? -1 : 1;
    }
    if (i < a.n || j < b.n)
        return i < a.n ? 1 : -1;
    return str_cmp(a, b); /* equal but for leading zeros: still a total order */
}

struct str str_once_at_end(struct str s, char between)
{
    const size_t at = str_rchr(s, between);
    if (at == SIZE_MAX)
        return s;
    const struct str head = str_sub(s, 0, at), last = str_sub(s, at + 1, s.n);
    const size_t before = str_rchr(head, between);
    return last.n && str_eq(before == SIZE_MAX ? head : str_sub(head, before + 1, head.n), last) ? head : s;
}

size_t str_find(struct str s, struct str needle, size_t from)
{
    if (from > s.n || needle.n > s.n - from)
        return SIZE_MAX;
    if (needle.n == 0)
        return from;
    const char *hit = memmem(s.p + from, s.n - from, needle.p, needle.n);
    return hit ? (size_t)(hit - s.p) : SIZE_MAX;
}

size_t str_find_nocase(struct str s, struct str needle)
{
    if (needle.n > s.n)
        return SIZE_MAX;
    for (size_t i = 0; i <= s.n - needle.n; i++)
        if (str_eq_nocase((struct str){ s.p + i, needle.n }, needle))
            return i;
    return SIZE_MAX;
}

size_t str_chr(struct str s, char c)
{
    const char *hit = s.n ? memchr(s.p, c, s.n) : NULL;
    return hit ? (size_t)(hit - s.p) : SIZE_MAX;
}

size_t str_rchr(struct str s, char c)
{
    for (size_t i = s.n; i > 0; i--)
        if (s.p[i - 1] == c)
            return i - 1;
    return SIZE_MAX;
}

struct str str_after_last(struct str s, char c)
{
    size_t at = str_rchr(s, c);

    return at == SIZE_MAX ? s : str_sub(s, at + 1, SIZE_MAX);
}

struct str str_trim(struct str s)
{
    while (s.n && is_blank(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool str_next(struct str *rest, char sep, struct str *piece)
{
    if (!rest->p)
        return false;
    size_t at = str_chr(*rest, sep);
    if (at == SIZE_MAX) {
        *piece = *rest;
        *rest = STR_NULL;
        return true;
    }
    *piece = (struct str){ rest->p, at };
    *rest = (struct str){ rest->p + at + 1, rest->n - at - 1 };
    return true;
}

struct str str_word(struct str *rest)
{
    size_t n = 0;

    *rest = str_trim(*rest);
    while (n < rest->n && rest->p[n] != ' ' && rest->p[n] != '\t')
        n++;
    struct str word = str_sub(*rest, 0, n);
    *rest = str_trim(str_sub(*rest, n, rest->n));
    return word;
}

char *str_copy(struct str s, char *buf, size_t n)
{
    if (n == 0)
        return buf;
    size_t take = s.n < n - 1 ? s.n : n - 1;
    if (take)
        memcpy(buf, s.p, take);
    buf[take] = '\0';
    return buf;
}

char *str_copy_cut(struct str s, char *buf, size_t n)
{
    const size_t mark = sizeof STR_CUT - 1;
    size_t take = n > mark ? n - 1 - mark : 0;

    if (s.n < n || n <= mark)
        return str_copy(s, buf, n);
    while (take && ((unsigned char)s.p[take] & 0xc0) == 0x80) /* inside a character */
        take--;
    memcpy(buf, s.p, take);
    memcpy(buf + take, STR_CUT, mark + 1);
    return buf;
}

/* ---- numbers ---- */

bool str_u64(struct str s, uint64_t *out)
{
    uint64_t v = 0;

    if (s.n == 0)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        unsigned d = (unsigned)(unsigned char)s.p[i] - '0';
        if (d > 9 || __builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, d, &v))
            return false;
    }
    *out = v;
    return true;
}

/* Sign and magnitude to int64; false when out of range. */
static bool signed_of(bool neg, uint64_t mag, int64_t *out)
{
    if (mag > (uint64_t)INT64_MAX + (neg ? 1u : 0u))
        return false;
    *out = neg ? (int64_t)(0 - mag) : (int64_t)mag;
    return true;
}

bool str_i64(struct str s, int64_t *out)
{
    bool neg = s.n && s.p[0] == '-';
    uint64_t mag;

    return str_u64(str_sub(s, neg, s.n), &mag) && signed_of(neg, mag, out);
}

/* A decimal taken apart: digits of the text with one '.' perhaps between them, times 10^exp. */
struct decimal {
    bool neg;
    const char *p; /* digits and '.' */
    size_t n;
    size_t ndigits, nfrac; /* all digits; those after the point */
    int64_t exp;           /* clamped to +-EXP_MAX */
};
#define EXP_MAX ((int64_t)1 << 40)

static bool parse_exponent(const char *p, const char *end, int64_t *out)
{
    bool neg = p < end && *p == '-';
    int64_t v = 0;

    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end)
        return false;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        v = v < EXP_MAX / 10 ? v * 10 + (*p - '0') : EXP_MAX;
    }
    *out = neg ? -v : v;
    return true;
}

static bool parse_decimal(struct str s, struct decimal *d)
{
    *d = (struct decimal){ 0 };
    if (s.n == 0)
        return false;
    const char *p = s.p, *end = s.p + s.n, *point = NULL;
    if (p < end && (*p == '-' || *p == '+'))
        d->neg = *p++ == '-';
    d->p = p;
    for (; p < end; p++) {
        if (*p == '.' && !point)
            point = p;
        else if (!is_digit(*p))
            break;
    }
    d->n = (size_t)(p - d->p);
    d->ndigits = d->n - (point != NULL);
    d->nfrac = point ? (size_t)(p - point) - 1 : 0;
    if (d->ndigits == 0)
        return false;
    if (p == end)
        return true;
    return (*p == 'e' || *p == 'E') && parse_exponent(p + 1, end, &d->exp);
}

/* Drop the leading zeros (and the point). What is left counts only in ndigits and n. */
static void drop_leading_zeros(struct decimal *d)
{
    while (d->n && (*d->p == '0' || *d->p == '.')) {
        d->ndigits -= *d->p == '0';
        d->p++;
        d->n--;
    }
}

/*
 * Fraction digits times mul, as *whole; *half: the rest is at least 1/2; returns whether there is a
 * rest. zeros: zeros between the point and the digits. Horner's scheme from the last digit: after
 * each step the value is (q + rest) / 10 with integer q, so dropping the rest never changes a
 * quotient.
 */
static bool scale_fraction(const char *p, size_t n, uint64_t zeros, uint64_t mul, uint64_t *whole, bool *half)
{
    u128 q = 0;
    unsigned r = 0;
    bool lost = false;

    for (size_t i = n; i > 0; i--) {
        if (p[i - 1] == '.')
            continue;
        q += (u128)(unsigned)(p[i - 1] - '0') * mul;
        lost |= r != 0;
        r = (unsigned)(q % 10);
        q /= 10;
    }
    for (uint64_t i = 0; i < zeros && (q || r); i++) {
        lost |= r != 0;
        r = (unsigned)(q % 10);
        q /= 10;
    }
    *whole = (uint64_t)q;
    *half = r >= 5;
    return lost || r;
}

static bool scaled_slow(struct str s, uint64_t mul, int64_t *out, bool *rounded)
{
    struct decimal d;

    if (!parse_decimal(s, &d))
        return false;
    drop_leading_zeros(&d);
    /* digits before the point once the exponent is applied */
    int64_t nint = (int64_t)d.ndigits - (int64_t)d.nfrac + d.exp;
    if (d.ndigits == 0 || mul == 0) {
        *out = 0;
        return true;
    }
    if (nint > 40)
        nint = 40; /* more than 20 digits never fit; not only zeros here */
    u128 whole = 0;
    size_t i = 0;
    for (int64_t k = 0; k < nint; k++) {
        if (i < d.n && d.p[i] == '.')
            i++;
        whole = whole * 10 + (i < d.n ? (unsigned)(d.p[i++] - '0') : 0u);
        if (whole > (u128)1 << 63)
            return false;
    }
    uint64_t zeros = nint < 0 ? (uint64_t)-nint : 0, part = 0;
    bool half = false;
    bool lost = scale_fraction(d.p + i, d.n - i, zeros, mul, &part, &half);
    u128 sum = whole * mul + part + (half ? 1u : 0u);
    if (sum > (u128)1 << 63 || !signed_of(d.neg, (uint64_t)sum, out))
        return false;
    if (lost && rounded)
        *rounded = true;
    return true;
}

static const uint64_t pow10_u64[] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u,
};

/*
 * Up to 19 digits, at most one point, no exponent: *m the digits as an integer, *frac how many
 * follow the point. false: anything else.
 */
static bool short_decimal(struct str s, bool *neg, uint64_t *m, unsigned *frac)
{
    uint64_t v = 0;

    if (s.n == 0 || s.n > 20)
        return false;
    const char *p = s.p, *end = s.p + s.n, *point = NULL;
    *neg = *p == '-';
    p += *neg;
    if (end - p > 19 + (memchr(p, '.', (size_t)(end - p)) != NULL))
        return false;
    const char *first = p;
    for (; p < end; p++) {
        unsigned d = (unsigned)(unsigned char)*p - '0';
        if (d <= 9)
            v = v * 10 + d;
        else if (*p == '.' && !point)
            point = p;
        else
            return false;
    }
    *m = v;
    *frac = point ? (unsigned)(end - point) - 1 : 0;
    return end - first > (point != NULL);
}

bool str_scaled(struct str s, uint64_t mul, int64_t *out, bool *rounded)
{
    bool neg;
    uint64_t m;
    unsigned frac;

    if (short_decimal(s, &neg, &m, &frac) && frac < ARRAY_LEN(pow10_u64) && mul % pow10_u64[frac] == 0) {
        uint64_t mag;
        return !__builtin_mul_overflow(m, mul / pow10_u64[frac], &mag) && signed_of(neg, mag, out);
    }
    return scaled_slow(s, mul, out, rounded);
}

/* A double is decided by at most 767 significant digits and "something follows" (IEEE 754 binary64,
 * halfway cases). */
#define F64_DIGITS 770

static bool f64_slow(struct str s, double *out)
{
    struct decimal d;
    char text[F64_DIGITS + 40];
    size_t n = 0, left = 0;
    bool more = false;

    if (!parse_decimal(s, &d))
        return false;
    drop_leading_zeros(&d);
    text[n++] = d.neg ? '-' : '+';
    text[n++] = '0'; /* zero has no digits left */
    for (size_t i = 0; i < d.n; i++) {
        if (d.p[i] == '.')
            continue;
        if (n < F64_DIGITS) {
            text[n++] = d.p[i];
        } else {
            left++;
            more |= d.p[i] != '0';
        }
    }
    if (more) {
        text[n++] = '1';
        left--;
    }
    int64_t exp = d.exp - (int64_t)d.nfrac + (int64_t)left;
    snprintf(text + n, sizeof text - n, "e%lld", (long long)exp);
    double v = strtod(text, NULL); /* no point in the text: the locale does not matter */
    if (!isfinite(v))
        return false;
    *out = v;
    return true;
}

bool str_f64(struct str s, double *out)
{
    static const double pow10_f64[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
        1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    };
    bool neg;
    uint64_t m;
    unsigned frac;

    /* Both operands are exact, so the one division is correctly rounded. */
    if (short_decimal(s, &neg, &m, &frac) && m <= (uint64_t)1 << 53) {
        double v = (double)m / pow10_f64[frac];
        *out = neg ? -v : v;
        return true;
    }
    return f64_slow(s, out);
}

/* ---- hashing ---- */

uint64_t str_seed(void)
{
    static _Atomic uint64_t seed; /* 0: not drawn yet */
    uint64_t v = atomic_load(&seed), none = 0;

    if (v)
        return v;
    if (getrandom(&v, sizeof v, GRND_NONBLOCK) != (ssize_t)sizeof v) {
        struct timespec t = { 0 };
        clock_gettime(CLOCK_REALTIME, &t);
        v = (uint64_t)t.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)(uintptr_t)&t;
    }
    v |= 1;
    return atomic_compare_exchange_strong(&seed, &none, v) ? v : none;
}

static inline uint64_t fold(uint64_t a, uint64_t b)
{
    u128 m = (u128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t load64(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

uint64_t str_hash(struct str s, uint64_t seed)
{
    const uint64_t k1 = 0x9e3779b97f4a7c15u, k2 = 0xd1342543de82ef95u;
    uint64_t h = seed ^ fold(seed ^ k1, (uint64_t)s.n ^ k2);
    const char *p = s.p;
    size_t n = s.n;

    for (; n >= 16; p += 16, n -= 16) /* one product for both words */
        h = fold(h ^ load64(p), load64(p + 8) ^ k1 ^ seed);
    if (n >= 8) {
        h = fold(h ^ load64(p), k1 ^ seed);
        p += 8;
        n -= 8;
    }
    if (n) {
        uint64_t tail = 0;
        memcpy(&tail, p, n);
        h = fold(h ^ tail, k2 ^ seed);
    }
    return fold(h, k1);
}

/* ---- interning ---- */

#define CHUNK_MIN ((size_t)4 << 10)
#define CHUNK_MAX ((size_t)1 << 20)

/* Bytes live in chunks that never move, so views handed out stay valid. */
struct chunk {
    struct chunk *next;
    size_t size, used;
    char data[];
};

struct entry {
    const char *p;
    uint32_t n, hash;
};

struct intern {
    uint64_t seed;
    uint32_t *slots; /* id + 1, 0: free */
    size_t nslots;   /* power of two */
    struct entry *entries;
    uint32_t count, cap;
    struct chunk *chunks;
};

int intern_new(struct intern **out, struct err *e)
{
    struct intern *t = calloc(1, sizeof *t);

    *out = NULL;
    if (!t)
        return err_nomem(e);
    t->seed = str_seed();
    t->nslots = 64;
    t->slots = calloc(t->nslots, sizeof *t->slots);
    if (!t->slots) {
        free(t);
        return err_nomem(e);
    }
    *out = t;
    return OK;
}

void intern_free(struct intern *t)
{
    if (!t)
        return;
    while (t->chunks) {
        struct chunk *next = t->chunks->next;
        free(t->chunks);
        t->chunks = next;
    }
    free(t->entries);
    free(t->slots);
    free(t);
}

/* Slot of s, or the free slot where it would go. */
static size_t probe(const struct intern *t, struct str s, uint32_t hash)
{
    size_t mask = t->nslots - 1, at = hash & mask;

    while (t->slots[at]) {
        const struct entry *en = &t->entries[t->slots[at] - 1];
        if (en->hash == hash && en->n == s.n && (s.n == 0 || memcmp(en->p, s.p, s.n) == 0))
            break;
        at = (at + 1) & mask;
    }
    return at;
}

static bool grow_slots(struct intern *t)
{
    size_t n = t->nslots * 2;
    uint32_t *slots = calloc(n, sizeof *slots);

    if (!slots)
        return false;
    for (uint32_t id = 0; id < t->count; id++) {
        size_t at = t->entries[id].hash & (n - 1);
        while (slots[at])
            at = (at + 1) & (n - 1);
        slots[at] = id + 1;
    }
    free(t->slots);
    t->slots = slots;
    t->nslots = n;
    return true;
}

static bool grow_entries(struct intern *t)
{
    uint32_t cap = t->cap ? t->cap * 2 : 64;
    struct entry *entries = realloc(t->entries, cap * sizeof *entries);

    if (!entries)
        return false;
    t->entries = entries;
    t->cap = cap;
    return true;
}

static const char *keep_bytes(struct intern *t, struct str s)
{
    struct chunk *c = t->chunks;

    if (!c || s.n > c->size - c->used) {
        size_t size = c ? c->size * 2 : CHUNK_MIN;
        if (size > CHUNK_MAX)
            size = CHUNK_MAX;
        if (size < s.n)
            size = s.n;
        c = malloc(sizeof *c + size);
        if (!c)
            return NULL;
        *c = (struct chunk){ .next = t->chunks, .size = size };
        t->chunks = c;
    }
    char *p = c->data + c->used;
    if (s.n)
        memcpy(p, s.p, s.n);
    c->used += s.n;
    return p;
}

uint32_t intern_put(struct intern *t, struct str s)
{
    if (s.n > UINT32_MAX)
        return INTERN_NONE;
    uint32_t hash = (uint32_t)str_hash(s, t->seed);
    size_t at = probe(t, s, hash);
    if (t->slots[at])
        return t->slots[at] - 1;
    if (t->count >= LIM_STRINGS)
        return INTERN_NONE;
    if ((size_t)t->count + 1 > t->nslots / 2) {
        if (!grow_slots(t))
            return INTERN_NONE;
        at = probe(t, s, hash);
    }
    if (t->count == t->cap && !grow_entries(t))
        return INTERN_NONE;
    const char *p = keep_bytes(t, s);
    if (!p)
        return INTERN_NONE;
    t->entries[t->count] = (struct entry){ p, (uint32_t)s.n, hash };
    t->slots[at] = ++t->count;
    return t->count - 1;
}

uint32_t intern_find(const struct intern *t, struct str s)
{
    if (s.n > UINT32_MAX)
        return INTERN_NONE;
    size_t at = probe(t, s, (uint32_t)str_hash(s, t->seed));
    return t->slots[at] ? t->slots[at] - 1 : INTERN_NONE;
}

struct str intern_get(const struct intern *t, uint32_t id)
{
    if (id >= t->count)
        return STR_NULL;
    return (struct str){ t->entries[id].p, t->entries[id].n };
}

uint32_t intern_count(const struct intern *t)
{
    return t->count;
}
