/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One test over all rows of a view. Its results for texts are kept: a longer text typed after a shorter one
 * is only searched where the shorter one was found.
 */
#include "config.h"

#include "model/view/view_test.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/unit.h"

#define CHECK_TEXTS 128 /* between two looks at the clock */
#define CHECK_ROWS  256
#define KEY_SEP     '\x1f'

/* ---- keys of tests ---- */

/*
 * Whether a pattern has no special characters except '|' between texts: it matches where one of them occurs
 * literally.
 */
static bool is_plain(struct str pattern)
{
    struct str rest = pattern, text;

    for (size_t i = 0; i < pattern.n; i++) {
        unsigned char c = (unsigned char)pattern.p[i];
        if (c < 32 || c >= 128 || strchr("\\^$.[()?*+{", (char)c))
            return false;
    }
    while (str_next(&rest, '|', &text))
        if (!text.n)
            return false;
    return pattern.n > 0;
}

/* Append kind of search and column, then the texts searched. Tests of kinds T, R and W can narrow. */
static void make_key(const struct filter_test *t, struct buf *out)
{
    bool re = t->op == FO_RE || t->op == FO_ROW_RE, plain = re && is_plain(re_pattern(t->re));
    char kind = t->op == FO_TEXT ? 'T' : !re ? 'E' : !plain ? 'P' : t->op == FO_RE ? 'R' : 'W';

    for (size_t i = 0; i < t->n; i++)
        if (str_chr(t->texts[i], KEY_SEP) != SIZE_MAX)
            kind = 'E';
    struct str rest = re ? re_pattern(t->re) : STR_NULL, text;
    buf_printf(out, "%c%d", kind, t->col);
    while (rest.p && str_next(&rest, plain ? '|' : '\0', &text)) {
        buf_addc(out, KEY_SEP);
        buf_add(out, text);
    }
    for (size_t i = 0; i < t->n; i++) {
        buf_addc(out, KEY_SEP);
        buf_add(out, t->texts[i]);
    }
}

static bool has_slash(const char *key)
{
    return strchr(key, '/') != NULL;
}

/*
 * Whether texts that do not match wide cannot match narrow: every text of the narrow key contains one of the
 * wide key.
 */
static bool narrows(const char *narrow, const char *wide)
{
    struct str n = str_of(narrow), w = str_of(wide), head, other, text;

    if (!str_next(&n, KEY_SEP, &head) || !str_next(&w, KEY_SEP, &other) || !str_eq(head, other) ||
        !strchr("TRW", head.p[0]))
        return false;
    while (str_next(&n, KEY_SEP, &text)) {
        struct str rest = w, alternative;
        bool holds = false;
        while (!holds && str_next(&rest, KEY_SEP, &alternative))
            holds = alternative.n && str_find_nocase(text, alternative) != SIZE_MAX;
        if (!holds)
            return false;
    }
    return true;
}

/* ---- making and freeing ---- */

void test_done(struct view *v, struct test *t)
{
    for (size_t p = 0; t->hit && p < v->n_parts; p++)
        free(t->hit[p]);
    for (size_t p = 0; t->pinned && p < v->n_parts; p++)
        rowset_unpin(v->parts[p].rows, t->col);
    texts_close(&t->cursor);
    free(t->folder);
    free(t->hit);
    free(t->tested);
    free(t->yes);
    free(t->costly);
    free(t->key);
}

static enum test_kind kind_of(const struct view *v, const struct filter_test *t)
{
    if (t->op == FO_ROW_RE)
        return BY_ROW;
    if (t->col == FILTER_RANK)
        return BY_RANK;
    if (v->def->cols[t->col].type == VT_TEXT)
        return BY_CODE;
    return t->op == FO_RE || t->op == FO_TEXT ? BY_ROW : BY_VALUE;
}

int test_init(struct view *v, struct test *t, const struct filter_test *ft, struct err *e)
{
    struct buf key;

    *t = (struct test){ .t = ft, .kind = kind_of(v, ft), .cursor_part = SIZE_MAX };
    t->col = ft->col < 0 ? SIZE_MAX : (size_t)ft->col;
    buf_init(&key, (size_t)1 << 20);
    make_key(ft, &key);
    t->key = buf_take(&key);
    if (!t->key)
        return err_nomem(e);
    t->in_folder = (t->key[0] == 'T' || t->key[0] == 'R') && !has_slash(t->key);
    return OK;
}

/* ---- results of earlier tests ---- */

static struct test *find_test(struct test *old, size_t n, const struct test *t, bool same)
{
    for (size_t i = 0; i < n; i++) {
        struct test *o = &old[i];
        if (o->key && o->kind == t->kind && o->col == t->col &&
            (same ? strcmp(o->key, t->key) == 0 : narrows(t->key, o->key)))
            return o;
    }
    return NULL;
}

static void take_same(struct test *t, struct test *o)
{
    t->hit = o->hit;
    t->tested = o->tested;
    t->yes = o->yes;
    t->costly = o->costly;
    o->hit = NULL;
    o->tested = o->yes = o->costly = NULL;
}

/* Take over only the texts that did not match. */
static void take_narrower(struct view *v, struct test *t, const struct test *o, const struct cells *c)
{
    for (size_t p = 0; t->hit && o->hit && p < v->n_parts; p++)
        for (size_t i = 0; i < c[p].values->n_codes; i++)
            t->hit[p][i] = o->hit[p][i] == HIT_NO ? HIT_NO : HIT_UNKNOWN;
    for (size_t i = 0; t->tested && o->tested && i < v->words; i++)
        t->tested[i] = o->tested[i] & ~o->yes[i] & ~o->costly[i];
}

/* ---- one test, its columns being there ---- */

static int cells_of(struct view *v, const struct test *t, struct cells **out, struct err *e)
{
    return view_cells(v, t->col + v->with_rank, out, e);
}

static int alloc_hits(struct view *v, struct test *t, const struct cells *c, struct err *e)
{
    t->hit = calloc(v->n_parts ? v->n_parts : 1, sizeof *t->hit);
    if (!t->hit)
        return err_nomem(e);
    for (size_t p = 0; p < v->n_parts; p++) {
        t->hit[p] = malloc(c[p].values->n_codes);
        if (!t->hit[p])
            return err_nomem(e);
        memset(t->hit[p], HIT_UNKNOWN, c[p].values->n_codes);
    }
    return OK;
}

static int alloc_sets(struct view *v, struct test *t, struct err *e)
{
    size_t n = v->words ? v->words : 1;

    t->tested = calloc(n, sizeof *t->tested);
    t->yes = calloc(n, sizeof *t->yes);
    t->costly = calloc(n, sizeof *t->costly);
    return t->tested && t->yes && t->costly ? OK : err_nomem(e);
}

/* Read the column and see what the last filters leave to be done. */
int test_prepare(struct view *v, struct test *t, struct test *old, size_t n_old, int64_t until_ns,
                 struct err *e)
{
    struct cells *c = NULL;

    if (t->col != SIZE_MAX) {
        bool ready;
        if (view_need(v, t->col + v->with_rank, until_ns, &ready, e) || !ready || cells_of(v, t, &c, e))
            return e->code;
        for (size_t p = 0; p < v->n_parts; p++)
            rowset_pin(v->parts[p].rows, t->col);
        t->pinned = true;
    }
    struct test *same = find_test(old, n_old, t, true);
    if (same && (same->hit || same->tested)) {
        take_same(t, same);
    } else if (t->kind == BY_CODE ? alloc_hits(v, t, c, e) == OK
                                  : t->kind != BY_ROW || alloc_sets(v, t, e) == OK) {
        const struct test *wide = find_test(old, n_old, t, false);
        if (wide)
            take_narrower(v, t, wide, c);
    }
    free(c);
    filter_renew(t->t);
    t->ready = e->code == OK;
    return e->code;
}

static enum hit to_hit(const struct filter_test *t, int m)
{
    return m < 0 ? HIT_COSTLY : (m == 1) != t->negate ? HIT_YES : HIT_NO;
}

static bool passes(const struct filter_test *t, enum hit h)
{
    return h != HIT_COSTLY && (h == HIT_YES) != t->negate;
}

static void cursor_close(struct test *t)
{
    texts_close(&t->cursor);
    free(t->folder);
    t->folder = NULL;
    t->cursor_part = SIZE_MAX;
}

static int cursor_open(struct test *t, size_t part, const struct texts *texts, struct err *e)
{
    cursor_close(t);
    if (texts_open(&t->cursor, texts, e))
        return e->code;
    t->cursor_part = part;
    if (!t->in_folder)
        return OK;
    t->folder = malloc(texts_folders(texts) + 1);
    if (!t->folder)
        return err_nomem(e);
    memset(t->folder, HIT_UNKNOWN, texts_folders(texts) + 1);
    t->folder[0] = HIT_NO;
    return OK;
}

static enum hit test_text(const struct filter_test *t, struct str s)
{
    return to_hit(t, filter_text(t, s));
}

/* Test folder and rest separately: a folder is tested once. */
static enum hit test_parts(struct test *t, uint32_t i)
{
    size_t folder;
    struct str rest = texts_rest(&t->cursor, i, &folder);

    if (t->folder[folder] == HIT_UNKNOWN)
        t->folder[folder] = (uint8_t)test_text(t->t, texts_folder(t->cursor.t, folder));
    return t->folder[folder] == HIT_NO ? test_text(t->t, rest) : (enum hit)t->folder[folder];
}

/* Whether the text of a code matches; the text is tested once. */
static int test_code(struct test *t, size_t part, const struct column *texts, uint32_t code, enum hit *out,
                     struct err *e)
{
    uint8_t *hit = &t->hit[part][code];

    if (*hit == HIT_UNKNOWN) {
        if (t->cursor_part != part && cursor_open(t, part, texts->texts, e))
            return e->code;
        *hit = (uint8_t)(t->in_folder ? test_parts(t, code - 1)
                                      : test_text(t->t, texts_at(&t->cursor, code - 1)));
    }
    *out = (enum hit) * hit;
    return OK;
}

static bool value_passes(const struct filter_test *t, const struct column *c, size_t row)
{
    return column_null(c, row)  ? filter_unknown(t)
           : c->width == CW_F64 ? filter_number(t, c->f64[row])
                                : filter_whole(t, column_int(c, row));
}

void test_retire(struct view *v, struct test *t)
{
    for (size_t p = 0; t->pinned && p < v->n_parts; p++)
        rowset_unpin(v->parts[p].rows, t->col);
    t->pinned = false;
    t->t = NULL;
    cursor_close(t);
}

/* ---- rows as text ---- */

static void add_value(struct buf *out, const struct val *x)
{
    char num[64];

    if (x->t == VAL_TEXT)
        buf_add(out, x->s);
    else if (x->t == VAL_INT)
        buf_printf(out, "%" PRId64, x->i);
    else if (x->t != VAL_NULL)
        buf_puts(out, unit_plain(num, sizeof num, val_num(x)));
}

/* Match room->text, the text of a row, and remember the result. */
static void note_row(struct test_room *room, struct test *t, uint32_t row)
{
    uint64_t bit = UINT64_C(1) << row % 64;
    enum hit h = buf_failed(&room->text) ? HIT_COSTLY : to_hit(t->t, filter_text(t->t, buf_str(&room->text)));

    t->tested[row / 64] |= bit;
    if (h == HIT_YES)
        t->yes[row / 64] |= bit;
    else if (h == HIT_COSTLY)
        t->costly[row / 64] |= bit;
}

static void text_of_row(const struct view *v, struct test_room *room, size_t part, const struct val *vals,
                        size_t n)
{
    buf_clear(&room->text);
    if (v->with_rank)
        buf_printf(&room->text, "%d\t", v->parts[part].p.rank);
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_addc(&room->text, '\t');
        add_value(&room->text, &vals[i]);
    }
}

/* One row of BY_ROW, read by its key. */
static int test_row(struct view *v, struct test_room *room, struct test *t, uint32_t row, struct err *e)
{
    size_t part = view_part_of(v, row), at = row - v->parts[part].first;

    if (t->tested[row / 64] >> row % 64 & 1)
        return OK;
    if (t->col == SIZE_MAX) {
        arena_reset(room->arena);
        if (rowset_row(v->parts[part].rows, at, room->arena, room->row, e))
            return e->code;
        text_of_row(v, room, part, room->row, v->def->n_cols);
    } else {
        struct cells c = rowset_cells(v->parts[part].rows, t->col);
        size_t r = cells_row(&c, at);
        buf_clear(&room->text);
        if (r == SIZE_MAX || column_null(c.values, r)) { /* unknown matches nothing */
            t->tested[row / 64] |= UINT64_C(1) << row % 64;
            return OK;
        }
        column_add_number(c.values, r, &room->text);
    }
    note_row(room, t, row);
    return OK;
}

struct block {
    struct view *v;
    struct test *t;
    const uint64_t *sel;
    struct test_room *room;
};

static bool on_block_row(void *arg, size_t row, const struct val *vals, size_t n)
{
    struct block *b = arg;
    uint32_t r = (uint32_t)(b->v->parts[b->t->part].first + row);
    uint64_t bit = UINT64_C(1) << r % 64;

    if (!(b->sel[r / 64] & bit) || (b->t->tested[r / 64] & bit))
        return true;
    text_of_row(b->v, b->room, b->t->part, vals, n);
    note_row(b->room, b->t, r);
    return true;
}

/*
 * Test the rows from .. to - 1 of a part that have no result yet. When they are many they are read in one
 * scan.
 */
static int test_block(struct block *b, size_t from, size_t to, struct err *e)
{
    struct view *v = b->v;
    size_t first = v->parts[b->t->part].first, open = 0;

    for (size_t w = (first + from) / 64; w <= (first + to - 1) / 64; w++)
        open += (size_t)__builtin_popcountll(b->sel[w] & ~b->t->tested[w]);
    if (b->t->col == SIZE_MAX && open * 4 > to - from && v->def->n_cols < QUERY_EACH_MAX)
        return rowset_each(v->parts[b->t->part].rows, from, to, on_block_row, b, e);
    for (size_t row = from; open && row < to; row++) {
        uint32_t r = (uint32_t)(first + row);
        if (b->sel[r / 64] >> r % 64 & 1 && test_row(v, b->room, b->t, r, e))
            return e->code;
    }
    return OK;
}

/* ---- tests over everything, in slices; they set t->done ---- */

static int run_rows(struct view *v, struct test *t, const uint64_t *sel, struct test_room *room,
                    int64_t until_ns, struct err *e)
{
    struct block b = { v, t, sel, room };

    for (; t->part < v->n_parts; t->part++, t->at = 0) {
        size_t n = v->parts[t->part].n;
        while (t->at < n) {
            size_t to = n - t->at > CHECK_ROWS ? t->at + CHECK_ROWS : n;
            if (test_block(&b, t->at, to, e))
                return e->code;
            t->at = to;
            if (slice_over(until_ns))
                return OK;
        }
    }
    t->done = true;
    return OK;
}

/* Test only the texts of the rows that are left, when these are fewer than the texts. */
static int run_used_codes(struct view *v, struct test *t, const uint64_t *sel, const struct cells *c,
                          int64_t until_ns, struct err *e)
{
    size_t first = v->parts[t->part].first, words = (v->parts[t->part].n + 63) / 64;
    enum hit h;

    for (; t->at < words; t->at++) {
        for (uint64_t bits = sel[first / 64 + t->at]; bits; bits &= bits - 1) {
            size_t r = cells_row(c, t->at * 64 + (size_t)__builtin_ctzll(bits));
            uint32_t code = r == SIZE_MAX ? 0 : column_raw(c->values, r);
            if (code && test_code(t, t->part, c->values, code, &h, e))
                return e->code;
        }
        if (t->at % 8 == 7 && slice_over(until_ns)) {
            t->at++;
            return OK;
        }
    }
    return OK;
}

static int run_all_codes(struct test *t, const struct cells *c, int64_t until_ns, struct err *e)
{
    enum hit h;

    for (; t->at + 1 < c->values->n_codes; t->at++) {
        if (test_code(t, t->part, c->values, (uint32_t)t->at + 1, &h, e))
            return e->code;
        if (t->at % CHECK_TEXTS == CHECK_TEXTS - 1 && slice_over(until_ns)) {
            t->at++;
            return OK;
        }
    }
    return OK;
}

static size_t count_part(const struct view *v, const uint64_t *set, size_t part)
{
    size_t n = 0, first = v->parts[part].first / 64, words = (v->parts[part].n + 63) / 64;

    for (size_t w = 0; w < words; w++)
        n += (size_t)__builtin_popcountll(set[first + w]);
    return n;
}

static int run_codes(struct view *v, struct test *t, const uint64_t *sel, int64_t until_ns, struct err *e)
{
    for (; t->part < v->n_parts; t->part++, t->at = 0) {
        struct cells c = rowset_cells(v->parts[t->part].rows, t->col);
        bool few = count_part(v, sel, t->part) < c.values->n_codes / 2;
        size_t end = few ? (v->parts[t->part].n + 63) / 64 : c.values->n_codes - 1;
        if (few ? run_used_codes(v, t, sel, &c, until_ns, e) : run_all_codes(t, &c, until_ns, e))
            return e->code;
        if (t->at < end)
            return OK;
    }
    t->done = true;
    return OK;
}

int test_run(struct view *v, struct test *t, const uint64_t *sel, struct test_room *room, int64_t until_ns,
             struct err *e)
{
    switch (t->kind) {
    case BY_CODE:
        return run_codes(v, t, sel, until_ns, e);
    case BY_ROW:
        return run_rows(v, t, sel, room, until_ns, e);
    case BY_VALUE:
    case BY_RANK:
        break;
    }
    t->done = true; /* compared when applied */
    return OK;
}

/* ---- from texts to rows ---- */

/* Keep the rows of sel whose code has pass[code]. Without branches: each result is one bit of a word. */
static void and_codes(const struct column *c, const uint8_t *pass, uint64_t *sel)
{
    for (size_t row = 0; row < c->n; row += 64) {
        uint64_t bits = 0;
        size_t n = c->n - row < 64 ? c->n - row : 64;
        if (!sel[row / 64])
            continue;
        switch (c->width) {
        case CW_U8:
            for (size_t i = 0; i < n; i++)
                bits |= (uint64_t)pass[c->u8[row + i]] << i;
            break;
        case CW_U16:
            for (size_t i = 0; i < n; i++)
                bits |= (uint64_t)pass[c->u16[row + i]] << i;
            break;
        default:
            for (size_t i = 0; i < n; i++)
                bits |= (uint64_t)pass[c->u32[row + i]] << i;
            break;
        }
        sel[row / 64] &= bits;
    }
}

/* The result for each row of c.values in the form for and_codes(): [0] for NULL, [k] for row k - 1. */
static uint8_t *pass_by_row(const struct test *t, const struct column *values, const uint8_t *pass)
{
    uint8_t *by_row = malloc(values->n + 1);

    if (!by_row)
        return NULL;
    by_row[0] = filter_unknown(t->t);
    for (size_t i = 0; i < values->n; i++)
        by_row[i + 1] = pass ? pass[column_raw(values, i)] : value_passes(t->t, values, i);
    return by_row;
}

/* By code: 1 when its rows stay. *costly: some texts have no result. */
static uint8_t *pass_by_code(const struct test *t, size_t part, size_t n_codes, bool *costly)
{
    uint8_t *pass = malloc(n_codes ? n_codes : 1);

    *costly = false;
    if (!pass)
        return NULL;
    for (size_t i = 0; i < n_codes; i++) {
        enum hit h = (enum hit)t->hit[part][i];
        pass[i] = passes(t->t, h);
        *costly |= h == HIT_COSTLY;
    }
    pass[0] = filter_unknown(t->t);
    return pass;
}

/* Number of rows of sel whose text has no result because it was too costly. */
static size_t count_costly(const struct test *t, size_t part, const struct cells *c, const uint64_t *sel,
                           size_t n)
{
    size_t costly = 0;

    for (size_t row = 0; row < n; row++) {
        size_t r = cells_row(c, row);
        if (sel[row / 64] >> row % 64 & 1 && r != SIZE_MAX)
            costly += t->hit[part][column_raw(c->values, r)] == HIT_COSTLY;
    }
    return costly;
}

/* sel: of this part. */
static int apply_column(struct view *v, const struct test *t, size_t part, uint64_t *sel, size_t *undecided,
                        struct err *e)
{
    struct cells c = rowset_cells(v->parts[part].rows, t->col);
    uint8_t *pass = NULL, *by_row = NULL;
    bool costly = false;

    if (t->kind == BY_CODE && !(pass = pass_by_code(t, part, c.values->n_codes, &costly)))
        return err_nomem(e);
    if (costly)
        *undecided += count_costly(t, part, &c, sel, v->parts[part].n);
    if (c.via && !(by_row = pass_by_row(t, c.values, pass)))
        err_nomem(e);
    else if (c.via)
        and_codes(c.via, by_row, sel);
    else if (pass)
        and_codes(c.values, pass, sel);
    for (size_t row = 0; !c.via && !pass && row < c.values->n; row++)
        sel[row / 64] &= ~((uint64_t)!value_passes(t->t, c.values, row) << row % 64);
    free(pass);
    free(by_row);
    return e->code;
}

static void apply_rank(const struct view *v, const struct filter_test *t, uint64_t *sel)
{
    for (size_t p = 0; p < v->n_parts; p++)
        if (!filter_rank(t, v->parts[p].p.rank))
            memset(sel + v->parts[p].first / 64, 0, (v->parts[p].n + 63) / 64 * sizeof *sel);
}

int test_apply(struct view *v, const struct test *t, uint64_t *sel, size_t *undecided, struct err *e)
{
    if (t->kind == BY_RANK) {
        apply_rank(v, t->t, sel);
        return OK;
    }
    if (t->kind != BY_ROW) {
        for (size_t p = 0; p < v->n_parts; p++)
            if (apply_column(v, t, p, sel + v->parts[p].first / 64, undecided, e))
                return e->code;
        return OK;
    }
    for (size_t w = 0; w < v->words; w++) {
        *undecided += (size_t)__builtin_popcountll(sel[w] & t->costly[w]);
        sel[w] &= (t->t->negate ? ~t->yes[w] : t->yes[w]) & ~t->costly[w];
    }
    return OK;
}

/* ---- one row ---- */

int test_passes(struct view *v, struct test *t, struct test_room *room, uint32_t row, bool *out,
                struct err *e)
{
    size_t part = view_part_of(v, row);
    enum hit h;

    if (t->kind == BY_RANK) {
        *out = filter_rank(t->t, v->parts[part].p.rank);
        return OK;
    }
    if (t->kind == BY_ROW) {
        uint64_t bit = UINT64_C(1) << row % 64;
        if (test_row(v, room, t, row, e))
            return e->code;
        h = t->costly[row / 64] & bit ? HIT_COSTLY : t->yes[row / 64] & bit ? HIT_YES : HIT_NO;
        *out = passes(t->t, h);
        return OK;
    }
    struct cells c = rowset_cells(v->parts[part].rows, t->col);
    size_t r = cells_row(&c, row - v->parts[part].first);
    if (r == SIZE_MAX || column_null(c.values, r)) {
        *out = filter_unknown(t->t);
    } else if (t->kind == BY_VALUE) {
        *out = value_passes(t->t, c.values, r);
    } else {
        if (test_code(t, part, c.values, column_raw(c.values, r), &h, e))
            return e->code;
        *out = passes(t->t, h);
    }
    return OK;
}
