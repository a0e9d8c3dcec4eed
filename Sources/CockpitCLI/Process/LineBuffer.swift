import CockpitSession
import MainLoop
import TerminalCore

/// Collects the lines that one chunk of a stream gives, so that they are written with one system call.
///
/// Nothing waits for more: the lines are written before the loop waits again, or at once if Dispatch
/// runs the main thread. One write per line was about a tenth of the CPU of `tail --json` at full
/// speed.
@MainActor
final class LineBuffer {
  /// Written at the latest when it holds so many bytes.
  private static let limit = 64 << 10

  private let output: Output
  private let loop: (any EventLoop)?
  private var bytes: [UInt8] = []
  private var isFlushDue = false

  /// - Parameter loop: runs the main thread; nil writes each line at once.
  init(_ output: Output, on loop: (any EventLoop)?) {
    self.output = output
    self.loop = loop
  }

  /// Adds a line of data.
  func line(_ line: [UInt8]) {
    bytes.append(contentsOf: line)
    bytes.append(0x0A)
    guard let loop, bytes.count < Self.limit else { return flush() }
    guard !isFlushDue else { return }
    isFlushDue = true
    loop.soon { [self] in flush() }
  }

  /// Adds a line of text.
  func line(_ text: PlainText) { line(Array(text.description.utf8)) }

  /// Prints a sentence on stderr, after the lines that came before it.
  func complain(_ text: String) {
    flush()
    output.complain(text)
  }

  /// Writes what is there; to be called before the run ends.
  func flush() {
    isFlushDue = false
    guard !bytes.isEmpty else { return }
    output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
