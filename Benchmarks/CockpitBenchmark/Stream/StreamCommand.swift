import ArgumentParser
import CurlTransport
import Networking
import Foundation
import MainLoop

/// Reads a stream to its end with the cockpit's HTTP layer on its loop, and counts line feeds: the
/// counterpart of `yardsticks/curl-stream.c`, which uses bare libcurl. Prints the CPU time from the
/// first byte to the end.
struct StreamCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream", abstract: "Read a stream to its end (a part of the run).")

  @Argument var url: String
  @Argument var events: Int

  func run() throws {
    #if os(Linux)
      signal(SIGPIPE, SIG_IGN)
      try MainActor.assumeIsolated {
        let loop = PollLoop()
        let transport = try CurlTransport(clock: DispatchClock(loop: loop), loop: loop)
        let request = HTTPRequest(
          base: try BackendURL(url), target: RequestTarget(["chunks", String(events)]),
          purpose: .stream, token: nil, maxBodyBytes: .max)
        let task = transport.open(request, delegate: LineCounter())
        withExtendedLifetime(task) { loop.run() }
      }
    #else
      throw BenchmarkError("this part needs Linux")
    #endif
  }
}

/// Counts, and ends the process with its figures.
@MainActor
private final class LineCounter: TransportDelegate {
  private var begin: Int?
  private var (lines, bytes) = (0, 0)

  func transfer(_ task: any TransportTask, received head: HTTPHead) {}

  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    if begin == nil { begin = cpuMicroseconds() }
    self.bytes += bytes.count
    guard var at = bytes.baseAddress else { return }
    let end = at + bytes.count
    while let found = memchr(at, 0x0A, end - at) {
      lines += 1
      at = UnsafeRawPointer(found) + 1
    }
  }

  func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    print("cpu_us=\(cpuMicroseconds() - (begin ?? 0)) lines=\(lines) bytes=\(bytes)")
    exit(end.error == nil ? 0 : 1)
  }

  private func cpuMicroseconds() -> Int { Int((ProcessFigures.cpuNs(getpid()) ?? 0) / 1000) }
}
