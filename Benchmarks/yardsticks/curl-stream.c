// Yardstick of target T18: a bare libcurl client that reads a stream to its end and counts line
// feeds. Prints the CPU time from the first byte of the body to the end, in microseconds.
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static long long begin_us = -1, lines = 0, bytes = 0;

static long long cpu_us(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

static size_t take(char *data, size_t size, size_t count, void *context) {
  (void)context;
  size_t length = size * count;
  if (begin_us < 0) begin_us = cpu_us();
  bytes += (long long)length;
  for (char *at = data, *end = data + length;
       (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
    lines++;
  return length;
}

int main(int argc, char **argv) {
  if (argc != 2 || curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK) return 2;
  CURL *easy = curl_easy_init();
  if (!easy) return 1;
  curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
  CURLcode code = curl_easy_perform(easy);
  printf("cpu_us=%lld lines=%lld bytes=%lld\n", cpu_us() - begin_us, lines, bytes);
  curl_easy_cleanup(easy);
  curl_global_cleanup();
  return code == CURLE_OK ? 0 : 1;
}
