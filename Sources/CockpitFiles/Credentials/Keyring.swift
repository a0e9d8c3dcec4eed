import Children

/// A place of the system for secrets.
protocol Keyring {
  var place: CredentialPlace { get }
  func save(_ token: String, for key: CredentialKey, patience: Duration) throws(FileError)
  /// nil if it has no token for this origin.
  func load(_ key: CredentialKey, patience: Duration) throws(FileError) -> String?
  func remove(_ key: CredentialKey, patience: Duration) throws(FileError)
}

/// Names shared by both keyrings.
enum KeyringName {
  /// The name our items have in a keyring.
  static let service = "clanky-cockpit"

  /// The first line, which is the token; nil if there is none.
  static func token(_ output: [UInt8]) -> String? {
    let line = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).first
    return line.map(String.init)
  }

  static func run(
    _ program: HelperProgram, _ input: HelperProgram.Input, _ name: String, _ patience: Duration
  ) throws(FileError) -> HelperProgram.Answer {
    do throws(HelperProgram.Problem) {
      return try program.run(input: input, patience: patience)
    } catch {
      switch error {
      case .notStarted(let why): throw FileError("'\(program.path)' cannot be started: \(why)")
      case .timedOut:
        throw FileError(
          "\(name) did not answer within \(patience.inSeconds); it may wait to be unlocked")
      }
    }
  }

  static func refusal(
    _ name: String, _ tool: String, _ answer: HelperProgram.Answer
  ) -> FileError {
    let said = answer.errors.split(whereSeparator: \.isNewline).first.map { ": \($0.prefix(200))" }
    return FileError("\(name) refused (\(tool), status \(answer.status))\(said ?? "")")
  }
}

extension Duration {
  /// `2 s`, `0.5 s`: for sentences.
  var inSeconds: String {
    let ms = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    return ms % 1000 == 0 ? "\(ms / 1000) s" : "\(Double(ms) / 1000) s"
  }
}
