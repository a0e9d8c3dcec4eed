import CockpitApp
import CockpitSession
import Networking
import CockpitFiles
import CockpitShell
import Foundation
import TerminalCore

/// `setup` at a terminal: questions, a test, and a last question before anything is written.
@MainActor
struct SetupDialog {
  let command: SetupCommand
  let settings: Settings

  func run() async throws {
    let questions = TerminalQuestions(in: settings.process)
    defer { questions.close() }
    questions.say(
      """
      This connects clanky-cockpit to a Clanky bot. Enter takes what is in brackets; Ctrl-C leaves, \
      and nothing is written before the last question.

      The address is where the bot's dashboard answers, such as \(SetupForm.standardAddress), or the \
      tunnel that it shows at its start.
      """)
    let bots = try await search(questions)
    var url = try await askAddress(questions, standard: standardAddress, bots: bots)
    var token = try await askToken(questions)
    while !command.noTest {
      questions.say("Asking \(url) …")
      let result = try await ConnectionTest(
        url: url, token: token, caFile: settings.caFile, origin: try settings.originTLS()
      ).run()
      guard case .failure(let failure) = result else {
        if case .success(let report) = result { questions.say(report.sentence) }
        break
      }
      questions.say("\(failure.sentence) \(failure.setupAdvice)")
      // A user who reads that the token is wrong types one, and it must not be echoed.
      if Self.asksForToken(failure), let other = try await askOtherToken(questions) {
        token = other
        continue
      }
      let next = try await questions.choose(
        "[a]nother address, another [t]oken, [r]epeat the test, [s]ave as it is, [q]uit",
        of: Remedy.self, standard: failure.isAboutToken ? .token : .address)
      switch next {
      case .address: url = try await askAddress(questions, standard: url.description)
      case .token: token = try await askToken(questions)
      case .quit: throw Failure(failure, "nothing was saved")
      case .repeat, .save: break
      }
      if next == .save { break }
    }
    let profile = try await askName(questions, url)
    let saving = SetupSaving(
      url: url, token: token, profile: profile, allowsPlainHTTP: url.needsAllowance,
      preference: command.store?.preference)
    questions.say(plan(saving))
    guard try await questions.choose("Save", of: YesOrNo.self, standard: .yes) == .yes else {
      throw Failure(.failed, "nothing was saved")
    }
    for sentence in try saving.save(settings).sentences { questions.say(sentence) }
    let name = profile.isEmpty || isDefault(profile) ? "" : " --profile \(profile)"
    questions.say("Open the cockpit with: clanky-cockpit\(name)")
  }

  /// The options after a failed test.
  private enum Remedy: String, AnswerChoice { case address, token, `repeat`, save, quit }

  /// Whether its advice is to enter a token.
  private static func asksForToken(_ failure: LinkFailure) -> Bool {
    if case .tokenRequiredByServer = failure { true } else { failure.isAboutToken }
  }

  private var standardAddress: String {
    command.shared.url ?? existing(command.shared.profile)
      ?? settings.namedURL
      ?? SetupForm.standardAddress
  }

  private func existing(_ profile: String?) -> String? {
    guard let profile, !profile.isEmpty else { return settings.configuration.base.url }
    return settings.configuration.profiles[profile]?.url
  }

  /// Whether the profile opens when none is named: the configuration says so, or will, as the first.
  private func isDefault(_ profile: String) -> Bool {
    let configuration = settings.configuration
    return configuration.profile == profile
      || (configuration.profile == nil && configuration.base.url == nil
        && configuration.profiles.isEmpty)
  }

  /// Bots that announce themselves on the local network, if this machine has a tool that hears them.
  private func search(_ questions: TerminalQuestions) async throws(Failure) -> [LocalBot] {
    let environment = settings.environment
    guard !command.noDiscovery, let (tool, path) = LocalBots.tool(in: environment) else {
      return []
    }
    questions.say("Looking for bots on the local network (\(tool.rawValue)) …")
    let process = settings.process
    let bots = await OwnThread.run {
      LocalBots.find(
        with: tool, at: path, environment: environment, patience: LocalBotSearch.patience
      ) { process.isOver }
    }
    guard !bots.isEmpty else {
      questions.say("None announces itself; type the address.")
      return []
    }
    for (index, bot) in bots.enumerated() {
      questions.say("  \(index + 1)  \(bot.url)  \(PlainText(bot.name, limit: 60))")
    }
    questions.say(
      "A number takes one of them. Anybody on the network can announce such a name: compare the address "
        + "before you give it a token.")
    return bots
  }

  private func askAddress(
    _ questions: TerminalQuestions, standard: String, bots: [LocalBot] = []
  ) async throws(Failure) -> BackendURL {
    while true {
      var text = try await questions.ask("Address", standard: standard)
      if let number = Int(text), bots.indices.contains(number - 1) { text = bots[number - 1].url }
      do throws(BackendURL.Problem) {
        return try BackendURL(text, allowPlainHTTP: command.shared.allowPlainHttp)
      } catch {
        guard case .plainHTTP(let host) = error else {
          questions.say(error.description)
          continue
        }
        questions.say(
          "With plain http the token travels readable to \(host); https:// protects it.")
        let answer = try await questions.choose(
          "Use plain http nevertheless", of: YesOrNo.self, standard: .no)
        if answer == .yes { return try SetupScript.address(text, allowPlainHTTP: true) }
      }
    }
  }

  private func askToken(_ questions: TerminalQuestions) async throws(Failure) -> TokenText? {
    questions.say(
      "The token is the value of DASHBOARD_TOKEN of the bot. It is not shown while you type or "
        + "paste it; leave it empty when the bot has none.")
    return try await readToken(questions)
  }

  /// nil if the user chooses another option.
  private func askOtherToken(_ questions: TerminalQuestions) async throws(Failure) -> TokenText? {
    questions.say("It is not shown while you type it; an empty line gives other choices.")
    return try await readToken(questions)
  }

  /// nil for an empty line.
  private func readToken(_ questions: TerminalQuestions) async throws(Failure) -> TokenText? {
    while true {
      let text = try await questions.ask("Token", isSecret: true)
      if text.isEmpty { return nil }
      do throws(TokenText.Problem) {
        return try TokenText(text)
      } catch {
        questions.say(error.description)
      }
    }
  }

  private func askName(
    _ questions: TerminalQuestions, _ url: BackendURL
  ) async throws(Failure) -> String {
    if command.shared.profile == nil {
      questions.say("A profile name tells several bots apart; leave it empty for a single one.")
    }
    var given = command.shared.profile
    while true {
      let name: String
      if let profile = given {
        name = profile
      } else {
        name = try await questions.ask("Profile name")
      }
      given = nil
      guard ProfileName.isUsable(name) else {
        questions.say(ProfileName.rule)
        continue
      }
      guard let old = existing(name), old != url.description, !command.replace else { return name }
      let which = name.isEmpty ? "The address without a profile" : "The profile \(name)"
      questions.say("\(which) is \(old) so far.")
      if try await questions.choose("Replace it", of: YesOrNo.self, standard: .no) == .yes {
        return name
      }
    }
  }

  /// What will be written where.
  private func plan(_ saving: SetupSaving) -> String {
    let path = settings.options.config ?? settings.paths.configFile ?? "no configuration folder"
    var lines = ["The address goes into \(path)."]
    if saving.token != nil {
      let keyring = saving.preference == .file ? nil : settings.credentials.keyringName
      lines.append(
        keyring.map { "The token goes into the \($0)." }
          ?? "The token goes into a file that only you can read (0600).")
    }
    return lines.joined(separator: "\n")
  }
}
