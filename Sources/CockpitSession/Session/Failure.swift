import CockpitHistory
import CurlTransport
import Networking
import CockpitStores
import LenientJSON

extension LinkFailure {
  /// The failure as text for a shell.
  ///
  /// - Parameter namesAddress: see `Environment`.
  package func words(namesAddress: Bool) -> String {
    "\(sentence) \(shellAdvice(namesAddress: namesAddress))"
  }

  /// The next step. Without `--url` the user may not have a backend yet.
  package func shellAdvice(namesAddress: Bool) -> String {
    guard case .refused = self, !namesAddress else { return advice }
    return "Start the bot, correct --url, or run 'clanky-cockpit setup'."
  }
}

/// Why a command failed: one sentence, and the exit code of the command-line contract.
package struct Failure: Error, CustomStringConvertible {
  /// The codes that scripts rely on.
  package enum Code: Int32 {
    case failed = 1
    case usage = 2
    case connection = 3
    case authentication = 4
  }

  package var code: Int32
  /// What happened, and the next step unless `link` provides it.
  package var sentence: String
  /// The failure on the wire; its advice follows the sentence.
  package var link: LinkFailure?

  package var description: String { words(namesAddress: true) }

  /// - Parameter namesAddress: see `Environment`.
  package func words(namesAddress: Bool) -> String {
    guard let link else { return sentence }
    return "\(sentence) \(link.shellAdvice(namesAddress: namesAddress))"
  }

  package init(_ code: Code, _ sentence: String) {
    self.code = code.rawValue
    self.sentence = sentence
  }

  /// A `--ca-file` that cannot be used is the user's to mend.
  package init(_ problem: CurlTransport.Problem) {
    self.init(problem == .unavailable ? .failed : .usage, problem.description)
  }

  package init(_ error: HistoryError) {
    let code: Code =
      switch error.reason {
      case .refused: .usage
      case .unreachable: .connection
      default: .failed
      }
    self.init(code, error.description)
  }

  package init(_ failure: LinkFailure) {
    code = failure.exitCode
    sentence = failure.sentence
    link = failure
  }

  /// A failed request. A backend error (5xx) may pass and retrying is safe: exit code 3. A rejected
  /// request will be rejected again: 1.
  package init(_ failure: RequestFailure) {
    switch failure {
    case .unanswered(let failure): self.init(failure.failure)
    case .refused(let status, _) where status >= 500: self.init(.connection, failure.sentence)
    case .refused: self.init(.failed, "\(failure.sentence) \(Self.afterRefusal)")
    case .unreadable: self.init(.notClanky(.otherJSON))
    case .other(let sentence): self.init(.failed, sentence)
    }
  }

  /// Advice when the backend rejects a request (4xx).
  private static let afterRefusal = "Check the arguments, --url, and the version of the backend."

  /// A change that was not carried out, or may not have been: 3 only when it certainly did not arrive at
  /// the bot, since then trying again is safe.
  package init(_ failure: ChangeFailure) {
    let sentence = failure.sentence
    switch failure.cause {
    case .unanswered(let cause):
      switch cause.failure {
      case let failure where failure.exitCode == Code.authentication.rawValue:
        self.init(.authentication, sentence)
      case .notClanky, .rateLimited: self.init(.connection, sentence)
      default: self.init(cause.mayHaveArrived ? .failed : .connection, sentence)
      }
    // Without a message it is unknown whether the work was done.
    case .refused(status: 503, words: .some):
      self.init(.connection, "\(sentence) Try again later.")
    case .refused(let status, _):
      self.init(.failed, status < 500 ? "\(sentence) \(Self.afterRefusal)" : sentence)
    case .unreadable:
      // `OperationsService` understands every success status that a Clanky backend sends.
      let unexpected = LinkFailure.notClanky(.otherJSON)
      self.init(
        .connection, "\(unexpected.sentence) The outcome is unknown. \(unexpected.advice)")
    case .other: self.init(.failed, sentence)
    }
  }

  /// A success status that no Clanky backend would send for this request.
  package init(unexpected answer: RestAnswer) {
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

extension Failure.Code {
  /// The exit code if a fact was not changed or deleted.
  ///
  /// - Parameters:
  ///   - failure: the failure on the wire; nil if there was none.
  ///   - wasSent: whether the changing request was sent.
  package init(_ failure: RequestFailure?, wasSent: Bool) {
    switch failure {
    case .unanswered(let failure):
      if failure.failure.exitCode == Self.authentication.rawValue {
        self = .authentication
      } else {
        // It may have arrived: then trying again blindly would be wrong.
        self = wasSent && failure.mayHaveArrived ? .failed : .connection
      }
    // If only the re-read failed, nothing has changed and retrying is safe.
    case .refused(let status, _) where status >= 500 && !wasSent: self = .connection
    case .refused, .unreadable, .other, nil: self = .failed
    }
  }
}
