import Foundation

/// A program of the user's that is run beside the cockpit for a moment: a clipboard tool, the
/// command for notifications. It has no part in the terminal, and it never sees the token.
@MainActor
final class BriefProcess {
  enum End: Equatable {
    case ended(status: Int32)
    case notStarted
    case tookTooLong
  }

  private let process = Process()
  private var whenDone: ((End) -> Void)?

  /// Starts a program; `whenDone` is called once, at the latest after `limit`, when it is killed.
  ///
  /// - Parameters:
  ///   - input: its standard input; nil is an empty one.
  ///   - more: variables besides those of `environment`, from which the token is taken away.
  init(
    _ path: String, _ arguments: [String], environment: [String: String],
    more: [String: String] = [:], input: FileHandle? = nil, limit: Duration,
    whenDone: @escaping (End) -> Void
  ) {
    self.whenDone = whenDone
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    var variables = environment.merging(more) { $1 }
    variables["CLANKY_TOKEN"] = nil
    process.environment = variables
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [weak self] process in
      let status = process.terminationStatus
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.finish(.ended(status: status)) }
      }
    }
    do {
      try process.run()
    } catch {
      // Why it did not start makes no difference to what is done instead.
      finish(.notStarted)
      return
    }
    let milliseconds = Int(limit / .milliseconds(1))
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      MainActor.assumeIsolated { self?.stop() }
    }
  }

  var isRunning: Bool { whenDone != nil }

  private func stop() {
    guard isRunning else { return }
    if process.isRunning {
      let number = process.processIdentifier
      // What it started goes with it, where it leads a group of its own.
      kill(getpgid(number) == number ? -number : number, SIGKILL)
    }
    finish(.tookTooLong)
  }

  private func finish(_ end: End) {
    guard let done = whenDone else { return }
    whenDone = nil
    done(end)
  }
}
