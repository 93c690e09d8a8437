/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of the forms: keys and their values; what a value means is in config_value.c. */
#include "config.h"

#include "configure/config_int.h"

#include "base/lang/tr.h"
#include "base/words.h"
#include "configure/json_strict.h"

/* Remarks go out with places of the text that was given. */
struct outer {
    struct reading *r;
    remark_fn *fn;
    void *arg;
};

static void say_outer(void *arg, const struct remark *remark)
{
    const struct outer *o = arg;
    struct remark moved = *remark;

    moved.at = config_origin(o->r, remark->at);
    o->fn(o->arg, &moved);
}

/* ---- JSON ---- */

#define NO_COMMENTS SAID_("JSON has no comments, so that nothing of this is read: leave it out")

/* The job's parser refuses the whole text. */
static void broken(struct reading *r, size_t at, const char *why)
{
    r->broken = true;
    config_say(r, REMARK_WRONG, at, NULL, "%s", why);
}

/* The next token of the text, comments told and passed over. */
static struct token next_code(struct reading *r, size_t *at)
{
    for (;;) {
        struct token t = token_code(r->text, at);
        struct str rest = str_sub(r->text, t.at, SIZE_MAX);
        bool line = str_starts(rest, STR("//"));
        if (!line && !str_starts(rest, STR("/*")))
            return t;
        broken(r, t.at, NO_COMMENTS);
        size_t n = str_find(rest, line ? STR("\n") : STR("*/"), 2);
        *at = n == SIZE_MAX ? r->text.n : t.at + n + (line ? 1 : 2);
    }
}

/* The members of the object whose '{' is at *at - 1. Two levels: what else is nested is one value. */
static bool read_members(struct reading *r, size_t *at, const char *in);

static bool read_value(struct reading *r, struct str key, const char *in, size_t key_at, size_t *at)
{
    static const char *const objects[] = { "experimental_config", CONFIG_OWN };
    struct token v = next_code(r, at);

    if (v.kind == TK_END || v.kind == TK_OPEN || (v.kind == TK_MARK && !strchr("[{", r->text.p[v.at]))) {
        broken(r, v.at, v.kind == TK_OPEN ? "a text without its closing quote" : "a value is missing here");
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(objects) && !in && token_is(r->text, v, '{'); i++)
        if (str_eq(key, str_of(objects[i])) && (i || r->at == AT_TORCH_JSON))
            return read_members(r, at, objects[i]);
    if (v.kind == TK_STRING && r->text.p[v.at] == '\'')
        broken(r, v.at,
               "JSON takes double quotes alone, so that nothing of this is "
               "read: write \"...\"");
    if (in && !strcmp(in, CONFIG_OWN)) {
        struct buf b;
        buf_init(&b, 65536);
        token_string(r->text, v, &b);
        config_own(r, key, buf_str(&b), key_at);
        buf_done(&b);
    } else {
        config_member(r, key, in, key_at, v);
    }
    if (token_skip(r->text, v, at))
        return true;
    broken(r, v.at, "this bracket is not closed");
    return false;
}

static bool read_members(struct reading *r, size_t *at, const char *in)
{
    struct token t = next_code(r, at);
    struct buf key;
    bool good = true;

    while (good && !token_is(r->text, t, '}')) {
        if (t.kind != TK_STRING || r->text.p[t.at] != '"') {
            broken(r, t.at,
                   t.kind == TK_END ? "the text ends here: } is missing"
                                    : "a key in double quotes is wanted here");
            return false;
        }
        size_t key_at = t.at;
        buf_init(&key, 65536);
        token_string(r->text, t, &key);
        t = next_code(r, at);
        good = token_is(r->text, t, ':');
        if (good)
            good = read_value(r, buf_str(&key), in, key_at, at);
        else
            broken(r, t.at, "a colon is missing after a key");
        buf_done(&key);
        if (!good)
            return false;
        t = next_code(r, at);
        if (token_is(r->text, t, '}'))
            break;
        good = token_is(r->text, t, ',');
        size_t comma = t.at;
        if (good && token_is(r->text, t = next_code(r, at), '}')) {
            broken(r, comma,
                   "the comma after the last member is none of JSON: "
                   "leave it out");
            break;
        }
        if (!good)
            broken(r, t.at, "a comma is missing before this");
    }
    return good;
}

static void read_object(struct reading *r)
{
    size_t at = str_starts(r->text, STR(UTF8_BOM)) ? sizeof UTF8_BOM - 1 : 0;

    if (at)
        broken(r, 0, JSON_BOM);
    struct token t = token_next(r->text, &at);
    while (t.kind == TK_COMMENT) {
        broken(r, t.at, NO_COMMENTS);
        t = token_next(r->text, &at);
    }
    if (token_is(r->text, t, '/')) {
        at = t.at;
        t = next_code(r, &at);
    }
    if (!token_is(r->text, t, '{')) {
        broken(r, t.at, "this is no JSON object: it begins with {");
        return;
    }
    if (!read_members(r, &at, NULL))
        return;
    t = next_code(r, &at);
    if (t.kind != TK_END)
        broken(r, t.at, "the object has ended before: leave this out");
}

static void read_json(struct reading *r)
{
    size_t at;

    read_object(r);
    const char *why = r->broken ? NULL : json_strict(r->text, &at);
    if (why)
        config_say(r, REMARK_WRONG, at, NULL, "%s, so that nothing of this is read", why);
}

/* ---- Python ---- */

#define CALLS_DEEP 32

/* Arguments with names of the profiler's calls; others are passed over. */
static void read_python(struct reading *r)
{
    static const char known[] = "profile|Profiler|_ExperimentalConfig|schedule|tensorboard_trace_handler|"
                                "_KinetoProfile";
    bool own[CALLS_DEEP] = { false };
    size_t depth = 0, at = 0, next;
    struct token t, before = { .kind = TK_END };

    while ((t = token_next(r->text, &at)).kind != TK_END) {
        struct str s = str_sub(r->text, t.at, t.n);
        next = at;
        if (t.kind == TK_COMMENT) {
            config_kept(r, s, t.at);
        } else if (token_is(r->text, t, '(')) {
            struct str call = str_after_last(str_sub(r->text, before.at, before.n), '.');
            bool is = before.kind == TK_NAME && word_index(known, '|', call) >= 0;
            if (++depth < CALLS_DEEP)
                own[depth] = is;
            r->scheduled |= is && str_eq(call, STR("schedule"));
        } else if (token_is(r->text, t, ')')) {
            depth -= depth > 0;
        } else if (t.kind == TK_NAME && depth && depth < CALLS_DEEP && own[depth] &&
                   token_is(r->text, token_code(r->text, &next), '=')) {
            struct token v = token_code(r->text, &next);
            bool inner = str_eq(s, STR("schedule")) || str_eq(s, STR("on_trace_ready")) ||
                         str_eq(s, STR("experimental_config"));
            if (!inner && !token_is(r->text, v, '=')) {
                config_member(r, s, NULL, t.at, v);
                at = next;
                if (!token_skip(r->text, v, &at))
                    break;
            }
        }
        before = t;
    }
}

/* The schedule that config_write() made of start_step and stop_step is those two again. */
static void join_steps(struct reading *r)
{
    int64_t start, stop, active, skip;

    if (!r->c->value[SW_START_STEP] || !r->c->value[SW_STOP_STEP] || !r->c->value[SW_ACTIVE] ||
        !r->c->value[SW_SKIP_FIRST] || !str_i64(choice_get(r->c, SW_START_STEP), &start) ||
        !str_i64(choice_get(r->c, SW_STOP_STEP), &stop) || !str_i64(choice_get(r->c, SW_ACTIVE), &active) ||
        !str_i64(choice_get(r->c, SW_SKIP_FIRST), &skip))
        return;
    if (skip != start - 1 || active != stop - start + 1 || !str_eq(choice_get(r->c, SW_REPEAT), STR("1")) ||
        !str_eq(choice_get(r->c, SW_WAIT), STR("0")) || !str_eq(choice_get(r->c, SW_WARMUP), STR("0")))
        return;
    choice_unset(r->c, SW_ACTIVE);
    choice_unset(r->c, SW_SKIP_FIRST);
    choice_unset(r->c, SW_REPEAT);
    choice_unset(r->c, SW_WAIT);
    choice_unset(r->c, SW_WARMUP);
}

/* ---- forms ---- */

static void read_env(struct reading *r)
{
    static const char name[] = "MS_PROFILER_OPTIONS=";
    struct str whole = r->text;
    struct shell s;
    bool found = false;

    if (str_starts(str_trim(whole), STR("{"))) {
        read_json(r);
        return;
    }
    shell_begin(&s, whole);
    while (shell_next(&s)) {
        r->map = buf_str(&s.map);
        r->text = buf_str(&s.word);
        if (str_starts(r->text, STR("#"))) {
            config_kept(r, r->text, 0);
        } else if (str_starts(r->text, str_of(name))) {
            found = true;
            r->text = str_sub(r->text, sizeof name - 1, SIZE_MAX);
            r->map = str_sub(r->map, (sizeof name - 1) * 4, SIZE_MAX);
            read_json(r);
        }
    }
    r->text = whole;
    r->map = STR_NULL;
    shell_end(&s);
    if (!found)
        config_say(r, REMARK_WRONG, 0, NULL, "there is no %s'{...}' here", name);
}

int config_read(struct str text, const struct config_target *t, struct choice *c, remark_fn *fn, void *arg,
                struct err *e)
{
    static void (*const read[N_FORMS])(struct reading *) = { read_env, read_json, read_python,
                                                             config_msprof };
    struct reading r = { .text = text, .t = t, .at = config_at(t), .c = c, .e = e };
    struct outer outer = { &r, fn, arg };

    if (r.at == N_AT)
        return err_set(e, ERR_USAGE, "there is no such form of this framework and version");
    if (text.n > CONFIG_MAX_B)
        return err_set(e, ERR_LIMIT, "a configuration of more than 1 MiB: the job itself takes none");
    r.fn = fn ? say_outer : NULL;
    r.arg = &outer;
    read[t->form](&r);
    if (t->form == FORM_PYTHON)
        join_steps(&r);
    config_rules(&r);
    return e->code;
}

/* ---- guesses ---- */

static bool holds(struct str text, const char *word)
{
    return str_find(text, str_of(word), 0) != SIZE_MAX;
}

/* The number or text after a key of JSON. */
static bool has_integer(struct str text, const char *key)
{
    size_t at = str_find(text, str_of(key), 0);

    if (at == SIZE_MAX)
        return false;
    at += strlen(key);
    struct token t = token_code(text, &at);
    if (token_is(text, t, ':'))
        t = token_code(text, &at);
    return t.kind == TK_NUMBER;
}

/* The version whose keys and types they are. */
static unsigned guess_version(struct str text, bool env)
{
    static const char *const newest[] = { "\"record_shapes\"", "\"sys_io\"",    "\"sys_interconnection\"",
                                          "\"host_sys\"",      "\"mstx_domain", "\"prof_path\"",
                                          "\"analyse\"" };

    for (size_t i = 0; i < ARRAY_LEN(newest); i++)
        if (holds(text, newest[i]))
            return 27;
    if (holds(text, "\"profile_framework\"") || holds(text, "\"profile_communication\"") ||
        holds(text, "\"op_time\"") || (env && has_integer(text, "\"aicore_metrics\"")))
        return 24;
    if (holds(text, "\"aicore_metrics\""))
        return 25;
    if (!env && (has_integer(text, "\"profiler_level\"") || has_integer(text, "\"activities\"") ||
                 has_integer(text, "\"aic_metrics\"") || has_integer(text, "\"export_type\"")))
        return 26;
    return VERSION_NEWEST;
}

bool config_guess(struct str text, unsigned version, struct config_target *t)
{
    size_t bom = str_starts(text, STR(UTF8_BOM)) ? sizeof UTF8_BOM - 1 : 0;
    struct str s = str_trim(str_sub(text, bom, SIZE_MAX));
    bool json = str_starts(s, STR("{")), env = holds(s, "MS_PROFILER_OPTIONS=");
    bool torch = holds(s, "torch_npu") || holds(s, "\"experimental_config\"") || holds(s, "\"prof_dir\"");

    *t = (struct config_target){ .version = version };
    if (env || (json && !torch && holds(s, "\"start\"")))
        t->form = FORM_ENV;
    else if (json)
        t->form = FORM_JSON;
    else if (holds(s, "msprof ") && !holds(s, "import "))
        t->form = FORM_MSPROF;
    else if (holds(s, "profiler.") || holds(s, "rofile("))
        t->form = FORM_PYTHON;
    else
        return false;
    t->framework = torch && t->form != FORM_ENV ? FRAMEWORK_TORCH : FRAMEWORK_MINDSPORE;
    if (!version)
        t->version = t->form == FORM_PYTHON ? holds(s, "mindspore.Profiler(") ? 25u : VERSION_NEWEST
                                            : guess_version(s, t->form == FORM_ENV);
    return true;
}
