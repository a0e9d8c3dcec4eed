import Children
import Foundation

/// The keyring of a Linux desktop (Secret Service API), through `secret-tool` of libsecret.
struct SecretService: Keyring {
  /// `secret-tool`.
  let tool: String
  let environment: [String: String]

  /// nil if the tool is not installed, or there is no session bus to reach a keyring.
  init?(environment: [String: String]) {
    guard Self.hasSessionBus(environment),
      let tool = Program.find("secret-tool", environment: environment)
    else { return nil }
    self.tool = tool
    self.environment = environment
  }

  var place: CredentialPlace { .secretService }

  private static func hasSessionBus(_ environment: [String: String]) -> Bool {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return false }
    return access("\(folder)/bus", F_OK) == 0
  }

  private static func attributes(_ key: CredentialKey) -> [String] {
    ["service", KeyringName.service, "origin", key.origin]
  }

  func save(
    _ token: String, for key: CredentialKey, patience: Duration
  ) throws(FileError) {
    let label = "--label=\(key.label)"
    // No line end: the input is stored verbatim.
    let answer = try run(
      ["store", label] + Self.attributes(key), .bytes(Array(token.utf8)), patience)
    guard answer.status == 0 else { throw refusal(answer) }
  }

  func load(_ key: CredentialKey, patience: Duration) throws(FileError) -> String? {
    let answer = try run(["lookup"] + Self.attributes(key), .nothing, patience)
    if answer.status == 0 { return KeyringName.token(answer.output) }
    // Not found is status 1 without a word.
    if answer.errors.allSatisfy(\.isWhitespace) { return nil }
    throw refusal(answer)
  }

  func remove(_ key: CredentialKey, patience: Duration) throws(FileError) {
    let answer = try run(["clear"] + Self.attributes(key), .nothing, patience)
    guard answer.status == 0 || answer.errors.allSatisfy(\.isWhitespace) else {
      throw refusal(answer)
    }
  }

  private func run(
    _ arguments: [String], _ input: HelperProgram.Input, _ patience: Duration
  ) throws(FileError) -> HelperProgram.Answer {
    try KeyringName.run(
      HelperProgram(path: tool, arguments: arguments, environment: environment), input,
      "the Secret Service", patience)
  }

  private func refusal(_ answer: HelperProgram.Answer) -> FileError {
    KeyringName.refusal("the Secret Service", "secret-tool", answer)
  }
}
