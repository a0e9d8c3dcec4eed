// ncurses as Swift can use it: wide characters on, and a function in place of every macro and
// every global that the importer or strict concurrency refuses.
// Functions only: a variable defined here would exist nowhere (the importer emits no storage).

#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

// Must precede every curses include: selects cchar_t and the functions on it.
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

// ncurses 6.1 brought more than 32767 colour pairs and alloc_pair. Apple's 6.0 has neither.
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20170401
#define CN_EXTENDED 1
#else
#define CN_EXTENDED 0
#endif

static inline bool cn_extended(void) { return CN_EXTENDED; }
static inline WINDOW *cn_stdscr(void) { return stdscr; }
static inline WINDOW *cn_curscr(void) { return curscr; }
static inline int cn_width(void) { return COLS; }
static inline int cn_height(void) { return LINES; }

static inline uint32_t cn_bold(void) { return (uint32_t)A_BOLD; }
static inline uint32_t cn_dim(void) { return (uint32_t)A_DIM; }
static inline uint32_t cn_underline(void) { return (uint32_t)A_UNDERLINE; }
static inline uint32_t cn_reverse(void) { return (uint32_t)A_REVERSE; }
static inline uint32_t cn_italic(void) {
#ifdef A_ITALIC
  return (uint32_t)A_ITALIC;
#else
  return 0;
#endif
}

extern int wcwidth(wchar_t c);  // hidden behind feature macros in the Glibc module
static inline int cn_columns(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

// One cell: a base scalar and three marks of 21 bits, the first one lowest. ERR when it cannot be
// drawn.
static inline int cn_cell(
    cchar_t *cell, uint32_t base, uint64_t marks, uint32_t attributes, int pair) {
  wchar_t text[CCHARW_MAX + 1] = {(wchar_t)base};
  for (int i = 1; i < CCHARW_MAX && marks; i++, marks >>= 21) text[i] = (wchar_t)(marks & 0x1FFFFF);
#if CN_EXTENDED
  return setcchar(cell, text, (attr_t)attributes, (short)0, &pair);
#else
  return setcchar(cell, text, (attr_t)attributes, (short)pair, NULL);
#endif
}

// Another base scalar for a cell that holds one and no marks.
static inline void cn_set_glyph(cchar_t *cell, uint32_t base) { cell->chars[0] = (wchar_t)base; }

// The cells of a row, one for each glyph. mvwadd_wchnstr neither wraps, moves the cursor, nor fails
// in the lower-right corner, and it repairs torn wide glyphs.
static inline int cn_put(WINDOW *window, int y, const cchar_t *cells, int count) {
  return mvwadd_wchnstr(window, y, 0, cells, count);
}

// -1 is the default colour. ERR when the table is full or a colour is out of range. `number` is
// the next free pair, for libraries without alloc_pair.
static inline int cn_pair(int number, int foreground, int background) {
#if CN_EXTENDED
  (void)number;
  return alloc_pair(foreground, background);
#else
  if (number >= COLOR_PAIRS) return ERR;
  return init_pair((short)number, (short)foreground, (short)background) == ERR ? ERR : number;
#endif
}

// Forgets all pairs, where the library can. Pair 0 becomes black on black with them (6.4), and since
// ncurses takes pairs of equal colours for one, blanks in black on black would stay the terminal's own.
static inline void cn_forget_pairs(void) {
#if CN_EXTENDED
  reset_color_pairs();
  use_default_colors();
#endif
}

// Whether terminfo has an entry of this name, usable or not: newterm answers NULL for both.
static inline bool cn_is_known(const char *term) {
  int reason = 0;
  return setupterm((char *)term, 1, &reason) == OK || reason == 1;
}

// newterm, never initscr, which prints and exits when TERM is unknown. The descriptor is owned by
// the screen from here on; NULL when the terminal is unknown or has too few capabilities.
static inline SCREEN *cn_open(const char *term, int descriptor) {
  bool is_file = (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDWR;  // and no end of a pipe
  FILE *file = fdopen(descriptor, is_file ? "w+" : "w");
  if (!file) {
    close(descriptor);
    return NULL;
  }
  // What it finds ignored it leaves alone. Else it would ignore SIGTSTP during each frame, and one
  // that comes then would be lost.
  struct sigaction ignored = {.sa_handler = SIG_IGN}, outer;
  bool isKept = sigaction(SIGTSTP, &ignored, &outer) == 0;
  SCREEN *screen = newterm((char *)term, file, file);
  if (isKept) sigaction(SIGTSTP, &outer, NULL);
  if (screen) set_term(screen);
  else fclose(file);
  return screen;
}

// NULL where the terminal has none.
static inline const char *cn_text(const char *capability) {
  char *value = tigetstr((char *)capability);
  return value == (char *)-1 ? NULL : value;
}
static inline bool cn_has(const char *capability) { return cn_text(capability) != NULL; }
static inline bool cn_begins(const char *capability, const char *start) {
  const char *value = cn_text(capability);
  return value && strncmp(value, start, strlen(start)) == 0;
}
static inline int cn_number(const char *capability) { return tigetnum((char *)capability); }
static inline bool cn_flag(const char *capability) { return tigetflag((char *)capability) > 0; }

#endif
