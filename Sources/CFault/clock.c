#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__

// Clocks that somebody sets, and a machine that sleeps: CLOCK_OFFSETS names a file of two 64-bit
// numbers, how many ms CLOCK_REALTIME is ahead and how many ms the machine has slept.
static const volatile int64_t *offsets;

__attribute__((constructor)) static void open_offsets(void) {
  const char *path = getenv("CLOCK_OFFSETS");
  if (path == NULL) return;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, 16, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) offsets = memory;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (syscall(SYS_clock_gettime, clock, time) != 0) return -1;
  if (offsets == NULL) return 0;
  int64_t ms = clock == CLOCK_REALTIME ? offsets[0] : clock == CLOCK_BOOTTIME ? offsets[1] : 0;
  int64_t ns = time->tv_nsec + ms % 1000 * 1000000;
  time->tv_sec += ms / 1000 + (ns >= 1000000000) - (ns < 0);
  time->tv_nsec = (ns + 1000000000) % 1000000000;
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *seconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (seconds != NULL) *seconds = now.tv_sec;
  return now.tv_sec;
}

#endif
