internal import LenientJSON
internal import Networking
internal import ClankyWire

/// The result of a changing request.
enum ChangeAnswer {
  /// JSON with a status of success.
  case answered(JSONValue, status: Int)
  /// The backend's own no, with its `error` or `reason`: untrusted text.
  case refused(status: Int, words: String?)
  /// It certainly did not happen.
  case notSent(RestFailure)
  /// The change may have happened: a sentence that says why this is unknown, and the failure.
  case unknown(String, RequestFailure)

  static let odd = "The backend answered with something that cannot be understood."

  init(_ result: Result<RestAnswer, RestFailure>) {
    switch result {
    case .success(let answer) where answer.isSuccess:
      self =
        (try? JSONValue.parse(answer.body)).map { .answered($0, status: answer.status) }
        ?? .unknown(Self.odd, .unreadable)
    case .success(let answer):
      let words = ErrorBody(body: answer.body).message
      // With 503 the backend reports that it lacks this part (contract 3.4, 3.5); another 5xx is an
      // exception, possibly after the work was done.
      self =
        answer.status >= 500 && (answer.status != 503 || words == nil)
        ? .unknown(
          Self.failure(answer.status, words), .refused(status: answer.status, words: words))
        : .refused(status: answer.status, words: words)
    case .failure(let failure):
      self =
        !failure.mayHaveArrived || failure.failure.isRefusal
        ? .notSent(failure) : .unknown(failure.failure.sentence, .unanswered(failure))
    }
  }

  static func refusal(_ status: Int, _ words: String?) -> String {
    "The backend refused the request (\(status))\(words.map { ": \($0)" } ?? "")."
  }

  private static func failure(_ status: Int, _ words: String?) -> String {
    "The backend failed (\(status))\(words.map { ": \($0)" } ?? "")."
  }
}

extension Result where Success == RestAnswer, Failure == RestFailure {
  /// Whether the answer means that the route is missing or hidden (contract 1.4).
  var isMissingRoute: Bool {
    switch self {
    case .success(let answer): answer.status == 404 || answer.status == 405
    case .failure(let failure):
      switch failure.failure {
      case .noRoute, .notClanky(.wrongPath), .hidden, .requestRejected(404, _),
        .requestRejected(405, _):
        true
      default: false
      }
    }
  }
}
