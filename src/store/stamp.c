/* Which sources a store was made by: a file of its own, so that a change in a parser compiles little anew. */
#include "config.h"

#include "store/stamp.h"

#include "store_stamp.h"

const char *store_stamp(void)
{
    return STORE_STAMP;
}
