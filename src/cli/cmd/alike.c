/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that differ in numbers only. */
#include "config.h"

#include "cli/cmd/alike.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAX 32 /* a text with more has to agree in those that follow */
#define DIGITS_MAX  24

struct number {
    size_t at, n;                           /* in the text */
    char low[DIGITS_MAX], high[DIGITS_MAX]; /* of all ranks, as written */
    bool same, own, measure; /* it is what it is in the text, that of its rank, a measure: with all ranks */
};

struct alike {
    char *text; /* of the first rank, not terminated */
    size_t n;
    struct number number[NUMBERS_MAX];
    size_t n_numbers;
};

static bool is_digit(struct str s, size_t i)
{
    return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

/* It is no part of a name. */
static bool is_alone(struct str s, size_t at)
{
    return at == 0 || s.p[at - 1] == ' ' || s.p[at - 1] == '(';
}

/* The next number from *at on; one with a fraction stands alone, as in a name a full stop is part of that. */
static bool next_number(struct str s, size_t *at, size_t *n)
{
    size_t i = *at, end;

    while (i < s.n && !is_digit(s, i))
        i++;
    if (i == s.n)
        return false;
    for (end = i; is_digit(s, end);)
        end++;
    if (is_alone(s, i) && end < s.n && s.p[end] == '.' && is_digit(s, end + 1))
        for (end++; is_digit(s, end);)
            end++;
    *at = i;
    *n = end - i;
    return true;
}

/* A time, an amount of bytes or a place in a file, by what stands beside it. */
static bool is_measure(struct str s, size_t at, size_t n)
{
    static const char *const after[] = { " ns", " us",  " ms",  " s ",  " min",
                                         " B ", " KiB", " MiB", " GiB", " bytes" };
    struct str before = str_sub(s, 0, at), rest = str_sub(s, at + n, s.n - at - n);

    if (str_ends(before, STR("byte ")))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(after); i++)
        if (str_starts(rest, str_of(after[i])))
            return true;
    /* "(24 of 128 bytes)" */
    size_t to = 4, digits;
    return str_starts(rest, STR(" of ")) && next_number(rest, &to, &digits) && to == 4 &&
           str_starts(str_sub(rest, to + digits, rest.n), STR(" bytes"));
}

static bool is_own(struct str digits, struct alike_of of)
{
    char t[DIGITS_MAX];

    snprintf(t, sizeof t, "%d", of.rank);
    if (str_eq(digits, str_of(t)))
        return true;
    snprintf(t, sizeof t, "%d", of.device);
    return of.device >= 0 && str_eq(digits, str_of(t));
}

struct alike *alike_new(struct str text, struct alike_of of)
{
    struct alike *a = calloc(1, sizeof *a);
    size_t at = 0, n;

    if (!a || !(a->text = malloc(text.n + 1))) {
        free(a);
        return NULL;
    }
    memcpy(a->text, text.p ? text.p : "", text.n);
    a->n = text.n;
    const struct str s = { a->text, a->n };
    for (; a->n_numbers < NUMBERS_MAX && next_number(s, &at, &n); at += n) {
        if (n >= DIGITS_MAX)
            continue;
        struct number *k = &a->number[a->n_numbers++];
        *k = (struct number){ .at = at, .n = n, .same = true };
        k->own = !is_alone(s, at) && is_own(str_sub(s, at, n), of);
        k->measure = is_measure(s, at, n);
        str_copy(str_sub(s, at, n), k->low, sizeof k->low);
        str_copy(str_sub(s, at, n), k->high, sizeof k->high);
    }
    return a;
}

void alike_free(struct alike *a)
{
    if (a)
        free(a->text);
    free(a);
}

/*
 * The number of the text that stands where k does, *at from the end of the one before it; false: none
 * does.
 */
static bool number_here(const struct alike *a, const struct number *k, size_t from, struct str text,
                        size_t *at, size_t *n)
{
    struct str between = { a->text + from, k->at - from };
    size_t begins = *at + between.n;

    if (begins > text.n || !str_eq(between, str_sub(text, *at, between.n)) || !is_digit(text, begins))
        return false;
    *at = begins;
    return next_number(text, at, n) && *n < DIGITS_MAX;
}

static bool number_fits(const struct alike *a, const struct number *k, struct str digits, struct alike_of of)
{
    return k->measure || (k->own && is_own(digits, of)) ||
           (k->same && str_eq(digits, (struct str){ a->text + k->at, k->n }));
}

bool alike_fits(const struct alike *a, struct str text, struct alike_of of)
{
    size_t at = 0, from = 0, n;

    for (size_t i = 0; i < a->n_numbers; i++) {
        const struct number *k = &a->number[i];
        if (!number_here(a, k, from, text, &at, &n) || !number_fits(a, k, str_sub(text, at, n), of))
            return false;
        at += n;
        from = k->at + k->n;
    }
    return str_eq((struct str){ a->text + from, a->n - from }, str_sub(text, at, text.n - at));
}

bool alike_equals(const struct alike *a, struct str text)
{
    for (size_t i = 0; i < a->n_numbers; i++)
        if (!a->number[i].same)
            return false;
    return str_eq((struct str){ a->text, a->n }, text);
}

static void widen(struct number *k, struct str digits)
{
    double v, low, high;

    if (!str_f64(digits, &v) || !str_f64(str_of(k->low), &low) || !str_f64(str_of(k->high), &high))
        return;
    if (v < low)
        str_copy(digits, k->low, sizeof k->low);
    if (v > high)
        str_copy(digits, k->high, sizeof k->high);
}

void alike_take(struct alike *a, struct str text, struct alike_of of)
{
    size_t at = 0, from = 0, n;

    for (size_t i = 0; i < a->n_numbers; i++) {
        struct number *k = &a->number[i];
        if (!number_here(a, k, from, text, &at, &n))
            return;
        struct str digits = str_sub(text, at, n);
        k->same = k->same && str_eq(digits, (struct str){ a->text + k->at, k->n });
        k->own = k->own && is_own(digits, of);
        widen(k, digits);
        at += n;
        from = k->at + k->n;
    }
}

void alike_put(const struct alike *a, struct buf *out)
{
    size_t from = 0;

    for (size_t i = 0; i < a->n_numbers; i++) {
        const struct number *k = &a->number[i];
        if (k->same)
            continue;
        buf_add(out, (struct str){ a->text + from, k->at - from });
        if (k->own)
            buf_addc(out, '*');
        else
            buf_printf(out, "%s-%s", k->low, k->high);
        from = k->at + k->n;
    }
    buf_add(out, (struct str){ a->text + from, a->n - from });
}
