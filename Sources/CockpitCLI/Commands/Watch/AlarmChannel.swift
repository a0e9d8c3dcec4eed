import Children
import CockpitAnswers
import CockpitApp
import CockpitFiles
import CockpitSession
import Foundation
import Networking
import TerminalCore

/// A way out for alarms. One message is on its way at a time; the others wait in the outbox of the caller.
@MainActor
protocol AlarmChannel: AnyObject {
  var name: String { get }
  /// Whether it can take a message now.
  var isReady: Bool { get }
  /// Sends a message. `onTaken` is called as soon as it need not be sent again, perhaps twice; `onDone` when the
  /// channel is ready for the next one; neither from inside.
  func send(
    _ message: AlarmMessage, onTaken: @escaping @MainActor () -> Void,
    onDone: @escaping @MainActor () -> Void)
  /// Ends what is on its way.
  func stop()
}

/// `--exec`: a command of the user's, run by the shell as it is. The message is on its standard input and in
/// environment variables: words of strangers never become words of the shell.
@MainActor
final class ExecChannel: AlarmChannel {
  let name = "exec"
  private let command: String
  private let environment: [String: String]
  private let limit: Duration
  private let complain: @MainActor (String) -> Void
  private var running: BriefProcess?

  /// - Parameter limit: after it the command is killed with its children.
  init(
    _ command: String, environment: [String: String], limit: Duration = .seconds(30),
    complain: @escaping @MainActor (String) -> Void
  ) {
    self.command = command
    self.environment = environment
    self.limit = limit
    self.complain = complain
  }

  var isReady: Bool { running == nil }

  func send(
    _ message: AlarmMessage, onTaken: @escaping @MainActor () -> Void,
    onDone: @escaping @MainActor () -> Void
  ) {
    let pipe = Pipe()
    // A pipe takes 64 KiB at once, and a message is shorter: the write cannot block.
    let input = pipe.fileHandleForWriting
    try? input.write(contentsOf: Data(message.line.prefix(60_000) + [0x0A]))
    try? input.close()
    running = BriefProcess(
      "/bin/sh", ["-c", command], environment: environment, more: message.variables,
      input: pipe.fileHandleForReading, limit: limit
    ) { [weak self] end in
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          guard let self else { return }
          self.running = nil
          switch end {
          case .ended(0): break
          case .ended(let status): self.complain("--exec ended with \(status) for \(message.id)")
          case .notStarted: self.complain("--exec could not be started for \(message.id)")
          case .tookTooLong:
            self.complain(
              "--exec took longer than \(self.limit.components.seconds) s for \(message.id) "
                + "and was ended")
          }
          onTaken()
          onDone()
        }
      }
    }
    try? pipe.fileHandleForReading.close()
    // It has the message: a restart must not give it again.
    DispatchQueue.main.async { MainActor.assumeIsolated(onTaken) }
  }

  func stop() { running = nil }
}

/// `--notify`: a notification of the desktop.
@MainActor
final class DesktopChannel: AlarmChannel {
  enum Way {
    /// `alerts.command` of the configuration.
    case command(String)
    case notifySend(String)
    case osascript(String)
    /// A sequence to the terminal of standard error.
    case terminal(NotificationRoute)
  }

  let name = "notify"
  private let way: Way
  private let environment: Environment
  private let complain: @MainActor (String) -> Void
  private var running: BriefProcess?

  /// nil if there is no way to notify anybody.
  init?(
    alerts: Configuration.Alerts, environment: Environment,
    complain: @escaping @MainActor (String) -> Void
  ) {
    let variables = environment.variables
    let terminal = environment.terminals.error
    if let command = alerts.command, ["auto", "command", nil].contains(alerts.via) {
      way = .command(command)
    } else if let via = alerts.via.flatMap(NotificationRoute.init(rawValue:)), terminal {
      way = .terminal(via)
    } else if let path = Program.find("notify-send", environment: variables) {
      way = .notifySend(path)
    } else if let path = Program.find("osascript", environment: variables) {
      way = .osascript(path)
    } else if terminal {
      way = .terminal(NotificationRoute(environment: variables) ?? .osc777)
    } else {
      return nil
    }
    self.environment = environment
    self.complain = complain
  }

  var isReady: Bool { running == nil }

  func send(
    _ message: AlarmMessage, onTaken: @escaping @MainActor () -> Void,
    onDone: @escaping @MainActor () -> Void
  ) {
    let (title, text) = (message.title, message.text)
    switch way {
    case .terminal(let route):
      environment.output.sequence(Array(Self.sequence(route, title, text).utf8))
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          onTaken()
          onDone()
        }
      }
    case .command(let command):
      run(
        "/bin/sh", ["-c", command], ["CLANKY_TITLE": title, "CLANKY_TEXT": text], onTaken, onDone)
    case .notifySend(let path):
      // Its body may be markup.
      let body = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
      run(path, ["--app-name=clanky-cockpit", "--", title, body], [:], onTaken, onDone)
    case .osascript(let path):
      run(
        path,
        [
          "-e", "on run argv", "-e",
          "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run",
          title, text,
        ], [:], onTaken, onDone)
    }
  }

  private func run(
    _ path: String, _ arguments: [String], _ more: [String: String],
    _ onTaken: @escaping @MainActor () -> Void, _ onDone: @escaping @MainActor () -> Void
  ) {
    running = BriefProcess(
      path, arguments, environment: environment.variables, more: more, limit: .seconds(10)
    ) { [weak self] end in
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          self?.running = nil
          if end != .ended(status: 0) { self?.complain("--notify: \(path) failed") }
          onTaken()
          onDone()
        }
      }
    }
  }

  private static func sequence(
    _ route: NotificationRoute, _ title: String, _ text: String
  ) -> String {
    // A semicolon separates fields.
    let title = title.replacing(";", with: ",")
    let text = text.replacing(";", with: ",")
    return switch route {
    case .osc9: "\u{1B}]9;\(title): \(text)\u{1B}\\"
    case .osc99:
      "\u{1B}]99;i=clanky:d=0:p=title;\(title)\u{1B}\\\u{1B}]99;i=clanky:d=1:p=body;\(text)\u{1B}\\"
    case .osc777: "\u{1B}]777;notify;\(title);\(text)\u{1B}\\"
    case .bell: "\u{07}"
    }
  }

  func stop() { running = nil }
}

/// `--webhook`: a POST of the message, repeated a few times with growing pauses.
@MainActor
final class WebhookChannel: AlarmChannel {
  let name = "webhook"
  private let base: BackendURL
  private let target: RequestTarget
  private let transport: any Transport
  private let clock: any LinkClock
  private let complain: @MainActor (String) -> Void
  private var attempt: WebhookAttempt?
  private var timer: (any LinkTimer)?
  private var isBusy = false

  /// The pauses before another attempt, in ms.
  nonisolated static let pausesMs: [UInt64] = [1_000, 5_000, 25_000, 120_000]

  init(
    _ base: BackendURL, _ target: RequestTarget, transport: any Transport, clock: any LinkClock,
    complain: @escaping @MainActor (String) -> Void
  ) {
    self.base = base
    self.target = target
    self.transport = transport
    self.clock = clock
    self.complain = complain
  }

  /// The address with its query; a query is no part of a backend's address.
  static func parse(
    _ text: String, allowPlainHTTP: Bool
  ) throws(BackendURL.Problem) -> (BackendURL, RequestTarget) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let base = try BackendURL(String(parts.first ?? ""), allowPlainHTTP: allowPlainHTTP)
    var target = RequestTarget([])
    for item in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0).removingPercentEncoding ?? String($0) }
      target.query.append(.init(pair.first ?? "", pair.count > 1 ? pair[1] : ""))
    }
    return (base, target)
  }

  var isReady: Bool { !isBusy }

  func send(
    _ message: AlarmMessage, onTaken: @escaping @MainActor () -> Void,
    onDone: @escaping @MainActor () -> Void
  ) {
    isBusy = true
    attempt(0, message) { [weak self] in
      self?.isBusy = false
      onTaken()
      onDone()
    }
  }

  private func attempt(
    _ number: Int, _ message: AlarmMessage, _ done: @escaping @MainActor () -> Void
  ) {
    let request = HTTPRequest(
      method: .post, base: base, target: target, purpose: .rest, token: nil, body: message.line,
      timeouts: HTTPTimeouts(totalMs: 10_000), maxBodyBytes: 64 << 10)
    attempt = WebhookAttempt(request, on: transport) { [weak self] outcome in
      guard let self else { return }
      attempt = nil
      switch outcome {
      case .taken: done()
      case .refused(let why):
        complain("--webhook refused \(message.id): \(why); it is not sent again")
        done()
      case .failed(let why):
        guard number < Self.pausesMs.count else {
          complain("--webhook failed \(number + 1) times for \(message.id): \(why); given up")
          return done()
        }
        if number == 0 { complain("--webhook failed for \(message.id): \(why); it is tried again") }
        timer = clock.schedule(afterNs: Nanoseconds.milliseconds(Self.pausesMs[number])) {
          [weak self] in self?.attempt(number + 1, message, done)
        }
      }
    }
  }

  func stop() {
    timer?.cancel()
    attempt?.cancel()
    (timer, attempt) = (nil, nil)
  }
}

/// One POST. The status decides; the body of the answer is not read.
@MainActor
private final class WebhookAttempt: TransportDelegate {
  enum Outcome { case taken, refused(String), failed(String) }

  private var done: (@MainActor (Outcome) -> Void)?
  private var task: (any TransportTask)?

  init(
    _ request: HTTPRequest, on transport: any Transport,
    done: @escaping @MainActor (Outcome) -> Void
  ) {
    self.done = done
    task = transport.open(request, delegate: self)
  }

  func cancel() {
    done = nil
    task?.cancel()
    task = nil
  }

  private func finish(_ outcome: Outcome) {
    guard let done else { return }
    cancel()
    done(outcome)
  }

  func transfer(_ task: any TransportTask, received head: HTTPHead) {
    switch head.status {
    case 200...299: finish(.taken)
    // Later it may be taken.
    case 408, 425, 429, 500...: finish(.failed("status \(head.status)"))
    default: finish(.refused("status \(head.status)"))
    }
  }

  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {}

  func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    finish(.failed(end.error.map { "\($0)" } ?? "no answer"))
  }
}
