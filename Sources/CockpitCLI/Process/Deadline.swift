import CockpitSession
import Foundation
import Synchronization

/// Ends the program at a moment, whatever its main thread waits for: a command that asks for the
/// token, a disk, a name server. Whichever side prints calls `claim` first, so that only one does. A
/// released deadline does nothing.
final class Deadline: Sendable {
  private let isClaimed = Mutex(false)
  private let environment: Environment
  private let words: @Sendable () -> ExitMessage

  /// The output at the deadline.
  struct ExitMessage: Sendable {
    var output: [UInt8] = []
    /// For the person at the terminal; nil says nothing.
    var complaint: String?
    var code: Int32
  }

  /// - Parameters:
  ///   - milliseconds: from now.
  ///   - environment: where the output goes, and what ends.
  ///   - words: called at the deadline, on another thread; on the main one inside a cockpit, where
  ///     nothing blocks it.
  init(
    afterMs milliseconds: Int, in environment: Environment,
    _ words: @escaping @Sendable () -> ExitMessage
  ) {
    self.environment = environment
    self.words = words
    guard environment.scope == nil else {
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
        self?.isOver()
      }
      return
    }
    // A timer of Dispatch would start its manager thread and a pool beside it.
    let thread = Thread { [weak self] in
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
      self?.isOver()
    }
    thread.stackSize = 256 << 10
    thread.start()
  }

  private func isOver() {
    guard claim() else { return }
    let words = words()
    environment.output.write(words.output)
    if let complaint = words.complaint { environment.output.complain(complaint) }
    environment.end(.immediately(words.code))
  }

  /// True for the first caller only.
  func claim() -> Bool {
    isClaimed.withLock { isClaimed in
      defer { isClaimed = true }
      return !isClaimed
    }
  }
}
