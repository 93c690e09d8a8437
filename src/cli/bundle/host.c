/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of this host and session: the job may have run elsewhere, or with other variables, which is said. */
#include "config.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "cli/bundle/excerpt.h"
#include "cli/bundle/parts.h"
#include "cli/host.h"

#define TEXT_MAX ((size_t)1 << 20)
#define VALUE_B  4096

extern char **environ;

/* Variables that jobs on Ascend and their launchers read, by how their names begin. */
static const char *const variables[] = {
    "ASCEND",  "ATB_",   "COLORTERM", "DEVICE_",     "GE_",  "GLOG_",  "GRAPH_", "HCCL_",      "LANG",
    "LC_",     "LOCAL_", "MASTER_",   "MINDSPORE",   "MS_",  "MSPROF", "NPU",    "OMPI_COMM",  "PROF",
    "PYTORCH", "RANK",   "SLURM_",    "TASK_QUEUE_", "TERM", "TORCH",  "TMUX",   "WORLD_SIZE",
};
/* Words in a name whose value is nobody's business. */
static const char *const secrets[] = { "TOKEN", "SECRET", "PASS", "KEY", "CRED", "AUTH" };

/* Versions of driver, firmware and toolkit as their installers leave them. */
static const char *const version_files[] = {
    "/etc/os-release",
    "/etc/ascend_install.info",
    "/usr/local/Ascend/driver/version.info",
    "/usr/local/Ascend/firmware/version.info",
    "/usr/local/Ascend/*/latest/version.cfg",
    "/usr/local/Ascend/*/latest/*/ascend_toolkit_install.info",
    "/usr/local/Ascend/*/latest/*/ascend_nnae_install.info",
};

struct text {
    struct buf *buf;
    enum host_area area; /* of the line before */
};

static void put_fact(void *arg, enum host_area area, const char *name, const char *value)
{
    struct text *t = arg;

    if (area != t->area)
        buf_puts(t->buf, "\nlimits of this session\n");
    t->area = area;
    buf_printf(t->buf, "%-14s %s\n", name, value);
}

static bool begins(const char *name, const char *const *words, size_t n)
{
    bool does = false;

    for (size_t i = 0; i < n; i++)
        does |= strncmp(name, words[i], strlen(words[i])) == 0;
    return does;
}

static bool is_secret(struct str name)
{
    bool is = false;

    for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
        is |= str_find_nocase(name, str_of(secrets[i])) != SIZE_MAX;
    return is;
}

/* Numbers and single letters name nobody. */
static bool is_plain(struct str value)
{
    return value.n == 1 || (value.n && strspn(value.p, "0123456789.,-") == value.n);
}

static void add_variables(struct buf *b, bool hidden)
{
    buf_puts(b, "\nvariables of this session\n");
    for (char **v = environ; v && *v; v++) {
        struct str all = str_of(*v);
        size_t eq = str_chr(all, '=');
        if (eq == SIZE_MAX || !begins(*v, variables, ARRAY_LEN(variables)))
            continue;
        struct str name = str_sub(all, 0, eq), value = str_sub(all, eq + 1, VALUE_B);
        if (is_secret(name) || (hidden && !is_plain(value)))
            value = STR("(set, not shown)");
        buf_printf(b, "%.*s=%.*s\n", (int)name.n, name.p, (int)value.n, value.p);
    }
}

/* Files of versions as they are. */
static int add_versions(struct bundle *b, struct err *e)
{
    const struct excerpt x = { .head_b = VALUE_B };
    glob_t g;

    for (size_t i = 0; i < ARRAY_LEN(version_files); i++) {
        if (glob(version_files[i], 0, NULL, &g))
            continue;
        for (size_t k = 0; k < g.gl_pathc && !e->code; k++) {
            struct err ignored = ERR_INIT; /* what may not be read by this user is no loss worth a word */
            char name[PATH_MAX];
            uint64_t left_out;
            struct buf text;
            buf_init(&text, TEXT_MAX);
            snprintf(name, sizeof name, "host%s", g.gl_pathv[k]);
            if (excerpt_add(g.gl_pathv[k], &x, &text, &left_out, &ignored) == OK)
                (void)!bundle_add(b, name, N_("a version of this host"), &text, 0, e);
            buf_done(&text);
        }
        globfree(&g);
    }
    return e->code;
}

int bundle_host(struct bundle *b, const char *profile, bool hidden, struct err *e)
{
    struct buf text;
    struct text facts = { &text, HOST_SYSTEM };

    buf_init(&text, TEXT_MAX);
    buf_puts(&text, "The host and session in which the bundle was made; the job may have run in others.\n\n");
    host_facts(profile, hidden, put_fact, &facts);
    add_variables(&text, hidden);
    int rc = bundle_add(b, "host.txt", N_("system, limits and variables of the host"), &text, 0, e);
    buf_done(&text);
    return rc ? rc : add_versions(b, e);
}
