// A library for tests, loaded into the program with LD_PRELOAD: on SIGURG it does what FAULT in the
// environment says, in the process as it was built, and its clocks are ahead by what the file CLOCK_OFFSETS
// says. Nothing of the program knows about it.
#ifndef CFAULT_H
#define CFAULT_H

// Commits the fault of this name: trap, overflow, null, abort, breakpoint.
void cfault_commit(const char *name);

#endif
