/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine of a pickle: a stack of values, marks on it, and the opcodes that are known
 * (doc/formats/logs.md#pickle-subset).
 *
 * Items between a mark and APPENDS would all lie on the stack until then: torch's own writer puts a whole
 * list there. So the older ones of many are moved to their list early; the last HELD stay, because an item
 * that is still being made is among them.
 */
#include "config.h"

#include "parsers/read/pickle.h"

#include <inttypes.h>

#include "base/grow.h"
#include "base/limits.h"
#include "base/read/rec.h"
#include "parsers/read/lines.h"
#include "parsers/read/pickle_values.h"

#define ASK_B  ((uint64_t)512 << 10)
#define MANY   2048 /* items above a mark before some are moved */
#define HELD   512
#define LINE_B 200 /* a name of GLOBAL */

struct mark {
    size_t at; /* first item above it */
    bool moved;
};

enum ending { GOING, DONE, CUT, DAMAGED, LIMITED };

struct machine {
    struct parse_ctx *c;
    struct infile *in;
    struct pickle_asks asks;
    struct pickle *v;
    pickle_ref *stack;
    size_t n, cap;
    struct mark mark[LIM_PICKLE_DEPTH];
    size_t n_marks;
    uint64_t asked;
    size_t n_memo; /* MEMOIZE counts */
    enum ending state;
    const char *why;
    struct err *e;
};

/* ---- ending ---- */

static void stop(struct machine *p, enum ending state, const char *why)
{
    if (p->state == GOING) {
        p->state = state;
        p->why = why;
    }
}

/* A value could not be made. */
static void no_room(struct machine *p)
{
    if (p->v->full)
        stop(p, LIMITED, "its values take more than the limit");
    else
        (void)err_nomem(p->e);
}

static void refuse(struct machine *p, const char *name, struct str detail)
{
    err_set(p->e, ERR_FORMAT, "the pickle asks for %s%s%.*s, which is no plain data: it was not read", name,
            detail.n ? " " : "", (int)detail.n, detail.n ? detail.p : "");
    err_where(p->e, p->c->f->path, p->v->op_off, 0);
}

/* ---- bytes ---- */

/* The next n bytes, n at most a window. NULL: they are not there. */
static const unsigned char *peek(struct machine *p, size_t n)
{
    struct rec r;
    size_t got;

    while (!rec_peek(p->in, n, &r))
        if (infile_more(p->in, &got, p->e) || got == 0) {
            stop(p, CUT, "the file ends within the pickle");
            return NULL;
        }
    return r.p;
}

static bool take_number(struct machine *p, size_t n, uint64_t *out)
{
    const unsigned char *b = n ? peek(p, n) : (const unsigned char *)"";

    *out = 0;
    if (!b)
        return false;
    for (size_t i = n; i > 0; i--)
        *out = *out << 8 | b[i - 1];
    infile_take(p->in, n);
    return true;
}

/* ---- the stack ---- */

static size_t floor_of(const struct machine *p)
{
    return p->n_marks ? p->mark[p->n_marks - 1].at : 0;
}

/* The value below the innermost mark, which its items belong to; 0: none. */
static pickle_ref owner(const struct machine *p)
{
    size_t at = floor_of(p);

    return at ? p->stack[at - 1] : 0;
}

static bool is(const struct machine *p, pickle_ref r, enum pickle_type t)
{
    return r && p->v->node[r].type == t;
}

/*
 * Hand an item to the caller, else put it in its list. The reference of the stack goes either way. An item
 * may hold its list, and the caller swap that: then there is no list any more.
 */
static void give_item(struct machine *p, pickle_ref list, pickle_ref item)
{
    bool taken = !is(p, list, PICKLE_LIST);

    if (!taken && p->asks.item && p->asks.item(p->asks.arg, p->v, list, item, &taken, p->e))
        return;
    if (!taken && is(p, list, PICKLE_LIST) && !values_add(p->v, list, 0, item))
        no_room(p);
    values_drop(p->v, item);
    values_sweep(p->v);
}

/* Move n items from position at of the stack to a list. */
static void move_items(struct machine *p, pickle_ref list, size_t at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p->e->code == OK)
            give_item(p, list, p->stack[at + i]);
    memmove(p->stack + at, p->stack + at + n, (p->n - at - n) * sizeof *p->stack);
    p->n -= n;
}

static void push(struct machine *p, pickle_ref r)
{
    size_t at = floor_of(p);

    if (!r) {
        no_room(p);
        return;
    }
    if (p->n - at >= MANY && p->n_marks && is(p, owner(p), PICKLE_LIST)) {
        p->mark[p->n_marks - 1].moved = true;
        move_items(p, owner(p), at, p->n - at - HELD);
    }
    void *s = grow_array(p->stack, p->n, &p->cap, sizeof *p->stack, 256);
    if (!s) {
        (void)err_nomem(p->e);
        return;
    }
    p->stack = s;
    values_hold(p->v, r);
    p->stack[p->n++] = r;
}

/* At least n values lie above the mark. */
static bool have(struct machine *p, size_t n)
{
    if (p->n - floor_of(p) >= n)
        return true;
    stop(p, DAMAGED, "an opcode finds too few values");
    return false;
}

static pickle_ref top(const struct machine *p, size_t i)
{
    return p->stack[p->n - 1 - i];
}

static void forget(struct machine *p, size_t n)
{
    while (n-- > 0)
        values_drop(p->v, p->stack[--p->n]);
}

/* ---- opcodes ---- */

enum operand { O_NONE, O_U1, O_U2, O_U4, O_I4, O_U8, O_F8 };
static const uint8_t operand_b[] = { 0, 1, 2, 4, 4, 8, 8 };

typedef void op_fn(struct machine *p, uint64_t x);

static void op_proto(struct machine *p, uint64_t x)
{
    if (x < 2 || x > 5) {
        err_set(p->e, ERR_FORMAT, "a pickle of protocol %" PRIu64 "; 2 to 5 are known", x);
        err_where(p->e, p->c->f->path, p->v->op_off, 0);
    }
}

static void op_nothing(struct machine *p, uint64_t x)
{
    (void)p;
    (void)x;
}

static void op_stop(struct machine *p, uint64_t x)
{
    (void)x;
    if (p->n == 1 && p->n_marks == 0)
        stop(p, DONE, NULL);
    else
        stop(p, DAMAGED, "the pickle ends with values left over");
}

static void op_mark(struct machine *p, uint64_t x)
{
    (void)x;
    if (p->n_marks == LIM_PICKLE_DEPTH)
        stop(p, LIMITED, "values are nested too deeply");
    else
        p->mark[p->n_marks++] = (struct mark){ .at = p->n };
}

static void op_none(struct machine *p, uint64_t x)
{
    (void)x;
    push(p, VALUE_NONE);
}

static void op_true(struct machine *p, uint64_t x)
{
    (void)x;
    push(p, VALUE_TRUE);
}

static void op_false(struct machine *p, uint64_t x)
{
    (void)x;
    push(p, VALUE_FALSE);
}

static void push_number(struct machine *p, enum pickle_type type, int64_t i)
{
    pickle_ref r = values_new(p->v, type);

    if (r)
        p->v->node[r].u.i = i;
    push(p, r);
}

static void op_int(struct machine *p, uint64_t x)
{
    push_number(p, PICKLE_INT, (int64_t)x);
}

static void op_float(struct machine *p, uint64_t x)
{
    pickle_ref r = values_new(p->v, PICKLE_REAL);
    uint64_t bits = __builtin_bswap64(x); /* the only number with its high byte first */

    if (r)
        memcpy(&p->v->node[r].u.d, &bits, sizeof bits);
    push(p, r);
}

/* n bytes of two's complement, low byte first. */
static void op_long(struct machine *p, uint64_t n)
{
    const unsigned char *b = n == 0 ? (const unsigned char *)"" : n <= 255 ? peek(p, (size_t)n) : NULL;
    uint64_t u = 0;

    if (!b) {
        stop(p, DAMAGED, "an integer of more than 255 bytes");
        return;
    }
    bool negative = n && (b[n - 1] & 0x80);
    for (uint64_t i = 0; i < 8; i++)
        u |= (uint64_t)(i < n ? b[i] : negative ? 0xff : 0) << (8 * i);
    bool fits = n <= 8, fits_u64 = n == 9 && b[8] == 0;
    infile_take(p->in, (size_t)n);
    push_number(p, fits ? PICKLE_INT : PICKLE_BIG, fits || fits_u64 ? (int64_t)u : 0);
}

/* n bytes of text into the pool. */
static void take_text(struct machine *p, enum pickle_type type, uint64_t n)
{
    uint64_t left = infile_is_gz(p->in) ? UINT64_MAX : infile_size(p->in) - infile_offset(p->in);
    size_t done = 0, have_b, got;

    if (!infile_is_gz(p->in) && (infile_size(p->in) < infile_offset(p->in) || n > left)) {
        stop(p, CUT, "the file ends within a text");
        return;
    }
    char *to = n <= SIZE_MAX ? values_room(p->v, (size_t)n) : NULL;
    if (!to) {
        p->v->full |= n > SIZE_MAX;
        no_room(p);
        return;
    }
    while (done < n) {
        const char *from = infile_data(p->in, &have_b);
        if (have_b == 0 && (infile_more(p->in, &got, p->e) || got == 0)) {
            stop(p, CUT, "the file ends within a text");
            return;
        }
        have_b = have_b < n - done ? have_b : (size_t)n - done;
        memcpy(to + done, from, have_b);
        infile_take(p->in, have_b);
        done += have_b;
    }
    push(p, values_text(p->v, type, done));
}

static void op_text(struct machine *p, uint64_t n)
{
    take_text(p, PICKLE_TEXT, n);
}

static void op_bytes(struct machine *p, uint64_t n)
{
    take_text(p, PICKLE_BYTES, n);
}

static void op_list(struct machine *p, uint64_t x)
{
    (void)x;
    push(p, values_new(p->v, PICKLE_LIST));
}

static void op_dict(struct machine *p, uint64_t x)
{
    (void)x;
    push(p, values_new(p->v, PICKLE_DICT));
}

static void op_put(struct machine *p, uint64_t at)
{
    if (!have(p, 1))
        return;
    if (at > infile_offset(p->in)) /* numbers are counted: each took a byte */
        stop(p, DAMAGED, "a number of the memo is above all there can be");
    else if (!values_put(p->v, (size_t)at, top(p, 0)))
        no_room(p);
}

static void op_memoize(struct machine *p, uint64_t x)
{
    (void)x;
    op_put(p, p->n_memo++);
}

static void op_get(struct machine *p, uint64_t at)
{
    pickle_ref r = values_get(p->v, (size_t)at);

    if (r)
        push(p, r);
    else
        stop(p, DAMAGED, "a number of the memo that was never given");
}

static void op_append(struct machine *p, uint64_t x)
{
    (void)x;
    if (!have(p, 2))
        return;
    if (is(p, top(p, 1), PICKLE_LIST))
        move_items(p, top(p, 1), p->n - 1, 1);
    else
        stop(p, DAMAGED, "an item is appended to what is no list");
}

/* The innermost mark goes; *at is where its items begin. false: there is none. */
static bool unmark(struct machine *p, struct mark *m)
{
    if (p->n_marks == 0) {
        stop(p, DAMAGED, "an opcode finds no mark");
        return false;
    }
    *m = p->mark[--p->n_marks];
    return true;
}

static void op_appends(struct machine *p, uint64_t x)
{
    struct mark m;

    (void)x;
    if (p->n_marks && !is(p, owner(p), PICKLE_LIST))
        stop(p, DAMAGED, "items are appended to what is no list");
    else if (unmark(p, &m))
        move_items(p, p->stack[m.at - 1], m.at, p->n - m.at);
}

static void add_pair(struct machine *p, pickle_ref dict, pickle_ref key, pickle_ref value)
{
    if (is(p, dict, PICKLE_DICT) && !values_add(p->v, dict, key, value))
        no_room(p);
}

static void op_setitem(struct machine *p, uint64_t x)
{
    (void)x;
    if (!have(p, 3))
        return;
    if (is(p, top(p, 2), PICKLE_DICT)) {
        add_pair(p, top(p, 2), top(p, 1), top(p, 0));
        forget(p, 2);
    } else
        stop(p, DAMAGED, "a pair is put into what is no dict");
}

static void op_setitems(struct machine *p, uint64_t x)
{
    struct mark m;

    (void)x;
    if (p->n_marks && (!is(p, owner(p), PICKLE_DICT) || (p->n - floor_of(p)) % 2))
        stop(p, DAMAGED, "pairs are put into what is no dict");
    else if (unmark(p, &m)) {
        for (size_t i = m.at; i < p->n; i += 2)
            add_pair(p, p->stack[m.at - 1], p->stack[i], p->stack[i + 1]);
        forget(p, p->n - m.at);
    }
}

static void make_tuple(struct machine *p, size_t n)
{
    pickle_ref t = values_new(p->v, PICKLE_TUPLE);

    for (size_t i = 0; t && i < n; i++)
        if (!values_add(p->v, t, 0, top(p, n - 1 - i))) {
            no_room(p);
            return;
        }
    forget(p, n);
    push(p, t);
}

static void op_tuple(struct machine *p, uint64_t x)
{
    struct mark m;

    (void)x;
    if (!unmark(p, &m))
        return;
    if (m.moved)
        stop(p, LIMITED, "a tuple of too many values");
    else
        make_tuple(p, p->n - m.at);
}

static void op_tuple1(struct machine *p, uint64_t x)
{
    (void)x;
    if (have(p, 1))
        make_tuple(p, 1);
}

static void op_tuple2(struct machine *p, uint64_t x)
{
    (void)x;
    if (have(p, 2))
        make_tuple(p, 2);
}

static void op_tuple3(struct machine *p, uint64_t x)
{
    (void)x;
    if (have(p, 3))
        make_tuple(p, 3);
}

static void op_empty_tuple(struct machine *p, uint64_t x)
{
    (void)x;
    make_tuple(p, 0);
}

/* ---- functions ---- */

/* Those of torch that give back their first argument: older writers wrap lists and dicts in them. */
static const char *const echoes[] = { "restore_type_tag", "build_intlist", "build_doublelist",
                                      "build_boollist" };

static bool take_line(struct machine *p, struct buf *to)
{
    for (size_t i = 0; i <= LINE_B; i++) {
        const unsigned char *b = peek(p, 1);
        if (!b)
            return false;
        char ch = (char)*b;
        infile_take(p->in, 1);
        if (ch == '\n')
            return true;
        buf_addc(to, ch);
    }
    return true; /* too long for those that are known */
}

static void op_global(struct machine *p, uint64_t x)
{
    struct buf name;
    bool known = false;

    (void)x;
    buf_init(&name, 2 * LINE_B + 8);
    bool two = take_line(p, &name);
    buf_addc(&name, '.');
    if (two && take_line(p, &name)) {
        struct str s = buf_str(&name);
        for (size_t i = 0; i < ARRAY_LEN(echoes); i++)
            known |= str_starts(s, STR("torch.jit._pickle.")) &&
                     str_eq(str_sub(s, sizeof "torch.jit._pickle." - 1, s.n), str_of(echoes[i]));
        if (known)
            push(p, values_new(p->v, PICKLE_FUNC));
        else
            refuse(p, "GLOBAL", str_sub(s, 0, 80));
    }
    buf_done(&name);
}

static void op_reduce(struct machine *p, uint64_t x)
{
    uint32_t at = 0;
    pickle_ref key, value;

    (void)x;
    if (!have(p, 2))
        return;
    if (!is(p, top(p, 1), PICKLE_FUNC) || !is(p, top(p, 0), PICKLE_TUPLE) ||
        !pickle_next(p->v, top(p, 0), &at, &key, &value)) {
        refuse(p, "REDUCE", STR_NULL);
        return;
    }
    values_hold(p->v, value);
    forget(p, 2);
    push(p, value);
    values_drop(p->v, value);
}

/* ---- the table of opcodes ---- */

struct opcode {
    const char *name; /* NULL: no opcode of any protocol */
    op_fn *fn;        /* NULL: refused */
    enum operand operand;
};

/* clang-format off */
static const struct opcode opcodes[256] = {
    ['('] = { "MARK", op_mark, O_NONE },
    ['.'] = { "STOP", op_stop, O_NONE },
    ['J'] = { "BININT", op_int, O_I4 },
    ['K'] = { "BININT1", op_int, O_U1 },
    ['M'] = { "BININT2", op_int, O_U2 },
    ['G'] = { "BINFLOAT", op_float, O_F8 },
    ['N'] = { "NONE", op_none, O_NONE },
    ['X'] = { "BINUNICODE", op_text, O_U4 },
    ['B'] = { "BINBYTES", op_bytes, O_U4 },
    ['C'] = { "SHORT_BINBYTES", op_bytes, O_U1 },
    [']'] = { "EMPTY_LIST", op_list, O_NONE },
    ['}'] = { "EMPTY_DICT", op_dict, O_NONE },
    [')'] = { "EMPTY_TUPLE", op_empty_tuple, O_NONE },
    ['a'] = { "APPEND", op_append, O_NONE },
    ['e'] = { "APPENDS", op_appends, O_NONE },
    ['s'] = { "SETITEM", op_setitem, O_NONE },
    ['u'] = { "SETITEMS", op_setitems, O_NONE },
    ['t'] = { "TUPLE", op_tuple, O_NONE },
    ['q'] = { "BINPUT", op_put, O_U1 },
    ['r'] = { "LONG_BINPUT", op_put, O_U4 },
    ['h'] = { "BINGET", op_get, O_U1 },
    ['j'] = { "LONG_BINGET", op_get, O_U4 },
    ['c'] = { "GLOBAL", op_global, O_NONE },
    ['R'] = { "REDUCE", op_reduce, O_NONE },
    [0x80] = { "PROTO", op_proto, O_U1 },
    [0x85] = { "TUPLE1", op_tuple1, O_NONE },
    [0x86] = { "TUPLE2", op_tuple2, O_NONE },
    [0x87] = { "TUPLE3", op_tuple3, O_NONE },
    [0x88] = { "NEWTRUE", op_true, O_NONE },
    [0x89] = { "NEWFALSE", op_false, O_NONE },
    [0x8a] = { "LONG1", op_long, O_U1 },
    [0x8b] = { "LONG4", op_long, O_U4 },
    [0x8c] = { "SHORT_BINUNICODE", op_text, O_U1 },
    [0x8d] = { "BINUNICODE8", op_text, O_U8 },
    [0x94] = { "MEMOIZE", op_memoize, O_NONE },
    [0x95] = { "FRAME", op_nothing, O_U8 },

    ['0'] = { .name = "POP" }, ['1'] = { .name = "POP_MARK" }, ['2'] = { .name = "DUP" },
    ['F'] = { .name = "FLOAT" }, ['I'] = { .name = "INT" }, ['L'] = { .name = "LONG" },
    ['P'] = { .name = "PERSID" }, ['Q'] = { .name = "BINPERSID" }, ['S'] = { .name = "STRING" },
    ['T'] = { .name = "BINSTRING" }, ['U'] = { .name = "SHORT_BINSTRING" }, ['V'] = { .name = "UNICODE" },
    ['b'] = { .name = "BUILD" }, ['d'] = { .name = "DICT" }, ['g'] = { .name = "GET" },
    ['i'] = { .name = "INST" }, ['l'] = { .name = "LIST" }, ['o'] = { .name = "OBJ" },
    ['p'] = { .name = "PUT" },
    [0x81] = { .name = "NEWOBJ" }, [0x82] = { .name = "EXT1" }, [0x83] = { .name = "EXT2" },
    [0x84] = { .name = "EXT4" }, [0x8e] = { .name = "BINBYTES8" }, [0x8f] = { .name = "EMPTY_SET" },
    [0x90] = { .name = "ADDITEMS" }, [0x91] = { .name = "FROZENSET" }, [0x92] = { .name = "NEWOBJ_EX" },
    [0x93] = { .name = "STACK_GLOBAL" }, [0x96] = { .name = "BYTEARRAY8" },
    [0x97] = { .name = "NEXT_BUFFER" }, [0x98] = { .name = "READONLY_BUFFER" },
};
/* clang-format on */

static void one_opcode(struct machine *p)
{
    const unsigned char *b = peek(p, 1);
    uint64_t x;

    if (!b)
        return;
    p->v->op_off = infile_offset(p->in);
    const struct opcode *o = &opcodes[*b];
    if (!o->name) {
        stop(p, DAMAGED, "a byte is no opcode");
        return;
    }
    if (!o->fn) {
        refuse(p, o->name, STR_NULL);
        return;
    }
    infile_take(p->in, 1);
    if (take_number(p, operand_b[o->operand], &x))
        o->fn(p, o->operand == O_I4 ? (uint64_t)(int64_t)(int32_t)(uint32_t)x : x);
}

/* ---- a pickle that does not end ---- */

/*
 * The values above the innermost mark go to their owner as far as they are whole: items of a list, pairs of a
 * dict, and the one item of a list that waits for its APPEND.
 */
static void close_mark(struct machine *p)
{
    size_t at = p->n_marks ? floor_of(p) : 1, i = at;
    pickle_ref to = at && at <= p->n ? p->stack[at - 1] : 0;

    if (is(p, to, PICKLE_LIST) && p->n > at)
        move_items(p, to, at, p->n - at);
    else if (is(p, to, PICKLE_DICT))
        for (; i + 1 < p->n && is(p, p->stack[i], PICKLE_TEXT); i += 2) {
            pickle_ref list = p->stack[i + 1];
            while (i + 2 < p->n && is(p, list, PICKLE_LIST) && is(p, p->stack[i + 2], PICKLE_LIST))
                move_items(p, list, i + 2, 1);
            add_pair(p, to, p->stack[i], list);
        }
    if (p->n > at)
        forget(p, p->n - at);
    if (p->n_marks)
        p->n_marks--;
}

static void close_all(struct machine *p)
{
    enum { ROOT = 1 };
    struct err quiet = ERR_INIT, *e = p->e;

    if (p->e->code)
        return;
    p->e = &quiet; /* there may be no room left: what fits is kept */
    while (p->n_marks)
        close_mark(p);
    if (p->n > ROOT)
        close_mark(p);
    p->e = e;
    if (quiet.code == ERR_NOMEM)
        (void)err_nomem(e);
    else if (quiet.code)
        *e = quiet;
}

static void note_end(struct machine *p)
{
    struct where w = parse_where(p->c, p->v->op_off, 0, 1);

    p->c->lost++;
    if (p->state == LIMITED)
        sink_note(p->c->out, NOTE_LIMIT, &w, "%s; the rest was left out", p->why);
    else
        sink_note(p->c->out, NOTE_TORN_FILE, &w, "%s; what came before was kept", p->why);
}

static void look_behind(struct machine *p)
{
    struct err quiet = ERR_INIT;
    struct where w = parse_where(p->c, infile_offset(p->in), 0, 1);
    size_t n, got;

    (void)infile_data(p->in, &n);
    if (n || (infile_more(p->in, &got, &quiet) == OK && got))
        sink_note(p->c->out, NOTE_TORN_FILE, &w, "bytes after the end of the pickle were left out");
}

/* ---- the file ---- */

static int run(struct machine *p)
{
    const unsigned char *b = peek(p, 2);

    if (p->e->code)
        return p->e->code;
    if (!b || b[0] != 0x80) {
        err_set(p->e, ERR_FORMAT, "no pickle of protocol 2 or newer: it does not begin with one");
        err_where(p->e, p->c->f->path, 0, 0);
        return p->e->code;
    }
    while (p->state == GOING && p->e->code == OK) {
        if (infile_offset(p->in) - p->asked >= ASK_B) {
            p->asked = infile_offset(p->in);
            if (parse_ask(p->c, infile_consumed(p->in), p->e))
                break;
        }
        one_opcode(p);
    }
    return p->e->code;
}

/* A damaged gzip stream is a file that ends early. */
static void unpacked_in_part(struct machine *p)
{
    if (p->e->code != ERR_FORMAT && p->e->code != ERR_LIMIT)
        return;
    if (p->state != CUT || !infile_is_gz(p->in) || p->v->op_off == 0)
        return;
    err_clear(p->e);
}

int pickle_read(struct pickle **out, struct parse_ctx *c, const struct pickle_asks *asks, struct err *e)
{
    struct machine m = { .c = c, .asks = *asks, .e = e };

    *out = m.v = calloc(1, sizeof *m.v);
    if (!m.v || !values_init(m.v, asks->most_b ? asks->most_b : LIM_PICKLE_B))
        return err_nomem(e);
    if (infile_open(&m.in, c->f->path, 0, e))
        return e->code;
    (void)run(&m);
    unpacked_in_part(&m);
    m.v->cut = m.state != DONE;
    if (e->code == OK && m.state == DONE)
        look_behind(&m);
    else if (e->code == OK) {
        note_end(&m);
        close_all(&m);
    }
    m.v->root = m.n ? m.stack[0] : 0;
    infile_close(m.in);
    free(m.stack);
    return e->code;
}
