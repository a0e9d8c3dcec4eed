// The memory floor: programs that do nothing but be there, to be looked at from outside.
// With -DWITH_MAIN a program of its own; with -DWITH_LIBRARIES ncurses on the terminal and libcurl
// ready for a request over TLS.
#include "floor.h"

#include <stdio.h>
#include <unistd.h>

#ifdef WITH_LIBRARIES
#include <curl/curl.h>
#include <locale.h>
#include <ncurses.h>

void floor_begin(void) {
  setlocale(LC_ALL, "");
  initscr();
  start_color();
  keypad(stdscr, TRUE);
  mvaddstr(0, 0, "ready");
  refresh();
  curl_global_init(CURL_GLOBAL_ALL);
  CURL *easy = curl_easy_init();
  CURLM *multi = curl_multi_init();
  // Refused at once, but TLS has been set up.
  curl_easy_setopt(easy, CURLOPT_URL, "https://127.0.0.1:9/");
  curl_multi_add_handle(multi, easy);
  int running = 1;
  while (running) {
    curl_multi_perform(multi, &running);
    if (running) curl_multi_poll(multi, NULL, 0, 100, NULL);
  }
}
#else
void floor_begin(void) {
  fputs("ready", stdout);
  fflush(stdout);
}
#endif

void floor_wait(void) {
  for (;;) pause();
}

#ifdef WITH_MAIN
int main(void) {
  floor_begin();
  floor_wait();
}
#endif
