import Foundation
import TerminalCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writing to the two streams: data to stdout, words for people to stderr.
enum Output {
  /// Writes bytes at once and whole. When the reader has gone (`| head`), the program ends by
  /// SIGPIPE, as every filter does.
  static func write(_ bytes: [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(STDOUT_FILENO, $0.baseAddress.map { $0 + offset }, $0.count - offset)
      }
      if count >= 0 {
        offset += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, 1000)
      case EPIPE:
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(141)
      default:
        complain("stdout cannot be written: \(String(cString: strerror(errno)))")
        exit(Failure.Code.failed.rawValue)
      }
    }
  }

  /// Writes one line of data.
  static func line(_ bytes: [UInt8]) { write(bytes + [0x0A]) }

  /// Writes one line of text that may hold remote words; they are cleaned.
  static func line(_ text: PlainText) {
    line(Array(fitting(text, descriptor: STDOUT_FILENO).description.utf8))
  }

  /// Says something to the person at the terminal: one cleaned line on stderr.
  static func complain(_ text: String) {
    remark("clanky-cockpit: " + PlainText(text, limit: 2000))
  }

  /// Writes one line to stderr.
  static func remark(_ line: PlainText) {
    let text = fitting(line, descriptor: STDERR_FILENO)
    FileHandle.standardError.write(Data((text.description + "\n").utf8))
  }

  /// ASCII for a terminal whose locale is not in UTF-8. Files and pipes get all of the text: what
  /// reads them may run in another locale.
  private static func fitting(_ text: PlainText, descriptor: Int32) -> PlainText {
    isUTF8 || isatty(descriptor) == 0 ? text : text.inASCII
  }

  private static let isUTF8 = Appearance.isUTF8(ProcessInfo.processInfo.environment)
}
