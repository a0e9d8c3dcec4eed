// All of it is in the header, to be compiled into its callers; a target needs a source file.
#include "CByteMarks.h"
