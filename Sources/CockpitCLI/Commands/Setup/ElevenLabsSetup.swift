import CockpitFiles
import CockpitSession
import CockpitShell
import Networking

/// What `setup --kind elevenlabs` does, with questions and without.
@MainActor
struct ElevenLabsSetup {
  let options: Options
  let settings: Settings

  /// What was given on the command line; nil and false were not.
  struct Options {
    var profile: String?
    var agent: String?
    var url: String?
    var tokenFile: String?
    var tokenStdin = false
    var noToken = false
    var noTest = false
    var replace = false
    var allowPlainHttp = false
    var preference: Credentials.Preference?
  }

  func run() async throws {
    let isScript =
      options.tokenStdin || options.noToken || options.tokenFile != nil
      || !settings.process.isAttended
    let draft = isScript ? try script() : try await dialog()
    if let conflict = draft.conflict(settings, mayReplace: options.replace) {
      throw Failure(.usage, conflict)
    }
    if !options.noTest {
      let service = try draft.service(settings)
      let (checks, code) = await DoctorElevenLabs(settings: settings).ask(
        service.base, draft.key, draft.agent)
      if let failed = checks.first(where: { $0.verdict == .fail }) {
        let kind = code.flatMap(Failure.Code.init) ?? .failed
        throw Failure(kind, "nothing is saved. \(failed.text)")
      }
      for check in checks { say("\(check.name): \(check.text)") }
    }
    if Task.isCancelled { throw Failure.interrupted }
    let sentences = try await OwnThread.run { [settings] in
      Result { () throws(Failure) in try draft.save(settings) }
    }.get()
    for sentence in sentences { say(sentence) }
  }

  private func say(_ sentence: String) { settings.output.complain(sentence) }

  private func script() throws(Failure) -> ElevenLabsDraft {
    guard let name = options.profile, let agent = options.agent, !agent.isEmpty else {
      throw Failure(
        .usage,
        "an agent of ElevenLabs is a profile of its own; add --profile NAME and --agent ID")
    }
    return try draft(name, agent, key: key())
  }

  private func key() throws(Failure) -> TokenText? {
    if options.noToken { return nil }
    if options.tokenStdin { return try Self.key(settings.process.readLine() ?? "") }
    if let file = options.tokenFile {
      let text: String
      do throws(FileError) {
        text = try TokenFile.read(file)
      } catch {
        throw Failure(.usage, error.description)
      }
      return try Self.key(text)
    }
    if let value = settings.environment[ElevenLabsSettings.keyVariable], !value.isEmpty {
      return try Self.key(value)
    }
    throw Failure(
      .usage,
      "setup needs the API key without a terminal: --token-stdin, --token-file F, $\(ElevenLabsSettings.keyVariable), or --no-token for a public agent"
    )
  }

  private func dialog() async throws -> ElevenLabsDraft {
    let questions = TerminalQuestions(in: settings.process)
    defer { questions.close() }
    questions.say(
      """
      This connects clanky-cockpit to an agent of ElevenLabs. Enter takes what is in brackets; Ctrl-C leaves. \
      The id of an agent is on its page; a private one needs an API key.
      """)
    let agent: String
    if let given = options.agent {
      agent = given
    } else {
      agent = try await questions.ask("Agent")
    }
    let typed = try await questions.ask("API key, empty for a public agent", isSecret: true)
    let key = typed.isEmpty ? nil : try Self.key(typed)
    let name: String
    if let given = options.profile {
      name = given
    } else {
      name = try await questions.ask("Profile", standard: "voice")
    }
    guard ProfileName.isUsable(name), !name.isEmpty, !agent.isEmpty else {
      throw Failure(.usage, "a profile needs a name and an agent. \(ProfileName.rule)")
    }
    return try draft(name, agent, key: key)
  }

  private func draft(
    _ name: String, _ agent: String, key: TokenText?
  ) throws(Failure) -> ElevenLabsDraft {
    var url: BackendURL?
    if let text = options.url {
      url = try Self.address(text, allowPlainHTTP: options.allowPlainHttp)
    }
    return ElevenLabsDraft(
      name: name, agent: agent, url: url, key: key, preference: options.preference)
  }

  private static func key(_ text: String) throws(Failure) -> TokenText {
    do throws(TokenText.Problem) {
      return try TokenText(text)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  private static func address(
    _ text: String, allowPlainHTTP: Bool
  ) throws(Failure) -> BackendURL {
    do throws(BackendURL.Problem) {
      return try BackendURL(text, allowPlainHTTP: allowPlainHTTP)
    } catch {
      throw Failure(.usage, error.description)
    }
  }
}
