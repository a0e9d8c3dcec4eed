import CockpitSession
import Dispatch
import Foundation
import TerminalCore

/// Writes lines to stdout on a separate thread, so that a blocked reader or terminal stalls neither
/// the streams nor the exit.
@MainActor
package final class LinearOutput {
  private let queue = DispatchQueue(label: "clanky-cockpit.linear-output")
  private let isASCII: Bool
  private let output: Output
  private var waiting = 0
  private var dropped = 0

  /// Bytes that may wait; lines beyond that are counted and left out.
  package static let limit = 1 << 20

  /// - Parameter isASCII: whether the terminal supports only ASCII.
  package init(_ output: Output, isASCII: Bool) {
    self.output = output
    self.isASCII = isASCII
  }

  /// One line.
  package func say(_ line: PlainText) {
    let bytes = Array(((isASCII ? line.asciiOnly : line).description + "\n").utf8)
    guard waiting + bytes.count <= Self.limit else {
      dropped += 1
      return
    }
    if dropped > 0, waiting == 0 {
      let count = dropped
      dropped = 0
      say(PlainText("\(count) lines were left out while the output stood still."))
    }
    waiting += bytes.count
    queue.async { [weak self, output] in
      output.write(bytes)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.waiting -= bytes.count }
      }
    }
  }

  /// Waits until everything is written, a fifth of a second at most.
  package func drain() {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + .milliseconds(200))
  }
}
