#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CPTY.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <pty.h>
#else
#include <util.h>
#endif

static pid_t spawn(
    const char *path, char *const arguments[], char *const environment[], int rows, int columns,
    int *master, bool ignores_hangup) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  pid_t pid = forkpty(master, NULL, NULL, &size);
  if (pid == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    if (ignores_hangup) signal(SIGHUP, SIG_IGN);
    execve(path, arguments, environment);
    _exit(127);
  }
  if (pid > 0) fcntl(*master, F_SETFD, FD_CLOEXEC);
  return pid;
}

pid_t cpty_spawn(
    const char *path, char *const arguments[], char *const environment[], int rows, int columns,
    int *master) {
  return spawn(path, arguments, environment, rows, columns, master, false);
}

pid_t cpty_spawn_ignoring_hangup(
    const char *path, char *const arguments[], char *const environment[], int rows, int columns,
    int *master) {
  return spawn(path, arguments, environment, rows, columns, master, true);
}

int cpty_resize(int master, int rows, int columns) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  return ioctl(master, TIOCSWINSZ, &size);
}
