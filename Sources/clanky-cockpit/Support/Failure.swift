import ClankyLink

/// Why a command ends without having done its work: one sentence, and the exit code of the
/// command-line contract.
struct Failure: Error, CustomStringConvertible {
  /// The codes that scripts rely on.
  enum Code: Int32 {
    case failed = 1
    case usage = 2
    case connection = 3
    case authentication = 4
  }

  var code: Int32
  var description: String

  init(_ code: Code, _ sentence: String) {
    self.code = code.rawValue
    description = sentence
  }

  init(_ failure: LinkFailure) {
    code = failure.exitCode
    description = failure.description
  }
}
