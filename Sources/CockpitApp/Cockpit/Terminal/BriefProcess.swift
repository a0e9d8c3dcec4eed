import Children
import Foundation

/// A program of the user's that is run beside the cockpit for a moment: a clipboard tool, the
/// command for notifications. It has no part in the terminal, and it never sees the token.
@MainActor
package final class BriefProcess {
  package enum End: Equatable {
    case ended(status: Int32)
    case notStarted
    case tookTooLong
  }

  private var child: Child?
  private var whenDone: ((End) -> Void)?

  /// Starts a program. `whenDone` is called once: when the program itself has exited, or after
  /// `limit`, when it is killed with its children.
  ///
  /// - Parameters:
  ///   - input: its standard input; nil means empty.
  ///   - more: variables besides `environment`, from which the token is removed.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String],
    more: [String: String] = [:], input: FileHandle? = nil, limit: Duration,
    whenDone: @escaping (End) -> Void
  ) {
    self.whenDone = whenDone
    var program = Program(
      path: path, arguments: arguments, environment: environment.merging(more) { $1 })
    if let input { program.input = .descriptor(input.fileDescriptor) }
    do throws(ChildFailure) {
      let child = try Child.start(program)
      self.child = child
      child.whenOver { [weak self] end in
        self?.child = nil
        self?.finish(.ended(status: end.status))
      }
    } catch {
      // Every start failure has the same fallback.
      finish(.notStarted)
      return
    }
    let milliseconds = Int(limit / .milliseconds(1))
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      MainActor.assumeIsolated { self?.stop() }
    }
  }

  package var isRunning: Bool { whenDone != nil }

  private func stop() {
    guard isRunning else { return }
    child?.signal(SIGKILL)
    finish(.tookTooLong)
  }

  private func finish(_ end: End) {
    guard let done = whenDone else { return }
    whenDone = nil
    done(end)
  }
}
