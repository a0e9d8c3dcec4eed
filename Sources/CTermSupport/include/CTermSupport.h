// System facilities a full-screen program needs and Swift cannot call: variadic ioctl, signal handlers,
// and restoring the terminal when the process dies.
#ifndef CTERMSUPPORT_H
#define CTERMSUPPORT_H

#include <stdbool.h>
#include <stddef.h>

// The size of the terminal; false if unknown or 0.
bool cterm_window_size(int descriptor, int *rows, int *columns);

// Writes everything, waiting at most `milliseconds` in all. False if not everything was written.
// Async-signal-safe.
bool cterm_write_all(int descriptor, const void *bytes, size_t count, int milliseconds);

// Opens the same terminal again, non-blocking and with flags of its own, or -1.
int cterm_open_output(int descriptor);

// An unlinked temporary file, or -1.
int cterm_open_scratch(void);

// Whether RLIMIT_FSIZE, which also applies to files in memory, allows files of this size.
bool cterm_may_write(long long bytes);

// A pipe with both ends non-blocking and a buffer of up to 1 MiB; ends[0] is the reading end.
bool cterm_open_pipe(int ends[2]);

// Raw input: no echo, no line editing, no signals from keys, no flow control. Saves the previous modes,
// which `cterm_cook` restores. Neither waits for output to drain.
bool cterm_make_raw(int descriptor);
void cterm_cook(void);

// Whether our process group is in the foreground, or there is no controlling terminal. In the
// background `cterm_cook` leaves the modes alone.
bool cterm_is_foreground(int descriptor);

// Sets the modes a shell expects, as `stty sane` does.
bool cterm_make_sane(int descriptor);

// Registers the bytes that undo every mode the program enables. They are written, and the previous
// modes restored, when the process exits or dies of a signal.
void cterm_arm(int descriptor, const char *bytes, size_t count);
// Restores the terminal now. Async-signal-safe, idempotent.
void cterm_restore(void);
// Ignores SIGTTOU: while ending, writes from the background must not stop the process.
void cterm_leave_background_alone(void);
// Cancels the restore, after an orderly end.
void cterm_disarm(void);

// `environ`: entries `NAME=value`, terminated by NULL, or NULL. Swift refuses the variable as shared
// mutable state; nothing in the program changes it.
char *const *cterm_environment(void);

// Whether a signal is currently ignored.
bool cterm_is_ignored(int number);

// Installs handlers for HUP, INT, QUIT, TERM, TSTP, CONT and WINCH that write the signal number as one
// byte to `descriptor`, and one for PIPE that does nothing. HUP, INT, QUIT and TERM also start a timer:
// after two seconds the terminal is restored and the process exits.
void cterm_watch_signals(int descriptor);
// Restores the previous dispositions and cancels the timer.
void cterm_unwatch_signals(void);
// Whether HUP, INT, QUIT or TERM has been received.
bool cterm_is_ending(void);

// Installs a handler that writes the signal number as one byte to `descriptor`, which is shared by all
// signals caught this way. For programs without a screen.
void cterm_catch_signal(int number, int descriptor);

// Ignores INT and QUIT, which the terminal sends to the whole process group, while another program owns
// the terminal, until `cterm_reclaim_signals`.
void cterm_lend_signals(void);
void cterm_reclaim_signals(void);

// Whether the process group is orphaned (POSIX): no parent in the session, such as a shell, would
// continue it after a stop. Also false if that cannot be determined.
bool cterm_is_orphaned(void);
// Stops the process until SIGCONT, by SIGTSTP with its default action. The kernel ignores it in an
// orphaned process group.
void cterm_stop_self(void);
// Stops the process, again each time it is continued in the background. Returns in the foreground, or
// once a signal has asked the process to end. False if the kernel did not stop it at all.
bool cterm_stop_until_foreground(int descriptor);
// Whether SIGCONT has arrived since the last call, other than after `cterm_stop_until_foreground`.
bool cterm_take_continued(void);

// Hardens the process; call it first. Opens /dev/null on closed standard descriptors, turns SIGPIPE and
// SIGXFSZ into errors of the write, and disables core files and, unless SWIFT_BACKTRACE is set,
// backtraces: both would show memory, and the token in it.
void cterm_settle_process(void);

// Releases memory that only the start needed: drops code pages, which are read from the file again if
// called, and trims the heap. Takes less than a millisecond. Linux only.
void cterm_give_back_start(void);
// Grows the heap by this size and populates its pages, so that a start with a known need takes one
// system call instead of a page fault for each page.
void cterm_make_room(size_t bytes);
// For a program with many bots: lets all threads but the main one share one arena of malloc, and maps large blocks one by
// one. With a thread for each recorder, what they free would otherwise stay in as many arenas: of 190 MB with 20 bots
// that were 45, and holes in the heap 7. Call before they start. glibc only.
void cterm_save_memory(void);
#endif
