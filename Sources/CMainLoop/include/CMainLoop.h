#ifndef CMAINLOOP_H
#define CMAINLOOP_H

#include <poll.h>
#include <stdint.h>

/// poll(2) with a time limit in nanoseconds; negative waits for ever. The number of entries that
/// are ready, or -1 with errno, EINTR when a signal came first.
int cloop_wait(struct pollfd *entries, int count, int64_t limit_ns);

#if defined(__linux__)
// How a run loop of the main thread serves the main dispatch queue: what CoreFoundation does on
// Linux (swift-corelibs-foundation, CFRunLoop.c). libdispatch exports both for that purpose
// (private/queue_private.h).

/// A descriptor that is readable when the main queue has work; made at the first call.
int _dispatch_get_main_queue_handle_4CF(void);

/// Does the work of the main queue that is there. On the main thread, and never inside itself.
void _dispatch_main_queue_callback_4CF(void *ignored);
#endif

#endif
