/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of view_op_shape by name. */
#include "config.h"

#include "model/views/op_names.h"

static void add_quoted(struct buf *out, struct str s)
{
    buf_addc(out, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_addc(out, '\'');
        buf_addc(out, s.p[i]);
    }
    buf_addc(out, '\'');
}

/* Ids of the texts that are the name; those that end in it: the last part of a scope path. */
static void add_ids(struct buf *out, struct str name, bool last_part)
{
    buf_puts(out, "(SELECT id FROM string WHERE text = ");
    add_quoted(out, name);
    if (last_part) {
        buf_puts(out, " OR substr(text, -length(");
        add_quoted(out, name);
        buf_puts(out, ") - 1) = '/' || ");
        add_quoted(out, name);
    }
    buf_addc(out, ')');
}

/* A type of this name goes before ops of this name, which it holds. */
void op_names_any(struct buf *out, struct str name)
{
    buf_puts(out, "(g.by = 'type' AND g.gid IN ");
    add_ids(out, name, false);
    buf_puts(out, ") OR (g.by = 'op' AND g.gid IN ");
    add_ids(out, name, true);
    buf_puts(out, " AND NOT EXISTS (SELECT 1 FROM op y WHERE y.type_id IN ");
    add_ids(out, name, false);
    buf_puts(out, ") AND NOT EXISTS (SELECT 1 FROM op_stat y WHERE y.type_id IN ");
    add_ids(out, name, false);
    buf_puts(out, "))");
}

void op_names_op(struct buf *out, struct str name)
{
    buf_puts(out, "g.by = 'op' AND g.gid IN ");
    add_ids(out, name, false);
}
