import CockpitFiles
import CockpitSession
import CockpitShell
import CurlTransport
import Networking

/// What `setup --kind companion` does, with questions and without.
@MainActor
struct CompanionSetup {
  let options: Options
  let settings: Settings

  private static let limitMs: UInt64 = 15_000

  /// What was given on the command line; nil and false were not.
  struct Options {
    var profile: String?
    var codeStdin = false
    var noTest = false
    var replace = false
    var preference: Credentials.Preference?
  }

  func run() async throws {
    let draft =
      options.codeStdin || !settings.process.isAttended ? try await script() : try await dialog()
    // A pairing code works once: everything that can be wrong here is checked before it is used.
    if let conflict = draft.conflict(settings, mayReplace: options.replace) {
      throw Failure(.usage, conflict)
    }
    let companion = try draft.companion(settings)
    let (transport, clock) = try companion.transport(on: settings.process.eventLoop)
    defer {
      transport.shutdown()
      clock.cancelAll()
    }
    let paired = try await Pairing(transport: transport).pair(draft.payload)
    let token: TokenText
    do throws(TokenText.Problem) {
      token = try TokenText(paired.text)
    } catch {
      throw Failure(.failed, error.description)
    }
    let sentences = try await OwnThread.run { [settings] in
      Result { () throws(Failure) in try draft.save(token, settings) }
    }.get()
    for sentence in sentences { say(sentence) }
    guard !options.noTest, let secrets = CompanionSettings.Secrets(paired.text) else { return }
    let trial = CompanionTrial(companion, secrets, transport: transport, clock: clock)
    defer { trial.close() }
    try await trial.open(withinMs: Self.limitMs)
    say("Paired; a session began within \(trial.latencyMs) ms.")
  }

  private func say(_ sentence: String) { settings.output.complain(sentence) }

  private func script() async throws(Failure) -> CompanionDraft {
    guard let name = options.profile, options.codeStdin else {
      throw Failure(
        .usage,
        "a companion gateway is a profile of its own; add --profile NAME and --setup-code-stdin")
    }
    return try await draft(name, settings.process.readLine() ?? "")
  }

  private func dialog() async throws -> CompanionDraft {
    let questions = TerminalQuestions(in: settings.process)
    defer { questions.close() }
    questions.say(
      """
      This pairs this terminal with a companion gateway. Enter takes what is in brackets; Ctrl-C leaves. \
      The gateway shows a pairing code; it works once, for 5 minutes.
      """)
    let code = try await questions.ask("Pairing code, or an image of it", isSecret: true)
    let name: String
    if let given = options.profile {
      name = given
    } else {
      name = try await questions.ask("Profile", standard: "companion")
    }
    guard ProfileName.isUsable(name), !name.isEmpty else {
      throw Failure(.usage, ProfileName.rule)
    }
    return try await draft(name, code)
  }

  private func draft(_ name: String, _ code: String) async throws(Failure) -> CompanionDraft {
    let (nowMs, variables) = (settings.process.wallMs(), settings.process.variables)
    // A program may read an image.
    let pairing = await OwnThread.run { () -> Result<PairingText, PairingText.Problem> in
      Result { () throws(PairingText.Problem) in
        try PairingText.read(code, nowMs: nowMs, environment: variables)
      }
    }
    switch pairing {
    case .success(.companion(let payload)):
      return CompanionDraft(name: name, payload: payload, preference: options.preference)
    case .success(.setupCode):
      throw Failure(
        .usage,
        "This is the setup code of an OpenClaw gateway; 'setup --kind openclaw' takes it.")
    case .failure(let problem): throw Failure(.usage, problem.description)
    }
  }
}
