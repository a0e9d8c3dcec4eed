#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __linux__

// A system that cannot lock open files: LOCK_FAULT is the errno that it answers with.
static int control(int descriptor, int command, void *argument) {
  const char *fault = getenv("LOCK_FAULT");
  if (fault != NULL && command == F_OFD_SETLK) {
    errno = atoi(fault);
    return -1;
  }
  return (int)syscall(SYS_fcntl, descriptor, command, argument);
}

int fcntl(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return control(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return control(descriptor, command, argument);
}

#endif
