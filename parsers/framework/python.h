/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python as torch_npu recorded it (doc/formats/framework.md#records-of-torch_npu, #python-calls): calls and
 * returns, which become ranges of a struct framework; names of functions and modules; parameters of modules
 * and optimizers; garbage collections. Shapes that MindSpore recorded of its ops. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_PYTHON_H
#define NPUSCOPE_PARSERS_FRAMEWORK_PYTHON_H

#include "parsers/framework/framework.h"

/* A call or return, in the order of the numbers in the file. */
enum framework_call_tag { CALL_PY, RETURN_PY, CALL_C, RETURN_C };
struct framework_call {
    int64_t at;
    uint64_t thread, key;
    uint32_t name, line; /* name: text of the older files */
    uint32_t turn;       /* of its thread: in the order of their first records */
    enum framework_call_tag tag;
};
/* A range that a call made, with what torch_npu's trace_view.json says of it. */
struct framework_frame {
    uint32_t range;
    uint32_t id;     /* its place among the records of its thread */
    uint32_t above;  /* id of the call around it, 0: none */
    uint32_t number; /* of a module, UINT32_MAX: it is none */
};
/* A function or module by its key. */
struct framework_name {
    uint64_t key;
    uint32_t text;
};
/* Of a module or optimizer; texts as recorded, FRAMEWORK_NONE: none. */
struct framework_params {
    uint64_t key;
    uint32_t module, optimizer;
};
/* Of the older files: the call with this number among all is one of a module. */
struct framework_module_call {
    uint64_t index;
    uint32_t id, name;
};
struct framework_collection {
    int64_t from, to;
    uint32_t line;
};
/* Of an op of MindSpore; texts. */
struct framework_shapes {
    uint32_t name, shapes, line;
};

/* Arrays of the pool of f. framework_python_done() is allowed after a failure. */
struct framework_python {
    struct framework *f;
    struct framework_call *call; /* in order of the file */
    struct framework_name *name;
    struct framework_params *params;
    struct framework_module_call *module;
    struct framework_collection *gc;
    struct framework_shapes *shapes;
    size_t n_calls, n_names, n_params, n_modules, n_gc, n_shapes;
    size_t cap_calls, cap_names, cap_params, cap_modules, cap_gc, cap_shapes;
    struct intern *threads;        /* of calls */
    uint64_t process, gc_process;  /* of the last call, of the first collection */
    bool one_stack;                /* the older files: calls of all threads are of one stack */
    bool keeps_frames;             /* asked for before the replay */
    struct framework_frame *frame; /* thread by thread, of each in the order in which calls return */
    size_t n_frames;
};

/* f->clock is set, f is borrowed. */
void framework_python_init(struct framework_python *p, struct framework *f);
void framework_python_done(struct framework_python *p);
/*
 * Read a file of any of these families, told by its name. Errors: ERR_FORMAT not such a file; ERR_LIMIT,
 * ERR_IO, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int framework_python_read(struct framework_python *p, struct parse_ctx *c, struct err *e);
/*
 * Add the calls to the ranges of f, each from its call to its return; one that never returned ends with the
 * last record of its thread. Threads come in the order of their first records. Sorts what was read by its
 * keys. Errors: ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int framework_python_replay(struct framework_python *p, struct err *e);
/* Parameters of a range that a call made; NULL: none are recorded. After the replay. */
const struct framework_params *framework_python_params(const struct framework_python *p,
                                                       const struct framework_range *x);

/*
 * Walk the parameters in a text: *rest begins as it is and goes on. Parts of a parameter are valid as long as
 * the text is; state of optimizers is left out.
 */
struct framework_param {
    struct str name;        /* of an optimizer's: empty */
    struct str type, sizes; /* sizes by comma */
    uint64_t size_b;
};
bool framework_param_next(struct str *rest, bool optimizer, struct framework_param *out);

#endif
