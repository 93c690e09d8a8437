/* SPDX-License-Identifier: Apache-2.0 */
/* The only file that knows PCRE2. Patterns come from people and config files, subjects from
 * profiles: both are limited. */
#include "config.h"

#include "base/re.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/clock.h"
#include "base/limits.h"

struct re {
    pcre2_code *code;
    pcre2_match_data *groups;
    pcre2_match_context *limits;
    struct str pattern;     /* copy, with a NUL after it */
    pcre2_jit_stack *stack; /* NULL: no JIT, or it makes do with the 32 KiB it brings */
    bool jit;
    /* this run */
    uint64_t tests, gave_up;
    uint64_t longs, long_ns;  /* long subjects: all are timed */
    uint64_t timed, timed_ns; /* of the others: those that were timed, and their time */
    bool spent;
};

/*
 * Taking the time costs as much as ten matches: of short subjects only one in so many is timed, of long ones
 * every one.
 */
#define TIMED_EVERY 128
/*
 * A short subject takes less, its steps are limited: more is the machine's (a page that is read, a processor
 * that others have), and one such sample, which stands for many, would make the pattern too costly.
 */
#define SAMPLE_MOST_NS 500000
#define LONG_B         2048

#define JIT_STACK_MIN_B ((size_t)32 << 10)
#define JIT_STACK_MAX_B ((size_t)LIM_REGEX_HEAP_KIB << 10)

/* Of the copy: after an unfinished (*LIMIT_MATCH=1 PCRE2 (to 10.42) reads on while there are digits. */
static int compile(struct re *r, unsigned flags, struct err *e)
{
    const struct str pattern = r->pattern;
    int number = 0;
    PCRE2_SIZE at = 0;
    char text[120];
    uint32_t options =
        flags & RE_BYTES ? PCRE2_NEVER_UTF : PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;

    if (pattern.n > LIM_REGEX_B) {
        e->offset = LIM_REGEX_B;
        return err_set(e, ERR_USAGE, "pattern is longer than %d bytes", LIM_REGEX_B);
    }
    if (flags & RE_NOCASE)
        options |= PCRE2_CASELESS;
    r->code = pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n, options, &number, &at, NULL);
    if (r->code)
        return OK;
    if (number == PCRE2_ERROR_HEAP_FAILED)
        return err_nomem(e);
    if (pcre2_get_error_message(number, (PCRE2_UCHAR *)text, sizeof text) < 0)
        text[0] = '\0';
    e->offset = at < pattern.n ? at : pattern.n; /* after an unfinished (*VERB PCRE2 is one off */
    return err_set(e, ERR_USAGE, "%s", text[0] ? text : "pattern is not valid");
}

/* A pattern that cannot be translated (no JIT in this build, no executable memory) is interpreted:
 * slower, the same limits. */
static int prepare(struct re *r, struct err *e)
{
    r->groups = pcre2_match_data_create(1, NULL);
    r->limits = pcre2_match_context_create(NULL);
    if (!r->groups || !r->limits)
        return err_nomem(e);
    pcre2_set_match_limit(r->limits, LIM_REGEX_MATCH);
    pcre2_set_depth_limit(r->limits, LIM_REGEX_MATCH);
    pcre2_set_heap_limit(r->limits, LIM_REGEX_HEAP_KIB);
    if (pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE) != 0)
        return OK;
    size_t size = 0; /* a pattern can switch it off */
    r->jit = pcre2_pattern_info(r->code, PCRE2_INFO_JITSIZE, &size) == 0 && size > 0;
    r->stack = pcre2_jit_stack_create(JIT_STACK_MIN_B, JIT_STACK_MAX_B, NULL);
    if (r->stack)
        pcre2_jit_stack_assign(r->limits, NULL, r->stack);
    return OK;
}

static int copy_pattern(struct re *r, struct str pattern, struct err *e)
{
    char *p = malloc(pattern.n + 1);

    if (!p)
        return err_nomem(e);
    if (pattern.n)
        memcpy(p, pattern.p, pattern.n);
    p[pattern.n] = '\0';
    r->pattern = (struct str){ p, pattern.n };
    return OK;
}

struct str re_pattern(const struct re *r)
{
    return r->pattern;
}

int re_new(struct re **out, struct str pattern, unsigned flags, struct err *e)
{
    int rc;

    *out = NULL;
    struct re *r = calloc(1, sizeof *r);
    if (!r)
        return err_nomem(e);
    if ((rc = copy_pattern(r, pattern, e)) == OK && (rc = compile(r, flags, e)) == OK &&
        (rc = prepare(r, e)) == OK)
        *out = r;
    else
        re_free(r);
    return rc;
}

void re_free(struct re *r)
{
    if (!r)
        return;
    pcre2_jit_stack_free(r->stack);
    pcre2_match_context_free(r->limits);
    pcre2_match_data_free(r->groups);
    pcre2_code_free(r->code);
    free((char *)r->pattern.p);
    free(r);
}

void re_renew(struct re *r)
{
    r->tests = r->gave_up = r->longs = r->long_ns = r->timed = r->timed_ns = 0;
    r->spent = false;
}

bool re_is_spent(const struct re *r)
{
    return r->spent;
}

static uint64_t cpu_ns(void)
{
    return (uint64_t)clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static int run(struct re *r, struct str s, size_t start)
{
    PCRE2_SPTR p = (PCRE2_SPTR)(s.n ? s.p : "");

    return r->jit ? pcre2_jit_match(r->code, p, s.n, start, 0, r->groups, r->limits)
                  : pcre2_match(r->code, p, s.n, start, 0, r->groups, r->limits);
}

/* Time of all matches: of the long ones as measured, of the others estimated from those that were timed. */
static uint64_t cost_ns(const struct re *r)
{
    uint64_t others = r->timed ? r->timed_ns / r->timed * (r->tests - r->longs) : 0;

    return r->long_ns + others;
}

/* One match with its time; afterwards the run may be over. */
static int timed_match(struct re *r, struct str s, size_t start)
{
    uint64_t t = cpu_ns();
    int rc = run(r, s, start);
    bool is_long = s.n > LONG_B;

    t = cpu_ns() - t;
    if (!is_long && t > SAMPLE_MOST_NS)
        t = SAMPLE_MOST_NS;
    *(is_long ? &r->longs : &r->timed) += 1;
    *(is_long ? &r->long_ns : &r->timed_ns) += t;
    uint64_t cost = cost_ns(r);
    r->spent = cost > LIM_REGEX_RUN_MS * UINT64_C(1000000) && cost / r->tests > LIM_REGEX_NS;
    return rc;
}

static int match(struct re *r, struct str s, size_t start)
{
    if (r->tests++ % TIMED_EVERY == 0 || s.n > LONG_B)
        return timed_match(r, s, start);
    return run(r, s, start);
}

int re_match(struct re *r, struct str s, size_t start, size_t *from, size_t *to)
{
    if (start > s.n)
        return 0;
    if (r->spent)
        return -1;
    int rc = match(r, s, start);
    if (rc == PCRE2_ERROR_NOMATCH)
        return 0;
    if (rc < 0) {
        r->spent |= ++r->gave_up >= LIM_REGEX_GIVE_UPS;
        return -1;
    }
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->groups);
    if (from)
        *from = at[0];
    if (to)
        *to = at[1] < at[0] ? at[0] : at[1]; /* \K can put the start after the end */
    return 1;
}

const char *re_library(void)
{
    static char text[80];
    uint32_t jit = 0;

    if (pcre2_config(PCRE2_CONFIG_VERSION, NULL) > (int)sizeof text - 12 ||
        pcre2_config(PCRE2_CONFIG_VERSION, text) < 0)
        return "unknown";
    if (pcre2_config(PCRE2_CONFIG_JIT, &jit) == 0 && jit)
        memcpy(text + strlen(text), ", JIT", sizeof ", JIT");
    return text;
}
