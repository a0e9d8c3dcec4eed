#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // ppoll
#endif
#include "CMainLoop.h"

#include <signal.h>
#include <time.h>

int cloop_wait(struct pollfd *entries, int count, int64_t limit_ns) {
#if defined(__linux__)
  struct timespec limit = {limit_ns / 1000000000, limit_ns % 1000000000};
  return ppoll(entries, (nfds_t)count, limit_ns < 0 ? (struct timespec *)0 : &limit,
               (const sigset_t *)0);
#else
  // Rounded up: a millisecond early would be a second turn for nothing.
  int64_t ms = limit_ns / 1000000 + (limit_ns % 1000000 != 0);
  return poll(entries, (nfds_t)count, limit_ns < 0 ? -1 : (int)(ms > 0x7fffffff ? 0x7fffffff : ms));
#endif
}
