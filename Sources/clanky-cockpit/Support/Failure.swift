import ClankyHTTP
import ClankyLink
import CockpitStores
import LenientJSON

extension LinkFailure {
  /// Its description for people at a shell.
  var words: String { "\(sentence) \(shellAdvice)" }

  /// What to do next. Whoever has named no address may not have one yet.
  var shellAdvice: String {
    let isNamed = CommandLine.arguments.contains { $0 == "--url" || $0.hasPrefix("--url=") }
    guard case .refused = self, !isNamed else { return advice }
    return "Start the bot, correct --url, or run 'clanky-cockpit setup'."
  }
}

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
    description = failure.words
  }

  /// What the backend itself answered to a question instead of what it was asked for. A failure of its
  /// own (5xx) may be over soon and asking does no harm: exit code 3. What it refuses it will refuse
  /// again: 1.
  init(refusal answer: RestAnswer) {
    if answer.status >= 500 {
      self.init(.connection, answer.refusal)
    } else {
      self.init(.failed, "\(answer.refusal) \(Self.afterRefusal)")
    }
  }

  /// What to do when the backend itself refuses what was asked (4xx).
  static let afterRefusal = "Check the arguments, --url, and the version of the backend."

  /// An answer with a status of success that no Clanky backend gives to what it was asked.
  init(stranger answer: RestAnswer) {
    let isEmpty = answer.body.allSatisfy { $0 <= 0x20 }
    let why: NotClanky =
      if answer.status != 200, isEmpty {
        .unexpectedStatus(answer.status)
      } else if (try? JSONValue.parse(answer.body)) == nil {
        .notJSON
      } else {
        .otherJSON
      }
    self.init(.notClanky(why))
  }
}
