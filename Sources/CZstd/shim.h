#ifndef CZSTD_SHIM_H
#define CZSTD_SHIM_H

/* Nothing but the stable interface. */
#include <zstd.h>

#endif
