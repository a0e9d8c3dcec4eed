import CockpitFiles
import CockpitSession
import CockpitShell
import DeviceKeys
import Dispatch
import Networking
import OpenClawSource
import OpenClawWire
import TerminalCore

/// `setup --kind openclaw` at a terminal: questions, a test, and a last question before anything is written.
@MainActor
struct GatewaySetupDialog {
  let setup: GatewaySetup

  private var command: SetupCommand { setup.command }
  private var settings: Settings { setup.settings }

  /// What opens the gateway.
  private enum Opener: String, AnswerChoice { case token, password, code, none }
  private enum Scope: String, AnswerChoice { case watch, operate, admin }
  /// The options after a failed test.
  private enum Remedy: String, AnswerChoice { case address, `repeat`, save, quit }

  private typealias Tested = (
    draft: GatewayDraft, device: GatewayDraft.Device, admission: GatewayDraft.Admission?,
    pairing: ConnectRefusal?
  )

  func run() async throws(Failure) {
    let questions = TerminalQuestions(in: settings.process)
    defer { questions.close() }
    questions.say(
      """
      This connects clanky-cockpit to a gateway of OpenClaw. Enter takes what is in brackets; Ctrl-C leaves, and \
      nothing is written before the last question.
      """)
    let tested = try await tested(questions)
    questions.say(plan(tested))
    guard try await questions.choose("Save", of: YesOrNo.self, standard: .yes) == .yes else {
      throw Failure(.failed, "nothing was saved")
    }
    for sentence in try await setup.save(tested.draft, tested.device, tested.admission) {
      questions.say(sentence)
    }
    if tested.pairing != nil { try await approve(tested, questions) }
    questions.say("Open the cockpit with: clanky-cockpit --profile \(tested.draft.name)")
  }

  // MARK: Questions and test

  private func tested(_ questions: TerminalQuestions) async throws(Failure) -> Tested {
    var draft = try await draft(questions)
    while true {
      let device = try await setup.device(draft)
      if command.noTest { return (draft, device, nil, nil) }
      questions.say("Asking \(draft.url) …")
      let failure: Failure
      switch try await setup.trial(draft, device, waits: false).run(
        withinMs: GatewaySetup.limitMs)
      {
      case .greeted(let hello, let latencyMs):
        questions.say(setup.words(hello, latencyMs: latencyMs, draft))
        return (draft, device, GatewayDraft.Admission(hello), nil)
      case .pairing(let refusal):
        questions.say(
          "The gateway answers, and wants its owner to approve this device. The command for that comes after saving."
        )
        return (draft, device, nil, refusal)
      case .failed(let problem): failure = problem
      }
      questions.say(failure.sentence)
      let next = try await questions.choose(
        "[a]ll questions again, [r]epeat the test, [s]ave as it is, [q]uit", of: Remedy.self,
        standard: .address)
      switch next {
      case .address: draft = try await self.draft(questions)
      case .repeat: break
      case .save: return (draft, device, nil, nil)
      case .quit:
        var end = failure
        end.sentence = "nothing was saved"
        throw end
      }
    }
  }

  private func draft(_ questions: TerminalQuestions) async throws(Failure) -> GatewayDraft {
    let secret = try await secret(questions)
    let scopes = try await scopes(questions)
    let name = try await name(questions)
    var draft: GatewayDraft?
    while draft == nil { draft = try await checked(secret, scopes, name, questions) }
    guard var draft else { throw Failure(.failed, "nothing was saved") }
    if draft.url.base.scheme == .https, draft.caFile == nil {
      draft.caFile = try await caFile(questions)
    }
    return draft
  }

  private func secret(_ questions: TerminalQuestions) async throws(Failure) -> GatewayDraft.Secret {
    questions.say(
      """
      What opens the gateway? Its token or password is in its configuration (gateway.auth). A setup code is made on \
      the gateway for one device; it has the address in it, works once, and for 10 minutes. An image file with its QR code can be named instead.
      """)
    let opener = try await questions.choose(
      "[t]oken, [p]assword, setup [c]ode, [n]one or what the profile has", of: Opener.self,
      standard: .token)
    while opener != .none {
      let word = opener == .code ? "Setup code" : opener == .password ? "Password" : "Token"
      let text = try await questions.ask("\(word) (not shown)", isSecret: true)
      do throws(Failure) {
        return opener == .code
          ? .code(try await GatewaySetup.code(text, settings))
          : try GatewaySetup.secret(text, isPassword: opener == .password)
      } catch {
        questions.say(error.sentence)
      }
    }
    return .none
  }

  private func scopes(
    _ questions: TerminalQuestions
  ) async throws(Failure) -> Configuration.Gateway.Scopes {
    if let scopes = command.scopes { return scopes }
    questions.say(
      """
      What may this device do there?
        watch    see runs, tools, jobs and messages; approvals are not shown
        operate  also answer approvals and questions, let devices in, stop runs: what it allows runs on the gateway
        admin    everything that the gateway can do; with protocol 4 only this shows all approvals
      """)
    let choice = try await questions.choose(
      "[w]atch, [o]perate, [a]dmin", of: Scope.self, standard: .watch)
    switch choice {
    case .watch: return .watch
    case .operate: return .operate
    case .admin: return .admin
    }
  }

  private func name(_ questions: TerminalQuestions) async throws(Failure) -> String {
    if let name = command.shared.profile { return name }
    while true {
      let name = try await questions.ask("Profile name", standard: "gateway")
      if ProfileName.isUsable(name) { return name }
      questions.say("A profile name has letters, digits, - and _, 40 at most.")
    }
  }

  /// nil after a problem that was said.
  private func checked(
    _ secret: GatewayDraft.Secret, _ scopes: Configuration.Gateway.Scopes, _ name: String,
    _ questions: TerminalQuestions
  ) async throws(Failure) -> GatewayDraft? {
    let address: String
    if case .code(let code) = secret {
      address = code.url
      questions.say("The setup code is for \(code.url).")
    } else {
      let standard =
        command.shared.url ?? settings.configuration.profiles[name]?.url ?? "ws://127.0.0.1:18789"
      address = try await questions.ask("Address", standard: standard)
    }
    do throws(Failure) {
      return try await unconflicted(
        try setup.draft(
          name: name, address: address, scopes: scopes, secret: secret,
          allowsPlain: command.shared.allowPlainHttp), questions)
    } catch {
      // An address that was not typed cannot be typed otherwise.
      guard case .code = secret else {
        questions.say(error.sentence)
        return nil
      }
      throw error
    }
  }

  private func unconflicted(
    _ draft: GatewayDraft, _ questions: TerminalQuestions
  ) async throws(Failure) -> GatewayDraft {
    if let conflict = draft.conflict(settings, mayReplace: true) {
      guard command.shared.profile == nil else { throw Failure(.usage, conflict) }
      questions.say(conflict)
      var other = draft
      other.name = try await name(questions)
      return try await unconflicted(other, questions)
    }
    guard draft.conflict(settings, mayReplace: command.replace) != nil,
      let old = settings.configuration.profiles[draft.name]?.url
    else { return draft }
    questions.say("The profile \(draft.name) is \(old) so far.")
    let answer = try await questions.choose("Replace it", of: YesOrNo.self, standard: .no)
    guard answer == .yes else { throw Failure(.failed, "nothing was saved") }
    return draft
  }

  private func caFile(_ questions: TerminalQuestions) async throws(Failure) -> String? {
    while true {
      let file = try await questions.ask("File of a CA of your own, PEM (empty: none)")
      do throws(Failure) {
        return try setup.caFile(file)
      } catch {
        questions.say(error.sentence)
      }
    }
  }

  /// What will be written where.
  private func plan(_ tested: Tested) -> String {
    let path = settings.options.config ?? settings.paths.configFile ?? "no configuration folder"
    let keyring =
      command.store?.preference == .file ? nil : settings.credentials.keyringName
    let place =
      keyring.map { "the \($0)" } ?? "files of yours that nobody else can read (0600)"
    return
      "[profiles.\(tested.draft.name)] goes into \(path); the key of this device and what is secret go into \(place)."
  }

  // MARK: The approval

  /// Shows the command, and waits with the time that is left.
  private func approve(_ tested: Tested, _ questions: TerminalQuestions) async throws(Failure) {
    let trial = try setup.trial(tested.draft, tested.device, waits: true)
    if let refusal = tested.pairing { questions.say(refusal.description) }
    questions.say("This device is \(tested.device.identity.key.id.prefix(16)).")
    let typed = questions.lines { trial.retry() }
    let outcome = await trial.run(
      withinMs: GatewaySetup.limitMs, known: tested.pairing,
      asked: { refusal in
        questions.say("")
        questions.say(GatewaySetup.again(refusal))
      }
    ) { seconds in
      let clock = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
      questions.overwrite("\(clock) left; Enter asks at once: ")
    }
    typed.cancel()
    questions.say("")
    switch outcome {
    case .greeted(let hello, let latencyMs):
      try await setup.keep(tested.draft, tested.device, hello)
      questions.say(setup.words(hello, latencyMs: latencyMs, tested.draft))
    case .pairing(let refusal): throw Failure(.authentication, refusal.description)
    case .failed(let failure):
      questions.say("The profile is saved; every connection asks the gateway again.")
      throw failure
    }
  }
}
