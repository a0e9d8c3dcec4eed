import OpenClawSource
import OpenClawWire
import TerminalCore

/// Shows the notifications of a gateway's agents with the profile's `notify_command`.
@MainActor
final class NotifyCommand: NotificationRunner {
  private let line: String
  private let environment: [String: String]
  /// Of the commands that run.
  private var flags: [CancelFlag] = []
  private var isStopped = false

  init(_ line: String, environment: [String: String]) {
    (self.line, self.environment) = (line, environment)
  }

  func show(
    _ notification: SystemNotification, done: @escaping @MainActor (String?) -> Void
  ) {
    let flag = CancelFlag()
    flags.append(flag)
    // Without control characters and turned writing: what shows a notification may be a terminal.
    let title = PlainText(notification.title, limit: SystemNotification.maximumTitle + 1)
    let body = notification.body.split(separator: "\n", omittingEmptySubsequences: false).map {
      PlainText(String($0), limit: SystemNotification.maximumBody + 1).description
    }.joined(separator: "\n")
    let command = AgentCommand(
      line: line,
      variables: environment.merging([
        "CLANKY_TITLE": title.description, "CLANKY_TEXT": body,
        "CLANKY_PRIORITY": notification.priority?.rawValue ?? "active",
        "CLANKY_SOUND": PlainText(notification.sound ?? "", limit: 100).description,
      ]) { $1 })
    let input = Array(body.utf8)
    Task {
      let problem = await OwnThread.run { () -> String? in
        do throws(AgentCommand.Problem) {
          _ = try command.run(input: input, flag)
          return nil
        } catch {
          return error.sentence
        }
      }
      flags.removeAll { $0 === flag }
      if !isStopped { done(problem) }
    }
  }

  func stop() {
    isStopped = true
    for flag in flags { flag.set() }
  }
}
