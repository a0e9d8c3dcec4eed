import ArgumentParser
import CockpitSession
import OpenClawSource
import OpenClawWire

/// `approvals deny`: denies the request with the given fingerprint, or the one that it has just shown at the terminal. A
/// request that has changed since is not answered.
struct ApprovalsDenyCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "deny", abstract: "Deny exactly what was shown.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var options: ApprovalOptions

  @Argument(help: ArgumentHelp("As 'approvals list' prints it.", valueName: "ID"))
  var id: String

  @Argument(
    help: ArgumentHelp(
      "Printed by 'list' and 'show': of what was read. At a terminal it may be left out: the request is shown, and you are asked.",
      valueName: "FINGERPRINT"))
  var fingerprint: String?

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let read: String
    if let fingerprint {
      read = fingerprint
    } else if environment.isAttended {
      read = try await ask(in: environment)
    } else {
      throw Failure(
        .usage,
        "deny needs the fingerprint of what was read, which 'approvals list' prints: approvals deny ID FINGERPRINT"
      )
    }
    try await options.run(shared, in: environment, isChange: true) { session throws(Failure) in
      if let device = try session.pairing(id, as: read) {
        return try await session.decide(device, approves: false, json: json)
      }
      try await session.answer(try await session.waiting(id, as: read), .deny, json: json)
    }
  }

  /// Shows the request and asks.
  ///
  /// - Returns: the fingerprint of what was shown. The connection does not stay open meanwhile: the answer may take
  ///   minutes, and what waits then is compared with what was shown.
  @MainActor
  private func ask(in environment: Environment) async throws(Failure) -> String {
    let questions = TerminalQuestions(in: environment, unchanged: "nothing was answered")
    defer { questions.close() }
    var shown = ""
    try await options.run(shared, in: environment, isChange: true) { session throws(Failure) in
      if let device = try session.pairing(id) {
        for line in session.lines(device) { environment.output.remark(line) }
        shown = WaitingItem.pairing(device).fingerprint
        return
      }
      let approval = try await session.waiting(id)
      for line in session.lines(approval) { environment.output.remark(line) }
      shown = approval.fingerprint
    }
    guard try await questions.choose("Deny it", of: YesOrNo.self, standard: .no) == .yes else {
      throw Failure(.failed, "nothing was answered")
    }
    return shown
  }
}
