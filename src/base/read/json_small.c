/* SPDX-License-Identifier: Apache-2.0 */
/* Small documents through cJSON; a struct jv is a cJSON item under another name. */
#include "config.h"

#include "base/read/json_small.h"

#include <math.h>
#include <stdlib.h>

#include <cJSON.h>

#include "base/limits.h"

struct jdoc {
    cJSON *root;
};

/* cJSON reports a failed allocation as a syntax error; our hooks remember which it was. */
static _Thread_local bool out_of_memory;

static void *remember_malloc(size_t n)
{
    void *p = malloc(n);
    out_of_memory |= p == NULL;
    return p;
}

static const cJSON *item(const struct jv *v)
{
    return (const cJSON *)(const void *)v;
}

static const struct jv *value(const cJSON *c)
{
    return (const struct jv *)(const void *)c;
}

/* ---- documents ---- */

static int syntax_error(struct str text, const char *at, const char *problem, struct err *e)
{
    size_t off = at >= text.p && at <= text.p + text.n ? (size_t)(at - text.p) : 0;
    uint32_t line = 1;

    for (size_t i = 0; i < off; i++)
        line += text.p[i] == '\n';
    err_set(e, ERR_FORMAT, "%s", problem);
    err_where(e, NULL, off, line);
    return e->code;
}

int jdoc_parse(struct jdoc **out, struct str text, struct err *e)
{
    cJSON_Hooks hooks = { .malloc_fn = remember_malloc, .free_fn = free };
    const char *end = text.p;

    *out = NULL;
    if (text.n > LIM_JSON_SMALL_B)
        return err_set(e, ERR_LIMIT, "document larger than %zu bytes", LIM_JSON_SMALL_B);
    cJSON_InitHooks(&hooks);
    out_of_memory = false;
    cJSON *root = text.n ? cJSON_ParseWithLengthOpts(text.p, text.n, &end, 0) : NULL;
    if (!root)
        return out_of_memory ? err_nomem(e)
                             : syntax_error(text, end, text.n ? "no valid JSON" : "empty document", e);
    const char *p = end;
    while (p < text.p + text.n && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n' || *p == '\0'))
        p++;
    struct jdoc *d = p == text.p + text.n ? calloc(1, sizeof *d) : NULL;
    if (!d) {
        cJSON_Delete(root);
        return p < text.p + text.n ? syntax_error(text, p, "text after the document", e) : err_nomem(e);
    }
    d->root = root;
    *out = d;
    return OK;
}

int jdoc_read(struct jdoc **out, const char *path, struct err *e)
{
    char *text = NULL;
    size_t n = 0;

    *out = NULL;
    int rc = infile_read_all(path, LIM_JSON_SMALL_B, &text, &n, e);
    if (rc == OK)
        rc = jdoc_parse(out, (struct str){ text, n }, e);
    if (rc != OK)
        err_where(e, path, ERR_NO_OFFSET, 0);
    free(text);
    return rc;
}

void jdoc_free(struct jdoc *d)
{
    if (!d)
        return;
    cJSON_Delete(d->root);
    free(d);
}

const struct jv *jdoc_root(const struct jdoc *d)
{
    return d ? value(d->root) : NULL;
}

/* ---- values ---- */

bool jv_is_object(const struct jv *v)
{
    return cJSON_IsObject(item(v));
}

bool jv_is_array(const struct jv *v)
{
    return cJSON_IsArray(item(v));
}

bool jv_is_string(const struct jv *v)
{
    return cJSON_IsString(item(v));
}

bool jv_is_number(const struct jv *v)
{
    return cJSON_IsNumber(item(v)) && isfinite(item(v)->valuedouble); /* 1e999 is no number to us */
}

bool jv_is_bool(const struct jv *v)
{
    return cJSON_IsBool(item(v));
}

bool jv_is_null(const struct jv *v)
{
    return cJSON_IsNull(item(v));
}

const struct jv *jv_get(const struct jv *object, const char *key)
{
    return jv_is_object(object) ? value(cJSON_GetObjectItemCaseSensitive(item(object), key)) : NULL;
}

const struct jv *jv_first(const struct jv *container)
{
    bool has = jv_is_object(container) || jv_is_array(container);
    return has ? value(item(container)->child) : NULL;
}

const struct jv *jv_next(const struct jv *v)
{
    return v ? value(item(v)->next) : NULL;
}

size_t jv_count(const struct jv *container)
{
    size_t n = 0;

    for (const struct jv *v = jv_first(container); v; v = jv_next(v))
        n++;
    return n;
}

struct str jv_key(const struct jv *v)
{
    return v && item(v)->string ? str_of(item(v)->string) : STR_NULL;
}

struct str jv_str(const struct jv *v)
{
    return jv_is_string(v) ? str_of(item(v)->valuestring) : STR_NULL;
}

double jv_num(const struct jv *v)
{
    return jv_is_number(v) ? item(v)->valuedouble : 0.0;
}

bool jv_bool(const struct jv *v)
{
    return cJSON_IsTrue(item(v));
}

char *jv_print(const struct jv *v)
{
    return v ? cJSON_PrintUnformatted(item(v)) : NULL;
}

const char *json_small_library(void)
{
    return cJSON_Version();
}
