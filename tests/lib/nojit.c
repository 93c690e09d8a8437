/* Preloaded under valgrind: patterns are not compiled to machine code, whose reads of whole words beside a text it cannot judge. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

int pcre2_jit_compile_8(pcre2_code_8 *code, uint32_t options)
{
    (void)code;
    (void)options;
    return PCRE2_ERROR_JIT_BADOPTION;
}
