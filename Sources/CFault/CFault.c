#include "CFault.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Fills the stack: the array is written, so that no compiler leaves the call out.
static int overflow(int depth) {
  volatile char frame[4096];
  memset((char *)frame, depth, sizeof frame);
  return overflow(depth + 1) + frame[0];
}

void cfault_commit(const char *name) {
  if (strcmp(name, "trap") == 0) __builtin_trap();  // what Swift does when a precondition fails
  if (strcmp(name, "overflow") == 0) overflow(1);
  if (strcmp(name, "null") == 0) *(volatile int *)8 = 1;
  if (strcmp(name, "abort") == 0) abort();
  while (strcmp(name, "hang") == 0) pause();
#ifdef __x86_64__
  if (strcmp(name, "breakpoint") == 0) __asm__("int3");
#else
  if (strcmp(name, "breakpoint") == 0) raise(SIGTRAP);
#endif
}

static sem_t wish;

static void *wait_for_wish(void *name) {
  while (sem_wait(&wish) != 0) {
  }
  cfault_commit(name);
  return NULL;
}

static void on_wish(int number) {
  (void)number;
  const char *name = getenv("FAULT");
  if (name == NULL) return;
  if (strncmp(name, "thread-", 7) == 0) sem_post(&wish);
  else cfault_commit(name);
}

__attribute__((constructor)) static void prepare(void) {
  const char *name = getenv("FAULT");
  if (name == NULL) return;
  signal(SIGURG, on_wish);
  if (strncmp(name, "thread-", 7) == 0) {
    sem_init(&wish, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_wish, (void *)(name + 7));
  }
}
