// What a full-screen program needs from the system and Swift cannot do: variadic ioctl, signal
// handlers, and giving the terminal back when the process dies.
#ifndef CTERMSUPPORT_H
#define CTERMSUPPORT_H

#include <stdbool.h>
#include <stddef.h>

// The size of the terminal; false when it does not say, or says 0.
bool cterm_window_size(int descriptor, int *rows, int *columns);

// Writes everything, for at most `milliseconds` when the terminal takes no more.
// Async-signal-safe.
bool cterm_write_all(int descriptor, const void *bytes, size_t count, int milliseconds);

// A descriptor for the same terminal that does not block and shares no flags with anybody, or -1.
int cterm_open_output(int descriptor);

// An unlinked temporary file, or -1.
int cterm_open_scratch(void);

// Whether a process may write files of so many bytes: RLIMIT_FSIZE counts for files in memory too.
bool cterm_may_write(long long bytes);

// A pipe of which neither end waits, with as much room as is allowed, up to 1 MiB: reading end first.
bool cterm_open_pipe(int ends[2]);

// Raw input: no echo, no line editing, no signals from keys, no flow control. Remembers the modes
// of before for `cterm_restore`, which `cterm_cook` brings back now. Neither waits for output.
bool cterm_make_raw(int descriptor);
void cterm_cook(void);

// Whether the terminal is ours to change: false while another program has it, such as the shell
// that has put us into the background. `cterm_cook` leaves its modes alone then.
bool cterm_is_foreground(int descriptor);

// The modes a shell expects, whatever they are now: what `stty sane` does, as far as it matters.
bool cterm_make_sane(int descriptor);

// Remembers the terminal and the bytes that undo every mode the program enables, and replays them
// together with the modes of before when the process exits or dies of a signal.
void cterm_arm(int descriptor, const char *bytes, size_t count);
// Gives the terminal back now. Async-signal-safe, idempotent.
void cterm_restore(void);
// From now on writing to the terminal from the background does not stop the process: for its end.
void cterm_leave_background_alone(void);
// After an orderly end: nothing left to undo.
void cterm_disarm(void);

// The environment, `NAME=value` each, NULL at the end; NULL where there is none. It is `environ`, which
// Swift takes for shared mutable state: nothing in the program changes it.
char *const *cterm_environment(void);

// Whether a signal is ignored at present.
bool cterm_is_ignored(int number);

// Writes the number of each of these signals, as one byte, to `descriptor` from now on: HUP, INT,
// QUIT, TERM, TSTP, CONT, WINCH. SIGPIPE does nothing from now on. HUP, INT, QUIT and TERM also
// start a clock: a process that is still there after two seconds gives the terminal back and ends.
void cterm_watch_signals(int descriptor);
// Back to the dispositions of before, and the clock stopped.
void cterm_unwatch_signals(void);
// Whether one of the signals that end the process has come.
bool cterm_is_ending(void);

// Writes the number of the signal, as one byte, to `descriptor` from now on, which holds for all
// signals that are caught so. For programs without a screen.
void cterm_catch_signal(int number, int descriptor);

// While another program has the terminal its keys are not for us: INT and QUIT, which the terminal
// sends to the whole process group, are ignored until `cterm_reclaim_signals`.
void cterm_lend_signals(void);
void cterm_reclaim_signals(void);

// Whether the process group is orphaned (POSIX): no process of its session, such as a shell, waits for
// it, and what is stopped in it stays so. False as well where that cannot be found out.
bool cterm_is_orphaned(void);
// Stops the process until SIGCONT, as SIGTSTP does by itself: the kernel stops nothing in a process
// group that is orphaned.
void cterm_stop_self(void);
// Stops it, and again whenever it is continued while another program has the terminal. Comes back
// in the foreground, or as soon as a signal asks the process to end. False when the kernel did not stop
// it at all.
bool cterm_stop_until_foreground(int descriptor);
// Whether the process was continued since the last call, other than from the stop of
// `cterm_stop_until_foreground`, whose caller knows.
bool cterm_take_continued(void);

// What a process has to do first: standard descriptors that are closed are occupied, SIGPIPE and
// SIGXFSZ become errors of the writes that cause them, and neither a core file nor a backtrace shows
// what is in memory, such as the token; the backtrace does when SWIFT_BACKTRACE is set.
void cterm_settle_process(void);

// Gives memory back that only the start needed: code that ran once is unmapped, and read from the
// file again if it is ever called; what is free in the heap goes too. Costs less than a millisecond.
// Does nothing but on Linux.
void cterm_give_back_start(void);
// Lets the heap have so many bytes at once, pages included: what a start is known to need costs the
// kernel a call and not an exception for each page.
void cterm_make_room(size_t bytes);
#endif
