#ifndef CSPAWN_H
#define CSPAWN_H

#include <stdbool.h>

// What a new process gets.
typedef struct {
  // Absolute.
  const char *path;
  // NULL at the end; the first is the program's own name.
  char *const *arguments;
  // `NAME=value` each, NULL at the end.
  char *const *environment;
  // What becomes its descriptors 0, 1 and 2. None of them may be -1.
  int input, output, errors;
  // Whether it leads a process group of its own, which is a background one on a terminal.
  bool has_own_group;
} cspawn_plan;

// Starts it with these three descriptors and no other, no signal blocked, and every signal with its
// default action. Gives its process id, or the negative number of the error.
int cspawn_start(const cspawn_plan *plan);

// Blocks until the process has ended. Its id stays its own until `cspawn_end` has taken the end.
void cspawn_await(int process);

// How a process ended.
typedef struct {
  // False while it runs.
  bool is_over;
  bool was_signaled;
  // The exit status, or the number of the signal.
  int number;
} cspawn_result;

// Takes the end of a process without waiting for it. A process whose end is unknown, because something
// else has taken it, ended with status 128.
cspawn_result cspawn_end(int process);

// A pipe of which no new process inherits an end: reader, writer.
bool cspawn_pipe(int ends[2]);

#endif
