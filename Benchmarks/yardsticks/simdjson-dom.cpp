// Yardstick of target T2: finds the events of an event stream in a file, parses the data of each
// with simdjson's DOM parser and throws it away. Reads 64 KiB at a time, as from a socket.
#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  int descriptor = open(argv[1], O_RDONLY);
  if (descriptor < 0) return 1;
  simdjson::dom::parser parser;
  constexpr size_t chunk = 64 << 10;
  std::vector<char> buffer(8 << 20);
  size_t used = 0;    // bytes that have come
  size_t scanned = 0; // up to here there is no end of a line but those already seen
  long events = 0, bad = 0;
  for (;;) {
    if (buffer.size() < used + chunk + simdjson::SIMDJSON_PADDING) buffer.resize(buffer.size() * 2);
    ssize_t count = read(descriptor, buffer.data() + used, chunk);
    if (count <= 0) break;
    used += static_cast<size_t>(count);
    size_t line = 0;
    while (char *end = static_cast<char *>(
               std::memchr(buffer.data() + scanned, '\n', used - scanned))) {
      size_t next = static_cast<size_t>(end - buffer.data()) + 1;
      const char *text = buffer.data() + line;
      size_t length = next - 1 - line;
      if (length > 6 && std::memcmp(text, "data: ", 6) == 0) {
        // In place: there is always padding behind what was read.
        if (parser.parse(text + 6, length - 6, false).error()) bad++;
        events++;
      }
      line = scanned = next;
    }
    scanned = used;
    std::memmove(buffer.data(), buffer.data() + line, used - line);
    used -= line;
    scanned -= line;
  }
  std::printf("events=%ld rejected=%ld\n", events, bad);
  return bad ? 1 : 0;
}
