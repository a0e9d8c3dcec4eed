import ArgumentParser
import CockpitSession
import LenientJSON
import OpenClawWire
import TerminalCore

/// `approvals`: what agents behind an OpenClaw gateway wait for.
struct ApprovalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approvals",
    abstract: "Answer what agents behind an OpenClaw gateway wait for.",
    discussion: """
      A [profiles.NAME] table with kind = "openclaw" names the gateway (docs/openclaw.md). Everything that was \
      asked is shown whole, with every control character made visible. To answer it takes its id and the \
      fingerprint of what was shown: when anything of it has changed since, nothing is answered. At a \
      terminal 'deny' may leave the fingerprint out: it shows what would be denied, and asks. \
      Devices that ask to be let in are listed too: 'allow' approves one, 'deny' rejects it. Questions are \
      answered on the screen.

      Examples:
        clanky-cockpit approvals list
        clanky-cockpit approvals show ap-1
        clanky-cockpit approvals allow ap-1 3f9c2a1b77d0e415
        clanky-cockpit approvals deny ap-1 3f9c2a1b77d0e415

      Exit codes: 0 done, 1 not done: no longer waiting, changed, or not offered, 2 usage or \
      configuration, 3 no connection, 4 authentication, or this device is not approved yet.
      """,
    subcommands: [
      ApprovalsListCommand.self, ApprovalsShowCommand.self, ApprovalsAllowCommand.self,
      ApprovalsDenyCommand.self,
    ])
}

/// Options and connection of all four subcommands.
struct ApprovalOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The whole command takes so long at most.", valueName: "SECONDS"))
  var timeout: Double = 20

  func validate() throws {
    guard timeout.isFinite, (0.1...300).contains(timeout) else {
      throw ValidationError("--timeout is a number of seconds from 0.1 to 300")
    }
  }

  /// Connects, runs the body and disconnects.
  ///
  /// - Parameter isChange: whether the body answers an approval, which a read-only profile must not.
  @MainActor
  func run(
    _ shared: SharedOptions, in environment: Environment, isChange: Bool = false,
    _ body: (GatewaySession) async throws(Failure) -> Void
  ) async throws(Failure) {
    guard shared.demo == nil else {
      throw Failure(
        .usage, "the demo bot has no approvals; 'clanky-cockpit demo --kind openclaw' is a gateway")
    }
    var settings = try Settings(shared, in: environment)
    settings.mayAsk = settings.mayAsk && environment.terminals.input
    let gateway = try GatewaySettings(settings)
    if isChange, let reason = gateway.readOnlyReason { throw Failure(.usage, reason) }
    let session = try await GatewaySession.open(
      gateway, in: environment, withinMs: Int(timeout * 1_000))
    defer { session.close() }
    try await body(session)
  }
}

/// `approvals list`.
struct ApprovalsListCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "What waits: id, fingerprint, time left, agent, and what is asked.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var options: ApprovalOptions

  @Flag(help: "One JSON object a line, ASCII only (docs/openclaw.md).")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    try await options.run(shared, in: environment) { session throws(Failure) in
      for approval in session.approvals { session.print(approval, json: json) { [$0.line] } }
      for device in session.pairings { session.print(device, json: json) { [$0.line] } }
      if session.isIdle { environment.output.complain("Nothing waits.") }
      for sentence in session.remarks { environment.output.complain(sentence) }
    }
  }
}

/// `approvals show`.
struct ApprovalsShowCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Everything about one, or about all that wait.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var options: ApprovalOptions

  @Argument(
    help: ArgumentHelp("As 'approvals list' prints it; without one all are shown.", valueName: "ID")
  )
  var id: String?

  @Flag(help: "One JSON object a line, ASCII only (docs/openclaw.md).")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    try await options.run(shared, in: environment) { session throws(Failure) in
      if let id {
        if let device = try session.pairing(id) {
          session.print(device, json: json, \.lines)
        } else {
          session.print(try await session.waiting(id), json: json, \.lines)
        }
        return
      }
      for (index, approval) in session.approvals.enumerated() {
        if index > 0, !json { environment.output.line([]) }
        session.print(approval, json: json, \.lines)
      }
      for (index, device) in session.pairings.enumerated() {
        if index + session.approvals.count > 0, !json { environment.output.line([]) }
        session.print(device, json: json, \.lines)
      }
      if session.isIdle { environment.output.complain("Nothing waits.") }
      for sentence in session.remarks { environment.output.complain(sentence) }
    }
  }
}

/// `approvals allow`.
struct ApprovalsAllowCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "allow", abstract: "Allow exactly what was shown, once.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var options: ApprovalOptions

  @Argument(help: ArgumentHelp("As 'approvals list' prints it.", valueName: "ID"))
  var id: String

  @Argument(
    help: ArgumentHelp("Printed by 'list' and 'show': of what was read.", valueName: "FINGERPRINT"))
  var fingerprint: String

  @Flag(help: "Not only once: the gateway does not ask for the like again.")
  var always = false

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    try await options.run(shared, in: environment, isChange: true) { session throws(Failure) in
      if let device = try session.pairing(id, as: fingerprint) {
        guard !always else {
          throw Failure(.usage, "a device is let in until it is removed; leave --always out")
        }
        return try await session.decide(device, approves: true, json: json)
      }
      let approval = try await session.waiting(id, as: fingerprint)
      try await session.answer(approval, always ? .allowAlways : .allowOnce, json: json)
    }
  }
}
