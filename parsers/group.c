/* SPDX-License-Identifier: Apache-2.0 */
/* What readers of groups ask: which tables are wanted, which files were used, what failed. */
#include "config.h"

#include "parsers/layouts.h"
#include "parsers/parsers.h"
#include "parsers/registry.h"

struct parse_ctx *group_use(struct group_ctx *c, enum role r, size_t i)
{
    for (size_t k = 0; k < c->n; k++)
        if (c->m[k].role == r && i-- == 0) {
            c->m[k].read = true;
            return &c->m[k].c;
        }
    return NULL;
}

bool group_failed(struct group_ctx *c, const struct parse_ctx *member, int rc, struct err *e)
{
    struct where w = { .source_id = member->f->id, .line = e->line, .offset = e->offset };
    bool of_file = rc == ERR_FORMAT || rc == ERR_VERSION || rc == ERR_LIMIT || (rc == ERR_IO && e->file[0]);

    if (rc == OK || !of_file)
        return rc != OK;
    sink_note(c->out, rc == ERR_VERSION ? NOTE_NEWER : NOTE_BAD_FILE, &w, "%s", e->text);
    err_clear(e);
    return false;
}

bool group_wants(const struct group_ctx *c, const char *table)
{
    for (size_t i = 0; i < GROUP_TABLES && c->kind->tables[i].name; i++)
        if (strcmp(c->kind->tables[i].name, table) == 0)
            return c->wanted & 1u << i;
    return false;
}
