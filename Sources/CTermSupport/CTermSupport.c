#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CTermSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

bool cterm_window_size(int descriptor, int *rows, int *columns) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return false;
  if (size.ws_row == 0 || size.ws_col == 0) return false;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return true;
}

static long milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

bool cterm_write_all(int descriptor, const void *bytes, size_t count, int milliseconds) {
  const char *rest = bytes;
  long deadline = milliseconds_now() + milliseconds;
  while (count > 0) {
    // The descriptor may block: poll first, and never write more than a writable terminal is
    // guaranteed to accept.
    struct pollfd poller = {.fd = descriptor, .events = POLLOUT};
    long left = deadline - milliseconds_now();
    int ready = poll(&poller, 1, left > 0 ? (int)left : 0);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    if (poller.revents & (POLLERR | POLLNVAL)) return false;
    ssize_t written = write(descriptor, rest, count < 256 ? count : 256);
    if (written > 0) {
      rest += written;
      count -= (size_t)written;
    } else if (written < 0 && errno != EINTR && errno != EAGAIN) {
      return false;
    }
  }
  return true;
}

int cterm_open_output(int descriptor) {
  char path[256];
  if (ttyname_r(descriptor, path, sizeof path) != 0) return -1;
  return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int cterm_open_scratch(void) {
#ifdef __linux__
  int memory = memfd_create("screen", MFD_CLOEXEC);
  if (memory >= 0) return memory;
#endif
  char path[] = "/tmp/clanky-cockpit.XXXXXX";
  int file = mkstemp(path);
  if (file < 0) return -1;
  unlink(path);
  fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

bool cterm_may_write(long long bytes) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         limit.rlim_cur >= (rlim_t)bytes;
}

bool cterm_open_pipe(int ends[2]) {
  if (pipe(ends) != 0) return false;
  for (int end = 0; end < 2; end++) {
    fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    fcntl(ends[end], F_SETFL, O_NONBLOCK);
  }
#ifdef F_SETPIPE_SZ
  for (int size = 1 << 20; size > 1 << 16 && fcntl(ends[1], F_SETPIPE_SZ, size) < 0; size /= 2) {
  }
#endif
  return true;
}

// MARK: Modes

static struct termios cooked;
static struct termios ours;  // as read back after they were set
static int cooked_descriptor = -1;  // -1: nothing saved

bool cterm_make_raw(int descriptor) {
  struct termios modes;
  if (tcgetattr(descriptor, &modes) != 0) return false;
  // After a stop by another process the modes may still be ours; do not save those.
  if (cooked_descriptor < 0 || (modes.c_lflag & ICANON)) cooked = modes;
  cooked_descriptor = descriptor;
  modes.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
  modes.c_oflag &= ~(tcflag_t)OPOST;  // ncurses moves down with a bare line feed
  modes.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
  // Ctrl-\ still raises SIGQUIT, even if the main thread is stuck. Ctrl-C and Ctrl-Z are read as keys.
  modes.c_lflag |= ISIG;
  modes.c_cc[VINTR] = _POSIX_VDISABLE;
  modes.c_cc[VSUSP] = _POSIX_VDISABLE;
#ifdef VDSUSP
  modes.c_cc[VDSUSP] = _POSIX_VDISABLE;
#endif
  modes.c_cc[VQUIT] = 0x1C;
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  while (tcsetattr(descriptor, TCSANOW, &modes) != 0)  // TCSADRAIN waits for a stopped terminal
    if (errno != EINTR) return false;
  return tcgetattr(descriptor, &ours) == 0;
}

bool cterm_make_sane(int descriptor) {
  struct termios modes;
  if (tcgetattr(descriptor, &modes) != 0) return false;
  modes.c_iflag |= BRKINT | ICRNL | IXON;
  modes.c_iflag &= ~(tcflag_t)(IGNBRK | INLCR | IGNCR);
  modes.c_oflag |= OPOST | ONLCR;
  modes.c_lflag |= ECHO | ECHOE | ECHOK | ICANON | ISIG | IEXTEN;
  modes.c_lflag &= ~(tcflag_t)(ECHONL | NOFLSH);
  return tcsetattr(descriptor, TCSANOW, &modes) == 0;
}

bool cterm_is_foreground(int descriptor) {
  pid_t group = tcgetpgrp(descriptor);
  return group < 0 || group == getpgrp();  // no controlling terminal, no job control
}

// Whether the modes are still the ones set by `cterm_make_raw`.
static bool has_our_modes(int descriptor) {
  struct termios modes;
  return tcgetattr(descriptor, &modes) == 0 && modes.c_iflag == ours.c_iflag &&
         modes.c_oflag == ours.c_oflag && modes.c_lflag == ours.c_lflag &&
         memcmp(modes.c_cc, ours.c_cc, sizeof ours.c_cc) == 0;
}

void cterm_cook(void) {
  if (cooked_descriptor < 0) return;
  // In the background another program owns the terminal, with modes of its own unless they are ours.
  if (cterm_is_foreground(cooked_descriptor) || has_our_modes(cooked_descriptor))
    tcsetattr(cooked_descriptor, TCSANOW, &cooked);
}

// MARK: Restoring the terminal

#define RESTORE_MAX 1024
static char restore_bytes[RESTORE_MAX];
static size_t restore_count;
static int restore_descriptor = -1;
static atomic_int armed;  // lock-free: usable in a handler
static pid_t owner;
// Whether to run the previous handlers: on a terminal the Swift backtracer prompts for half a minute, so
// only if SWIFT_BACKTRACE is set.
static bool chains;
// Faults, and other signals whose default action ends the process.
static const int fatal_signals[] = {
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM,
    SIGPROF,
#ifdef __linux__
    SIGPOLL, SIGPWR, SIGSTKFLT,
#endif
};
#define FATAL_COUNT ((int)(sizeof fatal_signals / sizeof *fatal_signals))
static struct sigaction previous_fatal[FATAL_COUNT];

void cterm_leave_background_alone(void) { signal(SIGTTOU, SIG_IGN); }

void cterm_restore(void) {
  int saved = errno;
  if (atomic_exchange(&armed, 0) && getpid() == owner) {  // a forked child must not touch it
    cterm_leave_background_alone();
    if (!cterm_write_all(restore_descriptor, restore_bytes, restore_count, 100)) {
      // The terminal does not read: discard pending output in favour of the restore.
      tcflush(restore_descriptor, TCOFLUSH);
      cterm_write_all(restore_descriptor, restore_bytes, restore_count, 100);
    }
    cterm_cook();
  }
  errno = saved;
}

void cterm_disarm(void) { atomic_store(&armed, 0); }

static void on_fatal(int number, siginfo_t *info, void *context) {
  (void)context;
  cterm_restore();
  signal(number, SIG_DFL);
  for (int i = 0; i < FATAL_COUNT; i++)
    if (chains && fatal_signals[i] == number) sigaction(number, &previous_fatal[i], NULL);
  // Returning repeats a fault under the previous handler; abort(), kill() and breakpoints must be
  // raised again.
  if (info->si_code <= 0 || number == SIGTRAP) raise(number);
}

void cterm_arm(int descriptor, const char *bytes, size_t count) {
  static bool installed;
  if (count > RESTORE_MAX) count = RESTORE_MAX;
  memcpy(restore_bytes, bytes, count);
  restore_count = count;
  restore_descriptor = descriptor;
  owner = getpid();
  if (!installed) {
    installed = true;
    chains = getenv("SWIFT_BACKTRACE") != NULL;
    atexit(cterm_restore);
    // The handler of a stack overflow needs an alternate stack. It is per thread: this one is for the
    // main thread, the caller.
    static char spare[64 * 1024];
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
      memset(&stack, 0, sizeof stack);
      stack.ss_sp = spare;
      stack.ss_size = sizeof spare;
      sigaltstack(&stack, NULL);
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fatal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL_COUNT; i++)
      sigaction(fatal_signals[i], &action, &previous_fatal[i]);
#ifdef SIGRTMIN
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) sigaction(number, &action, NULL);
#endif
  }
  atomic_store(&armed, 1);
}

// MARK: Signals

bool cterm_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static const int watched[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH, SIGPIPE,
                              SIGALRM};
#define WATCHED_COUNT ((int)(sizeof watched / sizeof *watched))
static struct sigaction previous_watched[WATCHED_COUNT];
static bool watching;
static atomic_int signal_descriptor = -1;
static atomic_int ending;  // the signal that asked the process to end
static atomic_bool continued;  // SIGCONT arrived since the last `cterm_take_continued`

static void on_watched(int number) {
  int saved = errno;
  if (number == SIGALRM) {
    cterm_restore();
    int asked = atomic_load(&ending);
    _exit(128 + (asked != 0 ? asked : SIGALRM));
  }
  if (number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM) {
    int none = 0;
    bool is_first = atomic_compare_exchange_strong(&ending, &none, number);
    // A second SIGQUIT ends the process at once.
    if (number == SIGQUIT && !is_first) {
      cterm_restore();
      _exit(128 + SIGQUIT);
    }
    if (is_first) alarm(number == SIGQUIT ? 1 : 2);
  }
  if (number == SIGCONT) atomic_store(&continued, true);
  if (number != SIGPIPE) {
    char byte = (char)number;
    // If the pipe is full, signals are already waiting to be read.
    ssize_t ignored = write(atomic_load(&signal_descriptor), &byte, 1);
    (void)ignored;
  }
  errno = saved;
}

void cterm_watch_signals(int descriptor) {
  atomic_store(&signal_descriptor, descriptor);
  if (watching) return;
  watching = true;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_watched;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < WATCHED_COUNT; i++) {
    sigaction(watched[i], &action, &previous_watched[i]);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, watched[i]);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
  }
}

bool cterm_is_ending(void) { return atomic_load(&ending) != 0; }

void cterm_unwatch_signals(void) {
  if (!watching) return;
  watching = false;
  alarm(0);
  for (int i = 0; i < WATCHED_COUNT; i++) sigaction(watched[i], &previous_watched[i], NULL);
  atomic_store(&signal_descriptor, -1);
  atomic_store(&ending, 0);
}

// MARK: Signals of programs without a screen

static atomic_int caught_descriptor = -1;

static void on_caught(int number) {
  int saved = errno;
  char byte = (char)number;
  // If the pipe is full, signals are already waiting to be read.
  ssize_t ignored = write(atomic_load(&caught_descriptor), &byte, 1);
  (void)ignored;
  errno = saved;
}

void cterm_catch_signal(int number, int descriptor) {
  atomic_store(&caught_descriptor, descriptor);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_caught;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

// MARK: Lending the terminal

static void set_lent(bool lent) {
  if (!watching) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = lent ? SIG_IGN : on_watched;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGQUIT, &action, NULL);
}

void cterm_lend_signals(void) { set_lent(true); }
void cterm_reclaim_signals(void) { set_lent(false); }

char *const *cterm_environment(void) {
  extern char **environ;
  return environ;
}

// The parent of a process; 0 if unknown.
static pid_t parent_of(pid_t process) {
  long parent = 0;
#ifdef __linux__
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return 0;
  text[count] = 0;
  // The name may contain parentheses; state and parent follow the last one.
  char *end = strrchr(text, ')');
  if (end == NULL || sscanf(end + 1, " %*c %ld", &parent) != 1) return 0;
#else
  (void)process;
#endif
  return (pid_t)parent;
}

bool cterm_is_orphaned(void) {
  pid_t session = getsid(0), group = getpgrp(), process = getppid();
  // Skip ancestors in the same group, such as a script that runs the program without job control.
  for (int steps = 0; steps < 64; steps++) {
    // 0: the parent is outside the container's PID namespace.
    if (process <= 0 || getsid(process) != session) return true;
    if (getpgid(process) != group) return false;
    pid_t parent = parent_of(process);
    if (parent == 0 && process != 1) return false;
    process = parent;
  }
  return false;
}

void cterm_stop_self(void) {
  struct sigaction standard, outer;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigemptyset(&standard.sa_mask);
  if (sigaction(SIGTSTP, &standard, &outer) != 0) return;
  raise(SIGTSTP);  // to this thread: the whole process is stopped before raise returns
  sigaction(SIGTSTP, &outer, NULL);
}

bool cterm_stop_until_foreground(int descriptor) {
  bool has_stopped = false;
  // A process asked to end must not stop again: nothing would continue it.
  while (!cterm_is_ending()) {
    atomic_store(&continued, false);
    cterm_stop_self();
    // SIGCONT may be handled on another thread: wait up to 50 ms for it.
    for (int waits = 0; waits < 50 && !atomic_load(&continued); waits++) poll(NULL, 0, 1);
    if (!atomic_load(&continued)) break;
    has_stopped = true;
    if (cterm_is_foreground(descriptor)) break;
  }
  atomic_store(&continued, false);
  return has_stopped || cterm_is_ending();
}

bool cterm_take_continued(void) { return atomic_exchange(&continued, false); }

// MARK: The process

void cterm_settle_process(void) {
  // A later open must not get descriptor 0, 1 or 2. Missing ones are opened in the wrong direction, so
  // that every use is an error.
  for (int descriptor = 0; descriptor < 3; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      int filler = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
      if (filler >= 0 && filler != descriptor) {
        dup2(filler, descriptor);
        close(filler);
      }
    }
  // A closed pipe and a file at its size limit become errors of the write.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // The Swift backtracer prints memory around the crash and, on a terminal, prompts for half a minute:
  // only if requested.
  if (getenv("SWIFT_BACKTRACE") == NULL) {
    static const int traced[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof traced / sizeof *traced; i++)
      if (!cterm_is_ignored(traced[i])) signal(traced[i], SIG_DFL);
  }
  // A core file would contain the token; nor may other processes of the user attach.
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0);
#else
  struct rlimit none;
  if (getrlimit(RLIMIT_CORE, &none) == 0) {
    none.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &none);
  }
#endif
}
