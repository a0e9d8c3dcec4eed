import CockpitDemo
import CockpitFiles
import CockpitSession
import CockpitText
import DeviceKeys
import Foundation
import Networking
import OpenClawSource
import OpenClawWire

/// What `setup --kind openclaw` does, with questions and without.
@MainActor
struct GatewaySetup {
  let command: SetupCommand
  let settings: Settings

  static let limitMs = 20_000

  /// The options that only this kind has.
  nonisolated static func validate(_ command: SetupCommand) -> String? {
    guard command.kind == .openclaw else {
      let hasCode = command.setupCodeStdin && command.kind != .companion
      let isPlain =
        command.scopes == nil && command.auth == nil && !hasCode && !command.awaitApproval
      return isPlain
        ? nil : "--scopes, --auth, --setup-code-stdin and --await-approval need --kind openclaw"
    }
    if command.setupCodeStdin, command.tokenStdin || command.noToken || command.shared.url != nil {
      return
        "--setup-code-stdin has address and token in it; leave --url, --token-stdin and --no-token out"
    }
    if command.setupCodeStdin, command.noTest {
      return "a setup code is used up by the test; leave --no-test out"
    }
    return command.awaitApproval && command.noTest
      ? "--await-approval and --no-test exclude each other" : nil
  }

  /// Whether nothing is asked.
  private var isScript: Bool {
    command.tokenStdin || command.noToken || command.setupCodeStdin
      || !settings.process.isAttended && command.shared.url != nil
  }

  func run() async throws(Failure) {
    if isScript {
      try await script()
    } else if settings.process.isAttended {
      try await GatewaySetupDialog(setup: self).run()
    } else {
      throw Failure(
        .usage,
        "setup asks questions on a terminal of its own; run it in a shell, or without questions: clanky-cockpit setup --kind openclaw --url URL --profile NAME --scopes watch --token-stdin"
      )
    }
  }

  // MARK: Without questions

  private func script() async throws(Failure) {
    guard let name = command.shared.profile else {
      throw Failure(.usage, "a gateway is a profile of its own; add --profile NAME")
    }
    let secret = try await scriptSecret()
    let draft = try draft(
      name: name, address: address(of: secret), scopes: command.scopes ?? .watch, secret: secret,
      allowsPlain: command.shared.allowPlainHttp)
    if let conflict = draft.conflict(settings, mayReplace: command.replace) {
      throw Failure(.usage, conflict)
    }
    let device = try await device(draft)
    guard !command.noTest else { return say(try await save(draft, device, nil)) }
    switch try await trial(draft, device, waits: false).run(withinMs: Self.limitMs) {
    case .failed(let failure):
      throw Failure(code: failure.code, "nothing is saved. \(failure.sentence)")
    case .greeted(let hello, let latencyMs):
      say([words(hello, latencyMs: latencyMs, draft)])
      say(try await save(draft, device, GatewayDraft.Admission(hello)))
    case .pairing(let refusal):
      // What the gateway approves is this key: it is saved before.
      say(try await save(draft, device, nil))
      try await approve(draft, device, refusal)
    }
  }

  private func approve(
    _ draft: GatewayDraft, _ device: GatewayDraft.Device, _ refusal: ConnectRefusal
  ) async throws(Failure) {
    let asked =
      "\(refusal.description) (device \(device.identity.key.id.prefix(16)); within 5 minutes)"
    guard command.awaitApproval else { throw Failure(.authentication, asked) }
    say([asked])
    let outcome = try await trial(draft, device, waits: true).run(
      withinMs: Self.limitMs, known: refusal, asked: { say([Self.again($0)]) })
    switch outcome {
    case .failed(let failure): throw failure
    case .pairing(let refusal): throw Failure(.authentication, refusal.description)
    case .greeted(let hello, let latencyMs):
      try await keep(draft, device, hello)
      say([words(hello, latencyMs: latencyMs, draft)])
    }
  }

  /// The gateway does not tell a device which of both it was.
  static func again(_ refusal: ConnectRefusal) -> String {
    "The request was rejected, or the gateway has dropped it; it has a new one. \(refusal)"
  }

  private func scriptSecret() async throws(Failure) -> GatewayDraft.Secret {
    if command.setupCodeStdin { return .code(try await Self.code(line(), settings)) }
    if command.noToken { return .none }
    let isPassword = command.auth == .password
    if command.tokenStdin { return try Self.secret(line(), isPassword: isPassword) }
    if let file = command.shared.tokenFile {
      let text: String
      do throws(FileError) {
        text = try TokenFile.read(file)
      } catch {
        throw Failure(.usage, error.description)
      }
      return try Self.secret(text, isPassword: isPassword)
    }
    let variable = isPassword ? "OPENCLAW_GATEWAY_PASSWORD" : "OPENCLAW_GATEWAY_TOKEN"
    if let value = settings.environment[variable], !value.isEmpty {
      return try Self.secret(value, isPassword: isPassword)
    }
    throw Failure(
      .usage,
      "setup needs the gateway's \(isPassword ? "password" : "token") without a terminal: --token-stdin, --token-file F, $\(variable), or --no-token"
    )
  }

  private func line() -> String { settings.process.readLine() ?? "" }

  private func say(_ sentences: [String]) {
    for sentence in sentences { settings.output.complain(sentence) }
  }

  // MARK: Steps of both

  /// Of a setup code, or of an image with one; that is read beside the main thread.
  static func code(_ text: String, _ settings: Settings) async throws(Failure) -> SetupCode {
    let (nowMs, variables) = (settings.process.wallMs(), settings.process.variables)
    let pairing = await OwnThread.run { () -> Result<PairingText, PairingText.Problem> in
      Result { () throws(PairingText.Problem) in
        try PairingText.read(text, nowMs: nowMs, environment: variables)
      }
    }
    switch pairing {
    case .success(.setupCode(let code)): return code
    case .success(.companion):
      throw Failure(
        .usage, "This is the code of a companion gateway, and no setup code of an OpenClaw gateway."
      )
    case .failure(let problem): throw Failure(.usage, problem.description)
    }
  }

  static func secret(_ text: String, isPassword: Bool) throws(Failure) -> GatewayDraft.Secret {
    do throws(TokenText.Problem) {
      let text = try TokenText(text)
      return isPassword ? .password(text) : .token(text)
    } catch {
      let word = isPassword ? "password" : "token"
      throw Failure(
        .usage, error == .empty ? "The gateway's \(word) is empty." : error.description)
    }
  }

  /// The address that was given, or that of the setup code.
  func address(of secret: GatewayDraft.Secret) throws(Failure) -> String {
    if case .code(let code) = secret { return code.url }
    if let url = command.shared.url { return url }
    throw Failure(.usage, "setup needs the address without a terminal: add --url URL")
  }

  func draft(
    name: String, address: String, scopes: Configuration.Gateway.Scopes,
    secret: GatewayDraft.Secret, allowsPlain: Bool
  ) throws(Failure) -> GatewayDraft {
    var profile = Configuration.Profile()
    profile.url = address
    let url: WebSocketURL
    do throws(WebSocketURL.Problem) {
      url = try WebSocketURL(profile: profile, allowPlain: allowsPlain)
    } catch {
      throw Failure(.usage, error.description)
    }
    var draft = GatewayDraft(
      name: name, url: url, scopes: scopes, secret: secret, caFile: nil,
      preference: command.store?.preference)
    draft.caFile = try caFile(command.shared.caFile)
    return draft
  }

  /// The full path of a certificate; a relative one would be looked for beside the configuration later.
  func caFile(_ file: String?) throws(Failure) -> String? {
    guard let file, !file.isEmpty else { return nil }
    var path = Settings.path(file, in: Configuration(), settings.environment)
    if !path.hasPrefix("/") { path = "\(FileManager.default.currentDirectoryPath)/\(path)" }
    _ = try NamedFile(path, use: "a CA file is a PEM certificate").bytes()
    return path
  }

  /// Looks for secrets, on a thread of its own: a keyring may wait for the user.
  func device(_ draft: GatewayDraft) async throws(Failure) -> GatewayDraft.Device {
    let settings = settings
    return try await OwnThread.run { () -> Result<GatewayDraft.Device, Failure> in
      Result { () throws(Failure) in try draft.device(settings, version: programVersion) }
    }.get()
  }

  func trial(
    _ draft: GatewayDraft, _ device: GatewayDraft.Device, waits: Bool
  ) throws(Failure) -> GatewayTrial {
    try GatewayTrial(
      try draft.gateway(settings), device.identity, waits: waits, in: settings.process)
  }

  func save(
    _ draft: GatewayDraft, _ device: GatewayDraft.Device, _ admission: GatewayDraft.Admission?
  ) async throws(Failure) -> [String] {
    if Task.isCancelled { throw Failure.interrupted }
    let settings = settings
    return try await OwnThread.run { () -> Result<[String], Failure> in
      Result { () throws(Failure) in try draft.save(settings, device, admission) }
    }.get()
  }

  func keep(
    _ draft: GatewayDraft, _ device: GatewayDraft.Device, _ hello: GatewayHello
  ) async throws(Failure) {
    guard let admission = GatewayDraft.Admission(hello) else { return }
    let settings = settings
    try await OwnThread.run { () -> Result<Void, Failure> in
      Result { () throws(Failure) in try draft.keep(settings, device, admission) }
    }.get()
  }

  /// What a test found.
  func words(_ hello: GatewayHello, latencyMs: Int, _ draft: GatewayDraft) -> String {
    let version = hello.serverVersion.map { VisibleText().of(String($0.prefix(40))) }
    let gateway = version.map { "Gateway \($0)" } ?? "The gateway"
    let first =
      "It works. \(gateway), protocol \(hello.protocolVersion), greeted in \(latencyMs) ms."
    let asked: [String]
    do throws(Failure) {
      asked = try draft.gateway(settings).scopes
    } catch {
      return first
    }
    // Protocol 3 may name no scopes at all.
    let missing = asked.filter { !hello.scopes.contains($0) }
    guard !missing.isEmpty, !hello.scopes.isEmpty || hello.protocolVersion >= 4 else {
      return first
    }
    return
      "\(first) It gave less than was asked for, without \(missing.joined(separator: ", ")); have this device approved for it on the gateway."
  }
}

extension Failure {
  /// A failure with an exit code that came from elsewhere.
  fileprivate init(code: Int32, _ sentence: String) {
    self.init(.failed, sentence)
    self.code = code
  }
}
