import Children

/// The login keychain of macOS, through `/usr/bin/security`.
///
/// Every user of the machine can read its arguments, so the command with the token goes to its
/// standard input (`security -i`).
struct Keychain: Keyring {
  /// `/usr/bin/security`; another program in tests.
  let tool: String
  let environment: [String: String]

  init(tool: String = "/usr/bin/security", environment: [String: String]) {
    self.tool = tool
    self.environment = environment
  }

  var place: CredentialPlace { .keychain }

  /// The line reader of `security -i` truncates commands at 4,096 bytes.
  private static let longest = 3_500
  /// `errSecItemNotFound`, as the exit status that `security` makes of it.
  private static let notFound: Int32 = 44

  func save(
    _ token: String, for key: CredentialKey, patience: Duration
  ) throws(FileError) {
    // How its line reader handles quotes and backslashes is undocumented, and non-ASCII text comes
    // back in hexadecimal.
    guard token.utf8.count <= Self.longest,
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"'\"\\".utf8.contains($0) })
    else {
      throw FileError(
        "the token has characters that cannot be handed to the Keychain safely; keep it in a file")
    }
    let command =
      "add-generic-password -U -s '\(KeyringName.service)' -a '\(key.origin)' -w '\(token)'\n"
    let answer = try run(["-i"], .bytes(Array(command.utf8)), patience)
    guard answer.status == 0 else { throw refusal(answer) }
  }

  func load(_ key: CredentialKey, patience: Duration) throws(FileError) -> String? {
    let answer = try run(
      ["find-generic-password", "-s", KeyringName.service, "-a", key.origin, "-w"], .nothing,
      patience)
    if answer.status == Self.notFound { return nil }
    guard answer.status == 0 else { throw refusal(answer) }
    return KeyringName.token(answer.output)
  }

  func remove(_ key: CredentialKey, patience: Duration) throws(FileError) {
    let answer = try run(
      ["delete-generic-password", "-s", KeyringName.service, "-a", key.origin], .nothing, patience)
    guard [0, Self.notFound].contains(answer.status) else { throw refusal(answer) }
  }

  private func run(
    _ arguments: [String], _ input: HelperProgram.Input, _ patience: Duration
  ) throws(FileError) -> HelperProgram.Answer {
    try KeyringName.run(
      HelperProgram(path: tool, arguments: arguments, environment: environment), input,
      "the Keychain", patience)
  }

  private func refusal(_ answer: HelperProgram.Answer) -> FileError {
    KeyringName.refusal("the Keychain", "security", answer)
  }
}
