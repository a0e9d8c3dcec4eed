import ClankyHTTP
import ClankyLink
import CockpitStores

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

  /// A `--ca-file` that cannot be used is the user's to mend.
  init(_ problem: CurlTransport.Problem) {
    self.init(problem == .unavailable ? .failed : .usage, problem.description)
  }

  init(_ failure: LinkFailure) {
    code = failure.exitCode
    description = failure.description
  }

  /// What the backend itself answered instead of what it was asked for. It is there, so trying again is
  /// not what helps: exit code 1.
  init(refusal answer: RestAnswer) { self.init(.failed, answer.refusal) }
}
