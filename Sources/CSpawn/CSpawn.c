#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
#define HAS_CLOSEFROM 1
#endif
#endif

// What this program has open, its libraries included, is nothing to the new one. Without the call that
// closes it there, everything is marked here.
#if !defined(HAS_CLOSEFROM) && !defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
static void mark_all(void) {
  long count = sysconf(_SC_OPEN_MAX);
  if (count < 0 || count > 4096) count = 4096;
  for (int descriptor = 3; descriptor < count; descriptor++) {
    int flags = fcntl(descriptor, F_GETFD);
    if (flags >= 0 && !(flags & FD_CLOEXEC)) fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
  }
}
#endif

static int add_descriptors(posix_spawn_file_actions_t *actions, const cspawn_plan *plan) {
  const int wanted[] = {plan->input, plan->output, plan->errors};
  for (int place = 0; place < 3; place++) {
    // In this order a later one would find that an earlier one has taken its place.
    if (wanted[place] < place) return EINVAL;
    int error = posix_spawn_file_actions_adddup2(actions, wanted[place], place);
    if (error != 0) return error;
  }
#ifdef HAS_CLOSEFROM
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
#else
  return 0;
#endif
}

static int set_attributes(posix_spawnattr_t *attributes, const cspawn_plan *plan) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  if (plan->has_own_group) flags |= POSIX_SPAWN_SETPGROUP;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  int error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0) error = posix_spawnattr_setflags(attributes, (short)flags);
  return error;
}

int cspawn_start(const cspawn_plan *plan) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return -error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return -error;
  }
#if !defined(HAS_CLOSEFROM) && !defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
  mark_all();
#endif
  pid_t process = 0;
  error = add_descriptors(&actions, plan);
  if (error == 0) error = set_attributes(&attributes, plan);
  if (error == 0)
    error = posix_spawn(&process, plan->path, &actions, &attributes, plan->arguments,
                        plan->environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error != 0 ? -error : (int)process;
}

void cspawn_await(int process) {
  siginfo_t info;
  while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0)
    if (errno != EINTR) return;
}

cspawn_result cspawn_end(int process) {
  int status = 0;
  pid_t taken;
  do taken = waitpid(process, &status, WNOHANG);
  while (taken < 0 && errno == EINTR);
  if (taken == 0) return (cspawn_result){false, false, 0};
  if (taken < 0) return (cspawn_result){true, false, 128};
  if (WIFSIGNALED(status)) return (cspawn_result){true, true, WTERMSIG(status)};
  return (cspawn_result){true, false, WEXITSTATUS(status)};
}

bool cspawn_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC) == 0;
#else
  if (pipe(ends) != 0) return false;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return true;
#endif
}
