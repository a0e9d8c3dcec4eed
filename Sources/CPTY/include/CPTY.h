#ifndef CPTY_H
#define CPTY_H
#include <sys/types.h>

// Starts a program on a new pseudo-terminal as the leader of a session, with default signal
// dispositions and an empty mask. Returns its process id and the master side, or -1.
pid_t cpty_spawn(
    const char *path, char *const arguments[], char *const environment[], int rows, int columns,
    int *master);
// As above, with SIGHUP ignored in the child, as under nohup.
pid_t cpty_spawn_ignoring_hangup(
    const char *path, char *const arguments[], char *const environment[], int rows, int columns,
    int *master);
// The size of the terminal; raises SIGWINCH on the other side. 0 on success.
int cpty_resize(int master, int rows, int columns);
#endif
