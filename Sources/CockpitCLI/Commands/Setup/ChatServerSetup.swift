import CockpitChat
import CockpitFiles
import CockpitSession
import CockpitShell
import CockpitStores
import CockpitText
import CurlTransport
import Foundation
import Networking
import TerminalCore

/// What `setup --kind openai` does, with questions and without: address, token, test, save.
@MainActor
struct ChatServerSetup {
  /// What the options say.
  struct Wanted {
    var profile: String?
    var url: String?
    var model: String?
    /// `chat` or `responses`.
    var interface: String?
    var tokenStdin: Bool
    var tokenFile: String?
    var noToken: Bool
    var noTest: Bool
    var replace: Bool
    var caFile: String?
    var allowsPlainHTTP: Bool
    var preference: Credentials.Preference?
  }

  let wanted: Wanted
  let settings: Settings

  private static let limitMs: UInt64 = 20_000

  /// Whether nothing is asked.
  private var isScript: Bool {
    wanted.tokenStdin || wanted.noToken
      || !settings.process.isAttended && wanted.url != nil
  }

  func run() async throws(Failure) {
    if isScript {
      try await script()
    } else if settings.process.isAttended {
      try await dialog()
    } else {
      throw Failure(
        .usage,
        "setup asks questions on a terminal of its own; run it in a shell, or without questions: clanky-cockpit setup --kind openai --url URL --profile NAME --token-stdin"
      )
    }
  }

  // MARK: Without questions

  private func script() async throws(Failure) {
    guard let name = wanted.profile else {
      throw Failure(.usage, "a chat server is a profile of its own; add --profile NAME")
    }
    guard let address = wanted.url else {
      throw Failure(.usage, "setup needs the address without a terminal: add --url URL")
    }
    let url = try checked(address)
    let draft = draft(
      name: name, url: url, model: wanted.model, token: try scriptToken(for: url),
      caFile: try caFile())
    if let conflict = draft.conflict(settings, mayReplace: wanted.replace) {
      throw Failure(.usage, conflict)
    }
    if !wanted.noTest {
      do throws(Failure) {
        say(words(try await test(draft), draft))
      } catch {
        var failure = error
        failure.sentence = "nothing is saved. \(error.sentence)"
        throw failure
      }
    }
    for sentence in try await save(draft) { say(sentence) }
  }

  private func scriptToken(for url: BackendURL) throws(Failure) -> TokenText? {
    if wanted.noToken { return nil }
    if wanted.tokenStdin { return try token(settings.process.readLine() ?? "") }
    if let file = wanted.tokenFile {
      let text: String
      do throws(FileError) {
        text = try TokenFile.read(file)
      } catch {
        throw Failure(.usage, error.description)
      }
      return try token(text)
    }
    let variable = Settings.openAIVariable
    if url.isOpenAI, let value = settings.environment[variable], !value.isEmpty {
      return try token(value)
    }
    throw Failure(
      .usage,
      "setup needs the token without a terminal: --token-stdin, --token-file F, or --no-token")
  }

  // MARK: With questions

  /// The options after a failed test.
  private enum Remedy: String, AnswerChoice { case address, `repeat`, save, quit }

  private func dialog() async throws(Failure) {
    let questions = TerminalQuestions(in: settings.process)
    defer { questions.close() }
    questions.say(
      """
      This connects clanky-cockpit to a server that speaks OpenAI's interfaces: llama.cpp, Ollama, vLLM, LiteLLM, \
      OpenAI itself. Enter takes what is in brackets; Ctrl-C leaves, and nothing is written before the last question.
      """)
    let draft = try await tested(questions)
    let path = settings.options.config ?? settings.paths.configFile ?? "no configuration folder"
    let keyring = wanted.preference == .file ? nil : settings.credentials.keyringName
    let place = keyring.map { "the \($0)" } ?? "a file that only you can read (0600)"
    questions.say(
      "[profiles.\(draft.name)] goes into \(path)"
        + (draft.token == nil ? "." : "; the token goes into \(place)."))
    guard try await questions.choose("Save", of: YesOrNo.self, standard: .yes) == .yes else {
      throw Failure(.failed, "nothing was saved")
    }
    for sentence in try await save(draft) { questions.say(sentence) }
    questions.say("Open the conversation with: clanky-cockpit --profile \(draft.name)")
  }

  private func tested(_ questions: TerminalQuestions) async throws(Failure) -> ChatServerDraft {
    var draft = try await asked(questions)
    while true {
      if wanted.noTest { return draft }
      questions.say("Asking \(draft.url) …")
      let failure: Failure
      do throws(Failure) {
        let models = try await test(draft)
        questions.say(words(models, draft))
        if draft.model == nil { draft.model = try await model(of: models, questions) }
        return draft
      } catch {
        failure = error
      }
      questions.say(failure.sentence)
      switch try await questions.choose(
        "[a]ll questions again, [r]epeat the test, [s]ave without a test, [q]uit",
        of: Remedy.self, standard: .address)
      {
      case .address: draft = try await asked(questions)
      case .repeat: break
      case .save: return draft
      case .quit:
        var end = failure
        end.sentence = "nothing was saved"
        throw end
      }
    }
  }

  private func asked(_ questions: TerminalQuestions) async throws(Failure) -> ChatServerDraft {
    var name = wanted.profile ?? ""
    while !ProfileName.isUsable(name) || name.isEmpty {
      name = try await questions.ask("Profile name", standard: "llm")
      if !ProfileName.isUsable(name) { questions.say("\(ProfileName.rule)") }
    }
    let standard =
      wanted.url ?? settings.configuration.profiles[name]?.url
      ?? "http://127.0.0.1:8080/v1"
    var url: BackendURL?
    while url == nil {
      do throws(Failure) {
        url = try checked(try await questions.ask("Address", standard: standard))
      } catch  where error.code == Failure.Code.usage.rawValue {
        questions.say(error.sentence)
      }
    }
    guard let url else { throw Failure(.failed, "nothing was saved") }
    var token: TokenText?
    let text = try await questions.ask("Token (not shown; empty: none)", isSecret: true)
    if !text.isEmpty { token = try self.token(text) }
    let draft = draft(
      name: name, url: url, model: wanted.model, token: token, caFile: try caFile())
    if let conflict = draft.conflict(settings, mayReplace: true) {
      throw Failure(.usage, conflict)
    }
    guard draft.conflict(settings, mayReplace: wanted.replace) != nil else { return draft }
    questions.say(
      "The profile \(name) is \(settings.configuration.profiles[name]?.url ?? "another one").")
    let answer = try await questions.choose("Replace it", of: YesOrNo.self, standard: .no)
    guard answer == .yes else { throw Failure(.failed, "nothing was saved") }
    return draft
  }

  private func model(
    of models: [String], _ questions: TerminalQuestions
  ) async throws(Failure) -> String? {
    guard let first = models.first, models.count > 1 else { return models.first }
    return try await questions.ask("Model", standard: VisibleText().of(first))
  }

  // MARK: Steps of both

  private func checked(_ address: String) throws(Failure) -> BackendURL {
    do throws(BackendURL.Problem) {
      return try BackendURL(address, allowPlainHTTP: wanted.allowsPlainHTTP)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  private func token(_ text: String) throws(Failure) -> TokenText {
    do throws(TokenText.Problem) {
      return try TokenText(text)
    } catch {
      throw Failure(.usage, error == .empty ? "The token is empty." : error.description)
    }
  }

  /// The full path of a certificate; a relative one would be looked for beside the configuration later.
  private func caFile() throws(Failure) -> String? {
    guard let file = wanted.caFile else { return nil }
    var path = Settings.path(file, in: Configuration(), settings.environment)
    if !path.hasPrefix("/") { path = "\(FileManager.default.currentDirectoryPath)/\(path)" }
    _ = try NamedFile(path, use: "a CA file is a PEM certificate").bytes()
    return path
  }

  private func draft(
    name: String, url: BackendURL, model: String?, token: TokenText?, caFile: String?
  ) -> ChatServerDraft {
    ChatServerDraft(
      name: name, url: url, model: model, interface: wanted.interface, token: token,
      caFile: caFile, preference: wanted.preference)
  }

  /// The models that the server names.
  private func test(_ draft: ChatServerDraft) async throws(Failure) -> [String] {
    let settings = settings
    let server = try await OwnThread.run { () -> Result<ChatServer, Failure> in
      Result { () throws(Failure) in try draft.server(settings) }
    }.get()
    let opened: (CurlTransport, DispatchClock)
    opened = try OpenedSource.transport(
      settings, caFile: draft.settings(from: settings).caFile, on: settings.process.eventLoop)
    let (transport, clock) = opened
    let chat = HTTPChat(server, transport: transport, clock: clock)
    defer {
      chat.cancelAll()
      transport.shutdown()
      clock.cancelAll()
    }
    let late = ChatFailure(.connection, "The server did not answer in time. Try again.")
    let result: Result<[ChatAgent], ChatFailure> = await awaitCallback(
      ifCancelled: .failure(late)
    ) { done in
      _ = clock.schedule(afterNs: Nanoseconds.milliseconds(Self.limitMs)) { done(.failure(late)) }
      chat.agents(done)
    }
    if Task.isCancelled { throw Failure.interrupted }
    switch result {
    case .success(let models): return models.map(\.id)
    case .failure(let failure): throw ChatServerStatus.failed(failure)
    }
  }

  private func save(_ draft: ChatServerDraft) async throws(Failure) -> [String] {
    if Task.isCancelled { throw Failure.interrupted }
    let settings = settings
    return try await OwnThread.run { () -> Result<[String], Failure> in
      Result { () throws(Failure) in try draft.save(settings) }
    }.get()
  }

  private func say(_ sentence: String) { settings.output.complain(sentence) }

  /// What a test found.
  private func words(_ models: [String], _ draft: ChatServerDraft) -> String {
    let visible = VisibleText()
    let named = models.prefix(5).map { visible.of(String($0.prefix(80))) }
    let list = named.isEmpty ? "" : ": " + named.joined(separator: ", ")
    let more = models.count > 5 ? ", …" : ""
    var text = "It works. \(models.count) \(models.count == 1 ? "model" : "models")\(list)\(more)."
    if let model = draft.model, !models.contains(model) {
      text += " The server does not list \(visible.of(model))."
    }
    return text
  }
}
