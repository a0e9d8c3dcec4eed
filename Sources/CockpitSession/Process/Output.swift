import Foundation
import TerminalCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The two output streams: data to stdout, messages to stderr.
package struct Output: Sendable {
  /// The destination of the bytes.
  package enum Place: Sendable {
    /// The streams of the process; `end` is called when stdout cannot be written.
    case descriptors(end: @Sendable (ProcessEnd) -> Never)
    /// Each stream goes to a separate function.
    case functions(
      data: @Sendable ([UInt8]) -> Void, speech: @Sendable ([UInt8]) -> Void)
    /// Both streams into one function, in the order in which they come.
    case function(@Sendable ([UInt8]) -> Void)
  }

  private let place: Place
  /// Whether each stream is a terminal whose locale does not name UTF-8: it may interpret bytes
  /// from 0x80 to 0x9F as C1 controls (promise P1), so text becomes ASCII. Files and pipes get the
  /// full text, because their reader may run in another locale.
  private let isData7Bit: Bool
  private let isSpeech7Bit: Bool

  /// - Parameter areTerminals: whether stdout and stderr are.
  package init(
    _ place: Place, variables: [String: String], areTerminals: (output: Bool, error: Bool)
  ) {
    self.place = place
    let is7Bit =
      (areTerminals.output || areTerminals.error) && TextEncoding(environment: variables) != .utf8
    isData7Bit = is7Bit && areTerminals.output
    isSpeech7Bit = is7Bit && areTerminals.error
  }

  /// Writes all bytes at once. If the reader has closed the pipe (`| head`), the program ends by
  /// SIGPIPE, like any filter. A terminal whose locale does not name UTF-8 gets ASCII.
  ///
  /// - Parameter beforeEnd: cleanup before a failed write ends the program.
  package func write(_ bytes: [UInt8], beforeEnd: () -> Void = {}) {
    var bytes = bytes
    if isData7Bit, bytes.contains(where: { $0 >= 0x80 }) {
      bytes = Array(String(decoding: bytes, as: UTF8.self).asciiOnly.utf8)
    }
    switch place {
    case .function(let take), .functions(let take, speech: _): take(bytes)
    case .descriptors(let end): write(bytes, end, beforeEnd)
    }
  }

  private func write(
    _ bytes: [UInt8], _ end: @Sendable (ProcessEnd) -> Never, _ beforeEnd: () -> Void
  ) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(STDOUT_FILENO, $0.baseAddress.map { $0 + offset }, $0.count - offset)
      }
      if count >= 0 {
        offset += count
        continue
      }
      let code = errno
      switch code {
      case EINTR: continue
      case EAGAIN:
        var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, 1000)
      case EPIPE:
        beforeEnd()
        end(.withoutReader)
      default:
        beforeEnd()
        complain("stdout cannot be written: \(String(cString: strerror(code)))")
        end(.exit(Failure.Code.failed.rawValue))
      }
    }
  }

  /// Writes one line of data.
  package func line(_ bytes: consuming [UInt8]) {
    bytes.append(0x0A)
    write(bytes)
  }

  /// Writes one line of text that may hold remote words; they are cleaned.
  package func line(_ text: PlainText) { line(Array(text.description.utf8)) }

  /// Says something to the person at the terminal: one cleaned line on stderr.
  package func complain(_ text: String) {
    remark("clanky-cockpit: " + PlainText(text, limit: 2000))
  }

  /// Writes one line to stderr.
  package func remark(_ line: PlainText) { prompt(line, end: "\n") }

  /// Writes a message to stderr without a line end. A failure is ignored: there is no other channel
  /// to report it on, and it changes nothing else.
  package func prompt(_ words: PlainText, end: StaticString = "") {
    let words = isSpeech7Bit ? words.asciiOnly : words
    writeError(Array("\(words)\(end)".utf8))
  }

  /// Writes a control sequence to stderr, which the caller knows to be a terminal.
  package func sequence(_ bytes: [UInt8]) { writeError(bytes) }

  private func writeError(_ bytes: [UInt8]) {
    switch place {
    case .function(let take), .functions(data: _, let take): return take(bytes)
    case .descriptors: break
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, 1000) > 0 else { return }
      } else if errno != EINTR {
        return
      }
    }
  }
}
